-- Releases consumers that have expired, the earliest first, in one transaction with one event: those among `most` of them, after the first `skip`, of which no other
-- write has locked the consumer or one of its providers. It waits for nobody, except shortly for the provider `waitsFor`, if that is given. So one locked provider holds
-- up only its own consumers; another call releases these, unless that write extends them. Any number of gateways may call it at the same time; each consumer is released
-- once. Consumers that hold more than 2,000 amounts together are released one after another: claims wait for their providers meanwhile, and the event must fit into a
-- message of a subscription.
-- The clock is that of the database: a consumer expires at the same moment for all gateways. `until`: what expires later is left, by default now.
-- Returns `found` and `released`, the numbers of consumers, `more`, whether there may be others, `until`, and `busy`, a provider that was locked; null for none.
create or replace function release_expired(request jsonb) returns jsonb language plpgsql as $$
declare
  until constant timestamptz := coalesce((request ->> 'until')::timestamptz, now());
  earliest bigint[]; due bigint[]; needed bigint[]; free bigint[];
  expired jsonb;
  locked record;
  written record;
  event_id bigint;
begin
  perform set_config('placement.skip_locked', 'on', true);
  earliest := array(
    select c.id from consumers c where c.expires_at <= until order by c.expires_at
    limit (request ->> 'most')::int offset (request ->> 'skip')::int for no key update skip locked);
  -- Here and below one by one, as in lock_consumers.
  due := array(
    select id from (
      select named.id, place,
             sum((select count(*) from (select from allocations a where a.consumer_id = named.id offset 0) held)) over (order by place) as amounts
      from unnest(earliest) with ordinality as named(id, place)
    ) counted
    where place = 1 or amounts <= 2000 order by place);
  needed := (held_rows(due, '{}')).provider_ids;
  if request ? 'waitsFor' then
    begin
      perform set_config('placement.awaited', request ->> 'waitsFor', true), set_config('placement.awaited_for', '250ms', true);
      free := lock_providers(needed, some_suffice => true);
    exception when lock_not_available then
      free := '{}';
    end;
  else
    free := lock_providers(needed, some_suffice => true);
  end if;
  select jsonb_agg(jsonb_build_object('uuid', c.uuid, 'expect', '{}'::jsonb, 'allocations', '[]'::jsonb)) into expired
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
    'released', coalesce(jsonb_array_length(expired), 0), 'until', until, 'eventId', event_id, 'found', cardinality(due),
    'more', cardinality(due) < cardinality(earliest) or cardinality(earliest) = (request ->> 'most')::int,
    'busy', (select p.uuid from resource_providers p where p.id = any(needed) and p.id <> all(free) order by random() limit 1));
end $$;
