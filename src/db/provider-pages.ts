// Lists of providers a page at a time: all of them in several orders, and those with a trait or in an aggregate.
// Not prepared on the server, see keyset.ts. What a filter means in SQL is in provider-filter.ts.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Provider, ProviderSortKey } from '../domain/provider.ts';
import type { ProviderConditions } from '../domain/provider-conditions.ts';
import { conditionsOnProvider } from './provider-filter.ts';
import { providerColumns } from './providers.ts';
import type { Db } from './sql/client.ts';
import {
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

/** By an amount of an inventory, or by its utilization; null where there is none. */
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

/** The keyset order behind a sort by what providers have themselves. */
export function orderOfProviders(sort: readonly ProviderSortKey[]): KeysetOrder {
  const keys = sort.map((key) => {
    if ('classId' in key) return keyOfUse(key.by, inventoryOf(key.classId), key.descending);
    return key.by === 'NAME' ? keyOfProviderName(key.descending) : momentKey(sql`p.created_at`, key.descending);
  });
  return totalOrder(keys, sql`p.id`);
}

/** Providers with the inventories that they are ordered by. */
function sortedProviders(sort: readonly ProviderSortKey[]): SQL {
  const classIds = new Set(sort.flatMap((key) => ('classId' in key ? [key.classId] : [])));
  const joins = [...classIds].map((classId) => {
    const inventory = inventoryOf(classId);
    return sql`left join inventories ${inventory} on ${inventory}.resource_provider_id = p.id and ${inventory}.resource_class_id = ${classId}::int`;
  });
  return sql.join([sql`resource_providers p`, ...joins], sql` `);
}

const columns = sql.raw(providerColumns);

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
 * Puts groups of providers in the order of their names, group by group, or backward: the ids of the first ones behind a name, which stands in
 * the first group when it is given. Those that are gone meanwhile come last in their group.
 */
export async function sortGroupsByName(
  db: Db,
  groups: readonly (readonly number[])[],
  after: string | null,
  descending: boolean,
  most: number,
): Promise<{ id: number; name: string | null }[]> {
  const members = groups.flatMap((ids, group) => ids.map((id) => [group, id] as const));
  return db.orm.execute<{ id: number; name: string | null }>(sql`
    select m.id::float8 as id, p.name
    from unnest(${sql.param(members.map(([group]) => group))}::int[], ${sql.param(members.map(([, id]) => id))}::bigint[]) m(place, id)
    left join resource_providers p on p.id = m.id
    ${whereAll(after === null ? [] : [sql`(m.place > 0 or p.name ${descending ? sql`<` : sql`>`} ${after}::text)`])}
    order by m.place, p.name ${descending ? sql`desc` : sql`asc`} nulls last limit ${most}`);
}

/** How many providers meet the conditions. */
export async function countProviders(db: Db, wanted: ProviderConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from resource_providers p ${whereAll(conditionsOnProvider(wanted))}`,
  );
  return row?.count ?? 0;
}

/** Lists of providers that something else has: `parent` is the id of that. */
export type ProvidersOf = 'trait' | 'aggregate';

export type ProviderOf = Sorted<Provider> & { readonly parent: number };

const membersOf = {
  trait: { members: sql`resource_provider_traits`, parentId: sql`trait_id` },
  aggregate: { members: sql`resource_provider_aggregates`, parentId: sql`aggregate_id` },
};

/** The same page, by name, of the providers of each parent, parent by parent. */
export async function selectProviderPagesOf(
  db: Db,
  list: ProvidersOf,
  parents: readonly number[],
  page: PageRequest,
): Promise<ProviderOf[]> {
  const { members, parentId } = membersOf[list];
  const selectionOf = (parent: number): Selection => ({
    columns,
    from: sql`resource_providers p`,
    where: [sql`exists (select from ${members} m where m.resource_provider_id = p.id and m.${parentId} = ${parent}::bigint)`],
    order: orderOfProviders([{ by: 'NAME', descending: false }]),
  });
  return db.orm.execute<ProviderOf & Record<string, unknown>>(pagesOf(parents, selectionOf, page));
}

/** How many providers the list of each parent has; parents with none are left out. */
export async function countProvidersOf(
  db: Db,
  list: ProvidersOf,
  parents: readonly number[],
): Promise<{ parent: number; count: number }[]> {
  const { members, parentId } = membersOf[list];
  return db.orm.execute<{ parent: number; count: number }>(sql`
    select m.${parentId}::float8 as parent, count(*)::float8 as count
    from ${members} m where m.${parentId} = any(${sql.param(parents)}::bigint[]) group by m.${parentId}`);
}
