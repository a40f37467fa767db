// A table that can be saved as files with the same columns. On narrow screens each row is a card.
import type { ReactNode } from 'react';
import { saveFile } from '../exports/save.ts';
import { type Column, csvOf, jsonOf } from '../exports/table.ts';
import { visible } from '../formats/names.ts';
import styles from './data-table.module.css';

export interface ShownColumn<Row> extends Column<Row> {
  /** The content of the cell, if it is more than the value. */
  readonly show?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Whether it is only in files. */
  readonly isHidden?: boolean;
}

interface DataTableProps<Row> {
  /** What the rows are, for screen readers and the names of files. A page can have several tables, so buttons are told apart by it. */
  readonly title: string;
  readonly columns: readonly ShownColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** Keys of the selected rows; without it no row can be selected. */
  readonly selected?: ReadonlySet<string> | undefined;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

export function DataTable<Row>({ title, columns, rows, keyOf, selected, onSelect }: DataTableProps<Row>) {
  const keys = rows.map(keyOf);
  const areAll = keys.every((key) => selected?.has(key));
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect?.(next);
  };
  const shown = columns.filter(({ isHidden }) => !isHidden);
  return (
    <>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {selected && (
              <th scope="col" className={styles.selection}>
                <input
                  type="checkbox"
                  aria-label={`Select all ${title}`}
                  checked={areAll}
                  onChange={() => onSelect?.(new Set(areAll ? [] : keys))}
                />
              </th>
            )}
            {shown.map(({ title: heading, isNumber }) => (
              <th key={heading} scope="col" className={isNumber ? styles.number : ''}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keys[index]}>
              {selected && (
                <td data-label="select" className={styles.selection}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${keys[index]}`}
                    checked={selected.has(keys[index] ?? '')}
                    onChange={() => toggle(keys[index] ?? '')}
                  />
                </td>
              )}
              {shown.map((column) => (
                <td key={column.title} data-label={column.title} className={column.isNumber ? styles.number : ''}>
                  {column.show ? column.show(row) : column.value(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Files title={title} columns={columns} rows={rows} />
    </>
  );
}

export function Files<Row>({ title, columns, rows }: Pick<DataTableProps<Row>, 'title' | 'columns' | 'rows'>) {
  if (rows.length === 0) return null;
  return (
    <p className={styles.files}>
      {rows.length === 1 ? 'This row' : `These ${rows.length.toLocaleString('en')} rows`} as{' '}
      <button type="button" aria-label={`${visible(title)} as CSV`} onClick={() => saveFile(title, 'csv', csvOf(columns, rows))}>
        CSV
      </button>{' '}
      <button type="button" aria-label={`${visible(title)} as JSON`} onClick={() => saveFile(title, 'json', jsonOf(columns, rows))}>
        JSON
      </button>
    </p>
  );
}
