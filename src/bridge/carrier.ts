// Carries changes from the side that leads to the other one, in one process of all gateways: reads back what is noted while the other Placement leads, and writes
// there what the feed tells while this ledger does. Completes the switches, because it alone knows when nothing is left.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  adoptNotes,
  type BridgeState,
  becomeCarrier,
  changeBridge,
  countDifferences,
  countNotes,
  type DueObject,
  deleteNotes,
  keepDifferences,
  moveCursor,
  type NotedObject,
  noteDue,
  selectBridge,
  selectChanged,
  selectDue,
  selectTriedLongAgo,
} from '../db/bridge.ts';
import { selectEventsBehind, selectLedgerMoment } from '../db/feed/events.ts';
import type { Db } from '../db/sql/client.ts';
import { beginning, type FeedPosition, parseFeedCursor, renderFeedCursor } from '../domain/event-feed.ts';
import { limits } from '../domain/limits.ts';
import { Comparison } from './comparison.ts';
import { importer } from './imports.ts';
import { MadeConsumers } from './made.ts';
import { makeThere } from './outgoing.ts';
import { type PlacementClient, withFewerReads } from './placement/client.ts';
import { type Reading, readBack } from './read-back.ts';
import { bySpelling } from './spellings.ts';

export interface CarrierOptions {
  readonly db: Db;
  /** This process among those that serve. */
  readonly process: string;
  /** A client of the other Placement that goes on after failures. */
  readonly open: () => Promise<PlacementClient>;
  /** Whether clients use the other Placement, through this process, and wait for no switch. */
  readonly isUsed: () => boolean;
  readonly log: { info(line: string): void; warn(details: object, line: string): void };
}

/** Seconds for which a process carries over without saying so again. */
const term = 5;
/** Milliseconds after which it says so again. */
const renewPause = 1000;
/** Milliseconds that the end of this process waits for the step under way. */
const lastPatience = 3000;
/** Milliseconds between two looks when nothing was to be done. */
const pause = 50;
/** Milliseconds before another attempt after a failure. */
const pauseAfterFailure = 1000;
/** Milliseconds between two attempts at objects that were refused. */
const retryPause = 10_000;
/** Objects that are read back together, and events that are carried over together. */
const batch = 100;

/** Reads in the other Placement at once while clients use it: each one more makes their searches slower. */
const readsBesideClients = 2;

/** How far dependencies are followed: a child needs its parent, which needs its own. */
const mostLevels = 20;

export class Carrier {
  readonly #options: CarrierOptions;
  readonly #ending = new AbortController();
  #running: Promise<void> | null = null;
  #renewing: NodeJS.Timeout | null = null;
  /** The last renewal beside the work, until it is over. */
  #renewal: Promise<void> = Promise.resolve();
  #placement: PlacementClient | null = null;
  #retryAt = 0;
  readonly #comparison: Comparison;
  readonly #made: MadeConsumers;
  /** The epoch of this process while it carries over. */
  #epoch: number | null = null;

