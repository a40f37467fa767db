// Lists of providers a page at a time: all of them in several orders, and those with a trait or in an aggregate.
// Not prepared on the server, see keyset.ts. What a filter means in SQL is in provider-filter.ts.
import { sql } from 'drizzle-orm';
import type { PageRequest } from '../domain/page.ts';
import type { Provider } from '../domain/provider.ts';
import type { ProviderConditions } from '../domain/provider-conditions.ts';
import { conditionsOnProvider } from './provider-filter.ts';
import { providerColumns } from './providers.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, pageOf, pagesOf, type Selection, type Sorted, whereAll } from './sql/keyset.ts';

/** What a list of providers is ordered by; a class id goes with the last three. */
export type ProviderSort =
  | { readonly by: 'NAME' | 'CREATED_AT'; readonly descending: boolean }
  | { readonly by: 'FREE' | 'USED' | 'UTILIZATION'; readonly classId: number; readonly descending: boolean };

/** Names are unique. They compare as the database sorts them, here and in its index. */
export function orderByName(descending: boolean): KeysetOrder {
  return { value: sql`p.name`, descending, nullable: false, tie: null, key: 'text', bound: (key) => sql`${key}::text` };
}

/** By an amount of an inventory `i`, or by its utilization; null where there is none. */
export function orderByUse(by: 'FREE' | 'USED' | 'UTILIZATION', descending: boolean): KeysetOrder {
  const values = {
    FREE: sql`(i.capacity - i.used)::float8`,
    USED: sql`i.used::float8`,
    UTILIZATION: sql`(i.used / nullif(i.capacity, 0)::float8)`,
  };
  return {
    value: values[by],
    descending,
    nullable: true,
    tie: { id: sql`p.id`, descending: false },
    key: 'number',
    bound: (key) => sql`${key}::float8`,
  };
}

function orderByCreation(descending: boolean): KeysetOrder {
  return {
    value: sql`p.created_at`,
    descending,
    nullable: false,
    // The same direction, so that one index serves both.
    tie: { id: sql`p.id`, descending },
    key: 'integer',
    // Microseconds: milliseconds would skip or repeat providers.
    shown: sql`(extract(epoch from p.created_at) * 1000000)::float8`,
    bound: (key) => sql`(timestamptz 'epoch' + ${key}::float8 * interval '1 microsecond')`,
  };
}

/** The keyset order behind a sort. */
export function orderOfProviders(sort: ProviderSort): KeysetOrder {
  if (sort.by === 'NAME') return orderByName(sort.descending);
  return sort.by === 'CREATED_AT' ? orderByCreation(sort.descending) : orderByUse(sort.by, sort.descending);
}

const columns = sql.raw(providerColumns);

/** A page of the providers that meet the conditions. */
export async function selectProviderPage(
  db: Db,
  wanted: ProviderConditions,
  sort: ProviderSort,
  page: PageRequest,
): Promise<Sorted<Provider>[]> {
  const inventory =
    'classId' in sort
      ? sql`left join inventories i on i.resource_provider_id = p.id and i.resource_class_id = ${sort.classId}::int`
      : sql``;
  const from = sql`resource_providers p ${inventory}`;
  const order = orderOfProviders(sort);
  return db.orm.execute<Sorted<Provider> & Record<string, unknown>>(
    pageOf({ columns, from, where: conditionsOnProvider(wanted), order }, page),
  );
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
    order: orderByName(false),
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
