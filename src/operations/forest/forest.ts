// Keeps the forest of a database in memory, up to date at every call: decides what to read when (the statements are in db/feed/forest.ts), and which
// callers wait. Does not search. ARCHITECTURE.md explains why the feed is exact.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type FeedPosition, selectForestNews, selectForestStart, selectProviderStates } from '../../db/feed/forest.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import { connectionFault } from '../../db/writes/apply-write.ts';
import { areClaimsUnderWay } from '../../db/writes/claims.ts';
import { areClaimsElsewhere } from '../../db/writes/remote-claims.ts';
import { Forest } from '../../domain/candidates/forest.ts';
import { Unavailable } from '../../domain/errors.ts';
import { measures } from '../../measures/measures.ts';
import { urgentInParts } from '../request/event-loop-share.ts';
import { Reservations } from './reservations.ts';

const keepers = new WeakMap<Db, ForestKeeper>();

/** The keeper of a database handle, created on first use. */
export function forestOf(db: Db): ForestKeeper {
  const main = mainHandleOf(db);
  const keeper = keepers.get(main) ?? new ForestKeeper(main);
  keepers.set(main, keeper);
  return keeper;
}

/** A forest, and the position up to which its changes have been read. */
interface Known {
  readonly forest: Forest;
  readonly position: FeedPosition;
}

interface Caller {
  /** Claims do not yield to claims: claims that are searched for while one call is written share the next. */
  readonly isClaim: boolean;
  readonly resolve: (forest: Forest) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that searches and then claims have while claims are being written. */
const share = { searches: 2, claims: 1 } as const;

/**
 * Passes the forest to one caller after another, and lets claims run in between ("Searches yield to claims" in ARCHITECTURE.md). `onHalf` is called when half
 * of them have it.
 */
async function resolveInTurn(db: Db, callers: readonly Caller[], forest: Forest, onHalf: () => void): Promise<void> {
  let yieldedAt = performance.now();
  for (const [place, { isClaim, resolve }] of callers.entries()) {
    const areClaimsWritten = areClaimsUnderWay(db) || areClaimsElsewhere(db);
    const yields = !isClaim && areClaimsWritten && performance.now() - yieldedAt > share.searches;
    if (place > 0) await (yields ? setTimeout(share.claims) : setImmediate());
    if (yields) yieldedAt = performance.now();
    resolve(forest);
    if (place + 1 === Math.ceil(callers.length / 2)) onHalf();
  }
}

/** Milliseconds between log lines about a long read. */
const reportInterval = 2000;
/** How many times one call starts over before it gives up. */
const maxStarts = 3;

/** Holds one forest and updates it on every request. */
export class ForestKeeper {
  /** Called with a log line while a read takes more than two seconds. */
  report: (line: string) => void = () => {};
  /** Not part of the forest that callers get: claims add reservations while they search. */
  readonly reservations = new Reservations();
  private readonly db: Db;
  /** The number of providers to read at once: decoding and applying them must not block the event loop. */
  private readonly slice: number;
  private known: Known | undefined;
  private isLoaded = false;
  private changes = 0;
  private readAt: number | null = null;
  /** Callers that wait for the next read. */
  private waiting: Caller[] = [];
  private isReading = false;
  /** Set until all callers of the present round have the forest. */
  private passing: Promise<void> = Promise.resolve();
  /** Work in parts on the present forest. */
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(db: Db, slice = 500) {
    this.db = db;
    this.slice = slice;
  }

  /**
   * The forest with everything committed before this call. Valid until the caller awaits something else: the object is always the same, and the next
   * refresh changes it. Throws Unavailable when the database cannot be read; the next call tries again.
   */
  current({ isClaim = false } = {}): Promise<Forest> {
    return new Promise((resolve, reject) => {
      // A read in progress may have begun before the latest commit, so all callers that arrive meanwhile share the next one.
      this.waiting.push({ isClaim, resolve, reject });
      if (!this.isReading) void this.readForAll();
    });
  }

  /**
   * Does work on the forest in parts, between which others have their turn. The forest stays as it is until the work is done and its caller awaits something
   * else. To be called while the forest is valid; the work must leave it as it found it whenever it pauses.
   */
  async inParts<Result>(work: Generator<unknown, Result>): Promise<Result> {
    const done = urgentInParts(work);
    this.underWay.add(done);
    try {
      return await done;
    } finally {
      this.underWay.delete(done);
    }
  }

  /** Like `current`, but null until the whole database has been read into memory. */
  currentIfLoaded(): Promise<Forest | null> {
    return this.isLoaded ? this.current() : Promise.resolve(null);
  }

  /** The number of providers at the last read; null until the whole database has been read into memory. */
  get providerCount(): number | null {
    return this.known && this.isLoaded ? this.known.forest.providerCount : null;
  }

