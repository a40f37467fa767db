// Deletes what the database no longer needs: chunks of events and numbers of refused claims past their retention, and idempotency keys and changes of
// providers that are too old.
// Each call drops at most a chunk, or deletes at most a batch in one statement, and skips what another gateway is deleting.
import { limits } from '../domain/limits.ts';
import type { Db } from './sql/client.ts';

const batch = 1000;
const usagesAtOnce = 10_000;

/** A moment of the database's clock, so many days ago. */
const ago = ({ writes }: Db, days: number) => writes`now() - make_interval(secs => ${days}::float8 * 86400)`;

/** Creates the partitions that events will go into next, if there are none. Returns whether it did. */
export async function createEventChunk({ writes }: Db): Promise<boolean> {
  const [row] = await writes<{ done: boolean }[]>`select create_event_chunk() as done`;
  return row?.done ?? false;
}

/** Lets events go into the next chunk once the current one is so many days old. Returns whether it did. */
export async function beginEventChunk({ writes }: Db, days: number): Promise<boolean> {
  const [row] = await writes<{ done: boolean }[]>`
    select begin_event_chunk(make_interval(secs => ${days}::float8 * 86400), now()) as done`;
  return row?.done ?? false;
}

/** Drops the oldest chunk of events if all in it are older than so many days. Returns its number, or null. */
export async function dropEventChunk(db: Db, days: number): Promise<number | null> {
  const [row] = await db.writes<{ dropped: number | null }[]>`select drop_event_chunk(${ago(db, days)}) as dropped`;
  return row?.dropped ?? null;
}

/** Deletes idempotency keys that are more than a day old. Returns how many. */
export async function deleteOldIdempotencyKeys({ writes }: Db): Promise<number> {
  const { count } = await writes`
    delete from idempotency_keys where (principal, operation, key) in (
      select principal, operation, key from idempotency_keys where created_at < now() - make_interval(hours => ${limits.idempotencyKeyLife}::int)
      order by created_at limit ${batch} for update skip locked
    )`;
  return count;
}

/** Deletes the numbers of claims that were refused more than so many days ago. Returns how many. */
export async function deleteOldRefusedClaims(db: Db, days: number): Promise<number> {
  const { count } = await db.writes`
    delete from refused_claims where (at, code) in (
      select at, code from refused_claims where at < ${ago(db, days)} order by at, code limit ${batch} for update skip locked
    )`;
  return count;
}

/** The number of latest transactions whose changes are kept: a hundred seconds at a thousand a second, and gateways read every second. */
const transactionsKept = 100_000;

/**
 * Deletes provider changes, except those of the last transactions. Returns how many. The change feed remembers the highest deleted
 * transaction: a reader that has not reached it starts over. Transactions that a reader may still consider open are kept, or it would
 * start over each time.
 */
export async function deleteOldChanges({ writes }: Db, kept = transactionsKept): Promise<number> {
  const [row] = await writes<{ deleted: number }[]>`
    with old as (
      select xid, resource_provider_id from provider_changes
      where xid < pg_snapshot_xmin(pg_current_snapshot())
        and xid < greatest(0, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ${kept}::bigint)::text::xid8
      order by xid limit ${batch} for update skip locked
    ),
    gone as (
      delete from provider_changes c using old where c.xid = old.xid and c.resource_provider_id = old.resource_provider_id returning c.xid
    ),
    raised as (
      update change_feed f set pruned_xid = greatest(f.pruned_xid, highest.xid)
      from (select xid from gone order by xid desc limit 1) highest
    )
    select count(*)::float8 as deleted from gone`;
  return row?.deleted ?? 0;
}

/** Replaces a batch of the rows that writes have appended to the usages of projects by their sums. Returns whether there may be more. */
export async function keepProjectUsages({ writes }: Db): Promise<boolean> {
  const [row] = await writes<{ more: boolean }[]>`select keep_project_usages(${usagesAtOnce}::int) as more`;
  return row?.more ?? false;
}
