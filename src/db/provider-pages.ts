// Pages of providers: of all of them in several orders, and of those with a trait or in an aggregate. Not prepared on the server, see keyset.ts.
// Filters are in provider-filter.ts.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { type Provider, type ProviderSortKey, sharingTrait } from '../domain/provider.ts';
import type { ProviderConditions } from '../domain/trees/provider-conditions.ts';
import { consumersByProvider } from './consumer-counts.ts';
import { conditionsOnProvider } from './provider-filter.ts';
import { providerColumns } from './schema/provider-columns.ts';
import type { Db } from './sql/client.ts';
import {
  integerKey,
  type KeysetKey,
  type KeysetOrder,
  momentKey,
  numberKey,
  pageOf,
  pagesOf,
  type Selection,
  textKey,
  totalOrder,
  whereAll,
} from './sql/keyset.ts';

/** By an amount or the utilization of an inventory; null without the inventory. */
export function keyOfUse(by: 'FREE' | 'USED' | 'UTILIZATION', inventory: SQL, descending: boolean): KeysetKey {
  const values = {
    FREE: sql`(${inventory}.capacity - ${inventory}.used)::float8`,
    USED: sql`${inventory}.used::float8`,
    UTILIZATION: sql`(${inventory}.used / nullif(${inventory}.capacity, 0)::float8)`,
  };
  return numberKey(values[by], descending, { nullable: true });
}

export function keyOfProviderName(descending: boolean): KeysetKey {
  return textKey(sql`p.name`, descending, { unique: true });
}

const inventoryOf = (classId: number): SQL => sql.raw(`inventory_of_${classId}`);
/** The numbers of consumers for the key at a place of the order. */
const countsAt = (place: number): SQL => sql.raw(`consumers_${place}`);

/** The keyset order behind a sort by the providers' own data. */
export function orderOfProviders(sort: readonly ProviderSortKey[]): KeysetOrder {
  const keys = sort.map((key, place) => {
    if ('classId' in key) return keyOfUse(key.by, inventoryOf(key.classId), key.descending);
    if (key.by === 'CONSUMERS') return integerKey(sql`coalesce(${countsAt(place)}.consumers, 0)`, key.descending);
    return key.by === 'NAME' ? keyOfProviderName(key.descending) : momentKey(sql`p.created_at`, key.descending);
  });
  return totalOrder(keys, sql`p.id`);
}

/** Providers with the inventories, and the numbers of consumers, that they are ordered by. */
function sortedProviders(sort: readonly ProviderSortKey[]): SQL {
  const classIds = new Set(sort.flatMap((key) => ('classId' in key ? [key.classId] : [])));
  const joins = [...classIds].map((classId) => {
    const inventory = inventoryOf(classId);
    return sql`left join inventories ${inventory} on ${inventory}.resource_provider_id = p.id and ${inventory}.resource_class_id = ${classId}::int`;
  });
  const counts = sort.flatMap((key, place) =>
    key.by === 'CONSUMERS' ? [sql`left join (${consumersByProvider(key)}) ${countsAt(place)} on ${countsAt(place)}.id = p.id`] : [],
  );
  return sql.join([sql`resource_providers p`, ...joins, ...counts], sql` `);
}

const columns = sql.raw(providerColumns('p'));

/** A page of the providers that meet the conditions. */
export async function selectProviderPage(
  db: Db,
  wanted: ProviderConditions,
  sort: readonly ProviderSortKey[],
  page: PageRequest,
): Promise<Sorted<Provider>[]> {
  const selection = { columns, from: sortedProviders(sort), where: conditionsOnProvider(wanted), order: orderOfProviders(sort) };
  return db.orm.execute<Sorted<Provider> & Record<string, unknown>>(pageOf(selection, page));
}

/**
 * Sorts groups of providers by name, group by group, or backward: the first ids after a name, which is in the first group if given. Providers deleted
 * in the meantime come last in their group.
 */
