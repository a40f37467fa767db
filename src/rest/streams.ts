// Long answers: JSON made piece by piece, so that a list of a hundred thousand holds nobody else up.
import { setImmediate } from 'node:timers/promises';

/** Some milliseconds of work. */
const pieceSize = 2000;
const comma = Buffer.from(',');

/** JSON of one row, as text or in UTF-8. */
export type RenderedRow = string | Uint8Array;

/** JSON of the head, the rows with commas between them, and the tail; in pieces when there are many rows. */
export function jsonOfRows<Row>(
  head: string,
  rows: readonly Row[],
  render: (row: Row) => RenderedRow,
  tail: string,
): Uint8Array | AsyncIterable<Uint8Array> {
  return rows.length <= pieceSize ? pieceOf(head, rows, render, tail) : piecesOf(head, rows, render, tail);
}

/** The process does other work between pieces. */
async function* piecesOf<Row>(
  head: string,
  rows: readonly Row[],
  render: (row: Row) => RenderedRow,
  tail: string,
): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < rows.length; from += pieceSize) {
    if (from > 0) await setImmediate();
    const until = from + pieceSize;
    yield pieceOf(from === 0 ? head : ',', rows.slice(from, until), render, until < rows.length ? '' : tail);
  }
}

function pieceOf<Row>(head: string, rows: readonly Row[], render: (row: Row) => RenderedRow, tail: string): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(head)];
  for (const [index, row] of rows.entries()) {
    const part = render(row);
    if (index > 0) parts.push(comma);
    parts.push(typeof part === 'string' ? Buffer.from(part) : part);
  }
  return Buffer.concat([...parts, Buffer.from(tail)]);
}

/** Parts of one answer, each made when those before it have been sent. */
export async function* inTurn(...parts: readonly (() => Uint8Array | AsyncIterable<Uint8Array>)[]): AsyncGenerator<Uint8Array> {
  for (const make of parts) {
    const part = make();
    if (part instanceof Uint8Array) yield part;
    else yield* part;
  }
}
