// Distinct numbers in ascending order, up to about a million. They are kept in short runs, so that inserting and removing move few numbers.

/** Longer runs are split in two. */
const maxRun = 512;

export class SortedNumbers {
  /** In ascending order, as are the numbers in each run. No run is empty. */
  private readonly runs: number[][] = [];

  add(value: number): void {
    const index = this.runOf(value);
    const run = this.runs[index];
    if (!run) {
      this.runs.push([value]);
      return;
    }
    run.splice(placeIn(run, value), 0, value);
    if (run.length > maxRun) this.runs.splice(index + 1, 0, run.splice(maxRun / 2));
  }

  remove(value: number): void {
    const index = this.runOf(value);
    const run = this.runs[index];
    const place = run ? placeIn(run, value) : 0;
    if (run?.[place] !== value) return;
    run.splice(place, 1);
    if (run.length === 0) this.runs.splice(index, 1);
  }

  /** The smallest number that is at least the value. */
  atLeast(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    return run?.[placeIn(run, value)] ?? this.runs[index + 1]?.[0];
  }

  /** The smallest number above the value. */
  above(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    if (!run) return undefined;
    const place = placeIn(run, value);
    return run[run[place] === value ? place + 1 : place] ?? this.runs[index + 1]?.[0];
  }

  /** The largest number below the value. */
  below(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    return run?.[placeIn(run, value) - 1] ?? this.runs[index - 1]?.at(-1);
  }

  /** The index of the last run that begins at or below the value; 0 if none does. */
  private runOf(value: number): number {
    let [low, high] = [0, this.runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.runs[middle]?.[0] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** The index of a value, or the index at which it would be inserted. */
function placeIn(run: readonly number[], value: number): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((run[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
