-- Releases consumers that have expired, the earliest first, in one transaction with one event: those among `most` of them, after the first `skip`, of which no other
-- write has locked the consumer or one of its providers. It waits for nobody, so that one locked provider holds up only its own consumers; another call releases
-- these, unless that write extends them. Any number of gateways may call it at the same time; each consumer is released once.
-- The clock is that of the database: a consumer expires at the same moment for all gateways. `until`: what expires later is left, by default now.
-- Returns `found` and `released`, the numbers of consumers, and `until`.
create or replace function release_expired(request jsonb) returns jsonb language plpgsql as $$
declare
  until constant timestamptz := coalesce((request ->> 'until')::timestamptz, now());
  due bigint[]; free bigint[];
  expired jsonb;
  locked record;
  written record;
  event_id bigint;
begin
  perform set_config('placement.skip_locked', 'on', true);
  due := array(
    select c.id from consumers c where c.expires_at <= until order by c.expires_at
    limit (request ->> 'most')::int offset (request ->> 'skip')::int for no key update skip locked);
  free := lock_providers((held_rows(due, '{}')).provider_ids, some_suffice => true);
  select jsonb_agg(jsonb_build_object('uuid', c.uuid, 'expect', '{}'::jsonb, 'allocations', '[]'::jsonb)) into expired
  -- One by one, as in lock_consumers.
  from unnest(due) as named(id)
  cross join lateral (
    select c.uuid from consumers c
    where c.id = named.id and not exists (select from allocations a where a.consumer_id = c.id and a.resource_provider_id <> all(free)) offset 0
  ) c;
  if expired is not null then
    locked := lock_consumers(expired);
    written := write_allocations(expired, locked);
    event_id := append_event(
      request ->> 'kind', request -> 'by', event_changes(written.provider_changes, written.consumer_changes), written.consumer_uuids, written.provider_uuids,
      written.project_names, written.class_names);
  end if;
  return jsonb_build_object(
    'found', cardinality(due), 'released', coalesce(jsonb_array_length(expired), 0), 'until', until, 'eventId', event_id);
end $$;
