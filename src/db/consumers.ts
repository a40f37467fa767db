// Consumers and the trees they stand in: reads. Lists are ordered by id, which is by age.
// Statements with a filter are not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { Consumer, ConsumerFilter } from '../domain/allocation.ts';
import type { PageRequest } from '../domain/page.ts';
import { type Provider, sharingTrait } from '../domain/provider.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, whereAll } from './sql/keyset.ts';

/** Oldest first. */
export const consumerOrder: KeysetOrder = {
  value: sql`c.id`,
  descending: false,
  nullable: false,
  tie: null,
  key: 'integer',
  bound: (id) => sql`${id}::bigint`,
};

/** A filter over consumers `c`: conditions, and the steps (`with …`) that they refer to, each made once however often it is looked at. */
export interface ConsumerConditions {
  readonly steps: readonly SQL[];
  readonly where: readonly SQL[];
}

/** The conditions of a filter. An empty list matches nothing. */
export function consumerConditions(filter: ConsumerFilter): ConsumerConditions {
  const steps: SQL[] = [];
  const where: SQL[] = [];
  const { uuids, projects, users, consumerTypes, untyped, resourceProviders, inTrees, onSeveralRoots, updatedBefore, createdBefore } =
    filter;
  if (uuids) where.push(sql`c.uuid = any(${sql.param(uuids)}::uuid[])`);
  if (projects) where.push(isOneOf(sql`c.project_id`, sql`projects`, sql`external_id`, projects));
  if (users) where.push(isOneOf(sql`c.user_id`, sql`users`, sql`external_id`, users));
  if (consumerTypes) where.push(isOneOf(sql`c.consumer_type_id`, sql`consumer_types`, sql`name`, consumerTypes));
  if (untyped !== undefined) where.push(untyped ? sql`c.consumer_type_id is null` : sql`c.consumer_type_id is not null`);
  if (resourceProviders) {
    steps.push(sql`on_providers as materialized (
      select distinct a.consumer_id from resource_providers p join allocations a on a.resource_provider_id = p.id
      where p.uuid = any(${sql.param(resourceProviders)}::uuid[])
    )`);
    where.push(sql`c.id in (select consumer_id from on_providers)`);
  }
  if (inTrees) {
    steps.push(sql`in_trees as materialized (
      select distinct a.consumer_id
      from resource_providers p
      join allocations a on a.resource_provider_id = p.id
      where p.root_provider_id in (select named.root_provider_id from resource_providers named where named.uuid = any(${sql.param(inTrees)}::uuid[]))
    )`);
    where.push(sql`c.id in (select consumer_id from in_trees)`);
  }
  if (onSeveralRoots !== undefined) {
    steps.push(sql`on_several_roots as materialized (
      select a.consumer_id
      from allocations a join resource_providers p on p.id = a.resource_provider_id
      where p.id not in (
        select pt.resource_provider_id from resource_provider_traits pt join traits t on t.id = pt.trait_id where t.name = ${sharingTrait}
      )
      group by a.consumer_id having min(p.root_provider_id) <> max(p.root_provider_id)
    )`);
    const several = sql`exists (select from on_several_roots s where s.consumer_id = c.id)`;
    where.push(onSeveralRoots ? several : sql`not ${several}`);
  }
  if (updatedBefore) where.push(sql`c.updated_at < ${updatedBefore.toISOString()}::timestamptz`);
  if (createdBefore) where.push(sql`c.created_at < ${createdBefore.toISOString()}::timestamptz`);
  return { steps, where };
}

/** A key among those of names. A single one is compared with `=`: only then does an index by (key, id) also give the order. */
function isOneOf(key: SQL, table: SQL, column: SQL, names: readonly string[]): SQL {
  return names.length === 1
    ? sql`${key} = (select id from ${table} where ${column} = ${names[0]})`
    : sql`${key} = any(array(select id from ${table} where ${column} = any(${sql.param(names)}::text[])))`;
}

/** `with` the steps that there are; nothing when there are none. */
export function withSteps(steps: readonly SQL[]): SQL {
  return steps.length === 0 ? sql`` : sql`with ${sql.join([...steps], sql`, `)}`;
}

