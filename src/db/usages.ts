// Reads the usage of groups of consumers: one statement, and so one snapshot, for all rows of a page. Not prepared on the server, so that Postgres
// plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { ConsumerFilter, Usage, UsageKey } from '../domain/allocation.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { consumerConditions, isOfOwners, withSteps } from './consumer-filter.ts';
import type { Db } from './sql/client.ts';
import { behind, directionsOf, integerKey, type KeysetOrder, placeIn, textKey, whereAll } from './sql/keyset.ts';
import { usageRows } from './usage-rows.ts';

/** A query of usage: the consumers, the grouping and the order. */
export interface UsageSelection {
  readonly filter: ConsumerFilter;
  /** Distinct keys. Rows are ordered by the names of the keys, in this order; the group without a type or aggregate comes last. */
  readonly groupBy: readonly UsageKey[];
  /** By the amounts of these classes first, then by the keys. */
  readonly sort: readonly UsageSortKey[];
}

export interface UsageSortKey {
  readonly classId: number;
  readonly descending: boolean;
}

/** A grouping key in SQL. */
interface Key {
  /** The column of the groups. */
  readonly column: SQL;
  /** Its value for a consumer `c`, an allocation on a provider `h`, and an aggregate `g` of that; 0 means none. */
  readonly value: SQL;
  /** Whether it depends on the place of an allocation: a consumer may then be in several groups. */
  readonly ofPlace: boolean;
  /** The row that the column refers to. */
  readonly named: SQL;
  readonly name: SQL;
  /** Whether there is a group without a value. */
  readonly optional: boolean;
}

const keysInSql: Record<UsageKey, Key> = {
  PROJECT: {
    column: sql`project_id`,
    value: sql`c.project_id`,
    ofPlace: false,
    named: sql`projects p on p.id = groups.project_id`,
    name: sql`p.external_id`,
    optional: false,
  },
  USER: {
    column: sql`user_id`,
    value: sql`c.user_id`,
    ofPlace: false,
    named: sql`users u on u.id = groups.user_id`,
    name: sql`u.external_id`,
    optional: false,
  },
  CONSUMER_TYPE: {
    column: sql`type_id`,
    value: sql`coalesce(c.consumer_type_id, 0)`,
    ofPlace: false,
    named: sql`consumer_types t on t.id = groups.type_id`,
    name: sql`t.name`,
    optional: true,
  },
  CONSUMER: {
    column: sql`holder_id`,
    value: sql`c.id`,
    ofPlace: false,
    named: sql`consumers holder on holder.id = groups.holder_id`,
    name: sql`holder.uuid::text`,
    optional: false,
  },
  RESOURCE_PROVIDER: {
    column: sql`provider_id`,
    value: sql`h.id`,
    ofPlace: true,
    named: sql`resource_providers rp on rp.id = groups.provider_id`,
    name: sql`rp.name`,
    optional: false,
  },
  ROOT: {
    column: sql`root_id`,
    value: sql`h.root_provider_id`,
    ofPlace: true,
    named: sql`resource_providers root on root.id = groups.root_id`,
    name: sql`root.name`,
    optional: false,
  },
  AGGREGATE: {
    column: sql`aggregate_id`,
    value: sql`coalesce(g.aggregate_id, 0)`,
    ofPlace: true,
    named: sql`placement_aggregates ag on ag.id = groups.aggregate_id`,
    name: sql`ag.uuid::text`,
    optional: true,
  },
};

const amountOf = (classId: number): SQL => sql.raw(`amount_${classId}`);

/** The keyset order of usages. */
export function orderOfUsages({ groupBy, sort }: UsageSelection): KeysetOrder {
  const amounts = sort.map(({ classId, descending }) => integerKey(sql`coalesce(${amountOf(classId)}, 0)`, descending));
  const names = groupBy.map((key) => textKey(keysInSql[key].name, false, { nullable: keysInSql[key].optional }));
  return [...amounts, ...(names.length === 0 ? [integerKey(sql`0::integer`, false)] : names)];
}

/** The usages of a page and one more. Without consumers there are no groups, not even without keys. */
export async function selectUsagePage(db: Db, selection: UsageSelection, page: PageRequest): Promise<Sorted<Usage>[]> {
  return selectPages(db, selection, page, null);
}

