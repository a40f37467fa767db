// Aggregates: by uuid, of providers, and in pages. Which providers they hold is in provider-pages.ts, what these have in totals.ts.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../domain/page.ts';
import type { Aggregate } from '../domain/provider.ts';
import { placementAggregates as aggregates, resourceProviderAggregates as members } from './schema/schema.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, pageOf, type Sorted, whereAll } from './sql/keyset.ts';
import { oncePerDb } from './sql/statements.ts';

const selected = { id: aggregates.id, uuid: aggregates.uuid, name: aggregates.name };

const byUuids = oncePerDb((db) =>
  db.orm
    .select(selected)
    .from(aggregates)
    .where(sql`${aggregates.uuid} = any(${sql.placeholder('uuids')}::uuid[])`)
    .prepare('aggregates_by_uuids'),
);

/** Those of the canonical uuids that exist. */
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

/** The aggregates that each provider is in itself, by uuid. */
export function selectAggregatesOfProviders(db: Db, ids: readonly number[]): Promise<(Aggregate & { providerId: number })[]> {
  return byProviders(db).execute({ ids });
}

/** Aggregates are listed in the order in which they were first named. */
export const aggregateOrder: KeysetOrder = {
  value: sql`a.id`,
  descending: false,
  nullable: false,
  tie: null,
  key: 'integer',
  shown: sql`a.id::float8`,
  bound: (key) => sql`${key}::bigint`,
};

const whichOf = (uuids: readonly string[] | undefined): SQL[] => (uuids ? [sql`a.uuid = any(${sql.param(uuids)}::uuid[])`] : []);

/** A page of all aggregates, or of those with one of the uuids. */
export async function selectAggregatePage(db: Db, uuids: readonly string[] | undefined, page: PageRequest): Promise<Sorted<Aggregate>[]> {
  const selection = {
    columns: sql`a.id::float8 as id, a.uuid, a.name`,
    from: sql`placement_aggregates a`,
    where: whichOf(uuids),
    order: aggregateOrder,
  };
  return db.orm.execute<Sorted<Aggregate> & Record<string, unknown>>(pageOf(selection, page));
}

/** How many aggregates there are, or with one of the uuids. */
export async function countAggregates(db: Db, uuids: readonly string[] | undefined): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from placement_aggregates a ${whereAll(whichOf(uuids))}`,
  );
  return row?.count ?? 0;
}