  constructor(options: CarrierOptions) {
    this.#options = options;
    const { db, log } = options;
    this.#made = new MadeConsumers(db);
    this.#comparison = new Comparison(db, (objects) =>
      log.warn({ objects: objects.slice(0, 20), count: objects.length }, 'clients have changed the other Placement past this gateway'),
    );
  }

  start(): void {
    // Beside the work, because a step may take longer than the term.
    this.#renewing = setInterval(() => {
      this.#renewal = this.#renew().catch(() => {});
    }, renewPause);
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    if (this.#renewing) clearInterval(this.#renewing);
    // A step that waits for the other side may take minutes. It writes nothing more.
    await Promise.race([Promise.all([this.#running, this.#renewal]), sleep(lastPatience)]);
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    let isFailing = false;
    while (!this.#ending.signal.aborted) {
      let rest = pause;
      try {
        if (this.#epoch === null) await this.#renew();
        if (this.#epoch === null) rest = pauseAfterFailure;
        else if (await this.#carry(this.#epoch)) rest = 0;
        if (isFailing) log.info('the other Placement can be reached again');
        isFailing = false;
      } catch (err) {
        this.#placement = null;
        this.#made.forget();
        if (!isFailing && !this.#ending.signal.aborted)
          log.warn({ err }, 'changes cannot be carried over between this ledger and the other Placement');
        isFailing = true;
        rest = pauseAfterFailure;
      }
      if (rest > 0) await sleep(rest, undefined, { signal: this.#ending.signal }).catch(() => {});
    }
  }

  async #renew(): Promise<void> {
    const { db, process } = this.#options;
    const epoch = await becomeCarrier(db, process, term);
    if (epoch !== this.#epoch) this.#made.forget();
    this.#epoch = epoch;
    if (this.#epoch !== null) await adoptNotes(db, limits.passTime / 1000);
  }

  /** One step. Whether there may be more to do at once. */
  async #carry(carrier: number): Promise<boolean> {
    const state = await selectBridge(this.#options.db);
    if (state === null) return false;
    if (state.mode === 'passing' || state.mode === 'ended') return false;
    this.#placement ??= untilAborted(
      withFewerReads(await this.#options.open(), () => (this.#options.isUsed() ? readsBesideClients : Number.POSITIVE_INFINITY)),
      this.#ending.signal,
    );
    return state.mode === 'following' || state.mode === 'toLeading'
      ? this.#follow(carrier, state, this.#placement)
      : this.#lead(carrier, state, this.#placement);
  }

  async #follow(carrier: number, state: BridgeState, placement: PlacementClient): Promise<boolean> {
    const { db } = this.#options;
    const begun = performance.now();
    const due = await selectDue(db, batch);
    // Each side has counted its own generations while this one led, until the first comparison after that.
    if (state.comparedAt === null && state.cursor !== null) this.#made.forget();
    if (due.length > 0) await this.#takeBack(carrier, placement, due);
    if (state.mode !== 'toLeading') return this.#beside(due, begun, state, placement);
    if ((state.left ?? 0) <= 0) await changeBridge(db, ['toLeading', 'following']);
    else if ((await countNotes(db)).count === 0 && (await countDifferences(db)) === 0) {
      const cursor = renderFeedCursor({ delivered: await selectLedgerMoment(db), reading: null });
      await changeBridge(db, ['toLeading', 'leading'], { carrier, cursor });
    }
    return due.length > 0;
  }

  /** Takes over the objects that are due: as their writes say, or as they are read. */
  async #takeBack(carrier: number, placement: PlacementClient, due: readonly DueObject[]): Promise<void> {
    const { db } = this.#options;
    const by = importer(`req-${randomUUID()}`, carrier);
    const { left, taken, done } = await this.#made.take(due, by);
    if (taken.length > 0) await keepDifferences(db, taken, []);
    if (left.length > 0) await this.#readBack({ db, placement, by }, left);
    await deleteNotes(db, [...done, ...left.flatMap(({ ids }) => ids)]);
  }

  /** Reads objects back. If some are refused because they depend on others, reads those, too, and tries again. */
  async #readBack(reading: Reading, due: readonly NotedObject[]): Promise<void> {
    const tried: NotedObject[] = [...due];
    const read = async (objects: readonly NotedObject[]) => {
      const outcome = await readBack(reading, objects);
      await this.#made.markRead(outcome.read);
      return outcome;
    };
    let { refused, needed } = await read(due);
    for (let level = 1; level <= mostLevels; level++) {
      const known = new Set(tried.map(({ noun, key }) => `${noun} ${key}`));
      const others = needed.filter(({ noun, key }) => !known.has(`${noun} ${key}`));
      if (others.length === 0) break;
      tried.push(...others);
      // In parts, because a class that was renamed may have very many holders.
      const next = [...others, ...refused];
      [refused, needed] = [[], []];
      for (let from = 0; from < next.length; from += batch) {
        const part = await read(next.slice(from, from + batch));
        refused = [...refused, ...part.refused];
        needed = [...needed, ...part.needed];
      }
    }
    await keepDifferences(reading.db, tried, refused);
  }

  async #lead(carrier: number, state: BridgeState, placement: PlacementClient): Promise<boolean> {
    const { db } = this.#options;
    const begun = performance.now();
    const { mode, left, cursor } = state;
    const position = cursor === null ? beginning : parseFeedCursor(cursor);
    const page = await selectEventsBehind(db, position, {}, { size: batch, look: batch });
    // A restored ledger must not overwrite what the other side has and this one has lost.
    if (!page.continues) {
      throw new Error(
        'events that were not carried over yet are not kept any more, or the database was restored: an operator must decide which side is right',
      );
    }
    const events = page.events.slice(0, batch);
    if (events.length > 0) {
      const changed = await selectChanged(
        db,
        events.map(({ id }) => id),
      );
      await this.#writeThere(placement, changed);
    }
    const isRead = events.length === 0 && position.reading === null;
    if (!isRead) await moveCursor(db, carrier, renderFeedCursor(positionAfter(position, page, events)));
    const due = await selectDue(db, batch);
    if (due.length > 0) {
      await this.#writeThere(placement, due);
      await deleteNotes(
        db,
        due.flatMap(({ ids }) => ids),
      );
    }
    if (mode !== 'toFollowing') return this.#beside([...events, ...due], begun, state, placement);
    if ((left ?? 0) <= 0) await changeBridge(db, ['toFollowing', 'leading']);
    else if (isRead && due.length === 0 && (await countDifferences(db)) === 0) {
      await changeBridge(db, ['toFollowing', 'following'], { carrier });
    }
    return !isRead || due.length > 0;
  }

  /**
   * What is done beside the changes of a step, unless there are many more of them: otherwise it would never be done while clients write. What is urgent gets as much
   * time as the changes took.
   */
  async #beside(done: readonly unknown[], begun: number, state: BridgeState, placement: PlacementClient): Promise<boolean> {
    if (done.length >= batch) return true;
    const until = 2 * performance.now() - begun;
    const isRetried = await this.#retry();
    let isUrgent = await this.#comparison.next(placement, state);
    while (isUrgent && performance.now() < until) isUrgent = await this.#comparison.next(placement, state);
    return isRetried || isUrgent || done.length > 0;
  }

  async #writeThere(placement: PlacementClient, objects: readonly NotedObject[]): Promise<void> {
    const keysOf = (noun: NotedObject['noun']) => new Set(objects.filter((object) => object.noun === noun).map(({ key }) => key));
    const { consumers, odd } = await bySpelling(placement, keysOf('consumer'));
    const differing = await makeThere(this.#options.db, placement, {
      resourceClasses: keysOf('resourceClass'),
      traits: keysOf('trait'),
      providers: keysOf('provider'),
      consumers: new Set(consumers),
    });
    await keepDifferences(this.#options.db, objects, [...differing, ...odd]);
  }

  /** Notes again what was refused, now and then: the reason may be gone. */
  async #retry(): Promise<boolean> {
    if (performance.now() < this.#retryAt) return false;
    this.#retryAt = performance.now() + retryPause;
    const differences = await selectTriedLongAgo(this.#options.db, batch);
    await noteDue(this.#options.db, differences);
    return differences.length > 0;
  }
}

/** The same client, except that it sends no writes once the signal is aborted. */
function untilAborted(placement: PlacementClient, signal: AbortSignal): PlacementClient {
  return {
    ...placement,
    send: async (...write) => {
      signal.throwIfAborted();
      return placement.send(...write);
    },
  };
}

/** The position after a page, as the feed's own readers have it. */
function positionAfter(
  { delivered }: FeedPosition,
  { moment, lookedUpTo, more, events: found }: Awaited<ReturnType<typeof selectEventsBehind>>,
  events: readonly { readonly id: number }[],
): FeedPosition {
  const last = events.at(-1)?.id ?? 0;
  if (found.length > events.length) return { delivered, reading: { ...moment, upTo: last } };
  if (more) return { delivered, reading: { ...moment, upTo: lookedUpTo ?? last } };
  return { delivered: moment, reading: null };
}
