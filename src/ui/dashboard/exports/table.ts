// Tables as files: CSV (RFC 4180, with the mark that makes spreadsheets read UTF-8) and JSON, from the same columns.

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | boolean | null;
  /** What JSON has in place of the value: a list that the value writes as one text. */
  readonly inJson?: (row: Row) => unknown;
}

/** What spreadsheets take for a formula: an operator at the beginning, even in full width or after blanks. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]|^[\t\r\n]/u;

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a table part by part, so that one of any length needs the memory of a part. */
interface TableFormat {
  readonly head: <Row>(columns: readonly Column<Row>[]) => string;
  /** Some rows, which follow others unless they are the first. */
  readonly rows: <Row>(columns: readonly Column<Row>[], rows: readonly Row[], areFirst: boolean) => string;
  readonly tail: string;
}

const lineOf = (values: Parameters<typeof cell>[0][]) => `${values.map(cell).join(',')}\r\n`;

export const tableFormats: Readonly<Record<'csv' | 'json', TableFormat>> = {
  csv: {
    head: (columns) => `\ufeff${lineOf(columns.map(({ title }) => title))}`,
    rows: (columns, rows) => rows.map((row) => lineOf(columns.map(({ value }) => value(row)))).join(''),
    tail: '',
  },
  json: {
    head: () => '[',
    rows: (columns, rows, areFirst) =>
      rows
        .map((row) => Object.fromEntries(columns.map(({ title, value, inJson = value }) => [title, inJson(row)])))
        .map((object, place) => `${areFirst && place === 0 ? '' : ','}\n  ${JSON.stringify(object, null, 2).replaceAll('\n', '\n  ')}`)
        .join(''),
    tail: '\n]\n',
  },
};

function textOf<Row>(format: TableFormat, columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return `${format.head(columns)}${format.rows(columns, rows, true)}${format.tail}`;
}

export const csvOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => textOf(tableFormats.csv, columns, rows);
export const jsonOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => textOf(tableFormats.json, columns, rows);
