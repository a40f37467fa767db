// Lists the partitions of events and their subjects, oldest first. Changes nothing.
import type { Db } from './sql/client.ts';

export interface EventChunk {
  readonly number: number;
  /** Its first event is not older than this, unless it is the first chunk; ISO 8601. */
  readonly begunAt: string;
  /** None of its events is younger than this; null for the current chunk. */
  readonly endedAt: string | null;
  /** How long ago that is, by the clock of the database. */
  readonly endedDaysAgo: number | null;
  /** Events, subjects and indexes. */
  readonly bytes: number;
  /** An estimate; null when Postgres has none yet. */
  readonly events: number | null;
}

/** All chunks that have been begun. */
export async function selectEventChunks({ sql }: Db): Promise<EventChunk[]> {
  return sql<EventChunk[]>`
    select number, to_json(begun_at) #>> '{}' as "begunAt", to_json(ended_at) #>> '{}' as "endedAt",
      (extract(epoch from now() - ended_at) / 86400)::float8 as "endedDaysAgo",
      (pg_total_relation_size(ledger.oid) + pg_total_relation_size(('event_subjects_' || number)::regclass))::float8 as bytes,
      nullif(ledger.reltuples, -1)::float8 as events
    from (select c.*, lead(c.begun_at) over (order by c.number) as ended_at from event_chunks c) c
    join pg_class ledger on ledger.oid = ('events_' || number)::regclass
    where begun_at is not null order by number`;
}
