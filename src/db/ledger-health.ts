// What keeps Postgres from cleaning up, and how far the change feed and the ledger reach back. Changes nothing.
import type { Db } from './sql/client.ts';

/** Something whose age keeps dead rows from being removed, everywhere in the database. */
interface VacuumHolder {
  /** Such as `process 4711 (pg_dump)`. */
  readonly name: string;
  /** Since its transaction began; null if that is unknown, as of a replication slot. */
  readonly seconds: number | null;
  /** How many transactions began since the oldest one that it may still look at. */
  readonly transactions: number;
}

interface LedgerHealth {
  /** The one that holds back most; null when there is none. Only members of pg_read_all_stats see the sessions of other roles. */
  readonly vacuumHolder: VacuumHolder | null;
  /** Changes of providers that are kept for gateways that lag behind. */
  readonly providerChanges: number;
  /** Transactions since the oldest of them. */
  readonly feedDepth: number;
  /** When events were last dropped, ISO 8601; null for never. */
  readonly prunedAt: string | null;
  readonly prunedEventId: number;
  /** The size of all tables of the database. */
  readonly databaseBytes: number;
  /** The size of the log; null for roles that may not look at it, which members of pg_monitor may. */
  readonly walBytes: number | null;
}

/** How far back everything reaches, at this moment. */
export async function selectLedgerHealth({ sql }: Db): Promise<LedgerHealth> {
  const [holder = null] = await sql<VacuumHolder[]>`
    select name, seconds, transactions from (
      select format('process %s (%s)', pid, coalesce(nullif(application_name, ''), usename)) as name,
        extract(epoch from now() - xact_start)::float8 as seconds, age(coalesce(backend_xmin, backend_xid))::float8 as transactions
      from pg_stat_activity where coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid()
      union all
      select format('prepared transaction %s', gid), extract(epoch from now() - prepared)::float8, age(transaction)::float8 from pg_prepared_xacts
      union all
      select format('replication slot %s', slot_name), null, age(xmin)::float8 from pg_replication_slots where xmin is not null
    ) holders order by transactions desc limit 1`;
  const [feed] = await sql<(Omit<LedgerHealth, 'vacuumHolder' | 'walBytes'> & { readonly seesWal: boolean })[]>`
    select (select count(*)::float8 from provider_changes) as "providerChanges",
      coalesce((select pg_snapshot_xmax(pg_current_snapshot())::text::float8 - min(xid)::text::float8 from provider_changes), 0) as "feedDepth",
      to_json(f.pruned_at) #>> '{}' as "prunedAt", f.pruned_event_id::float8 as "prunedEventId",
      pg_database_size(current_database())::float8 as "databaseBytes", has_function_privilege('pg_ls_waldir()', 'execute') as "seesWal"
    from change_feed f`;
  if (!feed) throw new Error('the table change_feed has no row');
  const { seesWal, ...known } = feed;
  const [wal] = seesWal ? await sql<{ bytes: number }[]>`select coalesce(sum(size), 0)::float8 as bytes from pg_ls_waldir()` : [];
  return { vacuumHolder: holder, ...known, walBytes: wal?.bytes ?? null };
}
