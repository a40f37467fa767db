-- Replaces all allocations of the given consumers in one transaction: replaceAllocations, endMigration, releaseAllocations.
-- request: `consumers` as for lock_consumers, `kind` of the event. Refusals: those of lock_consumers and write_allocations.
-- `keepGenerations`: the providers stay as they are, as with upstream's DELETE.
-- `checkFirst`: a refusal is likely. It is looked for before anything is locked or written, so that it takes no transaction id, unless an idempotency
-- key had to be taken before. Its reason was true at a moment during the call, like one found under locks.
-- `hasQuotas`: the quotas of projects are obeyed (over_quotas); refuses QUOTA_EXCEEDED.
-- `affinity`, as for check_affinity: where the consumers may be with regard to others of their group, which is locked before the consumers.
-- Returns the rows of write_allocations, the uuids of the consumers that had or have allocations (`touched`), and the event, if there
-- was anything to release.
create or replace function replace_allocations(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  written record;
  has_quotas constant boolean := request ? 'hasQuotas';
  keeps constant boolean := coalesce((request ->> 'keepGenerations')::boolean, false);
  changes jsonb;
  event_id bigint;
begin
  if request ? 'affinity' then
    perform pg_advisory_xact_lock(hashtextextended('affinity ' || (request #>> '{affinity,key}'), 0));
  end if;
  if request ? 'checkFirst' then
    locked := lock_consumers(request -> 'consumers', only_checked => true);
    written := write_allocations(request -> 'consumers', locked, only_checked => true, has_quotas => has_quotas);
  end if;
  locked := lock_consumers(request -> 'consumers');
  written := write_allocations(request -> 'consumers', locked, raised => not keeps, has_quotas => has_quotas);
  if request ? 'affinity' then
    perform check_affinity(request -> 'affinity', request -> 'consumers');
  end if;
  if keeps then
    written.providers_after := '[]';
    written.provider_uuids := array(select p.uuid from resource_providers p where p.id = any(written.provider_ids));
  end if;
  if cardinality(written.consumer_uuids) > 0 then
    changes := event_changes(written.provider_changes, written.consumer_changes);
    if keeps then
      changes := changes - 'providers';
    end if;
    event_id := append_event(
      request ->> 'kind', request -> 'by', changes, written.consumer_uuids, written.provider_uuids, written.project_names, written.class_names);
  end if;
  return json_build_object(
    'consumers', written.consumers_after, 'providers', written.providers_after, 'classIds', written.class_ids,
    'touched', written.consumer_uuids, 'eventId', event_id)::jsonb;
end $$;
