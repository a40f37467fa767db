// The budget of one search: how many small things it may look at before it has to stop. Counting is exact and the same everywhere,
// which a clock is not.

/** A step is about as much as comparing a slot with one before it; everything dearer says how many it takes. */
export class Steps {
  private left: number;

  constructor(budget: number) {
    this.left = budget;
  }

  spend(count = 1): void {
    this.left -= count;
  }

  get areSpent(): boolean {
    return this.left < 0;
  }
}
