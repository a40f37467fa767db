// Migrates a database to this version: tables (drizzle/), write functions (../writes/functions and ../writes/steps), standard names. One gateway at a
// time, under an advisory lock; the others wait and then find nothing to do. The only code of the product that opens transactions: it runs before any
// request.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as migrateTables } from 'drizzle-orm/postgres-js/migrator';
import type { Sql } from 'postgres';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import { connect, connectionOptions, type DatabaseTarget } from '../sql/client.ts';
import { sqlState } from '../writes/apply-write.ts';

const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url));
const functionsFolders = ['functions', 'steps'].map((name) => fileURLToPath(new URL(`../../../src/db/writes/${name}/`, import.meta.url)));
const migrationLock = 8_778_001;
const oldestServer = 150_000;

/** Migrates the database; safe to call from many gateways at once. Throws an error that says what to do when the server is too old. */
export async function migrate(target: DatabaseTarget, report: (line: string) => void = () => {}): Promise<void> {
  const sql = connect(target, {
    ...connectionOptions(target, { application_name: 'placement-gateway migrate', statement_timeout: 0, lock_timeout: 0 }),
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
  });
  try {
    await refuseOldServer(sql);
    await refuseForeignSnapshots(sql);
    await sql`select pg_advisory_lock(${migrationLock}::bigint)`;
    await applyAll(sql, report);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;
  if (row && row.number < oldestServer) throw new Error(`Postgres ${row.version} is too old: use 15 or newer`);
}

/** The change feed relies on the transaction ids and snapshots of Postgres; not every database with its protocol has them. */
async function refuseForeignSnapshots(sql: Sql): Promise<void> {
  const refusal = (cause?: unknown) =>
    new Error('this database does not number transactions as Postgres does (pg_current_snapshot, xid8): use Postgres itself', { cause });
  try {
    const [before] = await sql<{ snapshot: string }[]>`
      select pg_current_snapshot()::text as snapshot, pg_is_in_recovery(), pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()`;
    // As in a write function: the row is written inside a block that can be rolled back on its own.
    const ids = await sql.begin(async (transaction) => {
      const [inner] = await transaction.savepoint((block) => block<{ xid: string }[]>`select pg_current_xact_id()::text as xid`);
      const [outer] = await transaction<{ xid: string }[]>`select pg_current_xact_id()::text as xid`;
      return { inner: inner?.xid ?? '', outer: outer?.xid ?? '' };
    });
    const [after] = await sql<{ holds: boolean }[]>`
      select ${ids.inner} = ${ids.outer} and xid < pg_snapshot_xmax(pg_current_snapshot())
         and not xid in (select pg_snapshot_xip(pg_current_snapshot()))
         and (xid >= pg_snapshot_xmax(before) or xid in (select pg_snapshot_xip(before))) as holds
      from (select ${ids.inner}::xid8 as xid, ${before?.snapshot ?? ''}::pg_snapshot as before) _`;
    if (!after?.holds) throw refusal();
  } catch (error) {
    // Undefined function, undefined type, not supported.
    throw ['42883', '42704', '0A000'].includes(sqlState(error) ?? '') ? refusal(error) : error;
  }
}

async function applyAll(sql: Sql, report: (line: string) => void): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder }).length;
  const before = await countMigrations(sql);
  if (before > known) {
    // A newer gateway is running at the same time: its functions serve us too, ours may not serve it.
    report(`the database is newer than this version (${before} migrations, ${known} known): left as it is`);
    return;
  }
  if (before < known) report(`applying ${known - before} migration${known - before === 1 ? '' : 's'}`);
  await migrateTables(drizzle(sql), { migrationsFolder });
  await applyFunctions(sql);
  await insertStandardNames(sql);
  await forgetForeignTransactions(sql);
}

/** The number of table migrations in the database; 0 for an empty one. */
export async function countMigrations(sql: Sql): Promise<number> {
  const [table] = await sql<{ found: boolean }[]>`select to_regclass('drizzle.__drizzle_migrations') is not null as found`;
  if (!table?.found) return 0;
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count ?? 0;
}

/** The number of table migrations that this version has. */
export function countKnownMigrations(): number {
  return readMigrationFiles({ migrationsFolder }).length;
}

/** The functions are applied as one statement, so that no caller ever sees half of them, and only when they differ from those applied last. */
async function applyFunctions(sql: Sql): Promise<void> {
  const folders = await Promise.all(functionsFolders.map(async (folder) => (await readdir(folder)).map((file) => folder + file)));
  const files = folders
    .flat()
    .filter((file) => file.endsWith('.sql'))
    .sort();
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const digest = createHash('sha256').update(text).digest('hex');
  const comment = `placement-gateway functions ${digest}`;
  const [row] = await sql<{ applied: boolean }[]>`
    select exists (select from pg_proc where proname = 'apply_write' and obj_description(oid, 'pg_proc') = ${comment}) as applied`;
  if (row?.applied) return;
  // Functions call each other, and SQL functions are checked on creation: without the check their order does not matter.
  await sql.unsafe(
    `begin;\nset local check_function_bodies = off;\n${text}\ncomment on function apply_write(text, jsonb) is '${comment}';\ncommit;`,
  );
}

async function insertStandardNames(sql: Sql): Promise<void> {
  await sql`
    insert into resource_classes (id, name)
    select * from unnest(${standardResourceClasses.map(({ id }) => id)}::int[], ${standardResourceClasses.map(({ name }) => name)}::text[])
    as standard (id, name) where not exists (select from resource_classes known where known.name = standard.name)`;
  await sql`
    insert into traits (name)
    select name from unnest(${[...standardTraits]}::text[]) as standard (name)
    where not exists (select from traits known where known.name = standard.name)`;
  await sql`insert into change_feed (pruned_xid) values ('0') on conflict do nothing`;
}

/** A dump restored into another server contains transaction ids of the old one: those that are in the future here would later be delivered as new. */
async function forgetForeignTransactions(sql: Sql): Promise<void> {
  await sql`delete from provider_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  // 0 means: before any reader here.
  await sql`update events set xid = '0' where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  for (const table of ['resource_classes', 'traits', 'placement_aggregates']) {
    await sql`update ${sql(table)} set changed_xid = pg_current_xact_id() where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  }
  await sql`
    update change_feed set names_deleted_xid = pg_current_xact_id() where names_deleted_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  // Nobody here has a position in the old server: nothing that was pruned there can be missed.
  await sql`update change_feed set pruned_xid = '0' where pruned_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
}
