// How statements are kept cheap: built once for each database handle, and planned once. Knows no table.
import type { Sql } from 'postgres';
import type { Db } from './client.ts';

/** What `build` makes of a handle, made on first use and kept for as long as the handle lives: building with Drizzle costs more than running. */
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

/** `column = ` one of these uuids. A single one is compared directly: for an array of unknown length Postgres plans each call anew. */
export function oneOf(sql: Sql, uuids: readonly string[]) {
  const [only] = uuids;
  return uuids.length === 1 ? sql`${only ?? null}::uuid` : sql`any(${uuids as string[]}::uuid[])`;
}
