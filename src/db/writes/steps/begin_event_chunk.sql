-- Begins the next chunk of events (schema.ts) when the current one has events and began longer than `period` before `moment`, or is half full. Returns
-- whether it did. From then on ids come from the next chunk. If some statement may not know that chunk yet, they still come from the current one.
create or replace function begin_event_chunk(period interval, moment timestamptz) returns boolean language plpgsql security definer
set lock_timeout = '100ms' as $$
declare
  size constant bigint := 10000000000;
  drawn bigint := (select s.last_value from events_id_seq s);
  begun record;
  ahead bigint;
begin
  if not lock_event_chunks() then
    return false;
  end if;
  select c.number, c.begun_at into begun from event_chunks c where c.begun_at is not null order by c.number desc limit 1;
  if begun.begun_at > moment - period and drawn < begun.number * size + size / 2
      or not exists (select from events e where e.id >= begun.number * size) then
    return false;
  end if;
  -- No statement of a gateway takes that long.
  select c.number into ahead from event_chunks c where c.begun_at is null and c.created_at < moment - interval '2 minutes';
  if ahead is null then
    return false;
  end if;
  update event_chunks c set begun_at = moment where c.number = ahead;
  -- A rollback does not undo this; the next call then finds it done.
  if drawn < ahead * size then
    perform setval('events_id_seq', ahead * size, false);
  end if;
  return true;
end $$;
