-- Chooses the pool for each disk that is held on a root (give_way_to_pools): of the pools that serve the root the one with the most room at that point,
-- the oldest of equal ones. The largest disks choose first. roots, pools: as from served_by_pools.
create or replace function disks_to_pools(given_roots bigint[], given_pools bigint[], disk int, out consumers bigint[], out pools bigint[], out amounts bigint[])
language plpgsql stable as $$
declare
  held record;
  chosen bigint;
  rooms jsonb := (
    select jsonb_object_agg(i.resource_provider_id, i.capacity - i.used) from inventories i
    where i.resource_provider_id = any(given_pools) and i.resource_class_id = disk);
begin
  for held in
    with serving as materialized (select root, array_agg(pool) as pools from unnest(given_roots, given_pools) as _(root, pool) group by root)
    select a.consumer_id, a.used, serving.root, serving.pools
    from serving join allocations a on a.resource_provider_id = serving.root and a.resource_class_id = disk
    join consumers c on c.id = a.consumer_id
    order by a.used desc, c.uuid, serving.root
  loop
    chosen := (select pool from unnest(held.pools) pool order by (rooms ->> pool::text)::bigint desc, pool limit 1);
    rooms := rooms || jsonb_build_object(chosen, (rooms ->> chosen::text)::bigint - held.used);
    consumers := consumers || held.consumer_id;
    pools := pools || chosen;
    amounts := amounts || held.used;
  end loop;
end $$;
