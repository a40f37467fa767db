// How much to ask at once, derived from how long answers take. By Little's law, the number in progress is the rate of answers times the time of each. While
// that time stays the same, more at once means more answers; once it grows in proportion, more at once only means a longer queue on the other side. So the
// bound rises for a service that is slow but has room, and keeps the queue of one without room short. Knows no clock but the times that it is given.

export interface ConcurrencyBounds {
  readonly least: number;
  readonly first: number;
  readonly most: number;
}

/** The factor of each change of the bound. */
const step = 1.5;
/** How far the time of an answer may follow a change of the bound, as the ratio of their logarithms. */
const tolerated = 0.5;

export class Concurrency {
  readonly #bounds: ConcurrencyBounds;
  #limit: number;
  /** The previous round, with another bound unless the bound was at its least or most. */
  #before: { readonly limit: number; readonly time: number } | null = null;
  /** This round: when it began, how many questions asked since were answered, and the sum of their times. */
  #since = 0;
  #answers = 0;
  #time = 0;
  #isUsed = false;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
    this.#limit = bounds.first;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Records that a caller waits for the bound. */
  noteWait(): void {
    this.#isUsed = true;
  }

  /** Records an answer, with the moments of the question and of the answer in milliseconds. */
  noteAnswer(began: number, now: number): void {
    // It was asked under another bound.
    if (began < this.#since) return;
    this.#answers += 1;
    this.#time += Math.max(now - began, 0.1);
    if (this.#answers < this.#limit) return;
    const round = { limit: this.#limit, time: this.#time / this.#answers };
    const isUsed = this.#isUsed;
    this.#beginRound(now);
    // A bound that was never reached says nothing.
    if (!isUsed) return;
    this.#limit = this.#bounded(this.#hasRoom(round) ? round.limit * step : round.limit / step);
    this.#before = round;
  }

  /** Records a failure of the other side. */
  noteFailure(began: number, now: number): void {
    if (began < this.#since) return;
    this.#limit = this.#bounded(this.#limit / 2);
    this.#before = null;
    this.#beginRound(now);
  }

  /** Whether more at once would give more answers. */
  #hasRoom({ limit, time }: { readonly limit: number; readonly time: number }): boolean {
    if (this.#before === null) return true;
    // At the least or most: goes one step away, and back again if that was wrong.
    if (limit === this.#before.limit) return limit < this.#bounds.most;
    return Math.log(time / this.#before.time) / Math.log(limit / this.#before.limit) < tolerated;
  }

  #bounded(limit: number): number {
    return Math.min(this.#bounds.most, Math.max(this.#bounds.least, Math.round(limit)));
  }

  #beginRound(now: number): void {
    this.#since = now;
    this.#answers = 0;
    this.#time = 0;
    this.#isUsed = false;
  }
}
