// Reads aggregates: by uuid, of providers, and in pages. Their members are in provider-pages.ts, the members' totals in totals.ts.
import { type SQL, sql } from 'drizzle-orm';
import type { Groups } from '../domain/input.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { type Aggregate, sharingTrait } from '../domain/provider.ts';
import type { NameSortKey } from './names.ts';
import { placementAggregates as aggregates, resourceProviderAggregates as members } from './schema/schema.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { integerKey, type KeysetOrder, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';
import { oncePerDb } from './sql/statements.ts';

const selected = { id: aggregates.id, uuid: aggregates.uuid, name: aggregates.name };

const byUuids = oncePerDb((db) =>
  db.orm
    .select(selected)
    .from(aggregates)
    .where(sql`${aggregates.uuid} = any(${sql.placeholder('uuids')}::uuid[])`)
    .prepare('aggregates_by_uuids'),
);

/** The aggregates with these canonical uuids, if they exist. */
export function selectAggregatesByUuids(db: Db, uuids: readonly string[]): Promise<Aggregate[]> {
  return byUuids(db).execute({ uuids });
}

const byProviders = oncePerDb((db) =>
  db.orm
    .select({ ...selected, providerId: members.resourceProviderId })
    .from(members)
    .innerJoin(aggregates, sql`${aggregates.id} = ${members.aggregateId}`)
    .where(sql`${members.resourceProviderId} = any(${sql.placeholder('ids')}::bigint[])`)
    .orderBy(aggregates.uuid)
    .prepare('aggregates_by_providers'),
);

/** The aggregates of each provider itself, by uuid. */
export function selectAggregatesOfProviders(db: Db, ids: readonly number[]): Promise<(Aggregate & { providerId: number })[]> {
  return byProviders(db).execute({ ids });
}

/** The keyset order behind a sort; ids are given in the order of creation. */
export function orderOfAggregates(sort: readonly NameSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'NAME' ? textKey(sql`a.name`, descending, { nullable: true }) : integerKey(sql`a.id`, descending, { unique: true }),
  );
  return totalOrder(keys, sql`a.id`);
}

/** Conditions on aggregates; all that are given must hold. */
export interface AggregateConditions extends Groups<AggregateConditions> {
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
}

function conditionsOnAggregate({ uuids, names, nameContains, nameStartsWith }: AggregateConditions): SQL[] {
  return [
    ...(uuids ? [sql`a.uuid = any(${sql.param(uuids)}::uuid[])`] : []),
    ...(names ? [sql`a.name = any(${sql.param(names)}::text[])`] : []),
    ...(nameContains ? [containsText(sql`a.name`, nameContains)] : []),
    ...(nameStartsWith ? [startsWithText(sql`a.name`, nameStartsWith)] : []),
  ];
}

/** A page of the aggregates that meet the conditions. */
export async function selectAggregatePage(
  db: Db,
  wanted: AggregateConditions,
  sort: readonly NameSortKey[],
  page: PageRequest,
): Promise<Sorted<Aggregate>[]> {
  const selection = {
    columns: sql`a.id::float8 as id, a.uuid, a.name`,
    from: sql`placement_aggregates a`,
    where: conditionsOf(wanted, conditionsOnAggregate),
    order: orderOfAggregates(sort),
  };
  return db.orm.execute<Sorted<Aggregate> & Record<string, unknown>>(pageOf(selection, page));
}

/** How many aggregates meet the conditions. */
export async function countAggregates(db: Db, wanted: AggregateConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from placement_aggregates a ${whereAll(conditionsOf(wanted, conditionsOnAggregate))}`,
  );
  return row?.count ?? 0;
}

/** The number of trees whose root is a member and does not share, and of consumers with allocations there or on other members. */
export interface AggregateCounts {
  readonly aggregateId: number;
  readonly roots: number;
  readonly consumers: number;
}

/** The counts of each aggregate; those without a member are left out. */
export async function selectAggregateCounts({ sql: statement }: Db, ids: readonly number[]): Promise<AggregateCounts[]> {
  return statement<AggregateCounts[]>`
    with members as materialized (
      select m.aggregate_id, p.id, p.parent_provider_id from resource_provider_aggregates m join resource_providers p on p.id = m.resource_provider_id
      where m.aggregate_id = any(${ids as number[]}::bigint[])
    ), places as (
      select aggregate_id, id from members
      union
      select members.aggregate_id, p.id from members join resource_providers p on p.root_provider_id = members.id
    ), held as (
      select places.aggregate_id, count(distinct a.consumer_id) as consumers
      from places join allocations a on a.resource_provider_id = places.id group by places.aggregate_id
    )
    select aggregate_id::float8 as "aggregateId", count(*) filter (where parent_provider_id is null and not exists (
             select from resource_provider_traits has join traits t on t.id = has.trait_id
             where has.resource_provider_id = members.id and t.name = ${sharingTrait}))::float8 as roots,
           coalesce(max(held.consumers), 0)::float8 as consumers
    from members left join held using (aggregate_id) group by aggregate_id`;
}
