-- What reservations keep of inventories (provider and class at the same place) beside what is claimed of it: the most that they keep at once from now on, less that. It is
-- promised, unless it is negative: a claim that lasts finds no room in it, whenever the reservations begin. 0 where there are none.
create or replace function promises_of(provider_ids bigint[], class_ids int[])
returns table (provider bigint, class int, unclaimed numeric) language sql stable as $$
  select i.provider, i.class, coalesce(peak.kept, 0) - claimed.amount
  from unnest(provider_ids, class_ids) as i(provider, class)
  cross join lateral (
    -- The sum rises only where a reservation begins.
    select max(kept.amount) as kept
    from (
      select now() as moment
      union
      select r.starts_at from reservation_amounts a join reservations r on r.id = a.reservation_id
      where a.resource_provider_id = i.provider and a.resource_class_id = i.class and r.starts_at > now()
    ) point
    cross join lateral (
      select sum(a.amount) as amount from reservation_amounts a join reservations r on r.id = a.reservation_id
      where a.resource_provider_id = i.provider and a.resource_class_id = i.class and r.starts_at <= point.moment and r.ends_at > point.moment
    ) kept
  ) peak
  cross join lateral (
    select coalesce(sum(a.used), 0) as amount
    from reservation_amounts own join reservations r on r.id = own.reservation_id and r.ends_at > now()
    join consumers c on c.reservation_id = r.id
    join allocations a on a.consumer_id = c.id and a.resource_provider_id = i.provider and a.resource_class_id = i.class
    where own.resource_provider_id = i.provider and own.resource_class_id = i.class
  ) claimed
$$;
