// How much to ask at once, found out from how long answers take. By Little's law, what is under way is the rate of answers times the time of each: more at once
// is more answers for as long as each takes as long as before; once each takes longer in proportion, it is only a longer queue on the other side. So the bound
// follows a service that is slow but has room, and keeps short the queue of one that has none. Knows no clock but the times it is told.

export interface ConcurrencyBounds {
  readonly least: number;
  readonly first: number;
  readonly most: number;
}

/** By how much the bound is changed with each look. */
const step = 1.5;
/** The share of a change of the bound that the time of an answer may follow. */
const tolerated = 0.5;

export class Concurrency {
  readonly #bounds: ConcurrencyBounds;
  #limit: number;
  /** The round before, with another bound unless that was at an end. */
  #before: { readonly limit: number; readonly time: number } | null = null;
  /** Of this round: when it began, the answers to what was asked since, and the sum of their times. */
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

  /** Somebody waits for the bound. */
  noteWait(): void {
    this.#isUsed = true;
  }

  /** Something that was asked at one moment was answered at another, both in milliseconds. */
  noteAnswer(began: number, now: number): void {
    // With another bound.
    if (began < this.#since) return;
    this.#answers += 1;
    this.#time += Math.max(now - began, 0.1);
    if (this.#answers < this.#limit) return;
    const round = { limit: this.#limit, time: this.#time / this.#answers };
    const isUsed = this.#isUsed;
    this.#beginRound(now);
    // A bound that nobody has met says nothing.
    if (!isUsed) return;
    this.#limit = this.#bounded(this.#hasRoom(round) ? round.limit * step : round.limit / step);
    this.#before = round;
  }

  /** The other side failed. */
  noteFailure(began: number, now: number): void {
    if (began < this.#since) return;
    this.#limit = this.#bounded(this.#limit / 2);
    this.#before = null;
    this.#beginRound(now);
  }

  /** Whether more at once would be more answers. */
  #hasRoom({ limit, time }: { readonly limit: number; readonly time: number }): boolean {
    if (this.#before === null) return true;
    // At an end of the bounds: one step away, and back again if that was wrong.
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
