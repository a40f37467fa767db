// Lets time pass for the events of a test database.
import { beginEventChunk, createEventChunk } from '../../src/db/housekeeping.ts';
import type { TestDatabase } from './database.ts';

/** All events become so many days older, and those that follow come into another chunk. */
export async function ageEvents({ db }: TestDatabase, days: number): Promise<void> {
  const { writes } = db;
  await writes`update events set at = at - make_interval(days => ${days}::int)`;
  await writes`
    update event_chunks set begun_at = begun_at - make_interval(days => ${days}::int), created_at = created_at - make_interval(days => ${days}::int)`;
  await beginEventChunk(db, days / 2);
  // Later than the last of the events, by the same days.
  await writes`
    update event_chunks set begun_at = begun_at - make_interval(days => ${days}::int)
    where number = (select max(number) from event_chunks where begun_at is not null)`;
  await createEventChunk(db);
}