  /** The position up to which the forest has been read. Valid as long as what `current` returns. */
  get position(): FeedPosition {
    if (!this.known) throw new Unavailable(new Error('the forest has not been read'));
    return this.known.position;
  }

  /** The number of reads that found changes. */
  get changeCount(): number {
    return this.changes;
  }

  /** Milliseconds since the forest was last up to date; null if it has not been read yet. */
  get age(): number | null {
    return this.readAt === null ? null : performance.now() - this.readAt;
  }

  /** Reads until no caller is waiting; never rejects. */
  private async readForAll(): Promise<void> {
    this.isReading = true;
    // Callers of the same turn of the event loop share the first read.
    await null;
    while (this.waiting.length > 0) {
      const callers = this.waiting;
      this.waiting = [];
      try {
        const begun = performance.now();
        const before = this.changes;
        const written = this.reservations.written();
        this.known = await this.readOn(this.known);
        for (const reservation of written) this.reservations.giveBack(reservation);
        measures.forestReads.observe((performance.now() - begun) / 1000);
        if (this.changes > before) measures.forestChanges.add(this.changes - before);
        this.isLoaded = true;
        this.readAt = performance.now();
        const { forest } = this.known;
        // The database is read for the next callers while the second half has its turns, so that no caller waits for it, and rounds are short.
        await new Promise<void>((onHalf) => {
          this.passing = resolveInTurn(this.db, callers, forest, onHalf);
        });
      } catch (error) {
        this.isLoaded = this.known !== undefined;
        const failure = connectionFault(error) ? new Unavailable(error) : error;
        for (const { reject } of callers) reject(failure);
      }
    }
    this.isReading = false;
  }

  /** Reads the changes, or everything when nothing has been read yet or the server no longer accepts the position. */
  private async readOn(known: Known | undefined, starts = 0): Promise<Known> {
    if (!known) return this.start(starts);
    const { forest } = known;
    const news = await selectForestNews(this.db, known.position, this.slice, (id) => forest.classes.get(id)?.name);
    // Callers that have not got the forest yet get it as it is.
    await this.passing;
    if (news.names || news.changed.length + news.used.length + news.removed.length > 0) await this.untilUnused();
    // A failure from here on may leave the forest half updated, so it is dropped until the read has succeeded.
    this.known = undefined;
    if (!news.continues) return this.start(starts);
    if (news.names || news.changed.length + news.used.length + news.unread.length + news.removed.length > 0) this.changes++;
    if (news.names) forest.setNames(news.names);
    if (news.changed.length > 0 || news.removed.length > 0) forest.apply(news);
    const unread = [...news.unread, ...forest.applyUse(news.used)];
    return this.complete({ forest, position: news.position }, unread, starts);
  }

  /** Waits for work in parts. No more begins meanwhile, because no caller gets the forest. */
  private async untilUnused(): Promise<void> {
    while (this.underWay.size > 0) {
      await Promise.allSettled(this.underWay);
      // The callers of that work still use the forest in this turn.
      await setImmediate();
    }
  }

  private async start(starts: number): Promise<Known> {
    this.isLoaded = false;
    if (starts === maxStarts)
      throw new Unavailable(new Error('reads reach several servers in turn, or one that is restarted all the time'));
    const { position, names, providerIds } = await selectForestStart(this.db);
    const forest = new Forest();
    forest.setNames(names);
    return this.complete({ forest, position }, providerIds, starts + 1);
  }

  /**
   * Reads the states of providers in slices. Each slice is a snapshot of its own; reading on from the position makes them consistent. If more than a
   * slice changed meanwhile, it is read the same way, and each round takes less time.
   */
  private async complete(known: Known, unread: readonly number[], starts: number): Promise<Known> {
    if (unread.length === 0) return known;
    const { forest } = known;
    let lastReport = performance.now();
    const readSlice = (from: number) => {
      const states = selectProviderStates(this.db, unread.slice(from, from + this.slice), (id) => forest.classes.get(id)?.name);
      // Noticed when it is waited for.
      states.catch(() => {});
      return states;
    };
    let next = readSlice(0);
    for (let read = 0; read < unread.length; read += this.slice) {
      const changed = await next;
      // The database reads one while another is applied.
      if (read + this.slice < unread.length) next = readSlice(read + this.slice);
      await this.untilUnused();
      forest.apply({ changed, removed: [] });
      if (performance.now() - lastReport > reportInterval) {
        lastReport = performance.now();
        this.report(`reading providers into memory: ${Math.min(read + this.slice, unread.length)} of ${unread.length}`);
      }
    }
    return this.readOn(known, starts);
  }
}
