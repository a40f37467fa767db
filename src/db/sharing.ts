// Which pools serve which trees, both ways: a sharing provider serves every other tree with a member in one of its aggregates.

import type { PageRequest } from '../domain/page.ts';
import { type Inventory, type Provider, sharingTrait } from '../domain/provider.ts';
import { inventoryAmounts } from './inventories.ts';
import type { ProviderOf } from './provider-pages.ts';
import { providerColumns } from './providers.ts';
import type { Db } from './sql/client.ts';

/** One inventory of a pool and its provider in one row; `served` is the root of the tree. */
export type PoolRow = Omit<Provider, 'updatedAt'> &
  Omit<Inventory, 'updatedAt'> & {
    readonly served: number;
    readonly usedHere: number;
    readonly updatedAt: string;
    readonly inventoryUpdatedAt: string;
  };

/**
 * The inventories of the pools that serve each tree, by the name of the pool and the id of the class. `usedHere` is what consumers hold
 * of them that also hold something in the tree.
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
      ${db.sql.unsafe(inventoryAmounts)}, i.updated_at as "inventoryUpdatedAt", ${db.sql.unsafe(providerColumns)}
    from serves
    join resource_providers p on p.id = serves.pool
    join inventories i on i.resource_provider_id = serves.pool
    join resource_classes rc on rc.id = i.resource_class_id
    left join held on held.root = serves.root and held.pool = serves.pool and held.resource_class_id = i.resource_class_id
    order by p.name, i.resource_class_id`;
}

/** The pairs (pool, root) of sharing providers and the roots of the trees that they serve. */
function servedRoots(db: Db, poolIds: readonly number[]) {
  return db.sql`
    select distinct pool.id as pool, served.root_provider_id as root
    from traits t
    join resource_provider_traits sharing on sharing.trait_id = t.id
    join resource_providers pool on pool.id = sharing.resource_provider_id
    join resource_provider_aggregates own on own.resource_provider_id = pool.id
    join resource_provider_aggregates theirs on theirs.aggregate_id = own.aggregate_id
    join resource_providers served on served.id = theirs.resource_provider_id and served.root_provider_id <> pool.root_provider_id
    where t.name = ${sharingTrait} and pool.id = any(${poolIds as number[]}::bigint[])`;
}

/** The same page of the roots that each sharing provider serves, by name; forward only. A provider that does not share serves none. */
export async function selectServedRootPages(db: Db, poolIds: readonly number[], page: PageRequest): Promise<ProviderOf[]> {
  const [after = null] = page.key ?? [];
  return db.sql<ProviderOf[]>`
    with served as materialized (${servedRoots(db, poolIds)}),
    placed as (
      select served.pool, served.root, row_number() over (partition by served.pool order by p.name) as place
      from served join resource_providers p on p.id = served.root
      ${after === null ? db.sql`` : db.sql`where p.name > ${after}::text`}
    )
    select placed.pool::float8 as parent, json_build_array(p.name) as "sortKey", ${db.sql.unsafe(providerColumns)}
    from placed join resource_providers p on p.id = placed.root
    where placed.place <= ${page.size + 1}
    order by placed.pool, placed.place`;
}

/** How many roots each sharing provider serves; those that serve none are left out. */
export async function countServedRoots(db: Db, poolIds: readonly number[]): Promise<{ parent: number; count: number }[]> {
  return db.sql<{ parent: number; count: number }[]>`
    select pool::float8 as parent, count(*)::float8 as count from (${servedRoots(db, poolIds)}) served group by pool`;
}
