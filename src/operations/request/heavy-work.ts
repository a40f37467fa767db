// Bounds the heavy requests of a gateway, of all surfaces together: how many are worked on at once, how many wait for that and for how long, and
// how many bytes of large bodies and answers are in memory. Light requests never come here. Which are heavy is the surfaces' business.
import { DeadlineQueue } from '../../db/writes/deadline-queue.ts';
import { Unavailable } from '../../domain/errors.ts';
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

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: TooBusy) => void;
}

export class HeavyWork {
  readonly #bounds: Bounds;
  readonly #waiting = new DeadlineQueue<Waiter>(({ reject }) => reject(new TooBusy()));
  #active = 0;
  #bytes = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...published, ...bounds };
  }

  /** Does the work when its turn comes. Throws TooBusy when that takes too long, or too much is waiting or not yet read. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { atOnce, queued, wait, bytes } = this.#bounds;
    if (this.#bytes >= bytes) throw new TooBusy();
    if (this.#active < atOnce) this.#active++;
    else {
      if (this.#waiting.size >= queued) throw new TooBusy();
      await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }, performance.now() + wait));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The turn is handed on.
      if (next) next.resolve();
      else this.#active--;
    }
  }

  /** Counts bytes that are in memory, until the returned function is called. */
  hold(bytes: number): () => void {
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }

  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#bounds.bytes;
  }
}

/** Refuses what would be too much at once. Small requests are served meanwhile. */
export class TooBusy extends Unavailable {
  constructor() {
    super(
      new Error('too much heavy work'),
      'Too many large requests are in progress. Nothing was done: send the request again later, or ask for less.',
    );
  }
}
