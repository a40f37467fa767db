// Tables as files: CSV (RFC 4180, with the mark that makes spreadsheets read UTF-8) and JSON, from the same columns.

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | boolean | null;
}

/** What spreadsheets take for a formula: an operator at the beginning, even in full width or after blanks. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]|^[\t\r\n]/u;

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ title }) => cell(title)), ...rows.map((row) => columns.map(({ value }) => cell(value(row))))];
  return `\ufeff${lines.map((line) => `${line.join(',')}\r\n`).join('')}`;
}

export function jsonOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map(({ title, value }) => [title, value(row)])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
