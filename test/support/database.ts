// A database for each test file: a clone of the migrated template of this run's server (cluster.ts). Cheap (tens of milliseconds),
// real, and not shared, so test files can run in parallel.
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, inject } from 'vitest';
import { readDatabaseVersion } from '../../src/db/schema/database-version.ts';
import { connect, connectionOptions, type DatabaseTarget, type Db, openDatabase } from '../../src/db/sql/client.ts';
import { schemaOf, searchPath } from '../../src/db/sql/session-settings.ts';

export interface TestDatabase {
  readonly target: DatabaseTarget;
  readonly db: Db;
  /** A separate client for tests: for transactions that the product never opens, and for functions that only other functions call. */
  readonly own: Sql;
  /** The text of every statement sent through `db` so far; set its length to 0 to count from here. */
  readonly statements: string[];
  /** Closes `db` and drops the database, even if there are other connections. */
  drop(): Promise<void>;
}

// One lock for all workers: a template cannot be cloned concurrently, and workers share only the server.
const cloneLock = 8778;

/** A fresh database on the server of this run, by default migrated to this release; otherwise a clone of the named one, or `template0`, which is empty. */
export async function createTestDatabase(template = inject('cluster').database): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(async (sql) => {
    // Held until the session ends.
    await sql`select pg_advisory_lock(${cloneLock}::bigint)`;
    await sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
  });
  const target = { ...cluster, database: name };
  const statements: string[] = [];
  const db = openDatabase(target, { onStatement: (statement) => void statements.push(statement) });
  const functions = (await readDatabaseVersion(db.sql))?.functions ?? '';
  const settings = { lock_timeout: 0, search_path: searchPath(functions, schemaOf({})) };
  statements.length = 0;
  // Without this query the driver's reserve() would wait for ever for a connection that has not been opened.
  const own = connect(target, { ...connectionOptions(target, settings), max: 8, fetch_types: true });
  return {
    target,
    db,
    own,
    statements,
    drop: async () => {
      await Promise.all([db.close(), own.end({ timeout: 5 })]);
      await administer((sql) => sql.unsafe(`drop database ${name} with (force)`));
    },
  };
}

/** The database of a test file, for the duration of its tests. Call it once, outside of tests; use its result inside. */
export function useDatabase(): TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
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

async function administer(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const target = { ...inject('cluster'), database: 'postgres' };
  const sql = connect(target, { ...connectionOptions(target, { lock_timeout: 0 }), max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
