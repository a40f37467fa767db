// Long answers: JSON made piece by piece, so that a list of a hundred thousand holds nobody else up.
import { setImmediate } from 'node:timers/promises';

const pieceSize = 500;

/** JSON of the head, the rows with commas between them, and the tail; in pieces when there are many rows. */
export function jsonOfRows<Row>(
  head: string,
  rows: readonly Row[],
  render: (row: Row) => string,
  tail: string,
): string | AsyncIterable<string> {
  return rows.length <= pieceSize ? head + rows.map(render).join() + tail : piecesOf(head, rows, render, tail);
}

/** The process does other work between pieces. */
async function* piecesOf<Row>(head: string, rows: readonly Row[], render: (row: Row) => string, tail: string): AsyncGenerator<string> {
  let before = head;
  for (let from = 0; from < rows.length; from += pieceSize) {
    if (from > 0) await setImmediate();
    yield before +
      rows
        .slice(from, from + pieceSize)
        .map(render)
        .join();
    before = ',';
  }
  yield tail;
}
