// How many writes of each kind run at once. Each kind has its own share of the connections, so that none can keep another from the database.

import { Overloaded } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { measures } from '../../measures/measures.ts';
import { FairQueue } from './deadline-queue.ts';

/**
 * claims: allocations. providers: the parts of providers, and reports. forest: writes that may change the shape of trees, which run one at a time in
 * the database anyway. names: traits, classes and aggregates. blocked: writes of any kind that wait for a provider locked by another write.
 */
export type WriteKind = 'claims' | 'providers' | 'forest' | 'names' | 'blocked';

/** The share of each kind in the connections, in twelfths. At least one connection each: with fewer than five, kinds share them. */
const twelfths: { readonly [Kind in WriteKind]: number } = { claims: 4, providers: 3, forest: 2, names: 1, blocked: 2 };

/** Bounds the work in progress, and the work that waits for it. */
export class Permits {
  readonly limit: number;
  readonly #maxWaiting: number;
  readonly #refusal: () => Overloaded;
  readonly #kind: WriteKind | 'heavy';
  readonly #waiting: FairQueue<Waiter>;
  #active = 0;

  /** `kind`: the label under which their waits are measured. */
  constructor(limit: number, kind: WriteKind | 'heavy', { maxWaiting = limits.queuedWrites, refusal = tooManyWaiting } = {}) {
    this.limit = limit;
    this.#maxWaiting = maxWaiting;
    this.#refusal = refusal;
    this.#kind = kind;
    this.#waiting = new FairQueue(({ reject }) => reject(refusal()));
  }

  /** How many work, and how many wait. */
  get state(): { readonly active: number; readonly waiting: number } {
    return { active: this.#active, waiting: this.#waiting.size };
  }

  /**
   * Runs the work when its turn comes; askers take turns. Throws the refusal if the deadline (as performance.now()) passes before, or if too many wait: then those of
   * whoever has most give up a place, those that have not begun first. hasBegun: it is the rest of work that cannot be undone. For it, work that has not begun gives up a
   * place even if its asker has no more than this one (FairQueue.makesRoomFor).
   */
  async run<T>(deadline: number, work: () => Promise<T>, asker = '', hasBegun = false): Promise<T> {
    if (this.#active < this.limit) {
      this.#active++;
      measures.turnWaits.observe(0, this.#kind);
    } else {
      const since = performance.now();
      const isFull = this.#waiting.size >= this.#maxWaiting;
      if (isFull && !this.#waiting.makesRoomFor(asker, (waiter) => !waiter.hasBegun, hasBegun)) throw this.#refusal();
      const turn = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject, hasBegun }, deadline, asker));
      await turn.finally(() => measures.turnWaits.observe((performance.now() - since) / 1000, this.#kind));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The permit is handed on.
      if (next) next.resolve();
      else this.#active--;
    }
  }
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Overloaded) => void;
  readonly hasBegun: boolean;
}

/** The permits of a gateway with so many connections for writes. */
export function permitsOf(connections: number): { readonly [Kind in WriteKind]: Permits } {
  const share = (kind: WriteKind) => new Permits(Math.max(1, Math.floor((connections * twelfths[kind]) / 12)), kind);
  return {
    claims: share('claims'),
    providers: share('providers'),
    forest: share('forest'),
    names: share('names'),
    blocked: share('blocked'),
  };
}

/** More writes arrive than the database can take. */
export function tooManyWaiting(): Overloaded {
  return new Overloaded('Too many writes are waiting. Nothing was written; send the request again later.');
}