/** The columns of a Consumer, over `c` and what `consumerNames` joins to it. */
export const consumerColumns = sql`
  c.id::float8 as id, c.uuid, c.generation::float8 as generation, p.external_id as project, u.external_id as "user", t.name as type,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;

export const consumerNames = sql`
  join projects p on p.id = c.project_id join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id`;

/** The consumers of a page and one more, oldest first. */
export async function selectConsumers({ orm }: Db, filter: ConsumerFilter, page: PageRequest): Promise<Consumer[]> {
  const { steps, where } = consumerConditions(filter);
  return orm.execute<Consumer & Record<string, unknown>>(sql`
    ${withSteps(steps)}
    select ${consumerColumns}
    from (select c.* from consumers c ${whereAll([...where, ...behind(page)])} order by c.id limit ${page.size + 1}) c ${consumerNames}
    order by c.id`);
}

/** How many consumers match. */
export async function countConsumers({ orm }: Db, filter: ConsumerFilter): Promise<number> {
  const { steps, where } = consumerConditions(filter);
  const [row] = await orm.execute<{ count: number }>(sql`
    ${withSteps(steps)} select count(*)::float8 as count from consumers c ${whereAll(where)}`);
  return row?.count ?? 0;
}

/** The same page of consumers, and one more, for each project (external ids); those of a project oldest first. */
export async function selectConsumersByProjects(
  { orm }: Db,
  projects: readonly string[],
  filter: ConsumerFilter,
  page: PageRequest,
): Promise<Consumer[]> {
  const { steps, where } = consumerConditions(filter);
  return orm.execute<Consumer & Record<string, unknown>>(sql`
    ${withSteps(steps)}
    select ${consumerColumns}
    from projects owner
    cross join lateral (
      select c.* from consumers c ${whereAll([sql`c.project_id = owner.id`, ...where, ...behind(page)])} order by c.id limit ${page.size + 1}
    ) c ${consumerNames}
    where owner.external_id = any(${sql.param(projects)}::text[])
    order by c.project_id, c.id`);
}

/** How many consumers of each project match; projects without any are left out. */
export async function countConsumersByProjects(
  { orm }: Db,
  projects: readonly string[],
  filter: ConsumerFilter,
): Promise<{ project: string; count: number }[]> {
  const { steps, where } = consumerConditions(filter);
  return orm.execute<{ project: string; count: number }>(sql`
    ${withSteps(steps)}
    select owner.external_id as project, count(*)::float8 as count
    from projects owner join consumers c on c.project_id = owner.id
    ${whereAll([sql`owner.external_id = any(${sql.param(projects)}::text[])`, ...where])}
    group by owner.external_id`);
}

function behind(page: PageRequest): SQL[] {
  return page.key === null ? [] : [sql`c.id > ${page.key[0]}::bigint`];
}

/** Consumers by internal id, in no order. */
export async function selectConsumersByIds({ sql }: Db, ids: readonly number[]): Promise<Consumer[]> {
  return sql<Consumer[]>`${preparedRows(sql)} where c.id = any(${ids}::bigint[])`;
}

/** Consumers by uuid, in no order. */
export async function selectConsumersByUuids({ sql }: Db, uuids: readonly string[]): Promise<Consumer[]> {
  return sql<Consumer[]>`${preparedRows(sql)} where c.uuid = any(${uuids}::uuid[])`;
}

/** The same rows for statements that are prepared. */
function preparedRows(sql: Db['sql']) {
  return sql`
    select c.id::float8 as id, c.uuid, c.generation::float8 as generation, p.external_id as project, u.external_id as "user", t.name as type,
           c.created_at as "createdAt", c.updated_at as "updatedAt"
    from consumers c
    join projects p on p.id = c.project_id join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id`;
}

/** The roots of the trees in which consumers hold something, sharing ones included; those of one consumer by name. */
export async function selectRootsByConsumers({ sql }: Db, ids: readonly number[]): Promise<(Provider & { consumerId: number })[]> {
  return sql<(Provider & { consumerId: number })[]>`
    select held."consumerId", root.id::float8 as id, root.uuid, root.name, root.generation::float8 as generation,
           root.parent_provider_id::float8 as "parentId", root.root_provider_id::float8 as "rootId",
           root.created_at as "createdAt", root.updated_at as "updatedAt"
    from (
      select distinct a.consumer_id::float8 as "consumerId", p.root_provider_id
      from allocations a join resource_providers p on p.id = a.resource_provider_id
      where a.consumer_id = any(${ids}::bigint[])
    ) held
    join resource_providers root on root.id = held.root_provider_id
    order by held."consumerId", root.name`;
}
