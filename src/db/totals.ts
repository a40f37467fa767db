// Totals of inventories: of a class, of a subtree, and of sets of providers with the pools that serve them. Each provider counts once. `used` and
// `capacity` are columns; allocations are never summed here. All rows of an answer come from one statement, and so one snapshot.
import { type SQL, sql } from 'drizzle-orm';
import { type Capacity, type ResourceTotal, type Scope, sharingTrait } from '../domain/provider.ts';
import type { ProviderConditions } from '../domain/trees/provider-conditions.ts';
import { conditionsOnProvider } from './provider-filter.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';

const safe = (sum: string) => `least(sum(${sum}), 9007199254740991)::float8`;

/** The columns of a ResourceTotal, from tables `i` and `rc`, grouped by `i.resource_class_id, rc.name`. Sums are capped at 2^53 - 1. */
const totalColumns = `i.resource_class_id as "classId", rc.name as "className", count(*)::float8 as "providerCount",
  ${safe('i.total')} as total, ${safe('i.reserved')} as reserved, ${safe('i.capacity')} as capacity, ${safe('i.used')} as used,
  ${safe('greatest(i.capacity - i.used, 0)')} as "freeUsable", ${safe('i.promised')} as promised`;

/** The totals of each class over the whole cloud; classes without inventories are omitted. */
export async function selectTotalsOfClasses(db: Db, classIds: readonly number[]): Promise<ResourceTotal[]> {
  return db.sql<ResourceTotal[]>`
    select ${db.sql.unsafe(totalColumns)}
    from inventories i join resource_classes rc on rc.id = i.resource_class_id
    where i.resource_class_id = any(${classIds as number[]}::int[])
    group by i.resource_class_id, rc.name`;
}

/** The totals of each provider with its descendants, by class id. */
export async function selectSubtreeTotals(db: Db, ids: readonly number[]): Promise<(ResourceTotal & { providerId: number })[]> {
  return db.sql<(ResourceTotal & { providerId: number })[]>`
    with recursive subtree (top, id) as (
      select top, top from unnest(${ids as number[]}::bigint[]) as top
      union
      select subtree.top, p.id from subtree join resource_providers p on p.parent_provider_id = subtree.id
    )
    select subtree.top::float8 as "providerId", ${db.sql.unsafe(totalColumns)}
    from subtree
    join inventories i on i.resource_provider_id = subtree.id
    join resource_classes rc on rc.id = i.resource_class_id
    group by subtree.top, i.resource_class_id, rc.name
    order by i.resource_class_id`;
}

/** The capacity of all providers together, which includes all pools. */
export async function selectCapacityOfCloud(db: Db): Promise<Capacity> {
  const own = await db.sql<ResourceTotal[]>`
    select ${db.sql.unsafe(totalColumns)}
    from inventories i join resource_classes rc on rc.id = i.resource_class_id
    group by i.resource_class_id, rc.name order by i.resource_class_id`;
  return { own, shared: [] };
}

/**
 * The capacity of the providers that meet the conditions, by tree with all their descendants, and of the pools outside of them that serve their
 * trees.
 */
export async function selectCapacityOfProviders(db: Db, wanted: ProviderConditions, summed: Scope): Promise<Capacity> {
  const matching = sql`select 0 as key, p.id, p.root_provider_id as root from resource_providers p ${whereAll(conditionsOnProvider(wanted))}`;
  const set =
    summed === 'PROVIDER'
      ? matching
      : sql`
        with recursive subtrees (key, id, root) as (
          select * from (${matching}) matching
          union
          select subtrees.key, p.id, p.root_provider_id from subtrees join resource_providers p on p.parent_provider_id = subtrees.id
        )
        select * from subtrees`;
  return capacityOf(await selectTotalsOfSets(db, set));
}

/** For each aggregate: the trees whose root is a member, without their sharing providers, and the pools that serve these trees. */
export async function selectCapacityOfAggregates(db: Db, aggregateIds: readonly number[]): Promise<Map<number, Capacity>> {
  const rows = await selectTotalsOfSets(
    db,
    sql`
      select m.aggregate_id as key, p.id, p.root_provider_id as root
      from resource_provider_aggregates m
      join resource_providers top on top.id = m.resource_provider_id and top.parent_provider_id is null
      join resource_providers p on p.root_provider_id = top.id
      where m.aggregate_id = any(${sql.param(aggregateIds)}::bigint[])
        and not exists (select from sharing where sharing.id = p.id)`,
  );
  return new Map(aggregateIds.map((id) => [id, capacityOf(rows.filter(({ key }) => key === id))]));
}

type TotalOfSet = ResourceTotal & { readonly key: number; readonly shared: boolean };

function capacityOf(rows: readonly TotalOfSet[]): Capacity {
  return { own: rows.filter(({ shared }) => !shared), shared: rows.filter(({ shared }) => shared) };
}

/**
 * Totals of sets of providers. `set` selects (key, id, root) and may read `sharing` (id, aggregate_id). A pool serves a set if it is outside of it
 * and has an aggregate in common with any member of a tree that has a member in the set.
 */
async function selectTotalsOfSets(db: Db, set: SQL): Promise<TotalOfSet[]> {
  return db.orm.execute<TotalOfSet & Record<string, unknown>>(sql`
    with sharing as materialized (
      select m.resource_provider_id as id, m.aggregate_id
      from traits t
      join resource_provider_traits has on has.trait_id = t.id
      left join resource_provider_aggregates m on m.resource_provider_id = has.resource_provider_id
      where t.name = ${sharingTrait}
    ), own as materialized (${set}),
    trees as materialized (select distinct key, root from own),
    pools as (
      select distinct trees.key, sharing.id
      from sharing
      join resource_provider_aggregates m on m.aggregate_id = sharing.aggregate_id
      join resource_providers p on p.id = m.resource_provider_id
      join trees on trees.root = p.root_provider_id
      where not exists (select from own where own.key = trees.key and own.id = sharing.id)
    ), members as (select key, id, false as shared from own union all select key, id, true from pools)
    select members.key::float8 as key, members.shared, ${sql.raw(totalColumns)}
    from members
    join inventories i on i.resource_provider_id = members.id
    join resource_classes rc on rc.id = i.resource_class_id
    group by members.key, members.shared, i.resource_class_id, rc.name
    order by i.resource_class_id`);
}
