-- Drops the oldest chunk of events (schema.ts) if all of it is older than `before`, and returns its number, otherwise null. Waits only briefly for
-- statements that use events now, because others wait meanwhile. The change feed remembers the highest dropped id.
create or replace function drop_event_chunk(before timestamptz) returns int language plpgsql security definer set lock_timeout = '100ms' as $$
declare
  place text := (select c.relnamespace::regnamespace from pg_class c where c.oid = 'events'::regclass);
  oldest int;
  highest bigint;
begin
  if not lock_event_chunks() then
    return null;
  end if;
  select c.number into oldest
  from event_chunks c where exists (select from event_chunks later where later.number > c.number and later.begun_at <= before)
  order by c.number limit 1;
  if oldest is null then
    return null;
  end if;
  perform from change_feed f for no key update;
  lock table only events, only event_subjects in access exclusive mode;
  execute format('select max(id) from %s.%I', place, 'events_' || oldest) into highest;
  update change_feed f set pruned_event_id = greatest(f.pruned_event_id, highest), pruned_at = clock_timestamp();
  execute format('drop table %1$s.%2$I, %1$s.%3$I', place, 'events_' || oldest, 'event_subjects_' || oldest);
  delete from event_chunks c where c.number = oldest;
  return oldest;
end $$;
