// Encodes and decodes arrays of the types that this program uses. The driver would query them on each new connection, and an error in that query is
// not caught anywhere: the process would exit. Knows no table.

/** Built-in types of Postgres, with their fixed oids. */
const arrayTypes = [
  { array: 1007, element: 'number' },
  { array: 1009, element: 'text' },
  // As in the driver: integers that may exceed a JavaScript number stay text.
  { array: 1016, element: 'text' },
  { array: 1022, element: 'number' },
  { array: 2951, element: 'text' },
] as const;

const readElement = { number: Number, text: (text: string) => text };

/** An option of the driver. */
export const arraysByType = Object.fromEntries(
  arrayTypes.map(({ array, element }) => [
    array,
    { to: array, from: [array], serialize: writeArray, parse: (text: string) => readArray(text, readElement[element]) },
  ]),
);

/** A value that is not an array is text already. */
function writeArray(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return `{${values.map((value) => (value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}

/** One-dimensional arrays only: the program uses no others. */
function readArray(text: string, read: (element: string) => unknown): unknown[] {
  if (text === '{}') return [];
  // Few arrays have quotes, and splitting is several times as fast as matching.
  if (!text.includes('"'))
    return text
      .slice(1, -1)
      .split(',')
      .map((bare) => (bare === 'NULL' ? null : read(bare)));
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([bare, quoted]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return bare === 'NULL' ? null : read(bare);
  });
}
