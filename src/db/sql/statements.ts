// Keeps statements cheap: they are built once for each database handle, and planned once. Knows no table.
import { type Db, statementFor, withoutNotes } from './client.ts';

/** The result of `build` for a handle, created on first use and cached for the life of the handle: building with Drizzle costs more than running. */
export function oncePerDb<Statement extends object>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>();
  return (db) => {
    const plain = withoutNotes(db);
    const statement = built.get(plain) ?? build(plain);
    built.set(plain, statement);
    return statementFor(db, statement);
  };
}

/**
 * A statement about uuids, which stand for `$uuids` in its text. A single one is compared directly: for an array of unknown length Postgres plans each
 * call again. The text is made once, because assembling it takes the driver as long as sending it.
 */
export function forUuids<Row extends object>(text: string): (db: Db, uuids: readonly string[]) => Promise<Row[]> {
  const one = text.replace('$uuids', '$1::uuid');
  const several = text.replace('$uuids', 'any($1::uuid[])');
  return async ({ sql }, uuids) => {
    const [only] = uuids;
    const isOne = uuids.length === 1 && only !== undefined;
    return sql.unsafe<Row[]>(isOne ? one : several, [isOne ? only : (uuids as string[])], { prepare: true });
  };
}
