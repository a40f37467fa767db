-- What reservations keep of inventories (provider and class at the same place) beside what is claimed of it, the most at once from now on: a claim that lasts
-- finds no room in it, whenever the reservations begin. 0 where there are none. While a reservation runs it keeps what is claimed from it, even if that is more than
-- its amount: an import may have decided so, and must not use what others keep.
-- claims_from, claim_providers, claim_classes, claims: by how much what is claimed is about to change, for each reservation and inventory.
create or replace function promises_of(
  provider_ids bigint[], class_ids int[],
  claims_from bigint[] default '{}', claim_providers bigint[] default '{}', claim_classes int[] default '{}', claims bigint[] default '{}'
) returns table (provider bigint, class int, promised bigint) language sql stable as $$
  with kept as materialized (
    select i.provider, i.class, r.starts_at, r.ends_at, claimed.amount as claimed, greatest(a.amount, claimed.amount) as amount
    from unnest(provider_ids, class_ids) as i(provider, class)
    join reservation_amounts a on a.resource_provider_id = i.provider and a.resource_class_id = i.class
    join reservations r on r.id = a.reservation_id and r.ends_at > now()
    cross join lateral (
      select coalesce(sum(claim.amount), 0) as amount
      from (
        select held.used as amount from consumers c
        join allocations held on held.consumer_id = c.id and held.resource_provider_id = i.provider and held.resource_class_id = i.class
        where c.reservation_id = r.id
        union all
        select claims[n] from generate_series(1, cardinality(claims)) n
        where claims_from[n] = r.id and claim_providers[n] = i.provider and claim_classes[n] = i.class
      ) claim
    ) claimed
  )
  select i.provider, i.class, greatest(coalesce(peak.unclaimed, 0), 0)::bigint
  from unnest(provider_ids, class_ids) as i(provider, class)
  left join (
    select beside.provider, beside.class, max(beside.unclaimed) as unclaimed
    from (
      -- With the end of a reservation what is claimed from it goes, too.
      select kept.provider, kept.class, sum(step.change) over (partition by kept.provider, kept.class order by step.moment) as unclaimed
      from kept cross join lateral (values (greatest(kept.starts_at, now()), kept.amount - kept.claimed), (kept.ends_at, -kept.amount)) as step(moment, change)
    ) beside
    group by 1, 2
  ) peak using (provider, class)
$$;
