// Long responses: JSON rendered in pieces, so that a list of a hundred thousand rows does not block other requests.
import { setImmediate } from 'node:timers/promises';

/** Up to this many rows, a response is rendered at once: a few milliseconds of work. */
const wholeSize = 2000;
/** The number of rows in each piece of a longer response. */
const pieceSize = 500;
const comma = Buffer.from(',');

/** JSON of one row, as text or in UTF-8. */
export type RenderedRow = string | Uint8Array;

/** A list in a response: the JSON before its rows, the rows separated by commas, and the JSON after them. */
export interface ListPart {
  readonly length: number;
  /** JSON of one piece of rows from row `from` on; includes the head before the first row and the tail after the last. */
  piece(from: number, size: number): Uint8Array;
}

export function listPart<Row>(head: string, rows: readonly Row[], render: (row: Row) => RenderedRow, tail: string): ListPart {
  return {
    length: rows.length,
    piece: (from, size) => {
      const until = from + size;
      const parts: Uint8Array[] = [];
      // Rows that are text are encoded together.
      let text = from === 0 ? head : ',';
      for (const [index, row] of rows.slice(from, until).entries()) {
        if (index > 0) text += ',';
        const part = render(row);
        if (typeof part === 'string') text += part;
        else {
          parts.push(text === ',' ? comma : Buffer.from(text), part);
          text = '';
        }
      }
      if (until >= rows.length) text += tail;
      parts.push(Buffer.from(text));
      return Buffer.concat(parts);
    },
  };
}

/** JSON of the lists, one after another; in pieces if there are many rows. */
export function jsonOf(...lists: readonly ListPart[]): Uint8Array | AsyncIterable<Uint8Array> {
  const rows = lists.reduce((sum, { length }) => sum + length, 0);
  return rows <= wholeSize ? Buffer.concat(lists.map((list) => list.piece(0, wholeSize))) : piecesOf(lists);
}

/** Yields to other work before each piece. */
async function* piecesOf(lists: readonly ListPart[]): AsyncGenerator<Uint8Array> {
  for (const list of lists) {
    for (let from = 0; from === 0 || from < list.length; from += pieceSize) {
      await setImmediate();
      yield list.piece(from, pieceSize);
    }
  }
}
