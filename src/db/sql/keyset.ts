// Keyset paging in SQL: the order of a list, the start of a page after a cursor, and pages for many parents in one statement. Knows no table.
// Statements built from these parts are deliberately not prepared on the server (Drizzle prepares only on demand): Postgres plans each with its
// actual values, and so knows whether a trait or a class is rare. Pages are therefore never read through `db.sql`.
import { type SQL, sql } from 'drizzle-orm';
import type { CursorKey, CursorValue, PageRequest } from '../../domain/page.ts';

/** One key of an order. Rows without a value come last in both directions. */
export interface KeysetKey extends CursorKey {
  readonly value: SQL;
  readonly descending: boolean;
  /** Values are unique, so that keys after it have no effect. */
  readonly unique: boolean;
  /** Ties are in the same direction, so that one index serves both directions; otherwise the oldest comes first. */
  readonly tiesFollow: boolean;
  /** The value in the cursor. */
  readonly shown: SQL;
  /** A cursor's value as SQL that is comparable with `value`. */
  readonly bound: (value: CursorValue) => SQL;
}

/** The order of a list, most important key first. It is total: no two rows are equal. */
export type KeysetOrder = readonly KeysetKey[];

interface KeyOptions {
  readonly nullable?: boolean;
  readonly unique?: boolean;
}

/** Text is compared in the collation of the database, as in its indexes. */
export function textKey(value: SQL, descending: boolean, { nullable = false, unique = false }: KeyOptions = {}): KeysetKey {
  const bound = (text: CursorValue) => sql`${text}::text`;
  return { value, descending, nullable, unique, tiesFollow: false, holds: 'text', shown: value, bound };
}

/** Whole numbers. */
export function integerKey(value: SQL, descending: boolean, { nullable = false, unique = false }: KeyOptions = {}): KeysetKey {
  const bound = (integer: CursorValue) => sql`${integer}::bigint`;
  return { value, descending, nullable, unique, tiesFollow: false, holds: 'integer', shown: value, bound };
}

/** Double precision numbers. */
export function numberKey(value: SQL, descending: boolean, { nullable = false }: KeyOptions = {}): KeysetKey {
  const bound = (number: CursorValue) => sql`${number}::float8`;
  return { value, descending, nullable, unique: false, tiesFollow: false, holds: 'number', shown: value, bound };
}

/** Timestamps. Cursors contain microseconds: milliseconds would skip or repeat rows. */
export function momentKey(value: SQL, descending: boolean): KeysetKey {
  return {
    value,
    descending,
    nullable: false,
    unique: false,
    tiesFollow: true,
    holds: 'integer',
    shown: sql`(extract(epoch from ${value}) * 1000000)::float8`,
    bound: (key) => sql`(timestamptz 'epoch' + ${key}::float8 * interval '1 microsecond')`,
  };
}

/** An order by keys, with ties broken by `id`, which is in the order of creation. */
export function totalOrder(keys: readonly KeysetKey[], id: SQL): KeysetOrder {
  const unique = keys.findIndex((key) => key.unique);
  if (unique >= 0) return keys.slice(0, unique + 1);
  const last = keys.at(-1);
  return [...keys, integerKey(id, last?.tiesFollow === true && last.descending, { unique: true })];
}

export interface Selection {
  /** Columns, with aliases as in the rows. */
  readonly columns: SQL;
  readonly from: SQL;
  readonly where: readonly SQL[];
  readonly order: KeysetOrder;
}

/** The rows of a page and one more, in the order of the list, or reversed when paging backward; `sortKey` is for their cursors. */
export function pageOf({ columns, from, where, order }: Selection, page: PageRequest): SQL {
  const names = order.map((_, index) => sql.raw(`"sortKey${index}"`));
  const values = order.map(({ shown }, index) => sql`${shown} as ${names[index]}`);
  // Sort keys are built for the rows of the page only: in the inner select Postgres would build one for each row that it sorts.
  return sql`select page.*, json_build_array(${listed(names)})::text as "sortKey" from (
    select ${columns}, ${listed(values)} from ${from} ${whereAll([...where, ...behind(order, page)])}
    order by ${directionsOf(order, page.backward)} limit ${page.size + 1}) page`;
}

/**
 * The same page for many parents: a branch for each, so that each is planned with its own values. Rows come parent by parent, each page in its order;
 * `parent` is the number given for it.
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

const listed = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** The sort key of a row, as JSON. */
export function placeIn(order: KeysetOrder): SQL {
  return sql`json_build_array(${listed(order.map(({ shown }) => shown))})::text`;
}

/** The terms of `order by`. */
export function directionsOf(order: KeysetOrder, backward: boolean): SQL {
  return listed(
    order.map(({ value, descending, nullable }) => {
      const nulls = nullable ? (backward ? sql`nulls first` : sql`nulls last`) : sql``;
      return sql`${value} ${descending !== backward ? sql`desc` : sql`asc`} ${nulls}`;
    }),
  );
}

/** The condition for rows after the key of a page in the direction of paging, exclusive; none without a key. */
export function behind(order: KeysetOrder, { key, backward }: PageRequest): SQL[] {
  const [first] = order;
  if (key === null || !first) return [];
  const condition = behindKeys(order, key, backward);
  if (first.nullable || areAlike(order)) return [condition];
  // No index serves a condition with alternatives, so a condition on the first key bounds the scan.
  const orTied = first.descending !== backward ? sql`<=` : sql`>=`;
  return [sql`${first.value} ${orTied} ${first.bound(key[0] ?? null)}`, condition];
}

/** Whether a row comparison follows the order. */
function areAlike(order: KeysetOrder): boolean {
  return order.every(({ nullable, descending }) => !nullable && descending === order[0]?.descending);
}

function behindKeys(order: KeysetOrder, key: readonly CursorValue[], backward: boolean): SQL {
  const [first, ...others] = order;
  const [last = null, ...lasts] = key;
  if (!first) return sql`false`;
  const { value, descending, nullable, bound } = first;
  const beyond = descending !== backward ? sql`<` : sql`>`;
  if (areAlike(order)) {
    const bounds = order.map((one, index) => one.bound(key[index] ?? null));
    return sql`(${listed(order.map((one) => one.value))}) ${beyond} (${listed(bounds)})`;
  }
  const tied = behindKeys(others, lasts, backward);
  // Rows without a value come last: after every value, and before none.
  if (last === null) return backward ? sql`(${value} is not null or ${tied})` : sql`(${value} is null and ${tied})`;
  const orNull = nullable && !backward ? sql` or ${value} is null` : sql``;
  return sql`(${value} ${beyond} ${bound(last)} or (${value} = ${bound(last)} and ${tied})${orNull})`;
}
