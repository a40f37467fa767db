// Bounds the heavy requests of a gateway, of all surfaces together: how many are worked on at once, how many wait for that and for how long, and
// how many bytes of large bodies and answers are in memory. Light requests never come here. The surfaces decide which requests are heavy.
import { Permits } from '../../db/writes/permits.ts';
import { Overloaded } from '../../domain/errors.ts';
import { type Identity, userKeyOf } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';

interface Bounds {
  /** Requests worked on at once. */
  readonly atOnce: number;
  /** Requests that wait. */
  readonly queued: number;
  /** Milliseconds for which a request waits. */
  readonly wait: number;
  /** Bytes of large bodies and answers. */
  readonly bytes: number;
}

const published: Bounds = {
  atOnce: limits.heavyOperations,
  queued: limits.queuedHeavyOperations,
  wait: limits.heavyWait,
  bytes: limits.bytesUnderWay,
};

/** Null before authentication. */
type Caller = Pick<Identity, 'method' | 'user' | 'userDomain'> | null;

export class HeavyWork {
  readonly #bounds: Bounds;
  readonly #permits: Permits;
  #bytes = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...published, ...bounds };
    const { atOnce, queued } = this.#bounds;
    this.#permits = new Permits(atOnce, 'heavy', { maxWaiting: queued, refusal: () => new TooBusy() });
  }

  /**
   * Does the work when its turn comes. Users take turns, whatever projects their tokens are for. Throws TooBusy when that takes too long, or too much is
   * waiting or not yet read.
   */
  run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
    return this.#run(caller, work, false);
  }

  /** The same for work that has begun as light work: other work gives up its place for it, unless it is of a user who has fewer. Waits for its turn, which lasts until the returned function is called. */
  turn(caller: Caller): Promise<() => void> {
    return new Promise((begin, refuse) => {
      this.#run(caller, () => new Promise<void>((end) => begin(end)), true).catch(() => refuse(new TooBusy('')));
    });
  }

  async #run<Result>(caller: Caller, work: () => Promise<Result>, hasBegun: boolean): Promise<Result> {
    const { wait, bytes } = this.#bounds;
    if (this.#bytes >= bytes) throw new TooBusy();
    return this.#permits.run(performance.now() + wait, work, userKeyOf(caller), hasBegun);
  }

  /** Counts bytes that are in memory, until the returned function is called. */
  hold(bytes: number): () => void {
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }

  get state(): { readonly active: number; readonly waiting: number; readonly bytes: number } {
    return { ...this.#permits.state, bytes: this.#bytes };
  }

  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#bounds.bytes;
  }
}

/** Refuses work that would be too much at once. Small requests are served meanwhile. */
export class TooBusy extends Overloaded {
  constructor(outcome = ' Nothing was done: send the request again later, or ask for less.') {
    super(`Too many large requests are in progress.${outcome}`);
  }
}
