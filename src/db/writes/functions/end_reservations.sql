-- Removes reservations that have ended, the earliest first, from which nothing is claimed any more, in one transaction with one event: those among `most` of them of
-- which no other write has locked the reservation or one of its providers. It waits for nobody. Any number of gateways may call it at the same time. Those that keep
-- more than 2,000 amounts together are removed one after another: claims wait for their providers meanwhile, and the event must fit into a message of a subscription.
-- `until`: what ends later is left, by default now. Returns `ended`, their number, and `eventId`.
create or replace function end_reservations(request jsonb) returns jsonb language plpgsql as $$
declare
  until constant timestamptz := coalesce((request ->> 'until')::timestamptz, now());
  due bigint[]; free bigint[];
begin
  perform set_config('placement.skip_locked', 'on', true);
  due := array(
    select r.id from reservations r where r.ends_at <= until and not exists (select from consumers c where c.reservation_id = r.id)
    order by r.ends_at limit (request ->> 'most')::int for update skip locked);
  -- Here and below one by one, as in lock_consumers.
  due := array(
    select id from (
      select r.id, row_number() over earlier as place,
             sum((select count(*) from (select from reservation_amounts a where a.reservation_id = r.id offset 0) kept)) over earlier as amounts
      from unnest(due) as ended(id) cross join lateral (select * from reservations r where r.id = ended.id offset 0) r
      window earlier as (order by r.ends_at, r.id)
    ) counted
    where place = 1 or amounts <= 2000 order by place);
  free := lock_providers(array(
    select distinct a.resource_provider_id from unnest(due) as ended(id)
    cross join lateral (select * from reservation_amounts a where a.reservation_id = ended.id offset 0) a), some_suffice => true);
  -- Read again: a consumer may have claimed from one before it was locked.
  due := array(
    select r.id from unnest(due) as ended(id)
    cross join lateral (
      select * from reservations r
      where r.id = ended.id and not exists (select from consumers c where c.reservation_id = r.id)
        and not exists (select from reservation_amounts a where a.reservation_id = r.id and a.resource_provider_id <> all(free)) offset 0
    ) r);
  return jsonb_build_object('ended', cardinality(due), 'eventId', case when cardinality(due) > 0 then erase_reservations(due, request) end);
end $$;
