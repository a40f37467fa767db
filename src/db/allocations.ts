// Reads allocations. Pages for many providers come from one statement.
// Statements with a filter are not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { Allocation, AllocationFilter, Consumer } from '../domain/allocation.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { consumerColumns, consumerNames } from './consumers.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { behind, directionsOf, integerKey, type KeysetOrder, placeIn, totalOrder, whereAll } from './sql/keyset.ts';

/** A sort key of the allocations on a provider. */
export interface AllocationSortKey {
  readonly by: 'CONSUMER_CREATED_AT' | 'AMOUNT';
  readonly descending: boolean;
}

/** The keyset order behind a sort; ids of consumers are given in the order of creation. Ties are broken by consumer and class. */
export function orderOfAllocations(sort: readonly AllocationSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) => integerKey(by === 'AMOUNT' ? sql`a.used` : sql`a.consumer_id`, descending));
  const byConsumer = sort.some(({ by }) => by === 'CONSUMER_CREATED_AT') ? [] : [integerKey(sql`a.consumer_id`, false)];
  return totalOrder([...keys, ...byConsumer], sql`a.resource_class_id`);
}

/** All allocations of consumers; those of one consumer by provider name and class. */
export async function selectAllocationsByConsumers({ sql }: Db, ids: readonly number[]): Promise<Allocation[]> {
  return sql<Allocation[]>`
    select a.consumer_id::float8 as "consumerId", a.resource_provider_id::float8 as "providerId", a.resource_class_id as "classId",
           rc.name as "className", a.used as amount
    from allocations a
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    where a.consumer_id = any(${ids}::bigint[])
    order by a.consumer_id, p.name, a.resource_class_id`;
}

/**
 * The same page of allocations, and one more, on each provider. Each row includes its consumer, which could be gone by the time of a
 * later read.
 */
export async function selectAllocationsByProviders(
  { orm }: Db,
  ids: readonly number[],
  filter: AllocationFilter,
  sort: readonly AllocationSortKey[],
  page: PageRequest,
): Promise<(Sorted<Allocation & Consumer> & { parent: number })[]> {
  const order = orderOfAllocations(sort);
  return orm.execute<Sorted<Allocation & Consumer> & { parent: number } & Record<string, unknown>>(sql`
    select provider.id::float8 as parent, ${placeIn(order)} as "sortKey",
           a.consumer_id::float8 as "consumerId", a.resource_provider_id::float8 as "providerId", a.resource_class_id as "classId",
           rc.name as "className", a.used as amount, ${consumerColumns}
    from unnest(${sql.param(ids)}::bigint[]) provider(id)
    cross join lateral (
      select a.* from allocations a ${whereAll([sql`a.resource_provider_id = provider.id`, ...conditionsOf(filter, conditionsOnAllocation), ...behind(order, page)])}
      order by ${directionsOf(order, page.backward)} limit ${page.size + 1}
    ) a
    join resource_classes rc on rc.id = a.resource_class_id
    join consumers c on c.id = a.consumer_id ${consumerNames}
    order by a.resource_provider_id, ${directionsOf(order, page.backward)}`);
}

/** All allocations on providers; providers without any are left out. */
export async function selectHoldersByProviders(
  { sql }: Db,
  ids: readonly number[],
): Promise<{ id: number; held: [consumer: string, className: string, amount: number][] }[]> {
  return sql`
    select a.resource_provider_id::float8 as id, json_agg(json_build_array(c.uuid, rc.name, a.used) order by a.consumer_id, rc.id) as held
    from allocations a
    join consumers c on c.id = a.consumer_id
    join resource_classes rc on rc.id = a.resource_class_id
    where a.resource_provider_id = any(${ids}::bigint[])
    group by a.resource_provider_id`;
}

/** How many allocations on each provider match; providers without any are left out. */
export async function countAllocationsByProviders(
  { orm }: Db,
  ids: readonly number[],
  filter: AllocationFilter,
): Promise<{ parent: number; count: number }[]> {
  return orm.execute<{ parent: number; count: number }>(sql`
    select a.resource_provider_id::float8 as parent, count(*)::float8 as count
    from allocations a
    ${whereAll([sql`a.resource_provider_id = any(${sql.param(ids)}::bigint[])`, ...conditionsOf(filter, conditionsOnAllocation)])}
    group by a.resource_provider_id`);
}

function conditionsOnAllocation({ resourceClasses, projects, consumerTypes }: AllocationFilter): SQL[] {
  const where: SQL[] = [];
  if (resourceClasses) {
    where.push(
      sql`a.resource_class_id = any(array(select id from resource_classes where name = any(${sql.param(resourceClasses)}::text[])))`,
    );
  }
  if (projects) {
    where.push(sql`exists (select from consumers c where c.id = a.consumer_id
      and c.project_id = any(array(select id from projects where external_id = any(${sql.param(projects)}::text[]))))`);
  }
  if (consumerTypes) {
    where.push(sql`exists (select from consumers c where c.id = a.consumer_id
      and c.consumer_type_id = any(array(select id from consumer_types where name = any(${sql.param(consumerTypes)}::text[]))))`);
  }
  return where;
}
