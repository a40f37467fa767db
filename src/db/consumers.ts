// Reads consumers and the roots of their trees. Filters are in consumer-filter.ts.
// Statements with a filter are not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { Consumer, ConsumerFilter } from '../domain/allocation.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Provider } from '../domain/provider.ts';
import { consumerConditions, isOfOwners, withSteps } from './consumer-filter.ts';
import { providerColumns } from './schema/provider-columns.ts';
import type { Db } from './sql/client.ts';
import { integerKey, type KeysetOrder, momentKey, numberKey, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';
import { usageRows } from './usage-rows.ts';

/** A sort key of consumers; AMOUNT has a class id. */
export type ConsumerSortKey =
  | { readonly by: 'CREATED_AT' | 'UPDATED_AT'; readonly descending: boolean }
  | { readonly by: 'AMOUNT'; readonly classId: number; readonly descending: boolean };

const heldOf = (classId: number): SQL => sql.raw(`held_of_${classId}`);

/**
 * The keyset order behind a sort; ids are given in the order of creation. In the list of a project (`own`) by moment and uuid instead: cursors hold the keys, and
 * ids tell how many consumers others have.
 */
export function orderOfConsumers(sort: readonly ConsumerSortKey[], own: string | null): KeysetOrder {
  const keys = sort.map((key) => {
    if (key.by === 'AMOUNT') return numberKey(sql`${heldOf(key.classId)}.amount`, key.descending, { nullable: true });
    if (key.by === 'UPDATED_AT') return momentKey(sql`c.updated_at`, key.descending);
    return own === null ? integerKey(sql`c.id`, key.descending, { unique: true }) : momentKey(sql`c.created_at`, key.descending);
  });
  if (own === null) return totalOrder(keys, sql`c.id`);
  const byCreation = sort.some(({ by }) => by === 'CREATED_AT') ? [] : [momentKey(sql`c.created_at`, false)];
  return [...keys, ...byCreation, textKey(sql`c.uuid::text`, false, { unique: true })];
}

/** Consumers with the amounts that they are ordered by. */
function sortedConsumers(sort: readonly ConsumerSortKey[]): SQL {
  const joins = sort.flatMap((key) => {
    if (key.by !== 'AMOUNT') return [];
    const held = heldOf(key.classId);
    return [
      sql`left join (
        select a.consumer_id, sum(a.used)::float8 as amount from inventories i
        join allocations a on a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id
        where i.resource_class_id = ${key.classId}::int group by a.consumer_id
      ) ${held} on ${held}.consumer_id = c.id`,
    ];
  });
  return sql.join([sql`consumers c`, ...joins], sql` `);
}

const columns = `c.id::float8 as id, c.uuid, c.generation::float8 as generation, p.external_id as project, u.external_id as "user", t.name as type,
  c.created_at as "createdAt", c.updated_at as "updatedAt", c.expires_at as "expiresAt",
  reserved.uuid as reservation`;
const names = `join projects p on p.id = c.project_id join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id
  left join reservations reserved on reserved.id = c.reservation_id`;

/** The columns of a Consumer, over `c` and what `consumerNames` joins to it. */
export const consumerColumns = sql.raw(columns);
export const consumerNames = sql.raw(names);

/** The consumers of a page and one more. */
export async function selectConsumers(
  { orm }: Db,
  filter: ConsumerFilter,
  sort: readonly ConsumerSortKey[],
  page: PageRequest,
  own: string | null,
): Promise<Sorted<Consumer>[]> {
  const { steps, where } = consumerConditions(filter);
  return orm.execute<Sorted<Consumer> & Record<string, unknown>>(sql`
    ${withSteps(steps)}
    select ${consumerColumns}, c."sortKey"
    from (${placedPage(where, sort, page, own)}) c ${consumerNames}
    order by c.place`);
}

/** A page of whole rows, each with its `place` in it. */
function placedPage(where: readonly SQL[], sort: readonly ConsumerSortKey[], page: PageRequest, own: string | null): SQL {
  const selection = { columns: sql`c.*`, from: sortedConsumers(sort), where, order: orderOfConsumers(sort, own) };
  return sql`select row_number() over () as place, page.* from (${pageOf(selection, page)}) page`;
}

/** What is counted where a filter asks for owners and types alone: kept sums, of which there are few. */
function countedBy(filter: ConsumerFilter): { readonly counted: SQL; readonly count: SQL } {
  return isOfOwners(filter)
    ? { counted: sql.raw(usageRows), count: sql`coalesce(sum(c.amount) filter (where c.resource_class_id is null), 0)::float8` }
    : { counted: sql`consumers`, count: sql`count(*)::float8` };
}

/** How many consumers match. */
export async function countConsumers({ orm }: Db, filter: ConsumerFilter): Promise<number> {
  const { steps, where } = consumerConditions(filter);
  const { counted, count } = countedBy(filter);
  const [row] = await orm.execute<{ count: number }>(sql`
    ${withSteps(steps)} select ${count} as count from ${counted} c ${whereAll(where)}`);
  return row?.count ?? 0;
}

/** The same page of consumers, and one more, for each project (external ids). */
export async function selectConsumersByProjects(
  { orm }: Db,
  projects: readonly string[],
  filter: ConsumerFilter,
  sort: readonly ConsumerSortKey[],
  page: PageRequest,
  own: string | null,
): Promise<(Sorted<Consumer> & { parent: string })[]> {
  const { steps, where } = consumerConditions(filter);
  return orm.execute<Sorted<Consumer> & { parent: string } & Record<string, unknown>>(sql`
    ${withSteps(steps)}
    select owner.external_id as parent, ${consumerColumns}, c."sortKey"
    from projects owner
    cross join lateral (${placedPage([sql`c.project_id = owner.id`, ...where], sort, page, own)}) c ${consumerNames}
    where owner.external_id = any(${sql.param(projects)}::text[])
    order by c.project_id, c.place`);
}

/** How many consumers of each project match; projects without any may be left out. */
export async function countConsumersByProjects(
  { orm }: Db,
  projects: readonly string[],
  filter: ConsumerFilter,
): Promise<{ parent: string; count: number }[]> {
  const { steps, where } = consumerConditions({ and: [filter, { projects }] });
  const { counted, count } = countedBy(filter);
  return orm.execute<{ parent: string; count: number }>(sql`
    ${withSteps(steps)}
    select owner.external_id as parent, ${count} as count
    from ${counted} c join projects owner on owner.id = c.project_id ${whereAll(where)} group by owner.external_id`);
}

/** Consumers by internal id, in no order; those of a project if one is given. */
export async function selectConsumersByIds({ sql }: Db, ids: readonly number[], project: string | null = null): Promise<Consumer[]> {
  return sql<Consumer[]>`${preparedRows(sql)} where c.id = any(${ids}::bigint[]) ${ofProject(sql, project)}`;
}

/** Consumers by uuid, in no order; those of a project if one is given. */
export async function selectConsumersByUuids({ sql }: Db, uuids: readonly string[], project: string | null = null): Promise<Consumer[]> {
  return sql<Consumer[]>`${preparedRows(sql)} where c.uuid = any(${uuids}::uuid[]) ${ofProject(sql, project)}`;
}

/** Whether consumers have expired that are not released yet, and whether some were released in the last seconds. By index, whatever the statistics are. */
export async function selectExpired(
  { writes }: Db,
  seconds: number,
): Promise<{ readonly isThere: boolean; readonly wasReleased: boolean }> {
  const [row] = await writes<{ isThere: boolean; wasReleased: boolean }[]>`
    select coalesce(min(expires_at) <= now(), false) as "isThere", coalesce((
      select e.at > now() - make_interval(secs => ${seconds}::float8) from events e where e.kind = 'RELEASE_EXPIRED' order by e.id desc limit 1
    ), false) as "wasReleased"
    from consumers where expires_at is not null`;
  return row ?? { isThere: false, wasReleased: false };
}

function ofProject(sql: Db['sql'], project: string | null) {
  return project === null ? sql`` : sql`and p.external_id = ${project}`;
}

/** The same rows for statements that are prepared. */
function preparedRows(sql: Db['sql']) {
  return sql`select ${sql.unsafe(columns)} from consumers c ${sql.unsafe(names)}`;
}

const columnsOfRoot = providerColumns('root');

/** The roots of the trees in which consumers have allocations, including sharing providers; those of one consumer by name. */
export async function selectRootsByConsumers({ sql }: Db, ids: readonly number[]): Promise<(Provider & { consumerId: number })[]> {
  return sql<(Provider & { consumerId: number })[]>`
    select held."consumerId", ${sql.unsafe(columnsOfRoot)}
    from (
      select distinct a.consumer_id::float8 as "consumerId", p.root_provider_id
      from allocations a join resource_providers p on p.id = a.resource_provider_id
      where a.consumer_id = any(${ids}::bigint[])
    ) held
    join resource_providers root on root.id = held.root_provider_id
    order by held."consumerId", root.name`;
}
