// What groups of consumers hold together: one statement, hence one moment, for all rows of a page.
// Not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { type SQL, sql } from 'drizzle-orm';
import type { ConsumerFilter, Usage, UsageKey } from '../domain/allocation.ts';
import type { CursorValue, PageRequest } from '../domain/page.ts';
import { consumerConditions, withSteps } from './consumers.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';

/** Which usages: of which consumers, told apart by what, in which order. */
export interface UsageSelection {
  readonly filter: ConsumerFilter;
  /** Each at most once. Rows are ordered by the names of the keys, in this order; the group without a type comes last. */
  readonly groupBy: readonly UsageKey[];
  /** Largest amount of this class first, then by the keys. */
  readonly orderByClassId: number | null;
}

/** A usage and the amount that it was ordered by; null without such an order. */
export type UsageRow = Usage & { readonly orderAmount: number | null };

/** Where a row stands among the others: its `orderAmount`, then the name of each key. */
export function usageKey({ groupBy }: UsageSelection, row: UsageRow): readonly CursorValue[] {
  const names = { PROJECT: row.project, USER: row.user, CONSUMER_TYPE: row.consumerType };
  return [row.orderAmount, ...groupBy.map((key) => names[key])];
}

/** Whether `key` can be the usageKey of a row. */
export function isUsageKey({ groupBy, orderByClassId }: UsageSelection, [amount, ...names]: readonly CursorValue[]): boolean {
  return (
    (orderByClassId === null ? amount === null : Number.isSafeInteger(amount)) &&
    names.length === groupBy.length &&
    names.every((name, index) => typeof name === 'string' || (name === null && groupBy[index] === 'CONSUMER_TYPE'))
  );
}

/** The usages of a page and one more, or (null) of all groups. No consumers, no groups: also without keys. */
export async function selectUsages({ orm }: Db, selection: UsageSelection, page: PageRequest | null): Promise<UsageRow[]> {
  const { filter, groupBy, orderByClassId } = selection;
  const { steps, where } = consumerConditions(filter);
  const ordered = orderByClassId !== null;
  return orm.execute<UsageRow & Record<string, unknown>>(sql`
    ${withSteps([
      ...steps,
      sql`matched as materialized (select c.id, ${groupKeys(groupBy)} from consumers c ${whereAll(where)})`,
      sql`groups as (select ${keys}, count(*) as consumers from matched group by ${keys})`,
      sql`ordered_by as (
        select ${keys}, sum(a.used) as amount from matched m join allocations a on a.consumer_id = m.id
        where a.resource_class_id = ${orderByClassId}::integer group by ${keys}
      )`,
      sql`page as materialized (
        select ${keys}, consumers, p.external_id as project, u.external_id as "user", t.name as type, ${ordered ? amount : sql`null`} as order_amount,
               row_number() over (order by ${orderColumns(selection)}) as place
        from groups
        ${ordered ? sql`left join ordered_by using (${keys})` : sql``}
        left join projects p on p.id = project_id left join users u on u.id = user_id left join consumer_types t on t.id = type_id
        ${page?.key ? sql`where ${behind(selection, page.key)}` : sql``}
        order by place ${page ? sql`limit ${page.size + 1}` : sql``}
      )`,
      sql`amounts as (
        select place, a.resource_class_id, sum(a.used) as amount
        from page join matched m on ${sameGroup(groupBy)} join allocations a on a.consumer_id = m.id
        group by place, a.resource_class_id
      )`,
    ])}
    select page.project, page."user", page.type as "consumerType", page.consumers::float8 as "consumerCount",
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
export async function countUsages({ orm }: Db, { filter, groupBy }: UsageSelection): Promise<number> {
  const { steps, where } = consumerConditions(filter);
  const [row] = await orm.execute<{ count: number }>(sql`
    ${withSteps(steps)}
    select count(*)::float8 as count from (select distinct ${groupKeys(groupBy)} from consumers c ${whereAll(where)}) groups`);
  return row?.count ?? 0;
}

const keys = sql`project_id, user_id, type_id`;
const amount = sql`coalesce(ordered_by.amount, 0)`;

/** What consumers `c` are grouped by; 0 stands for no type and for a key that was not asked for: keys are never null. */
function groupKeys(groupBy: readonly UsageKey[]): SQL {
  const asked = (key: UsageKey, column: SQL) => (groupBy.includes(key) ? column : sql`0::bigint`);
  return sql`${asked('PROJECT', sql`c.project_id`)} as project_id, ${asked('USER', sql`c.user_id`)} as user_id,
    ${asked('CONSUMER_TYPE', sql`coalesce(c.consumer_type_id, 0)`)} as type_id`;
}

const idColumns: Record<UsageKey, SQL> = { PROJECT: sql`project_id`, USER: sql`user_id`, CONSUMER_TYPE: sql`type_id` };

/** Only the keys that were asked for are compared: Postgres would take the constant others for conditions that leave few rows. */
function sameGroup(groupBy: readonly UsageKey[]): SQL {
  return sql.join([sql`true`, ...groupBy.map((key) => sql`m.${idColumns[key]} = page.${idColumns[key]}`)], sql` and `);
}

const nameColumns: Record<UsageKey, SQL> = {
  PROJECT: sql`p.external_id`,
  USER: sql`u.external_id`,
  CONSUMER_TYPE: sql`t.name is null, coalesce(t.name, '')`,
};

function orderColumns({ groupBy, orderByClassId }: UsageSelection): SQL {
  const columns = [...(orderByClassId === null ? [] : [sql`${amount} desc`]), ...groupBy.map((key) => nameColumns[key])];
  return columns.length === 0 ? sql`consumers` : sql.join(columns, sql`, `);
}

function behind({ groupBy, orderByClassId }: UsageSelection, [lastAmount, ...lastNames]: readonly CursorValue[]): SQL {
  const bounds = lastNames.map((name, index) =>
    groupBy[index] === 'CONSUMER_TYPE' ? sql`${name === null}, ${name ?? ''}::text` : sql`${name}::text`,
  );
  const tied =
    groupBy.length === 0
      ? sql`false`
      : sql`(${sql.join(
          groupBy.map((key) => nameColumns[key]),
          sql`, `,
        )}) > (${sql.join(bounds, sql`, `)})`;
  if (orderByClassId === null) return tied;
  return sql`(${amount} < ${lastAmount}::numeric or (${amount} = ${lastAmount}::numeric and ${tied}))`;
}
