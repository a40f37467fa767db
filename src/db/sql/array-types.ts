// How arrays are written and read, for the types of which this program sends or reads any. The driver would ask each new connection
// for them, and what goes wrong with a question of its own is caught by nobody: the process would end. Knows no table.

/** Types that Postgres itself brings, with the numbers that they have in every database. */
const arrayTypes = [
  { array: 1007, element: 'number' },
  { array: 1009, element: 'text' },
  // As the driver does it: what may be more than a number holds stays a text.
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

/** What is no list is a text already. */
function writeArray(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return `{${values.map((value) => (value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}

/** Of one dimension: we have no others. */
function readArray(text: string, read: (element: string) => unknown): unknown[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([bare, quoted]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return bare === 'NULL' ? null : read(bare);
  });
}
