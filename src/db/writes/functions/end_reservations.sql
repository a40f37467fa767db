-- Removes reservations that have ended, the earliest first, from which nothing is claimed any more, in one transaction with one event: those among `most` of them of
-- which no other write has locked the reservation or one of its providers. It waits for nobody. Any number of gateways may call it at the same time. Those that keep
-- more than 2,000 amounts together are removed one after another: claims wait for their providers meanwhile, and the event must fit into a message of a subscription.
-- `until`: what ends later is left, by default now. `after`: only those that follow the `last` of an earlier call, which may be locked still. Returns `ended`, their
-- number, `last`, null if there are no more, and `eventId`.
create or replace function end_reservations(request jsonb) returns jsonb language plpgsql as $$
declare
  until constant timestamptz := coalesce((request ->> 'until')::timestamptz, now());
  after_moment constant timestamptz := coalesce((request #>> '{after,moment}')::timestamptz, '-infinity');
  after_id constant bigint := coalesce((request #>> '{after,id}')::bigint, 0);
  earliest bigint[]; due bigint[]; free bigint[];
  last jsonb;
begin
  perform set_config('placement.skip_locked', 'on', true);
  earliest := array(
    select r.id from reservations r
    where r.ends_at <= until and (r.ends_at, r.id) > (after_moment, after_id) and not exists (select from consumers c where c.reservation_id = r.id)
    order by r.ends_at, r.id limit (request ->> 'most')::int for update skip locked);
  -- Here and below one by one, as in lock_consumers.
  due := array(
    select id from (
      select r.id, row_number() over earlier as place,
             sum((select count(*) from (select from reservation_amounts a where a.reservation_id = r.id offset 0) kept)) over earlier as amounts
      from unnest(earliest) as ended(id) cross join lateral (select * from reservations r where r.id = ended.id offset 0) r
      window earlier as (order by r.ends_at, r.id)
    ) counted
    where place = 1 or amounts <= 2000 order by place);
  if cardinality(due) < cardinality(earliest) or cardinality(earliest) = (request ->> 'most')::int then
    last := (select jsonb_build_object('moment', r.ends_at, 'id', r.id) from reservations r where r.id = due[cardinality(due)]);
  end if;
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
  return jsonb_build_object('ended', cardinality(due), 'last', last, 'eventId', case when cardinality(due) > 0 then erase_reservations(due, request) end);
end $$;
