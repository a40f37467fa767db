// What groups of consumers hold together: one statement, hence one moment, for all rows of a page.
// Not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { ConsumerFilter, Usage, UsageKey } from '../domain/allocation.ts';
import type { CursorValue, PageRequest } from '../domain/page.ts';
import { consumerConditions, withSteps } from './consumer-filter.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';

/** Which usages: of which consumers, told apart by what, in which order. */
export interface UsageSelection {
  readonly filter: ConsumerFilter;
  /** Each at most once. Rows are ordered by the names of the keys, in this order; the group without a type or aggregate comes last. */
  readonly groupBy: readonly UsageKey[];
  /** By the amount of this class first, then by the keys. */
  readonly orderByClassId: number | null;
  /** Whether the largest amount comes first. */
  readonly descending: boolean;
}

/** A usage, the amount that it was ordered by (null without such an order), and the names of its keys in their order. */
export type UsageRow = Usage & { readonly orderAmount: number | null; readonly keyNames: readonly (string | null)[] };

/** A key in SQL. */
interface Key {
  /** The column of the groups. */
  readonly column: SQL;
  /** Its value for a consumer `c`, what it holds on a provider `h`, and an aggregate `g` of that; 0 stands for none. */
  readonly value: SQL;
  /** Told apart by where something is held: a consumer may be in several groups. */
  readonly ofPlace: boolean;
  /** The row behind the column. */
  readonly named: SQL;
  readonly name: SQL;
  /** Whether there is a group without it. */
  readonly optional: boolean;
}

const keysInSql: Record<UsageKey, Key> = {
  PROJECT: {
    column: sql`project_id`,
    value: sql`c.project_id`,
    ofPlace: false,
    named: sql`projects p on p.id = project_id`,
    name: sql`p.external_id`,
    optional: false,
  },
  USER: {
    column: sql`user_id`,
    value: sql`c.user_id`,
    ofPlace: false,
    named: sql`users u on u.id = user_id`,
    name: sql`u.external_id`,
    optional: false,
  },
  CONSUMER_TYPE: {
    column: sql`type_id`,
    value: sql`coalesce(c.consumer_type_id, 0)`,
    ofPlace: false,
    named: sql`consumer_types t on t.id = type_id`,
    name: sql`t.name`,
    optional: true,
  },
  CONSUMER: {
    column: sql`holder_id`,
    value: sql`c.id`,
    ofPlace: false,
    named: sql`consumers holder on holder.id = holder_id`,
    name: sql`holder.uuid::text`,
    optional: false,
  },
  RESOURCE_PROVIDER: {
    column: sql`provider_id`,
    value: sql`h.id`,
    ofPlace: true,
    named: sql`resource_providers rp on rp.id = provider_id`,
    name: sql`rp.name`,
    optional: false,
  },
  ROOT: {
    column: sql`root_id`,
    value: sql`h.root_provider_id`,
    ofPlace: true,
    named: sql`resource_providers root on root.id = root_id`,
    name: sql`root.name`,
    optional: false,
  },
  AGGREGATE: {
    column: sql`aggregate_id`,
    value: sql`coalesce(g.aggregate_id, 0)`,
    ofPlace: true,
    named: sql`placement_aggregates ag on ag.id = aggregate_id`,
    name: sql`ag.uuid::text`,
    optional: true,
  },
};

/** Where a row stands among the others: its `orderAmount`, then the name of each key. */
export function usageKey({ orderAmount, keyNames }: UsageRow): readonly CursorValue[] {
  return [orderAmount, ...keyNames];
}

/** Whether `key` can be the usageKey of a row. */
export function isUsageKey({ groupBy, orderByClassId }: UsageSelection, [amount, ...names]: readonly CursorValue[]): boolean {
  return (
    (orderByClassId === null ? amount === null : Number.isSafeInteger(amount)) &&
    names.length === groupBy.length &&
    groupBy.every((key, index) => typeof names[index] === 'string' || (names[index] === null && keysInSql[key].optional))
  );
}

