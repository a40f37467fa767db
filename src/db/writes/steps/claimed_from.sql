-- What is claimed from reservations of inventories (provider and class at the same place), for each reservation and inventory. One by one, as in lock_consumers: it costs
-- in proportion to what is held of these inventories, however large the reservations are.
create or replace function claimed_from(provider_ids bigint[], class_ids int[])
returns table (reservation bigint, provider bigint, class int, amount bigint) language sql stable as $$
  select c.reservation_id, i.provider, i.class, sum(a.used)::bigint
  from (select distinct * from unnest(provider_ids, class_ids) as _(provider, class)) i
  cross join lateral (select * from allocations a where a.resource_provider_id = i.provider and a.resource_class_id = i.class offset 0) a
  cross join lateral (select * from consumers c where c.id = a.consumer_id offset 0) c
  where c.reservation_id is not null
  group by 1, 2, 3
$$;
