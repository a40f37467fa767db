// Writes that wait for a provider locked by another write: by a large reshape, or in psql. They wait here, apart from all others, and with few
// connections: a blocked write must not keep the writes on other providers from the database.
import { setTimeout } from 'node:timers/promises';
import { Overloaded, type Unavailable } from '../../domain/errors.ts';
import { measures } from '../../measures/measures.ts';
import { type Blocked, isBlocked } from './apply-write.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import type { Permits } from './permits.ts';

/**
 * Tries once to write. `waits`: in the database, until the subject is free or the lock timeout has passed, in the order of arrival among
 * all gateways; otherwise it returns at once if the subject is locked.
 */
export type Attempt<T extends object> = (waits: boolean) => Promise<T | Blocked>;

interface Job {
  readonly deadline: number;
  readonly run: () => Promise<void>;
  readonly reject: (error: Unavailable) => void;
}

/** With more locked providers than permits, none of them waits in the database; each is tried about so often, in milliseconds. */
const retryInterval = 200;

/** One lane for each locked provider, and for each write that waits for something else, with one attempt at a time. */
export class LockedProviders {
  readonly #lanes = new Map<string, DeadlineQueue<Job>>();
  readonly #permits: Permits;

  constructor(permits: Permits) {
    this.#permits = permits;
  }

  /** The first of these uuids that writes are waiting for. */
  firstOf(uuids: Iterable<string>): string | undefined {
    if (this.#lanes.size === 0) return undefined;
    for (const uuid of uuids) if (this.#lanes.has(uuid)) return uuid;
    return undefined;
  }

  /**
   * Attempts a write until the subject does not block it. Returns Blocked if something else does: nobody else who waits for the subject waits for that. Throws
   * Unavailable when the deadline (as performance.now()) has passed.
   */
  run<T extends object>(subject: string, deadline: number, attempt: Attempt<T>): Promise<T | Blocked> {
    const since = performance.now();
    const outcome = new Promise<T | Blocked>((resolve, reject) => {
      const run = () => this.#attempt(subject, deadline, attempt).then(resolve, reject);
      const lane = this.#lanes.get(subject);
      if (lane) return lane.push({ deadline, run, reject }, deadline);
      const opened = new DeadlineQueue<Job>((job) => job.reject(stillLocked()));
      this.#lanes.set(subject, opened);
      opened.push({ deadline, run, reject }, deadline);
      void this.#serve(subject, opened);
    });
    return outcome.finally(() => measures.lockWaits.observe((performance.now() - since) / 1000));
  }

  async #serve(subject: string, lane: DeadlineQueue<Job>): Promise<void> {
    for (let job = lane.shift(); job; job = lane.shift()) await job.run();
    this.#lanes.delete(subject);
  }

  async #attempt<T extends object>(subject: string, deadline: number, attempt: Attempt<T>): Promise<T | Blocked> {
    while (performance.now() < deadline) {
      const waits = this.#lanes.size <= this.#permits.limit;
      const result = await this.#permits.run(deadline, async () => {
        const outcome = await attempt(waits);
        if (!waits && isBlocked(outcome)) await setTimeout((retryInterval * this.#permits.limit) / this.#lanes.size);
        return outcome;
      });
      if (!isBlocked(result) || result.locked[0] !== subject) return result;
    }
    throw stillLocked();
  }
}

/** Another write held its locks for too long. */
export function stillLocked(): Overloaded {
  return new Overloaded('Another write has locked what this one needs for too long. Nothing was written; send the request again later.');
}