export async function sortGroupsByName(
  db: Db,
  groups: readonly (readonly number[])[],
  after: string | null,
  descending: boolean,
  limit: number,
): Promise<{ id: number; name: string | null }[]> {
  const members = groups.flatMap((ids, group) => ids.map((id) => [group, id] as const));
  return db.orm.execute<{ id: number; name: string | null }>(sql`
    select m.id::float8 as id, p.name
    from unnest(${sql.param(members.map(([group]) => group))}::int[], ${sql.param(members.map(([, id]) => id))}::bigint[]) m(place, id)
    left join resource_providers p on p.id = m.id
    ${whereAll(after === null ? [] : [sql`(m.place > 0 or p.name ${descending ? sql`<` : sql`>`} ${after}::text)`])}
    order by m.place, p.name ${descending ? sql`desc` : sql`asc`} nulls last limit ${limit}`);
}

/** The number of providers that meet the conditions. */
export async function countProviders(db: Db, wanted: ProviderConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from resource_providers p ${whereAll(conditionsOnProvider(wanted))}`,
  );
  return row?.count ?? 0;
}

/** Lists of providers that belong to something else: those with a trait, those in an aggregate, and the roots that a sharing provider serves. */
export type ProvidersOf = 'trait' | 'aggregate' | 'pool';

/** Distinct pairs (parent, id) of the parents and the providers in their lists. */
const membersOf: Record<ProvidersOf, (parents: SQL) => SQL> = {
  trait: (parents) => sql`
    select m.trait_id as parent, m.resource_provider_id as id from resource_provider_traits m where m.trait_id = any(${parents})`,
  aggregate: (parents) => sql`
    select m.aggregate_id as parent, m.resource_provider_id as id from resource_provider_aggregates m where m.aggregate_id = any(${parents})`,
  pool: servedRoots,
};

/** Pairs (parent, id) of sharing providers and the roots of the trees that they serve. None for a provider that does not share. */
function servedRoots(pools: SQL): SQL {
  return sql`
    select distinct pool.id as parent, served.root_provider_id as id
    from traits t
    join resource_provider_traits sharing on sharing.trait_id = t.id
    join resource_providers pool on pool.id = sharing.resource_provider_id
    join resource_provider_aggregates own on own.resource_provider_id = pool.id
    join resource_provider_aggregates theirs on theirs.aggregate_id = own.aggregate_id
    join resource_providers served on served.id = theirs.resource_provider_id and served.root_provider_id <> pool.root_provider_id
    where t.name = ${sharingTrait} and pool.id = any(${pools})`;
}

/** The same page of the list of each parent, restricted to providers that meet the conditions, parent by parent. */
export async function selectProviderPagesOf(
  db: Db,
  list: ProvidersOf,
  parents: readonly number[],
  wanted: ProviderConditions,
  sort: readonly ProviderSortKey[],
  page: PageRequest,
): Promise<(Sorted<Provider> & { readonly parent: number })[]> {
  const [from, conditions, order] = [sortedProviders(sort), conditionsOnProvider(wanted), orderOfProviders(sort)];
  const selectionOf = (parent: number): Selection => ({
    columns,
    from,
    where: [sql`p.id in (select id from (${membersOf[list](sql`array[${parent}::bigint]`)}) members)`, ...conditions],
    order,
  });
  return db.orm.execute<Sorted<Provider> & { readonly parent: number } & Record<string, unknown>>(pagesOf(parents, selectionOf, page));
}

/** The number of providers that meet the conditions in the list of each parent; parents without any are omitted. */
export async function countProvidersOf(
  db: Db,
  list: ProvidersOf,
  parents: readonly number[],
  wanted: ProviderConditions,
): Promise<{ parent: number; count: number }[]> {
  const conditions = conditionsOnProvider(wanted);
  const meeting = conditions.length === 0 ? sql`` : sql`join resource_providers p on p.id = members.id ${whereAll(conditions)}`;
  return db.orm.execute<{ parent: number; count: number }>(sql`
    select members.parent::float8 as parent, count(*)::float8 as count
    from (${membersOf[list](sql`${sql.param(parents)}::bigint[]`)}) members ${meeting} group by members.parent`);
}
