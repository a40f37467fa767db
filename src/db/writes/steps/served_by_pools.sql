-- Finds the roots that must give way to pools (give_way_to_pools): in the trees of some providers or in trees that these serve, with disk only until a pool
-- serves them, served by one, and still with an inventory of disk. Each root with each of its pools.
create or replace function served_by_pools(provider_ids bigint[], disk int, out roots bigint[], out pools bigint[]) language sql stable as $$
  with sharing as materialized (
    select has.resource_provider_id as id from traits t join resource_provider_traits has on has.trait_id = t.id where t.name = 'MISC_SHARES_VIA_AGGREGATE'
  ), concerned as materialized (
    select p.root_provider_id as id from resource_providers p where p.id = any(provider_ids)
    union
    select member.root_provider_id from sharing
    join resource_provider_aggregates own on own.resource_provider_id = sharing.id
    join resource_provider_aggregates theirs on theirs.aggregate_id = own.aggregate_id
    join resource_providers member on member.id = theirs.resource_provider_id
    where sharing.id = any(provider_ids)
  ), standing_in as materialized (
    select root.id from concerned
    join resource_providers root on root.id = concerned.id
    join records r on r.uuid = root.uuid and r.body ? 'hasSharedStorage'
    join inventories i on i.resource_provider_id = root.id and i.resource_class_id = disk
  ), serving as (
    select distinct standing_in.id as root, sharing.id as pool
    from standing_in
    join resource_providers member on member.root_provider_id = standing_in.id
    join resource_provider_aggregates theirs on theirs.resource_provider_id = member.id
    join resource_provider_aggregates own on own.aggregate_id = theirs.aggregate_id
    join sharing on sharing.id = own.resource_provider_id
    join resource_providers p on p.id = sharing.id and p.root_provider_id <> standing_in.id
    join inventories i on i.resource_provider_id = sharing.id and i.resource_class_id = disk
  )
  select coalesce(array_agg(root order by root, pool), '{}'), coalesce(array_agg(pool order by root, pool), '{}') from serving
$$;
