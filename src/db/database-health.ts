// What Postgres says of itself and of our tables, for advice to operators. Changes nothing.
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { DatabaseFacts } from '../domain/database-health.ts';
import { selectLedgerHealth } from './ledger-health.ts';
import * as schema from './schema/schema.ts';
import type { Db } from './sql/client.ts';

/** The indexes that the tables of this release have, those of keys included. */
function expectedIndexes(): string[] {
  return Object.values(schema).flatMap((table) => {
    if (!is(table, PgTable)) return [];
    const { indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
    return [
      ...indexes.map(({ config }) => config.name),
      ...primaryKeys.map((key) => key.getName()),
      ...uniqueConstraints.map(({ name }) => name),
    ].filter((name) => typeof name === 'string');
  });
}

/** Statistics are those since the server began to count. */
export async function selectDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { sql } = db;
  const [server] = await sql<Pick<DatabaseFacts, 'major' | 'frozenAge' | 'connections' | 'settings'>[]>`
    select current_setting('server_version_num')::int / 10000 as major,
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as "frozenAge",
      json_build_object('most', current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        'used', (select count(*) from pg_stat_activity where backend_type = 'client backend')) as connections,
      (select json_object_agg(name, setting) from pg_settings
        where name in ('autovacuum', 'track_counts', 'autovacuum_vacuum_scale_factor', 'autovacuum_naptime')) as settings`;
  const tables = await sql<DatabaseFacts['tables'][number][]>`
    select c.relname as name, pg_table_size(c.oid)::float8 as bytes, s.n_live_tup::float8 as live, s.n_dead_tup::float8 as dead,
      coalesce(c.reloptions @> '{autovacuum_enabled=false}' or c.reloptions @> '{autovacuum_enabled=off}', false) as "isLeftOut",
      coalesce(s.last_analyze, s.last_autoanalyze) is not null as "isAnalyzed",
      -- What the rows would take if there were no holes: their widths as last analyzed, with a header and a pointer each.
      (greatest(c.reltuples, 0) * (28 + coalesce((select sum(avg_width * (1 - null_frac)) from pg_stats w
        where w.schemaname = current_schema and w.tablename = c.relname), 0)))::float8 as "rowBytes"
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = current_schema::regnamespace and c.relkind = 'r' order by c.relname`;
  const indexes = await sql<
    { name: string; table: string; isValid: boolean; isKey: boolean; scans: number; bytes: number; isPart: boolean }[]
  >`
    select c.relname as name, t.relname as table, i.indisvalid as "isValid", i.indisunique as "isKey", coalesce(s.idx_scan, 0)::float8 as scans,
      pg_relation_size(c.oid)::float8 as bytes, c.relispartition as "isPart"
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    left join pg_stat_user_indexes s on s.indexrelid = c.oid
    where c.relnamespace = current_schema::regnamespace order by c.relname`;
  const { vacuumHolder } = await selectLedgerHealth(db);
  if (!server) throw new Error('the database says nothing of itself');
  const expected = new Set(expectedIndexes());
  const found = new Set(indexes.filter(({ isValid }) => isValid).map(({ name }) => name));
  const bookkeeping = ['schema_migrations', 'schema_versions'];
  return {
    ...server,
    tables,
    invalidIndexes: indexes.filter(({ isValid }) => !isValid).map(({ name }) => name),
    missingIndexes: [...expected].filter((name) => !found.has(name) && !indexes.some((index) => index.name === name)),
    foreignIndexes: indexes.filter(({ name, table, isPart }) => !isPart && !expected.has(name) && !bookkeeping.includes(table)),
    vacuumHolder,
  };
}
