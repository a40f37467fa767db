// Clones of the migrated template of this run's server (cluster.ts). A clone serves one test after the other, in all files of a process: its sessions know the
// functions already, and what a new session must learn takes ten times as long as a usual test. One that cannot be made like new is dropped.
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { inject, type ProvidedContext } from 'vitest';
import { connect, connectionOptions, type Db, openDatabase } from '../../src/db/sql/client.ts';

export interface Clone {
  readonly target: ProvidedContext['cluster'];
  readonly db: Db;
  /** The text of every statement sent through `db`. */
  readonly statements: string[];
  /** The schema of the functions. */
  readonly functions: string;
  /** Its only session has the rows of the template in temporary tables. */
  readonly keeper: Sql;
  /** Statements of the keeper that bring these rows back. */
  readonly restore: string;
  /** What else tests can change, in short. */
  readonly shape: string;
}

const spare: Clone[] = [];
/** More would need too many of the server's connections. */
const most = { spare: 2, sessions: 8 };
/** In bytes: deleted rows stay in the tables. */
const mostGrown = 4_000_000;
/** Tests hold locks for as long as a busy machine needs to look, in milliseconds. */
const lockTime = 20_000;

/** A clone with the rows of the template. */
export async function takeClone(): Promise<Clone> {
  const clone = spare.pop() ?? (await createClone());
  clone.statements.length = 0;
  return clone;
}

/** Keeps a clone for the next test, or drops it. */
export async function giveBack(clone: Clone): Promise<void> {
  if (spare.length < most.spare && (await isLikeNew(clone))) spare.push(clone);
  else await dropClone(clone);
}

// One lock for all workers: a template cannot be cloned concurrently, and workers share only the server.
const cloneLock = 8778;

/** A database like another one on the server of this run, which has no sessions; `template0` is empty. */
export async function createDatabase(template = inject('cluster').database): Promise<Clone['target']> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(async (sql) => {
    // Held until the session ends.
    await sql`select pg_advisory_lock(${cloneLock}::bigint)`;
    await sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
  });
  return { ...inject('cluster'), database: name };
}

export function dropDatabase({ database }: Pick<Clone['target'], 'database'>): Promise<void> {
  return administer((sql) => sql.unsafe(`drop database ${database} with (force)`));
}

/** A clone that no test has used. */
export async function createClone(): Promise<Clone> {
  const target = await createDatabase();
  const statements: string[] = [];
  const db = openDatabase(target, { onStatement: (statement) => void statements.push(statement), lockTime });
  // Without triggers, those of foreign keys included.
  const settings = { lock_timeout: 500, session_replication_role: 'replica' };
  const keeper = connect(target, { ...connectionOptions(target, settings), max: 1, idle_timeout: 0, max_lifetime: null });
  const functions = await functionsOf(keeper);
  const restore = await keepRows(keeper);
  return { target, db, statements, functions, keeper, restore, shape: await shapeOf(keeper) };
}

/** The schema of the functions of a database. */
export async function functionsOf(sql: Sql): Promise<string> {
  const [release] = await sql<{ functions: string }[]>`select functions from schema_versions order by version desc limit 1`;
  return release?.functions ?? '';
}

/** Copies the rows of all tables; returns the statements that bring them back. */
async function keepRows(keeper: Sql): Promise<string> {
  const tables = await keeper<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
  const restore: string[] = [];
  for (const { name } of tables) {
    const { count } = await keeper`select from ${keeper(name)} limit 1`;
    if (count === 0) restore.push(`delete from ${name}`);
    else {
      await keeper.unsafe(`create temporary table kept_${name} as table ${name}`);
      restore.push(
        `delete from ${name} there where not exists (select from kept_${name} kept where kept = there)`,
        `insert into ${name} overriding system value table kept_${name} on conflict do nothing`,
      );
    }
  }
  const sequences = await keeper<{ call: string }[]>`
    select format('setval(%L, %s, %L)', sequencename, coalesce(last_value, start_value), last_value is not null) as call
    from pg_sequences where schemaname = current_schema()`;
  return ['begin', ...restore, `select ${sequences.map(({ call }) => call)}, pg_stat_reset()`, 'commit'].join('; ');
}

/** Catalogs and, except for small ones, the column with the id of what a row is about. */
const catalogs = {
  pg_attribute: 'attrelid',
  pg_class: 'oid',
  pg_constraint: 'oid',
  pg_db_role_setting: null,
  pg_index: 'indexrelid',
  pg_namespace: null,
  pg_proc: 'oid',
  pg_sequence: 'seqrelid',
  pg_statistic: 'starelid',
  pg_trigger: 'tgrelid',
  pg_type: 'oid',
} as const;
const firstOwnId = 16_384;

/** Everything but the rows: tables, functions, settings, statistics. */
async function shapeOf(keeper: Sql): Promise<string> {
  const counts = Object.entries(catalogs).map(
    ([catalog, column]) =>
      `(select concat_ws(' ', count(*), sum(xmin::text::bigint)) from ${catalog} where ${column ?? firstOwnId} >= ${firstOwnId})`,
  );
  // An analysis changes these in place.
  const sizes = `(select concat_ws(' ', sum(relpages), sum(reltuples)) from pg_class where oid >= ${firstOwnId})`;
  const [row] = await keeper.unsafe<{ shape: string }[]>(`select concat_ws(' ', ${[...counts, sizes]}) as shape`);
  return row?.shape ?? '';
}

/** Makes a clone like new. It is not if a test changed more than rows, has not ended, or left it large. */
async function isLikeNew({ db, keeper, restore, shape }: Clone): Promise<boolean> {
  const { reads, writes } = db.pools();
  const [open, used] = [reads.open + writes.open, reads.used + reads.waiting + writes.used + writes.waiting];
  // A test that closed `db` left no session.
  if (open === 0 || open > most.sessions || used > 0) return false;
  try {
    const [left] = await keeper<{ sessions: number; size: number }[]>`
      select (select count(*)::int from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()) as sessions,
             (select sum(pg_relation_size(oid))::int from pg_class where relnamespace = current_schema()::regnamespace) as size`;
    if (!left || left.sessions > 0 || left.size > mostGrown) return false;
    await keeper.unsafe(restore);
    return (await shapeOf(keeper)) === shape;
  } catch {
    // Something of the test keeps a lock, or the tables are gone.
    return false;
  }
}

async function dropClone({ db, keeper, target }: Clone): Promise<void> {
  await Promise.all([db.close(), keeper.end({ timeout: 5 })]);
  await dropDatabase(target);
}

/** Work in a session of the server of this run that belongs to no test. */
export async function administer(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const target = { ...inject('cluster'), database: 'postgres' };
  const sql = connect(target, { ...connectionOptions(target, { lock_timeout: 0 }), max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
