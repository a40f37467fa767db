// The budget of one search: how many small steps it may take before it has to stop. Unlike time, steps are the same on every machine.

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
