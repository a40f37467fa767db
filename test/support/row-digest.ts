// Detects whether any row changed between two moments.
import type { Sql } from 'postgres';
import { committedAhead } from './ledger.ts';

/**
 * A query whose `digest` changes with any other row. Of events, which are only added, it includes only the newest.
 * `more` are further columns.
 */
export async function digestQuery(sql: Sql, more: readonly string[] = []): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = any(current_schemas(false)) and table_type = 'BASE TABLE' order by 1`;
  const digests = tables.flatMap(({ name }) => {
    if (committedAhead.includes(name) || /^(events|event_subjects)_\d+$/.test(name)) return [];
    if (name === 'events') return '(select max(id) from events)';
    if (name === 'event_subjects') return '(select max(event_id) from event_subjects)';
    return `(select row(count(*), sum(hashtextextended(t::text, 0)))::text from ${name} t)`;
  });
  return `select ${[`concat_ws(' ', ${digests.join(', ')}) as digest`, ...more].join(', ')}`;
}
