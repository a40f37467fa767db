// A database for each test file or test, as the template of this run's server (cluster.ts) is: real, and not shared, so test files can run in parallel.
import type { Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { connect, connectionOptions, type DatabaseTarget, type Db } from '../../src/db/sql/client.ts';
import { schemaOf, searchPath } from '../../src/db/sql/session-settings.ts';
import { type Clone, createClone, giveBack, takeClone } from './clones.ts';

export interface TestDatabase {
  readonly target: DatabaseTarget;
  readonly db: Db;
  /** A separate client for tests: for transactions that the product never opens, and for functions that only other functions call. */
  readonly own: Sql;
  /** The text of every statement sent through `db` so far; set its length to 0 to count from here. */
  readonly statements: string[];
  /** Ends the use of `db`, `own` and the database. */
  drop(): Promise<void>;
}

/** A migrated database without providers on the server of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return openClone(await takeClone());
}

/** One that no test has used: what others left in its tables, though deleted, makes the planner expect other numbers of rows. */
export async function createNewDatabase(): Promise<TestDatabase> {
  return openClone(await createClone());
}

function openClone(clone: Clone): TestDatabase {
  // A handle of its own: what is kept for a database, such as its forest, begins anew.
  return openTestDatabase({ ...clone, db: { ...clone.db } }, () => giveBack(clone));
}

/** A test database of its parts; `end` is called when its use has ended. */
export function openTestDatabase(
  { target, db, statements, functions }: Pick<Clone, 'target' | 'db' | 'statements' | 'functions'>,
  end: () => Promise<void>,
): TestDatabase {
  const settings = { lock_timeout: 0, search_path: searchPath(functions, schemaOf({})) };
  // Without this query the driver's reserve() would wait for ever for a connection that has not been opened.
  const own = connect(target, { ...connectionOptions(target, settings), max: 8, fetch_types: true });
  const drop = async () => {
    await own.end({ timeout: 5 });
    await end();
  };
  return { target, db, own, statements, drop };
}

/** The database of a test file, for the duration of its tests. Call it once, outside of tests; use its result inside. */
export function useDatabase(create: () => Promise<TestDatabase> = createTestDatabase): TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(async () => {
    await database?.drop();
  });
  const current = (): TestDatabase => {
    if (!database) throw new Error('the database of a test file can be used in tests and hooks only');
    return database;
  };
  return {
    get target() {
      return current().target;
    },
    get db() {
      return current().db;
    },
    get own() {
      return current().own;
    },
    get statements() {
      return current().statements;
    },
    drop: () => current().drop(),
  };
}

/** The address of the server: always a socket. */
export function socketOf(target: DatabaseTarget): Extract<DatabaseTarget, { socketDirectory: string }> {
  if ('url' in target) throw new Error('the tests run over a socket');
  return target;
}
