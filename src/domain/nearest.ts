// Which known name somebody may have meant who wrote one that there is not.

const mostSteps = 3;

/** The known name that differs in the fewest characters; null when all differ in more than three. */
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
