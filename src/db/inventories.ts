// Reads inventories with their usage: of providers, and of a class in pages. Totals are in totals.ts.
import { sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Inventory } from '../domain/provider.ts';
import type { ProviderConditions } from '../domain/trees/provider-conditions.ts';
import { conditionsOnProvider } from './provider-filter.ts';
import { keyOfProviderName, keyOfUse } from './provider-pages.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, pagesOf, totalOrder, whereAll } from './sql/keyset.ts';

/** The columns of an Inventory, from tables `i` and `rc`. 64-bit integers would arrive as text. */
export const inventoryColumns = `i.resource_provider_id::float8 as "providerId", i.resource_class_id as "classId", rc.name as "className",
  i.total, i.reserved, i.min_unit as "minUnit", i.max_unit as "maxUnit", i.step_size as "stepSize", i.allocation_ratio as "allocationRatio",
  i.capacity::float8 as capacity, i.used::float8 as used, i.promised::float8 as promised, i.updated_at as "updatedAt"`;

/** The inventories of each provider, classes in the order of their ids. */
export async function selectInventoriesOfProviders(db: Db, ids: readonly number[]): Promise<Inventory[]> {
  return db.sql<Inventory[]>`
    select ${db.sql.unsafe(inventoryColumns)}
    from inventories i join resource_classes rc on rc.id = i.resource_class_id
    where i.resource_provider_id = any(${ids as number[]}::bigint[])
    order by i.resource_class_id`;
}

/** A sort key of the inventories of a class. */
export interface InventorySortKey {
  readonly by: 'PROVIDER_NAME' | 'FREE' | 'USED' | 'UTILIZATION';
  readonly descending: boolean;
}

/** The keyset order behind a sort. */
export function orderOfInventories(sort: readonly InventorySortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'PROVIDER_NAME' ? keyOfProviderName(descending) : keyOfUse(by, sql`i`, descending),
  );
  return totalOrder(keys, sql`p.id`);
}

export type InventoryOf = Sorted<Inventory> & { readonly parent: number };

/** The same page of the inventories of each class, restricted to providers that meet the conditions, class by class. */
export async function selectInventoryPagesOfClasses(
  db: Db,
  classIds: readonly number[],
  wanted: ProviderConditions,
  sort: readonly InventorySortKey[],
  page: PageRequest,
): Promise<InventoryOf[]> {
  const conditions = conditionsOnProvider(wanted);
  const selectionOf = (classId: number) => ({
    columns: sql.raw(inventoryColumns),
    from: sql`inventories i join resource_classes rc on rc.id = i.resource_class_id join resource_providers p on p.id = i.resource_provider_id`,
    where: [sql`i.resource_class_id = ${classId}::int`, ...conditions],
    order: orderOfInventories(sort),
  });
  return db.orm.execute<InventoryOf & Record<string, unknown>>(pagesOf(classIds, selectionOf, page));
}

/** The uuids of up to `limit` providers that meet the conditions, oldest first; with a class, only of those that have it. */
export async function selectMatchingProviders(
  db: Db,
  classId: number | null,
  wanted: ProviderConditions,
  limit: number,
): Promise<string[]> {
  const ofClass = sql`inventories i join resource_providers p on p.id = i.resource_provider_id and i.resource_class_id = ${classId}::int`;
  const from = classId === null ? sql`resource_providers p` : ofClass;
  const rows = await db.orm.execute<{ uuid: string }>(sql`
    select p.uuid from ${from} ${whereAll(conditionsOnProvider(wanted))} order by p.id limit ${limit}`);
  return rows.map(({ uuid }) => uuid);
}

/** The number of providers that meet the conditions and have each class; classes without any are omitted. */
export async function countInventoriesOfClasses(
  db: Db,
  classIds: readonly number[],
  wanted: ProviderConditions,
): Promise<{ parent: number; count: number }[]> {
  const where = whereAll([sql`i.resource_class_id = any(${sql.param(classIds)}::int[])`, ...conditionsOnProvider(wanted)]);
  return db.orm.execute<{ parent: number; count: number }>(sql`
    select i.resource_class_id as parent, count(*)::float8 as count
    from inventories i join resource_providers p on p.id = i.resource_provider_id ${where} group by i.resource_class_id`);
}
