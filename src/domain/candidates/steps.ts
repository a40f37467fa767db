// The budget of one search: the number of small steps after which it must stop. Unlike time, steps are the same on every machine.

/** One step is about the work of comparing a slot with an earlier one; anything more expensive spends several. */
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
