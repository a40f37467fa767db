-- Gives up a reservation. Refuses NOT_FOUND, RESERVATION_CONFLICT, IN_USE while consumers claim from it.
-- request: `reservation` (its uuid), `expect`. Returns `eventId`.
create or replace function release_reservation(request jsonb) returns jsonb language plpgsql as $$
declare
  gone reservations;
  holders record;
  provider_ids bigint[];
begin
  select * into gone from reservations r where r.uuid = (request ->> 'reservation')::uuid for update;
  if gone.id is null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'reservation', 'key', request -> 'reservation'));
  elsif request -> 'expect' ? 'generation' and (request #>> '{expect,generation}')::bigint <> gone.generation then
    perform refuse('RESERVATION_CONFLICT', jsonb_build_object('reservation', gone.uuid, 'expected', request #> '{expect,generation}', 'actual', gone.generation));
  end if;
  select count(*) as count, (array_agg(c.uuid order by c.id))[:10] as uuids into holders from consumers c where c.reservation_id = gone.id;
  if holders.count > 0 then
    perform refuse('IN_USE', jsonb_build_object('noun', 'reservation', 'key', gone.uuid, 'by', holders.uuids, 'count', holders.count));
  end if;
  -- Fenced, as in lock_consumers.
  provider_ids := lock_providers(array(
    select distinct a.resource_provider_id from (select * from reservation_amounts a where a.reservation_id = gone.id offset 0) a));
  if exists (select from reservation_amounts a where a.reservation_id = gone.id and a.resource_provider_id <> all(provider_ids)) then
    perform try_again('what the reservation keeps was moved meanwhile');
  end if;
  return jsonb_build_object('eventId', erase_reservations(array[gone.id], request));
end $$;