/** The same page of usages, and one more, of the consumers of each project (external ids). */
export async function selectUsagePagesOfProjects(
  db: Db,
  projects: readonly string[],
  { filter, ...selection }: UsageSelection,
  page: PageRequest,
): Promise<(Sorted<Usage> & { readonly parent: string })[]> {
  return selectPages(db, { ...selection, filter: { ...filter, projects } }, page, projects.length);
}

async function selectPages(
  { orm }: Db,
  selection: UsageSelection,
  page: PageRequest,
  /** The number of pages when there is one for each project. */
  projects: number | null,
): Promise<(Sorted<Usage> & { readonly parent: string })[]> {
  const { groupBy, sort } = selection;
  const ofEachProject = projects !== null;
  // Repeated as a limit, so that Postgres knows how few rows there are.
  const limit = (page.size + 1) * (projects ?? 1);
  const order = orderOfUsages(selection);
  const grouped = ofEachProject ? withProject(groupBy) : groupBy;
  const [keys, ofGroups, ofPage] = [columnsOf(grouped), columnsOf(grouped, sql`groups.`), columnsOf(grouped, sql`page.`)];
  const { steps, held, sameGroup, consumerCount } = matchedBy(selection, grouped);
  const asked = (key: UsageKey, shown: SQL, type: SQL) => (groupBy.includes(key) ? shown : sql`null::${type}`);
  const classIds = sort.map(({ classId }) => classId);
  const sums = classIds.map((id) => sql`sum(used) filter (where resource_class_id = ${id}::integer) as ${amountOf(id)}`);
  const directions = directionsOf(order, page.backward);
  return orm.execute<Sorted<Usage> & { readonly parent: string } & Record<string, unknown>>(sql`
    ${withSteps([
      ...steps,
      sql`groups as (select ${keys}, ${consumerCount} as consumers from matched m group by ${keys})`,
      ...(sums.length === 0
        ? []
        : [
            sql`ordered_by as (
              select ${keys}, ${listed(sums)} from ${held(sql`matched m`)}
              where resource_class_id = any(${sql.param(classIds)}::integer[]) group by ${keys}
            )`,
          ]),
      sql`page as materialized (
        select * from (
          select ${ofGroups}, consumers, ${ofEachProject ? sql`p.external_id` : sql`null::text`} as parent,
                 ${asked('PROJECT', sql`p.external_id`, sql`text`)} as project, ${asked('USER', sql`u.external_id`, sql`text`)} as "user",
                 ${asked('CONSUMER_TYPE', sql`t.name`, sql`text`)} as type, ${asked('CONSUMER', sql`holder.uuid`, sql`uuid`)} as consumer_uuid,
                 ${asked('RESOURCE_PROVIDER', sql`provider_id::float8`, sql`float8`)} as "providerId",
                 ${asked('ROOT', sql`root_id::float8`, sql`float8`)} as "rootId",
                 ${asked('AGGREGATE', sql`ag.uuid`, sql`uuid`)} as aggregate_uuid,
                 ${placeIn(order)} as sort_key,
                 row_number() over (${ofEachProject ? sql`partition by groups.project_id` : sql``} order by ${directions}) as place
          from groups
          ${sums.length === 0 ? sql`` : sql`left join ordered_by using (${keys})`}
          ${sql.join(
            grouped.map((key) => sql`left join ${keysInSql[key].named}`),
            sql` `,
          )}
          ${whereAll(behind(order, page))}
        ) placed where place <= ${page.size + 1} order by place limit ${limit}
      )`,
      sql`amounts as (
        select ${ofPage}, resource_class_id, sum(used) as amount from ${held(sql`page join matched m on ${sameGroup}`)}
        group by ${ofPage}, resource_class_id
      )`,
    ])}
    select page.parent, page.project, page."user", page.type as "consumerType", page.consumer_uuid as "consumerUuid", page."providerId", page."rootId",
           page.aggregate_uuid as "aggregateUuid", page.consumers::float8 as "consumerCount", page.sort_key as "sortKey",
           coalesce(held.resources, '[]') as resources
    from page
    left join (
      select ${keys}, jsonb_agg(
        jsonb_build_object('resourceClass', jsonb_build_object('id', rc.id, 'name', rc.name), 'amount', amounts.amount) order by rc.id
      ) as resources
      from amounts join resource_classes rc on rc.id = amounts.resource_class_id
      group by ${keys}
    ) held using (${keys})
    order by parent, place`);
}

