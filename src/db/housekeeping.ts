// Deletes what the database no longer needs: events past their retention, and idempotency keys and changes of providers that are too old.
// Each call deletes at most a batch in one statement, and skips what another gateway is deleting at the moment.
import { limits } from '../domain/limits.ts';
import type { Db } from './sql/client.ts';

const batch = 1000;

/**
 * Deletes events older than so many days among the oldest ones, with their subjects. Returns how many. Looks only at a batch of the lowest
 * ids, which are nearly in the order of time: there is no index by time.
 */
export async function deleteOldEvents({ writes }: Db, retentionDays: number): Promise<number> {
  const [row] = await writes<{ deleted: number }[]>`
    with oldest as (
      select id, at from events order by id limit ${batch} for update skip locked
    ),
    gone as (
      delete from events e using oldest
      where e.id = oldest.id and oldest.at < now() - make_interval(days => ${retentionDays}::int)
      returning e.id, e.consumer_uuids || e.provider_uuids as subjects, e.changes
    ),
    projects as (
      select distinct gone.id, state ->> 'project' as external_id
      from gone cross join jsonb_path_query(gone.changes, '$.consumers.*.*') state
    ),
    pruned as (
      update change_feed f set pruned_event_id = greatest(f.pruned_event_id, highest.id)
      from (select max(id) as id from gone) highest where highest.id > f.pruned_event_id
    ),
    unlisted as (
      delete from event_subjects s using (
        select id, unnest(subjects) as subject from gone
        union
        select id, md5('project:' || external_id)::uuid from projects where external_id is not null
        union
        select id, class_subject(class) from gone cross join unnest(changed_classes(gone.changes)) class
      ) named
      where s.subject = named.subject and s.event_id = named.id
    )
    select count(*)::float8 as deleted from gone`;
  return row?.deleted ?? 0;
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

/** The number of latest transactions whose changes are kept: a hundred seconds at a thousand a second, and gateways read every second. */
const transactionsKept = 100_000;

/**
 * Deletes provider changes, except those of the last transactions. Returns how many. The change feed remembers the highest deleted
 * transaction: a reader that has not got that far starts over. Transactions that a reader may still consider open are kept, or it would
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
