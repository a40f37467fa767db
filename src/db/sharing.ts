// Reads which sharing providers ("pools") serve which trees: a pool serves every other tree with a member in one of its aggregates.

import { type SharedPool, sharingTrait } from '../domain/provider.ts';
import { inventoryColumns } from './inventories.ts';
import { providerColumns } from './schema/provider-columns.ts';
import type { Db } from './sql/client.ts';

const columnsOfPool = providerColumns('p');

/** A pool of a tree; `served` is the root of the tree. */
export type PoolRow = SharedPool & { readonly served: number };

/**
 * The inventories of the pools that serve each tree, by name of the pool and id of the class. `usedHere` is their usage by consumers that also have
 * allocations in the tree.
 */
export async function selectPoolsOfTrees(db: Db, rootIds: readonly number[]): Promise<PoolRow[]> {
  return db.sql<PoolRow[]>`
    with member as materialized (
      select p.root_provider_id as root, p.id from resource_providers p where p.root_provider_id = any(${rootIds as number[]}::bigint[])
    ), sharing as materialized (
      -- First the few pools: an aggregate may have all hosts as members.
      select m.resource_provider_id as id, m.aggregate_id
      from traits t
      join resource_provider_traits has on has.trait_id = t.id
      join resource_provider_aggregates m on m.resource_provider_id = has.resource_provider_id
      where t.name = ${sharingTrait}
    ), serves as materialized (
      select distinct member.root, sharing.id as pool
      from member
      join resource_provider_aggregates m on m.resource_provider_id = member.id
      join sharing on sharing.aggregate_id = m.aggregate_id
      join resource_providers p on p.id = sharing.id and p.root_provider_id <> member.root
    ), holder as materialized (
      select distinct member.root, a.consumer_id
      from member join allocations a on a.resource_provider_id = member.id
      where member.root in (select root from serves)
    ), held as (
      select serves.root, serves.pool, a.resource_class_id, sum(a.used)::float8 as used
      from serves
      join holder on holder.root = serves.root
      join allocations a on a.consumer_id = holder.consumer_id and a.resource_provider_id = serves.pool
      group by serves.root, serves.pool, a.resource_class_id
    )
    select serves.root::float8 as served, coalesce(held.used, 0) as "usedHere",
      (select row_to_json(own) from (select ${db.sql.unsafe(columnsOfPool)}) own) as provider,
      (select row_to_json(own) from (select ${db.sql.unsafe(inventoryColumns)}) own) as inventory
    from serves
    join resource_providers p on p.id = serves.pool
    join inventories i on i.resource_provider_id = serves.pool
    join resource_classes rc on rc.id = i.resource_class_id
    left join held on held.root = serves.root and held.pool = serves.pool and held.resource_class_id = i.resource_class_id
    order by p.name, i.resource_class_id`;
}
