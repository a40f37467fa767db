-- Creates the chunk of events after the newest one (schema.ts), unless one is ahead already. Returns whether it did. No write waits for it: an
-- existing table is attached under a lock that lets others read and write.
create or replace function create_event_chunk() returns boolean language plpgsql security definer set lock_timeout = '100ms' as $$
declare
  size constant bigint := 10000000000;
  place text := (select c.relnamespace::regnamespace from pg_class c where c.oid = 'events'::regclass);
  ahead bigint;
  parent text;
  part text;
begin
  if not lock_event_chunks() then
    return false;
  end if;
  select max(c.number) + 1 into ahead from event_chunks c having count(*) = count(c.begun_at);
  if ahead is null then
    return false;
  end if;
  foreach parent in array array['events', 'event_subjects'] loop
    part := format('%s.%I', place, parent || '_' || ahead);
    execute format('create table %s (like %s.%I including defaults including constraints including indexes including storage)', part, place, parent);
    execute format('alter table %s.%I attach partition %s for values from (%s) to (%s)', place, parent, part, ahead * size, (ahead + 1) * size);
  end loop;
  insert into event_chunks (number) values (ahead);
  return true;
end $$;
