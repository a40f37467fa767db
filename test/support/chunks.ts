// Simulates the passing of time for the events of a test database.
import { beginEventChunk, createEventChunk } from '../../src/db/housekeeping.ts';
import type { TestDatabase } from './database.ts';

/** Makes all events this many days older, so that later ones are stored in another chunk. */
export async function ageEvents({ db }: TestDatabase, days: number): Promise<void> {
  const { writes } = db;
  await writes`update events set at = at - make_interval(days => ${days}::int)`;
  await writes`
    update event_chunks set begun_at = begun_at - make_interval(days => ${days}::int), created_at = created_at - make_interval(days => ${days}::int)`;
  await beginEventChunk(db, days / 2);
  // The same number of days after the last event.
  await writes`
    update event_chunks set begun_at = begun_at - make_interval(days => ${days}::int)
    where number = (select max(number) from event_chunks where begun_at is not null)`;
  await createEventChunk(db);
}
