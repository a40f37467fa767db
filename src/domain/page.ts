// Pagination of long lists: arguments, pages and opaque cursors. Keyset pagination: a cursor holds the sort key of a row, so every page
// costs the same.
import { explainCursor, readCursorOf, renderCursorOf } from './cursor.ts';
import { invalidInput } from './errors.ts';
import { limits } from './limits.ts';

const defaultPageSize = limits.defaultPageSize;
export const maxPageSize = limits.pageSize;

/** A page of a list in one direction. `key` is the sort key of the row to start after, exclusive. */
export interface PageRequest {
  readonly size: number;
  /** True for the rows before `key`, in the order of the list. */
  readonly backward: boolean;
  readonly key: readonly CursorValue[] | null;
}

export type CursorValue = string | number | null;

/** The form of one sort key in a cursor. */
export interface CursorKey {
  readonly holds: 'text' | 'number' | 'integer';
  readonly nullable: boolean;
}

/** A row with its sort key as stored in a cursor, or the key as JSON, which is parsed only if the cursor is requested. */
export type Sorted<Row> = Row & { readonly sortKey: SortKey };

export type SortKey = readonly CursorValue[] | string;

/** A page: rows with their cursors, and the total count, computed only on request. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly cursors: readonly string[];
  /** Where to continue, if not after the last row. */
  readonly endCursor?: string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly countAll: () => Promise<number>;
}

export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/**
 * Checks the arguments of a list. `list` identifies the list and its order: cursors of another list or order are refused. Refuses
 * INVALID_INPUT for sizes outside 0 to 1,000, mixed directions and invalid cursors.
 */
export function parsePage(args: PageArguments, list: string, order: readonly CursorKey[]): PageRequest {
  const backward = typeof args.last === 'number';
  if (!backward && typeof args.before === 'string') throw invalidInput(['before'], 'before can only be used with last');
  if (backward && typeof args.first === 'number') throw invalidInput(['first'], 'first and last cannot be used together');
  if (backward && typeof args.after === 'string') throw invalidInput(['after'], 'after can only be used with first');
  const size = (backward ? args.last : args.first) ?? defaultPageSize;
  const name = backward ? 'last' : 'first';
  const smallest = backward ? 1 : 0;
  if (!Number.isInteger(size) || size < smallest || size > maxPageSize) {
    throw invalidInput([name], `${name} must be ${smallest} to ${maxPageSize}, not ${size}`);
  }
  const cursor = backward ? args.before : args.after;
  return { size, backward, key: typeof cursor === 'string' ? parseCursor(cursor, list, order, backward ? 'before' : 'after') : null };
}

/** An opaque cursor: a version, the list it belongs to, and the sort key of a row. */
function renderCursor(list: string, key: SortKey): string {
  const values = typeof key === 'string' ? (JSON.parse(key) as CursorValue[]) : key;
  return renderCursorOf(list, values);
}

function parseCursor(cursor: string, list: string, order: readonly CursorKey[], name: string): readonly CursorValue[] {
  const key = readCursorOf(list, cursor, limits.cursorLength);
  if (key?.length === order.length && order.every((expected, index) => isOf(expected, key[index]))) return key as CursorValue[];
  throw invalidInput([name], explainCursor(name, list, cursor, limits.cursorLength));
}

function isOf({ holds, nullable }: CursorKey, value: unknown): boolean {
  if (value === null) return nullable;
  if (holds === 'text') return typeof value === 'string' && !value.includes('\0');
  return holds === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number';
}

/**
 * Builds a page from the rows of a query that fetched one row more than the page size, in the order of the list if forward, reversed
 * if backward.
 */
export function renderPage<Row>(
  request: PageRequest,
  found: readonly Sorted<Row>[],
  list: string,
  countAll: () => Promise<number>,
): Page<Sorted<Row>> {
  const more = found.length > request.size;
  const rows = found.slice(0, request.size);
  if (request.backward) rows.reverse();
  return {
    rows,
    // On demand: most callers do not ask for cursors, and a hundred of them cost as much as a small query.
    get cursors() {
      return rows.map(({ sortKey }) => renderCursor(list, sortKey));
    },
    hasNextPage: request.backward ? request.key !== null : more,
    hasPreviousPage: request.backward ? more : request.key !== null,
    countAll,
  };
}

/** The page with other rows in place of its own. A spread would render all cursors. */
export function withRows<Row>(page: Page<unknown>, rows: readonly Row[]): Page<Row> {
  const { endCursor, hasNextPage, hasPreviousPage, countAll } = page;
  return {
    rows,
    get cursors() {
      return page.cursors;
    },
    ...(endCursor !== undefined && { endCursor }),
    hasNextPage,
    hasPreviousPage,
    countAll,
  };
}
