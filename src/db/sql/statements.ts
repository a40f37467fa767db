// Keeps statements cheap: they are built once for each database handle, and planned once. Knows no table.
import type { Sql } from 'postgres';
import type { Db } from './client.ts';

/** The result of `build` for a handle, created on first use and cached for the life of the handle: building with Drizzle costs more than running. */
export function oncePerDb<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>();
  return (db) => {
    const known = built.get(db);
    if (known !== undefined) return known;
    const statement = build(db);
    built.set(db, statement);
    return statement;
  };
}

/** `column = ` one of these uuids. A single one is compared directly: for an array of unknown length Postgres plans each call again. */
export function oneOf(sql: Sql, uuids: readonly string[]) {
  const [only] = uuids;
  return uuids.length === 1 ? sql`${only ?? null}::uuid` : sql`any(${uuids as string[]}::uuid[])`;
}
