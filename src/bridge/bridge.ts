// The bridge in one process that serves: knows which side leads, and passes requests of the REST API on while the other Placement does.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BridgeState,
  deleteNotes,
  endNotes,
  endOthersOf,
  forgetGateway,
  isOtherLeading,
  type NotedObject,
  noteDue,
  noteObjects,
  seeBridge,
  selectBridge,
} from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import type { MadeConsumer } from '../db/writes/contract.ts';
import { limits } from '../domain/limits.ts';
import type { Read } from './answers.ts';
import { Carrier, type CarrierOptions } from './carrier.ts';
import { NotPassed, Passage, type PassedRequest } from './passing.ts';
import { ReadComparison } from './reads.ts';
import { touchedBy } from './touched.ts';

export interface BridgeOptions extends Pick<CarrierOptions, 'db' | 'log'> {
  /** A client of the other Placement; null in a process that has no token for it and so never carries over. */
  readonly open: CarrierOptions['open'] | null;
}

/** Milliseconds between two looks at the mode. */
const lookPause = 100;
/** Milliseconds after which a process that serves says so again. */
const seenPause = 1000;
/** Milliseconds after which what is known of the mode is too old to decide by it. Less than the time after which others take a process for dead. */
const oldest = 1500;
/** Milliseconds after which a note counts for nothing any more: others take over the notes of a process that was silent for ten seconds. */
const longestNoting = 3000;
/** Seconds after which a request whose answer was lost has ended. */
const afterAll = limits.passTime / 1000;
/** Milliseconds after a request for which the other Placement counts as used. */
const usedFor = 1000;
/** Milliseconds until a request that waits for a switch looks again. */
const switchPause = 25;

/** The end of a request: whether it may have changed something, and after how many seconds that must be read once more. */
interface Ended {
  readonly notes: readonly number[];
  readonly touched: readonly NotedObject[];
  readonly isDone: boolean;
  readonly again: number | null;
  /** What it has made of the only consumer that it touched, if the request says that. */
  readonly made: MadeConsumer | null;
}

export class Bridge {
  readonly #db: Db;
  readonly #gateway = randomUUID();
  readonly #carrier: Carrier | null;
  readonly #reads: ReadComparison | null;
  readonly #log: BridgeOptions['log'];
  /** A moment of performance.now(). */
  #passedAt = Number.NEGATIVE_INFINITY;
  #passage: { readonly url: string; readonly through: Passage } | null = null;
  #state: BridgeState | null;
  /** Moments of performance.now(). */
  #knownAt = Number.NEGATIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;
  #saidEpoch = 0;
  /** The notes of requests that have no answer yet, or whose end is not stored yet. */
  readonly #underWay = new Set<number>();
  readonly #ended = new Set<Ended>();
  #timer: NodeJS.Timeout | null = null;
  /** The last look at the mode, until it is over. */
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor({ db, open, log }: BridgeOptions, state: BridgeState) {
    this.#db = db;
    this.#log = log;
    this.#state = state;
    this.#carrier =
      open &&
      new Carrier({
        db,
        process: this.#gateway,
        open,
        log,
        isUsed: () => this.#state?.mode === 'following' && performance.now() - this.#passedAt < usedFor,
      });
    this.#reads = open && new ReadComparison({ db, open, log });
  }

