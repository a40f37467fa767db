// A bound on how much of something happens at once: what comes later waits, in the order in which it came, and too much is refused.
import { Overloaded } from '../../domain/errors.ts';
import { beforeDeadline } from './fault.ts';

export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #working = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work when it is its turn. Rejects with Overloaded, or when the deadline is over before. */
  async run<Result>(deadline: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#working < this.#most) this.#working += 1;
    else await this.#wait(deadline);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        // The turn is passed on: nobody can come in between.
        next();
      } else this.#working -= 1;
    }
  }

  async #wait(deadline: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#mostWaiting) throw new Overloaded('Too many tokens are being validated at the moment.');
    let turn = () => {};
    const called = new Promise<void>((resolve) => {
      turn = resolve;
    });
    this.#waiting.add(turn);
    await beforeDeadline(deadline, called).finally(() => this.#waiting.delete(turn));
  }
}
