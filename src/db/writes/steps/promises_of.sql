-- What reservations keep of inventories (provider and class at the same place) beside what is claimed of it, the most at once from now on: a claim that lasts
-- finds no room in it, whenever the reservations begin. 0 where there are none. While a reservation runs it keeps what is claimed from it, even if that is more than
-- its amount: an import may have decided so, and must not use what others keep.
-- claims_from, claim_providers, claim_classes, claims: by how much what is claimed is about to change, for each reservation and inventory.
create or replace function promises_of(
  provider_ids bigint[], class_ids int[],
  claims_from bigint[] default '{}', claim_providers bigint[] default '{}', claim_classes int[] default '{}', claims bigint[] default '{}'
) returns table (provider bigint, class int, promised bigint) language sql stable as $$
  -- Grouped, not joined: writes join in nested loops (writeSettings), which would run through all reservations for each inventory. One by one, as in lock_consumers.
  with kept as materialized (
    select i.provider, i.class, r.id as reservation, r.starts_at, r.ends_at, a.amount
    from unnest(provider_ids, class_ids) as i(provider, class)
    cross join lateral (select * from reservation_amounts a where a.resource_provider_id = i.provider and a.resource_class_id = i.class offset 0) a
    cross join lateral (select * from reservations r where r.id = a.reservation_id offset 0) r
    where r.ends_at > now()
  ), counted as (
    select provider, class, min(starts_at) as starts_at, min(ends_at) as ends_at, sum(claimed) as claimed, greatest(sum(amount), sum(claimed)) as amount
    from (
      select provider, class, reservation, starts_at, ends_at, amount, 0 as claimed from kept
      union all
      select claimed.provider, claimed.class, claimed.reservation, null, null, 0, claimed.amount
      from claimed_from(provider_ids, class_ids) claimed
      union all
      select claim_providers[n], claim_classes[n], claims_from[n], null, null, 0, claims[n] from generate_series(1, cardinality(claims)) n
    ) of_reservation
    group by provider, class, reservation having count(ends_at) > 0
  )
  select provider, class, greatest(max(unclaimed), 0)::bigint
  from (
    select i.provider, i.class, 0 as unclaimed from unnest(provider_ids, class_ids) as i(provider, class)
    union all
    -- With the end of a reservation what is claimed from it goes, too.
    select provider, class, sum(step.change) over (partition by provider, class order by step.moment)
    from counted cross join lateral (values (greatest(starts_at, now()), amount - claimed), (ends_at, -amount)) as step(moment, change)
  ) beside
  group by 1, 2
$$;
