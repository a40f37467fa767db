// Distinct numbers in ascending order, of which there may be a million: in runs so short that inserting and removing move little.

/** Longer runs are cut in two. */
const maxRun = 512;

export class SortedNumbers {
  /** Ascending, and so are their numbers; none is empty. */
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

  /** The smallest of at least a value. */
  atLeast(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    return run?.[placeIn(run, value)] ?? this.runs[index + 1]?.[0];
  }

  /** The smallest above a value. */
  above(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    if (!run) return undefined;
    const place = placeIn(run, value);
    return run[run[place] === value ? place + 1 : place] ?? this.runs[index + 1]?.[0];
  }

  /** The largest below a value. */
  below(value: number): number | undefined {
    const index = this.runOf(value);
    const run = this.runs[index];
    return run?.[placeIn(run, value) - 1] ?? this.runs[index - 1]?.at(-1);
  }

  /** The index of the last run that begins at a value or below; 0 when none does. */
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

/** The index at which a value is, or would be inserted. */
function placeIn(run: readonly number[], value: number): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((run[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
