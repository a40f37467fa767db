// The settings of all our sessions. Settings that affect speed or meaning are not left to the server, the database or the role, which may have others. Knows
// no table.
import { limits } from '../../domain/limits.ts';

/** The schema of the tables unless the settings name another. Not public, which may have tables of others with the same names. */
const defaultSchema = 'placement';

/** The schema of the tables of a target. */
export function schemaOf({ schema = defaultSchema }: { readonly schema?: string | undefined }): string {
  return schema;
}

/** An identifier as it stands in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Postgres searches pg_catalog before these; temporary tables come last, so that none can stand in for one of ours. */
export function searchPath(...schemas: readonly string[]): string {
  return [...schemas.map(quoted), 'pg_temp'].join(', ');
}

/** The meaning of statements and the format of values. */
const meaning = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  synchronous_commit: 'on',
  transform_null_equals: 'off',
};

/** How statements are planned: the defaults of Postgres, with which everything was measured. */
const planning = {
  // Compilation takes a hundred times as long as our statements.
  jit: 'off',
  constraint_exclusion: 'partition',
  cpu_index_tuple_cost: '0.005',
  cpu_operator_cost: '0.0025',
  cpu_tuple_cost: '0.01',
  cursor_tuple_fraction: '0.1',
  enable_bitmapscan: 'on',
  enable_hashagg: 'on',
  enable_hashjoin: 'on',
  enable_indexonlyscan: 'on',
  enable_incremental_sort: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_memoize: 'on',
  enable_mergejoin: 'on',
  enable_nestloop: 'on',
  enable_partition_pruning: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  from_collapse_limit: '8',
  geqo: 'on',
  geqo_threshold: '12',
  hash_mem_multiplier: '2',
  join_collapse_limit: '8',
  parallel_setup_cost: '1000',
  parallel_tuple_cost: '0.1',
  plan_cache_mode: 'auto',
  random_page_cost: '4',
  seq_page_cost: '1',
  work_mem: '4MB',
};

/** How long something may take, in milliseconds. */
const timeouts = {
  idle_in_transaction_session_timeout: limits.statementTime,
  // The pools close idle connections themselves.
  idle_session_timeout: 0,
  lock_timeout: limits.lockTime,
  statement_timeout: limits.statementTime,
};

/**
 * When the server gives up a session whose gateway is gone. Its statement must not be committed long after, when another gateway may have looked and found
 * nothing.
 */
const presence = {
  client_connection_check_interval: 1000,
  tcp_keepalives_count: 3,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_user_timeout: 10_000,
};

/** The run-time parameters of a session, all of Postgres 15 and newer. */
export const sessionSettings = { ...meaning, ...planning, ...timeouts, ...presence };