  start(): void {
    this.#carrier?.start();
    const again = async () => {
      await this.#read().catch(() => {});
      if (!this.#isClosed) this.#timer = setTimeout(look, lookPause).unref();
    };
    const look = () => {
      this.#looking = again();
    };
    look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#reads?.stop();
    await this.#carrier?.stop();
    // It may say that this process serves.
    await this.#looking;
    await forgetGateway(this.#db, this.#gateway).catch(() => {});
    this.#passage?.through.close();
  }

  /** Whether the other Placement leads, as far as is known: for what may be done early. */
  get isPassing(): boolean {
    return this.#state === null || isOtherLeading(this.#state.mode);
  }

  /** The answer of the other Placement; null if this ledger leads. Waits while the bridge is switched. Rejects with NotPassed. */
  async pass(request: PassedRequest): Promise<IncomingMessage | null> {
    const end = performance.now() + limits.switchWait;
    const [path = ''] = request.path.split('?');
    let touched: readonly NotedObject[] | null = null;
    for (;;) {
      const state = await this.#current();
      if (state === null || !isOtherLeading(state.mode)) return null;
      if (touched === null) {
        touched = touchedBy({ method: request.method, path, content: await request.content() });
        // To parse a large body may have taken long.
        if (touched.length > 0) continue;
      }
      if (touched.length === 0 || state.mode === 'passing') return this.#through(state).send(request);
      const begun = performance.now();
      const notes = await noteObjects(this.#db, this.#gateway, touched);
      // Of a process that was stopped meanwhile the others have taken over the notes, and the other side may not lead any more.
      if (performance.now() - begun > longestNoting && notes !== null) await deleteNotes(this.#db, notes);
      else if (notes !== null) return this.#passWrite(state, request, { notes, touched });
      if (performance.now() > end) throw new NotPassed('the bridge is being switched', false);
      await sleep(switchPause);
    }
  }

  /** Offers a read that was passed on and answered with 200, for a comparison with the answer of this ledger. */
  offerRead(read: () => Read | null): void {
    const state = this.#state;
    if (state?.mode !== 'following' || state.comparedAt === null) return;
    try {
      const offered = this.#reads && read();
      if (offered) this.#reads?.offer(offered);
    } catch (err) {
      // The caller has its answer.
      this.#log.warn({ err }, 'a read cannot be compared with the other Placement');
    }
  }

  async #passWrite(state: BridgeState, request: PassedRequest, noted: Pick<Ended, 'notes' | 'touched'>): Promise<IncomingMessage> {
    for (const id of noted.notes) this.#underWay.add(id);
    try {
      const answer = await this.#through(state).send(request);
      const { statusCode = 500 } = answer;
      // What was refused has changed nothing. Behind a proxy that has given up, the request may still be carried out.
      this.#end({
        ...noted,
        isDone: statusCode < 400 || statusCode >= 500,
        again: statusCode >= 502 && statusCode <= 504 ? afterAll : null,
        made: statusCode === 204 ? request.made(await request.content()) : null,
      });
      return answer;
    } catch (error) {
      this.#end({ ...noted, isDone: !(error instanceof NotPassed) || error.mayBeDone, again: afterAll, made: null });
      throw error;
    }
  }

  /** Ends notes, at the latest when the database answers again. */
  #end(ended: Ended, tell = (err: unknown) => this.#log.warn({ err }, 'what a request has changed cannot be noted for now')): void {
    this.#ended.add(ended);
    const { notes, isDone } = ended;
    const write = isDone ? this.#letRead(ended) : deleteNotes(this.#db, notes);
    write.then(() => {
      this.#ended.delete(ended);
      for (const id of notes) this.#underWay.delete(id);
    }, tell);
  }

  async #letRead({ notes, touched, ...end }: Ended): Promise<void> {
    // Others have read the objects already if they took this process for dead.
    if ((await endNotes(this.#db, notes, end)) < notes.length) await noteDue(this.#db, touched);
  }

  #through({ url }: BridgeState): Passage {
    this.#passedAt = performance.now();
    if (this.#passage?.url !== url) {
      this.#passage?.through.close();
      this.#passage = { url, through: new Passage(url, limits.passTime) };
    }
    return this.#passage.through;
  }

  /** The mode, for a decision: while it is being switched, asked for each request. */
  async #current(): Promise<BridgeState | null> {
    const isSure = performance.now() - this.#knownAt < oldest && !this.#state?.mode.startsWith('to');
    // Not one that has begun before the request.
    return isSure ? this.#state : this.#read();
  }

  async #read(): Promise<BridgeState | null> {
    const begun = performance.now();
    const state = await selectBridge(this.#db);
    // Several may be under way, and the last answer need not be the newest one.
    if (begun < this.#knownAt) return state;
    // From here on this process decides by it, so the others may rely on that.
    this.#state = state;
    this.#knownAt = begun;
    if (state !== null && (state.epoch !== this.#saidEpoch || begun - this.#saidAt > seenPause)) {
      await seeBridge(this.#db, this.#gateway, state.epoch);
      this.#saidEpoch = state.epoch;
      this.#saidAt = begun;
      await this.#endStrayNotes();
    }
    return state;
  }

  /** Ends what could not be ended before, and notes of this process that it does not know, because the answer to noting them was lost: their requests were not sent. */
  async #endStrayNotes(): Promise<void> {
    for (const ended of [...this.#ended]) this.#end(ended, () => {});
    await endOthersOf(this.#db, this.#gateway, [...this.#underWay]);
  }
}
