// How a migration waits: with growing pauses, not longer than it may, and never silently.
import { setTimeout as sleep } from 'node:timers/promises';

const pauses = { shortest: 200, longest: 5000 } as const;
/** Milliseconds after which it repeats what it waits for. */
const silence = 60_000;

/** Thrown when the time is over. */
export class WaitedInVain extends Error {
  constructor(seconds: number, reason: string) {
    super(`gave up after ${seconds} seconds: ${reason}`);
    this.name = 'WaitedInVain';
  }
}

export class Waiting {
  readonly #begun = performance.now();
  readonly #patience: number;
  readonly #report: (line: string) => void;
  #pause: number = pauses.shortest;
  #said = { reason: '', at: 0 };

  /** `patience`: milliseconds; infinite for ever. */
  constructor(patience: number, report: (line: string) => void) {
    this.#patience = patience;
    this.#report = report;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return Math.max(0, this.#begun + this.#patience - performance.now());
  }

  /** Waits a little longer than the last time. Throws WaitedInVain. */
  async pause(reason: string): Promise<void> {
    if (this.left === 0) throw this.inVain(reason);
    this.say(reason);
    await sleep(Math.min(this.#pause, this.left));
    this.#pause = Math.min(this.#pause * 2, pauses.longest);
  }

  /** Reports what it waits for, unless it has just done so. */
  say(reason: string): void {
    const now = performance.now();
    if (reason === this.#said.reason && now - this.#said.at < silence) return;
    const soFar = reason === this.#said.reason ? `, ${Math.round((now - this.#begun) / 1000)} of them so far` : '';
    this.#said = { reason, at: now };
    const limit = Number.isFinite(this.#patience)
      ? `for at most ${this.#patience / 1000} seconds${soFar}`
      : `as long as it takes${soFar.replace(' of them', ' seconds')}`;
    this.#report(`waiting ${limit}: ${reason}`);
  }

  inVain(reason: string): WaitedInVain {
    return new WaitedInVain(this.#patience / 1000, reason);
  }
}
