// Whether a server can be used at all, asked before anything else: its version, its encoding, its transactions.
import type { Sql } from 'postgres';
import type { DatabaseTarget } from '../sql/client.ts';
import { sqlState } from '../writes/apply-write.ts';

const oldestServer = 150_000;

/** Throws an error that says what to do when the server or database cannot be used. */
export async function refuseUnfitServer(sql: Sql, _target: DatabaseTarget): Promise<void> {
  const [server] = await sql<{ number: number; version: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
           current_setting('server_encoding') as encoding`;
  if (server && server.number < oldestServer) throw new Error(`Postgres ${server.version} is too old: use 15 or newer`);
  if (server && server.encoding !== 'UTF8') {
    throw new Error(`the encoding of the database is ${server.encoding}: create one with encoding 'UTF8' template template0`);
  }
  await refuseForeignSnapshots(sql);
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
