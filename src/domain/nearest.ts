// Suggests the known name closest to an unknown one.

const mostSteps = 3;

/** The known name with the smallest edit distance; null if every distance is more than three. */
export function nearestTo(written: string, known: Iterable<string>): string | null {
  const [nearest] = [...known].map((name) => ({ name, steps: distance(written, name) })).sort((a, b) => a.steps - b.steps);
  return nearest && nearest.steps <= mostSteps ? nearest.name : null;
}

/** The edit distance: the number of characters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
