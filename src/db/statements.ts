// Statements that are built once for each database handle: building one with Drizzle costs more than running it.
// Knows no table.
import type { Db } from './client.ts';

/** What `build` makes of a handle, made on first use and kept for as long as the handle lives. */
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
