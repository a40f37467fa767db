// Filters of consumers in SQL. Every condition is on a consumer `c`. What a condition needs only once, regardless of the number of
// consumers, is a step (`with …`) of the statement.
import { type SQL, sql } from 'drizzle-orm';
import type { ConsumerFilter } from '../domain/allocation.ts';
import { sharingTrait } from '../domain/provider.ts';
import { conditionsOf } from './sql/filter-groups.ts';

/** A filter over consumers `c`: conditions, and the steps (`with …`) that they refer to. */
export interface ConsumerConditions {
  readonly steps: readonly SQL[];
  readonly where: readonly SQL[];
}

/** The conditions of a filter, to be ANDed. An empty list matches nothing. */
export function consumerConditions(filter: ConsumerFilter): ConsumerConditions {
  const steps: SQL[] = [];
  const stepOf = (consumers: SQL): SQL => {
    const name = sql.identifier(`step${steps.length + 1}`);
    steps.push(sql`${name} as materialized (${consumers})`);
    return sql`${name}`;
  };
  return { steps, where: conditionsOf(filter, (one) => ownConditions(one, stepOf)) };
}

const ownerConditions = ['projects', 'users', 'consumerTypes', 'untyped'];

/** Whether a filter looks only at the project, user and type of consumers: its conditions then hold for rows of usage (usage-rows.ts), too. */
export function isOfOwners({ and, or, not, ...own }: ConsumerFilter): boolean {
  const inner = [...(and ?? []), ...(or ?? []), ...(not ? [not] : [])];
  return Object.keys(own).every((key) => ownerConditions.includes(key)) && inner.every(isOfOwners);
}

/** Makes a step of a statement that selects `consumer_id`, and returns its name. */
type StepOf = (consumers: SQL) => SQL;

function ownConditions(filter: ConsumerFilter, stepOf: StepOf): SQL[] {
  const where: SQL[] = [];
  const among = (consumers: SQL) => sql`c.id in (select consumer_id from ${stepOf(consumers)})`;
  const {
    uuids,
    projects,
    users,
    consumerTypes,
    untyped,
    resourceProviders,
    inTrees,
    inTreesNamed,
    aggregates,
    resourceClasses,
    holds,
    onSeveralRoots,
  } = filter;
  if (uuids) where.push(sql`c.uuid = any(${sql.param(uuids)}::uuid[])`);
  if (projects) where.push(isOneOf(sql`c.project_id`, sql`projects`, sql`external_id`, projects));
  if (users) where.push(isOneOf(sql`c.user_id`, sql`users`, sql`external_id`, users));
  if (consumerTypes) where.push(isOneOf(sql`c.consumer_type_id`, sql`consumer_types`, sql`name`, consumerTypes));
  if (untyped !== undefined) where.push(untyped ? sql`c.consumer_type_id is null` : sql`c.consumer_type_id is not null`);
  if (resourceProviders)
    where.push(among(holdersOn(sql`select p.id from resource_providers p where p.uuid = any(${sql.param(resourceProviders)}::uuid[])`)));
  const inTreesOf = (isNamed: SQL) => {
    const named = sql`select named.root_provider_id from resource_providers named where ${isNamed}`;
    return among(holdersOn(sql`select p.id from resource_providers p where p.root_provider_id in (${named})`));
  };
  if (inTrees) where.push(inTreesOf(sql`named.uuid = any(${sql.param(inTrees)}::uuid[])`));
  if (inTreesNamed) where.push(inTreesOf(sql`named.name = any(${sql.param(inTreesNamed)}::text[])`));
  if (aggregates) where.push(among(holdersOn(providersWithin(aggregates))));
  for (const name of resourceClasses ?? []) {
    where.push(sql`exists (select from allocations a where a.consumer_id = c.id and a.resource_class_id = ${idOfClass(name)})`);
  }
  for (const { resourceClass, amount } of holds ?? []) {
    where.push(
      among(sql`
        select a.consumer_id from inventories i
        join allocations a on a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id
        where i.resource_class_id = ${idOfClass(resourceClass)}
        group by a.consumer_id having sum(a.used) >= ${amount}::bigint`),
    );
  }
  if (onSeveralRoots !== undefined) {
    // Most consumers are on one provider, which the primary key alone shows: providers are read only for the others.
    const onSeveralProviders = stepOf(sql`
      select a.consumer_id from allocations a group by a.consumer_id having min(a.resource_provider_id) <> max(a.resource_provider_id)`);
    const onSeveral = stepOf(sql`
      select a.consumer_id
      from ${onSeveralProviders} candidate join allocations a on a.consumer_id = candidate.consumer_id
      join resource_providers p on p.id = a.resource_provider_id
      where p.id not in (
        select pt.resource_provider_id from resource_provider_traits pt join traits t on t.id = pt.trait_id where t.name = ${sharingTrait}
      )
      group by a.consumer_id having min(p.root_provider_id) <> max(p.root_provider_id)`);
    const several = sql`exists (select from ${onSeveral} s where s.consumer_id = c.id)`;
    where.push(onSeveralRoots ? several : sql`not ${several}`);
  }
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = filter;
  if (createdAfter) where.push(sql`c.created_at > ${createdAfter}::timestamptz`);
  if (createdBefore) where.push(sql`c.created_at < ${createdBefore}::timestamptz`);
  if (updatedAfter) where.push(sql`c.updated_at > ${updatedAfter}::timestamptz`);
  if (updatedBefore) where.push(sql`c.updated_at < ${updatedBefore}::timestamptz`);
  return where;
}

const holdersOn = (providers: SQL) =>
  sql`select distinct a.consumer_id from (${providers}) place join allocations a on a.resource_provider_id = place.id`;

/** The members of an aggregate, and all descendants of roots that are members: the aggregates of a root span its tree. */
function providersWithin(uuids: readonly string[]): SQL {
  const named = sql`m.aggregate_id = any(array(select g.id from placement_aggregates g where g.uuid = any(${sql.param(uuids)}::uuid[])))`;
  return sql`
    select m.resource_provider_id as id from resource_provider_aggregates m where ${named}
    union
    select p.id from resource_provider_aggregates m join resource_providers p on p.root_provider_id = m.resource_provider_id where ${named}`;
}

const idOfClass = (name: string) => sql`(select rc.id from resource_classes rc where rc.name = ${name})`;

/** Whether a key is one of those of some names. A single one is compared with `=`, because only then an index on (key, id) provides the order. */
function isOneOf(key: SQL, table: SQL, column: SQL, names: readonly string[]): SQL {
  return names.length === 1
    ? sql`${key} = (select id from ${table} where ${column} = ${names[0]})`
    : sql`${key} = any(array(select id from ${table} where ${column} = any(${sql.param(names)}::text[])))`;
}

/** The `with` clause of the steps; empty when there are none. */
export function withSteps(steps: readonly SQL[]): SQL {
  return steps.length === 0 ? sql`` : sql`with ${sql.join([...steps], sql`, `)}`;
}