/** The number of groups. */
export async function countUsages({ orm }: Db, selection: UsageSelection): Promise<number> {
  const keys = columnsOf(selection.groupBy);
  const [row] = await orm.execute<{ count: number }>(sql`
    ${withSteps(matchedBy(selection, selection.groupBy).steps)}
    select count(*)::float8 as count from (select distinct ${keys} from matched m) groups`);
  return row?.count ?? 0;
}

/** The number of groups of the consumers of each project; projects without any are omitted. */
export async function countUsagesOfProjects(
  { orm }: Db,
  projects: readonly string[],
  { filter, ...selection }: UsageSelection,
): Promise<{ parent: string; count: number }[]> {
  const grouped = withProject(selection.groupBy);
  const { steps } = matchedBy({ ...selection, filter: { ...filter, projects } }, grouped);
  return orm.execute<{ parent: string; count: number }>(sql`
    ${withSteps(steps)}
    select p.external_id as parent, count(*)::float8 as count
    from (select distinct ${columnsOf(grouped)} from matched m) groups join projects p on p.id = project_id group by p.external_id`);
}

const withProject = (groupBy: readonly UsageKey[]): readonly UsageKey[] => [...new Set<UsageKey>(['PROJECT', ...groupBy])];

const listed = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** The columns of the requested keys only: Postgres would take constants for the others as selective conditions. */
function columnsOf(groupBy: readonly UsageKey[], table: SQL = sql``): SQL {
  return groupBy.length === 0 ? sql`${table}everybody` : listed(groupBy.map((key) => sql`${table}${keysInSql[key].column}`));
}

/** The keys that kept sums have. */
const ownerKeys: readonly UsageKey[] = ['PROJECT', 'USER', 'CONSUMER_TYPE'];

/**
 * The matching consumers with their keys: `matched`. For keys of place there is a row for each allocation, with its class and amount. Where only owners and
 * types are asked for, the rows are sums: one for each class, and one without a class for the number of consumers.
 */
function matchedBy({ filter }: UsageSelection, groupBy: readonly UsageKey[]) {
  const { steps, where } = consumerConditions(filter);
  const values = [sql`0 as everybody`, ...groupBy.map((key) => sql`${keysInSql[key].value} as ${keysInSql[key].column}`)];
  const shown = listed(values);
  const sameGroup = sql.join(
    [sql`true`, ...groupBy.map((key) => sql`m.${keysInSql[key].column} = page.${keysInSql[key].column}`)],
    sql` and `,
  );
  if (isOfOwners(filter) && groupBy.every((key) => ownerKeys.includes(key))) {
    return {
      steps: [
        ...steps,
        sql`matched as materialized (
          select ${shown}, c.resource_class_id, sum(c.amount) as used from ${sql.raw(usageRows)} c ${whereAll(where)}
          group by ${columnsOf(groupBy)}, c.resource_class_id having sum(c.amount) <> 0)`,
      ],
      sameGroup,
      consumerCount: sql`sum(used) filter (where resource_class_id is null)`,
      held: (consumers: SQL) => consumers,
    };
  }
  if (!groupBy.some((key) => keysInSql[key].ofPlace)) {
    return {
      steps: [...steps, sql`matched as materialized (select c.id, ${shown} from consumers c ${whereAll(where)})`],
      sameGroup,
      consumerCount: sql`count(*)`,
      held: (consumers: SQL) => sql`${consumers} join allocations a on a.consumer_id = m.id`,
    };
  }
  const byAggregate = groupBy.includes('AGGREGATE');
  return {
    steps: [
      ...steps,
      ...(byAggregate ? [sql`within as materialized (${aggregatesOfProviders})`] : []),
      sql`matched as materialized (
        select c.id, ${shown}, a.resource_class_id, a.used
        from consumers c join allocations a on a.consumer_id = c.id join resource_providers h on h.id = a.resource_provider_id
        ${byAggregate ? sql`left join within g on g.provider_id = h.id` : sql``} ${whereAll(where)})`,
    ],
    sameGroup,
    consumerCount: sql`count(distinct m.id)`,
    held: (consumers: SQL) => consumers,
  };
}

/** A provider is in its own aggregates and in those of its root, once in each. */
const aggregatesOfProviders = sql`
  select m.resource_provider_id as provider_id, m.aggregate_id from resource_provider_aggregates m
  union
  select p.id, m.aggregate_id from resource_provider_aggregates m join resource_providers p on p.root_provider_id = m.resource_provider_id`;
