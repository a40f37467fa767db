// How arrays of the types that this program uses are written and read. The driver would ask each new connection for them, and an error
// in that query of its own is not caught anywhere: the process would end. Knows no table.

/** Built-in types of Postgres, with the oids that they have in every database. */
const arrayTypes = [
  { array: 1007, element: 'number' },
  { array: 1009, element: 'text' },
  // As the driver does it: values that may exceed a JavaScript number stay text.
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

/** A value that is not a list is already text. */
function writeArray(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return `{${values.map((value) => (value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}

/** Arrays of one dimension: we have no others. */
function readArray(text: string, read: (element: string) => unknown): unknown[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([bare, quoted]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return bare === 'NULL' ? null : read(bare);
  });
}
