-- What is claimed from reservations, for each of them and each inventory. Read once for all inventories, and one by one, as in lock_consumers.
create or replace function claimed_from(reservation_ids bigint[]) returns table (reservation bigint, provider bigint, class int, amount bigint) language sql stable as $$
  select named.id, a.resource_provider_id, a.resource_class_id, sum(a.used)::bigint
  from unnest(reservation_ids) as named(id)
  cross join lateral (select * from consumers c where c.reservation_id = named.id offset 0) c
  cross join lateral (select * from allocations a where a.consumer_id = c.id offset 0) a
  group by 1, 2, 3
$$;
