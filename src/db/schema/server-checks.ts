// Checks, before anything else, whether a server can be used at all: its version, encoding, sessions and transactions. Warns of unwise settings.

import { limits } from '../../domain/limits.ts';
import type { Sql } from '../sql/client.ts';
import { sqlState } from '../writes/apply-write.ts';

const oldestServer = 150_000;

/** Throws an error that says what to do when the server or database cannot be used. `beside` is another client, given if a pooler in session mode is expected. */
export async function refuseUnfitServer(sql: Sql, beside: Sql | null = null): Promise<void> {
  const answer = await sql<ServerAnswer[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
           current_setting('server_encoding') as encoding, pg_backend_pid() as process, current_setting('jit') as jit`;
  const [server] = answer;
  if (server && server.number < oldestServer) throw new Error(`Postgres ${server.version} is too old: use 15 or newer`);
  if (server && server.encoding !== 'UTF8') {
    throw new Error(`the encoding of the database is ${server.encoding}: create one with encoding 'UTF8' template template0`);
  }
  // A pooler has keys of its own; one without would still lose the settings.
  const isPooler = beside === null && server?.process !== answer.state?.pid;
  if (server && (isPooler || server.jit !== 'off' || (await isShared(server, beside)))) throw new Error(poolerRefusal);
  await refuseForeignSnapshots(sql);
}

/** Whether a pooler also gives a session that is in use to another client, as it does in all modes but session mode. */
async function isShared({ process }: ServerAnswer, beside: Sql | null): Promise<boolean> {
  const [other] = beside ? await beside<{ process: number }[]>`select pg_backend_pid() as process` : [];
  return other?.process === process;
}

const poolerRefusal =
  'between the gateway and Postgres there is a pooler, such as PgBouncer, which loses the settings of sessions: connect to Postgres itself, or use its session mode and say so with pooler=session (docs/deployment.md)';

interface ServerAnswer {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  readonly process: number;
  readonly jit: string;
}

/** The error that says so; undefined for any other. Postgres itself knows all settings that are sent. */
export function refusedByPooler(error: unknown): Error | undefined {
  return error instanceof Error && error.message.includes('unsupported startup parameter')
    ? new Error(poolerRefusal, { cause: error })
    : undefined;
}

const unwise: readonly { readonly name: string; readonly isUnwise: (value: string) => boolean; readonly why: string }[] = [
  { name: 'fsync', isUnwise: (value) => value === 'off', why: 'a crash of the machine can destroy the database' },
  { name: 'full_page_writes', isUnwise: (value) => value === 'off', why: 'a crash of the machine can destroy pages' },
  { name: 'session_replication_role', isUnwise: (value) => value !== 'origin', why: 'foreign keys are not checked' },
  {
    name: 'transaction_timeout',
    isUnwise: (value) => value !== '0' && Number(value) < limits.statementTime,
    why: 'writes are given up earlier than the gateway would',
  },
];

/** Advice on settings of the server that the gateway cannot set for its sessions, one line for each. */
export async function adviceOn(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${unwise.map(({ name }) => name)}::text[])`;
  return rows.flatMap(({ name, setting }) => {
    const rule = unwise.find((known) => known.name === name);
    return rule?.isUnwise(setting) ? `${name} is ${setting} in Postgres: ${rule.why}` : [];
  });
}

/** The change feed relies on the transaction ids and snapshots of Postgres; not every database with its protocol has them. */
async function refuseForeignSnapshots(sql: Sql): Promise<void> {
  const refusal = (cause?: unknown) =>
    new Error('this database does not number transactions as Postgres does (pg_current_snapshot, xid8): use Postgres itself', { cause });
  try {
    const [before] = await sql<{ snapshot: string }[]>`
      select pg_current_snapshot()::text as snapshot, pg_is_in_recovery(), pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()`;
    // As in a write function: the row is written inside a block that can be rolled back on its own.
    const results = await sql
      .unsafe<{ xid: string }[][]>(
        `begin; savepoint block; select pg_current_xact_id()::text as xid; release block; select pg_current_xact_id()::text as xid; commit`,
      )
      .simple();
    const [inner, outer] = results.flat().map(({ xid }) => xid);
    const [after] = await sql<{ holds: boolean }[]>`
      select ${inner ?? ''} = ${outer ?? ''} and xid < pg_snapshot_xmax(pg_current_snapshot())
         and not xid in (select pg_snapshot_xip(pg_current_snapshot()))
         and (xid >= pg_snapshot_xmax(before) or xid in (select pg_snapshot_xip(before))) as holds
      from (select ${inner ?? ''}::xid8 as xid, ${before?.snapshot ?? ''}::pg_snapshot as before) _`;
    if (!after?.holds) throw refusal();
  } catch (error) {
    // Undefined function, undefined type, not supported.
    throw ['42883', '42704', '0A000'].includes(sqlState(error) ?? '') ? refusal(error) : error;
  }
}
