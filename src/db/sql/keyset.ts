// Keyset paging in SQL: how a list is ordered, how a page begins behind a cursor, and how pages for many parents become one statement.
// Knows no table. Statements made of these parts are deliberately not prepared on the server (Drizzle prepares only on demand): Postgres
// plans each with its actual values, and so sees whether a trait or a class is rare. Pages are therefore never asked for through `db.sql`.
import { type SQL, sql } from 'drizzle-orm';
import { invalidInput } from '../../domain/errors.ts';
import { type CursorValue, type PageArguments, type PageRequest, parsePage } from '../../domain/page.ts';

/** The order of a list: by a value, then by an id that makes it total. */
export interface KeysetOrder {
  readonly value: SQL;
  readonly descending: boolean;
  /** True when rows without a value exist; they come last either way. */
  readonly nullable: boolean;
  /** The id behind the value; null when no two rows have the same value. */
  readonly tie: { readonly id: SQL; readonly descending: boolean } | null;
  /** What a cursor holds of the value: text, any number, or a whole number. */
  readonly key: 'text' | 'number' | 'integer';
  /** The value as the cursor holds it; the value itself when omitted. */
  readonly shown?: SQL;
  /** A cursor's value as SQL that compares with `value`. */
  readonly bound: (key: CursorValue) => SQL;
}

/** A row and the value that it was ordered by. */
export type Sorted<Row> = Row & { readonly sortKey: CursorValue };

/** Like parsePage, and refuses a cursor whose key is not one of this order. */
export function parseKeysetPage(args: PageArguments, list: string, order: KeysetOrder): PageRequest {
  const page = parsePage(args, list);
  if (page.key !== null && !isKeyOf(order, page.key)) {
    const name = page.backward ? 'before' : 'after';
    throw invalidInput([name], `${name} is not a cursor of this list in this order`);
  }
  return page;
}

function isKeyOf(order: KeysetOrder, [value = null, id, ...rest]: readonly CursorValue[]): boolean {
  const valueFits =
    value === null
      ? order.nullable
      : order.key === 'integer'
        ? Number.isSafeInteger(value)
        : typeof value === (order.key === 'text' ? 'string' : 'number');
  return valueFits && (order.tie === null ? id === undefined : Number.isSafeInteger(id)) && rest.length === 0;
}

/** The key of a row for its cursor. */
export function keyOfRow(order: KeysetOrder, sortKey: CursorValue, id: number): readonly CursorValue[] {
  return order.tie === null ? [sortKey] : [sortKey, id];
}

export interface Selection {
  /** Columns, by the names that the rows will have. */
  readonly columns: SQL;
  readonly from: SQL;
  readonly where: readonly SQL[];
  readonly order: KeysetOrder;
}

/** The rows of a page and one more, in reading order, or nearest first when paging backward; `sortKey` is their place. */
export function pageOf({ columns, from, where, order }: Selection, page: PageRequest): SQL {
  const conditions = [...where, ...(page.key === null ? [] : [beyond(order, page.key, page.backward)])];
  return sql`select ${columns}, ${order.shown ?? order.value} as "sortKey" from ${from} ${whereAll(conditions)} ${orderBy(
    order,
    page.backward,
  )} limit ${page.size + 1}`;
}

/**
 * The same page for many parents: a branch for each, so that each is planned with its own values. Rows come parent by parent in the
 * order of their page; `parent` is the number of theirs.
 */
export function pagesOf(parents: readonly number[], selectionOf: (parent: number) => Selection, page: PageRequest): SQL {
  const branches = parents.map(
    (parent) =>
      sql`(select ${parent}::float8 as parent, row_number() over () as place, page.* from (${pageOf(selectionOf(parent), page)}) page)`,
  );
  return sql`select * from (${sql.join(branches, sql` union all `)}) pages order by parent, place`;
}

/** A `where` clause of all conditions; empty when there are none. */
export function whereAll(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`;
}

function orderBy({ value, descending, nullable, tie }: KeysetOrder, backward: boolean): SQL {
  const direction = (down: boolean) => (down !== backward ? sql`desc` : sql`asc`);
  const nulls = nullable ? (backward ? sql`nulls first` : sql`nulls last`) : sql``;
  return sql`order by ${value} ${direction(descending)} ${nulls} ${tie === null ? sql`` : sql`, ${tie.id} ${direction(tie.descending)}`}`;
}

/** Rows behind the key in the direction of paging, exclusive. */
function beyond({ value, descending, nullable, tie, bound }: KeysetOrder, key: readonly CursorValue[], backward: boolean): SQL {
  const [last = null, id = null] = key;
  const beyondOf = (down: boolean) => (down !== backward ? sql`<` : sql`>`);
  const compared = beyondOf(descending);
  if (tie === null) return sql`${value} ${compared} ${bound(last)}`;
  const tied = sql`${tie.id} ${beyondOf(tie.descending)} ${id}::bigint`;
  // Rows without a value come after all others, so they are before none and behind every value.
  if (last === null) return backward ? sql`(${value} is not null or ${tied})` : sql`(${value} is null and ${tied})`;
  if (!nullable && tie.descending === descending) return sql`(${value}, ${tie.id}) ${compared} (${bound(last)}, ${id}::bigint)`;
  const behind = sql`${value} ${compared} ${bound(last)} or (${value} = ${bound(last)} and ${tied})`;
  return nullable && !backward ? sql`(${behind} or ${value} is null)` : sql`(${behind})`;
}