/** The usages of a page and one more, or (null) of all groups. No consumers, no groups: also without keys. */
export async function selectUsages({ orm }: Db, selection: UsageSelection, page: PageRequest | null): Promise<UsageRow[]> {
  const { groupBy, orderByClassId } = selection;
  const ordered = orderByClassId !== null;
  const keys = columnsOf(groupBy);
  const { steps, held, sameGroup } = matchedBy(selection);
  const asked = (key: UsageKey, shown: SQL, type: SQL) => (groupBy.includes(key) ? shown : sql`null::${type}`);
  return orm.execute<UsageRow & Record<string, unknown>>(sql`
    ${withSteps([
      ...steps,
      sql`groups as (select ${keys}, count(distinct m.id) as consumers from matched m group by ${keys})`,
      sql`ordered_by as (
        select ${keys}, sum(used) as amount from ${held(sql`matched m`)} where resource_class_id = ${orderByClassId}::integer group by ${keys}
      )`,
      sql`page as materialized (
        select ${keys}, consumers, ${ordered ? amount : sql`null`} as order_amount,
               ${asked('PROJECT', sql`p.external_id`, sql`text`)} as project, ${asked('USER', sql`u.external_id`, sql`text`)} as "user",
               ${asked('CONSUMER_TYPE', sql`t.name`, sql`text`)} as type, ${asked('CONSUMER', sql`holder.uuid`, sql`uuid`)} as consumer_uuid,
               ${asked('RESOURCE_PROVIDER', sql`provider_id::float8`, sql`float8`)} as "providerId",
               ${asked('ROOT', sql`root_id::float8`, sql`float8`)} as "rootId",
               ${asked('AGGREGATE', sql`ag.uuid`, sql`uuid`)} as aggregate_uuid,
               jsonb_build_array(${sql.join(
                 groupBy.map((key) => keysInSql[key].name),
                 sql`, `,
               )}) as names,
               row_number() over (order by ${orderColumns(selection)}) as place
        from groups
        ${ordered ? sql`left join ordered_by using (${keys})` : sql``}
        ${sql.join(
          groupBy.map((key) => sql`left join ${keysInSql[key].named}`),
          sql` `,
        )}
        ${page?.key ? sql`where ${behind(selection, page.key)}` : sql``}
        order by place ${page ? sql`limit ${page.size + 1}` : sql``}
      )`,
      sql`amounts as (
        select place, resource_class_id, sum(used) as amount from ${held(sql`page join matched m on ${sameGroup}`)} group by place, resource_class_id
      )`,
    ])}
    select page.project, page."user", page.type as "consumerType", page.consumer_uuid as "consumerUuid", page."providerId", page."rootId",
           page.aggregate_uuid as "aggregateUuid", page.consumers::float8 as "consumerCount", page.names as "keyNames",
           page.order_amount::float8 as "orderAmount", coalesce(held.resources, '[]') as resources
    from page
    left join (
      select place, jsonb_agg(
        jsonb_build_object('resourceClass', jsonb_build_object('id', rc.id, 'name', rc.name), 'amount', amounts.amount) order by rc.id
      ) as resources
      from amounts join resource_classes rc on rc.id = amounts.resource_class_id
      group by place
    ) held using (place)
    order by place`);
}

/** How many groups there are. */
export async function countUsages({ orm }: Db, selection: UsageSelection): Promise<number> {
  const keys = columnsOf(selection.groupBy);
  const [row] = await orm.execute<{ count: number }>(sql`
    ${withSteps(matchedBy(selection).steps)}
    select count(*)::float8 as count from (select distinct ${keys} from matched m) groups`);
  return row?.count ?? 0;
}

const amount = sql`coalesce(ordered_by.amount, 0)`;

/** The columns of the keys that were asked for: constant others Postgres would take for conditions that leave few rows. */
function columnsOf(groupBy: readonly UsageKey[]): SQL {
  return groupBy.length === 0
    ? sql`everybody`
    : sql.join(
        groupBy.map((key) => keysInSql[key].column),
        sql`, `,
      );
}

/** The consumers that match, with their keys: `matched`. Of keys of place a row for each thing that is held, with its class and amount. */
function matchedBy({ filter, groupBy }: UsageSelection) {
  const { steps, where } = consumerConditions(filter);
  const values = [sql`0 as everybody`, ...groupBy.map((key) => sql`${keysInSql[key].value} as ${keysInSql[key].column}`)];
  const shown = sql.join(values, sql`, `);
  const sameGroup = sql.join(
    [sql`true`, ...groupBy.map((key) => sql`m.${keysInSql[key].column} = page.${keysInSql[key].column}`)],
    sql` and `,
  );
  if (!groupBy.some((key) => keysInSql[key].ofPlace)) {
    return {
      steps: [...steps, sql`matched as materialized (select c.id, ${shown} from consumers c ${whereAll(where)})`],
      sameGroup,
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
    held: (consumers: SQL) => consumers,
  };
}

/** A provider is in its own aggregates and in those of its root, in each once. */
const aggregatesOfProviders = sql`
  select m.resource_provider_id as provider_id, m.aggregate_id from resource_provider_aggregates m
  union
  select p.id, m.aggregate_id from resource_provider_aggregates m join resource_providers p on p.root_provider_id = m.resource_provider_id`;

/** Those without a name behind all others. */
const placed = (isNull: SQL, name: SQL, { optional }: Key) => (optional ? sql`${isNull}, coalesce(${name}, '')` : name);

function orderColumns({ groupBy, orderByClassId, descending }: UsageSelection): SQL {
  const names = groupBy.map((key) => placed(sql`${keysInSql[key].name} is null`, keysInSql[key].name, keysInSql[key]));
  const columns = [...(orderByClassId === null ? [] : [descending ? sql`${amount} desc` : amount]), ...names];
  return columns.length === 0 ? sql`consumers` : sql.join(columns, sql`, `);
}

function behind({ groupBy, orderByClassId, descending }: UsageSelection, [lastAmount, ...lastNames]: readonly CursorValue[]): SQL {
  const names = groupBy.map((key) => placed(sql`${keysInSql[key].name} is null`, keysInSql[key].name, keysInSql[key]));
  const bounds = groupBy.map((key, index) => {
    const last = lastNames[index] ?? null;
    return placed(sql`${last === null}::boolean`, sql`${last}::text`, keysInSql[key]);
  });
  const tied = groupBy.length === 0 ? sql`false` : sql`(${sql.join(names, sql`, `)}) > (${sql.join(bounds, sql`, `)})`;
  if (orderByClassId === null) return tied;
  return sql`(${amount} ${descending ? sql`<` : sql`>`} ${lastAmount}::numeric or (${amount} = ${lastAmount}::numeric and ${tied}))`;
}
