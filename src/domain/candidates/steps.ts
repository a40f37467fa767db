// The budget of one search: the number of small steps after which it must stop. Unlike time, steps are the same on every machine.

/** Steps between two pauses: a millisecond or two of work. */
export const stepsAtOnce = 100_000;

/** One step is about the work of comparing a slot with an earlier one; anything more expensive spends several. */
export class Steps {
  private readonly budget: number;
  private left: number;
  private pauseAt: number;

  constructor(budget: number) {
    this.budget = budget;
    this.left = budget;
    this.pauseAt = budget - stepsAtOnce;
  }

  spend(count = 1): void {
    this.left -= count;
  }

  get spent(): number {
    return this.budget - this.left;
  }

  get areSpent(): boolean {
    return this.left < 0;
  }

  /** Whether a pause is due. If so, the steps until the next one are counted from now. */
  takesPause(): boolean {
    if (this.left > this.pauseAt) return false;
    this.pauseAt = this.left - stepsAtOnce;
    return true;
  }
}

/** Runs work to its end without its pauses. */
export function inOneGo<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
