// Conditions on providers in SQL. Names are resolved to ids by a separate statement first: only with the id of a trait can Postgres
// estimate how many providers have it. Every condition is on a provider `p`. Refuses nothing.
import { type SQL, sql } from 'drizzle-orm';
import type { Range } from '../domain/range.ts';
import {
  type ClassIdRange,
  type Membership,
  type OfColumns,
  ofColumns,
  type ProviderConditions,
  type ScopedConditions,
} from '../domain/trees/provider-conditions.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { allOf, anyOf } from './sql/filter-groups.ts';

/** The names in a filter. */
export interface FilterNames {
  readonly traits: readonly string[];
  readonly resourceClasses: readonly string[];
  readonly aggregates: readonly string[];
  /** Uuids of providers whose trees are meant. */
  readonly treeMembers: readonly string[];
}

/** The ids of those names that exist; for a member of a tree the id of its root. */
export type FilterIds = { readonly [Noun in keyof FilterNames]: ReadonlyMap<string, number> };

/** Finds the ids of all names in a filter. */
export async function selectFilterIds(db: Db, names: FilterNames): Promise<FilterIds> {
  const rows = await db.sql<{ noun: keyof FilterNames; name: string; id: number }[]>`
    select 'traits' as noun, name, id::float8 as id from traits where name = any(${names.traits as string[]}::text[])
    union all
    select 'resourceClasses', name, id from resource_classes where name = any(${names.resourceClasses as string[]}::text[])
    union all
    select 'aggregates', uuid::text, id from placement_aggregates where uuid = any(${names.aggregates as string[]}::uuid[])
    union all
    select 'treeMembers', uuid::text, root_provider_id from resource_providers where uuid = any(${names.treeMembers as string[]}::uuid[])`;
  const idsOf = (noun: keyof FilterNames) => new Map(rows.filter((row) => row.noun === noun).map(({ name, id }) => [name, id]));
  return {
    traits: idsOf('traits'),
    resourceClasses: idsOf('resourceClasses'),
    aggregates: idsOf('aggregates'),
    treeMembers: idsOf('treeMembers'),
  };
}

/** The conditions, to be ANDed. */
export function conditionsOnProvider(wanted: ProviderConditions): SQL[] {
  const conditions: SQL[] = [];
  if (wanted.ids) conditions.push(isOneOf(wanted.ids));
  if (wanted.counted) conditions.push(wanted.counted.areMeant ? isOneOf(wanted.counted.ids) : sql`not ${isOneOf(wanted.counted.ids)}`);
  conditions.push(...ofColumns(wanted, conditionOn));
  if (wanted.rootIds) conditions.push(sql`p.root_provider_id = any(${sql.param(wanted.rootIds)}::bigint[])`);
  conditions.push(...conditionsOnMembership(itself, wanted.ownTraits, 'resource_provider_traits', 'trait_id'));
  conditions.push(...conditionsInScope(placeOf(wanted), wanted.scoped));
  conditions.push(...wanted.and.flatMap(conditionsOnProvider));
  if (wanted.or) conditions.push(anyOf(wanted.or.map((alternative) => allOf(conditionsOnProvider(alternative)))));
  if (wanted.not) conditions.push(sql`not ${allOf(conditionsOnProvider(wanted.not))}`);
  return conditions;
}

/** Conditions on a column that may be null must be false where it is, like those in memory. */
const conditionOn: OfColumns<SQL> = {
  uuids: (uuids) => sql`p.uuid = any(${sql.param(uuids)}::uuid[])`,
  names: (names) => sql`p.name = any(${sql.param(names)}::text[])`,
  nameContains: (text) => containsText(sql`p.name`, text),
  nameStartsWith: (text) => startsWithText(sql`p.name`, text),
  isRoot: (isRoot) => (isRoot ? sql`p.parent_provider_id is null` : sql`p.parent_provider_id is not null`),
  createdAfter: (moment) => sql`p.created_at > ${moment}::timestamptz`,
  createdBefore: (moment) => sql`p.created_at < ${moment}::timestamptz`,
};

/** More ids than this become a bit set: a page among 100,000 takes 140 ms with a list, 3 ms with the set. */
const maxListLength = 1000;

/** Whether `p` has one of these ids. */
function isOneOf(ids: readonly number[]): SQL {
  const largest = ids.reduce((max, id) => Math.max(max, id), 0);
  // Sparse ids are shorter as a list.
  if (ids.length <= maxListLength || largest > 64 * ids.length) return sql`p.id = any(${sql.param(ids)}::bigint[])`;
  const bits = new Uint8Array((largest >> 3) + 1);
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
  // Within `case` Postgres assumes a selectivity of one half, and scans the order until the page is full.
  return sql`case when p.id <= ${largest}::bigint
    then get_bit(decode(${Buffer.from(bits).toString('base64')}, 'base64'), p.id) = 1 else false end`;
}

/** What a condition applies to: `p` itself, or it and its descendants. */
interface Place {
  /** Whether a row `x` of a table that belongs to one of these providers meets a condition. */
  readonly has: (table: SQL, condition: SQL) => SQL;
  /** Whether the last write of any of them satisfies a comparison. */
  readonly isAnyUpdated: (comparison: SQL) => SQL;
  /** Whether the sums "used" and "capacity" of a class meet a condition. */
  readonly isSum: (classId: number, condition: SQL) => SQL;
}

const sums = sql`least(sum(x.used), 9007199254740991)::float8 as used, least(sum(x.capacity), 9007199254740991)::float8 as capacity`;
const ofClass = (classId: number) => sql`x.resource_class_id = ${classId}::int`;

const itself: Place = {
  has: (table, condition) => sql`exists (select from ${table} x where x.resource_provider_id = p.id and ${condition})`,
  isAnyUpdated: (comparison) => sql`p.updated_at ${comparison}`,
  isSum: (classId, condition) =>
    sql`exists (select from inventories x where x.resource_provider_id = p.id and ${ofClass(classId)} and ${condition})`,
};

// The matching providers, with their ancestors, are computed once per statement: within `or` and `not`, a search below each provider of the list
// would run once for each.
const isAmong = (providers: SQL) => sql`exists (select from (${providers}) found where found.id = p.id)`;

const treeOfRoot: Place = {
  has: (table, condition) =>
    isAmong(
      sql`select m.root_provider_id as id from ${table} x join resource_providers m on m.id = x.resource_provider_id where ${condition}`,
    ),
  isAnyUpdated: (comparison) => isAmong(sql`select m.root_provider_id as id from resource_providers m where m.updated_at ${comparison}`),
  isSum: (classId, condition) =>
    isAmong(sql`
      select id from (
        select m.root_provider_id as id, ${sums} from inventories x join resource_providers m on m.id = x.resource_provider_id
        where ${ofClass(classId)} group by m.root_provider_id
      ) summed where ${condition}`),
};

const treeOfAnyone: Place = {
  has: (table, condition) => isAtOrAbove(sql`select x.resource_provider_id from ${table} x where ${condition}`),
  isAnyUpdated: (comparison) => isAtOrAbove(sql`select m.id from resource_providers m where m.updated_at ${comparison}`),
  isSum: (classId, condition) => sql`p.id in (select unnest(array(
    with recursive line (id, used, capacity) as (
      select x.resource_provider_id, x.used, x.capacity from inventories x where ${ofClass(classId)}
      union all
      select m.parent_provider_id, line.used, line.capacity from line join resource_providers m on m.id = line.id where m.parent_provider_id is not null
    )
    select id from (select x.id, ${sums} from line x group by x.id) summed where ${condition})))`,
};

/** Through an array, because Postgres estimates far too many rows for a recursion, and would not hash them. */
function isAtOrAbove(providers: SQL): SQL {
  return sql`p.id in (select unnest(array(
    with recursive line (id) as (
      ${providers}
      union
      select m.parent_provider_id from line join resource_providers m on m.id = line.id where m.parent_provider_id is not null
    )
    select id from line)))`;
}

function placeOf({ scope, isRoot }: ProviderConditions): Place {
  if (scope === 'PROVIDER') return itself;
  return isRoot ? treeOfRoot : treeOfAnyone;
}

function conditionsInScope(place: Place, scoped: ScopedConditions): SQL[] {
  const hasInventory = (condition: SQL) => place.has(sql`inventories`, condition);
  const { overCapacity, hasConsumers, updatedAfter, updatedBefore } = scoped;
  const conditions = [
    ...conditionsOnMembership(place, scoped.traits, 'resource_provider_traits', 'trait_id'),
    ...conditionsOnMembership(place, scoped.aggregates, 'resource_provider_aggregates', 'aggregate_id'),
    ...scoped.classIds.map((id) => hasInventory(sql`x.resource_class_id = ${id}::int`)),
    // The rule `fits` of domain/inventory.ts. The remainder is compared with `< 1` instead of `= 0`: Postgres considers equality selective, and would
    // read all inventories of the class instead of scanning the order until the page is full.
    ...scoped.fits.map(({ classId, amount }) => {
      const n = sql`${amount}::bigint`;
      return hasInventory(sql`x.resource_class_id = ${classId}::int and x.used + x.promised + ${n} <= x.capacity
        and ${n} between x.min_unit and x.max_unit and ${n} % x.step_size < 1`);
    }),
  ];
  conditions.push(
    ...scoped.utilizations.map(({ classId, ...range }) =>
      place.isSum(classId, sql`capacity <> 0 and ${isWithin(sql`(used::float8 / nullif(capacity, 0)::float8)`, range)}`),
    ),
    ...scoped.allocationRatios.map(({ classId, ...range }: ClassIdRange) =>
      hasInventory(sql`x.resource_class_id = ${classId}::int and ${isWithin(sql`x.allocation_ratio`, range)}`),
    ),
  );
  if (overCapacity !== undefined) {
    // Few providers are over capacity, which Postgres cannot know: they are found first, instead of scanning the order.
    const isOver =
      overCapacity && place === itself
        ? sql`p.id = any(array(select i.resource_provider_id from inventories i where i.used > i.capacity))`
        : hasInventory(sql`x.used > x.capacity`);
    conditions.push(overCapacity ? isOver : sql`not ${isOver}`);
  }
  // An allocation is at least 1.
  if (hasConsumers !== undefined) conditions.push(sql`${hasConsumers ? sql`` : sql`not`} ${hasInventory(sql`x.used > 0`)}`);
  if (updatedAfter) conditions.push(place.isAnyUpdated(sql`> ${updatedAfter}::timestamptz`));
  if (updatedBefore) conditions.push(sql`not ${place.isAnyUpdated(sql`>= ${updatedBefore}::timestamptz`)}`);
  return conditions;
}

/** domain/range.ts in SQL. */
function isWithin(value: SQL, { is, isNot, above, atLeast, below, atMost }: Range): SQL {
  const compared: readonly (readonly [SQL, number | undefined])[] = [
    [sql`=`, is],
    [sql`<>`, isNot],
    [sql`>`, above],
    [sql`>=`, atLeast],
    [sql`<`, below],
    [sql`<=`, atMost],
  ];
  return allOf(compared.flatMap(([comparison, bound]) => (bound === undefined ? [] : [sql`${value} ${comparison} ${bound}::float8`])));
}

/**
 * The number of conditions that may become joins, from which a plan may start; planning time grows fast with more, so the others are only filters.
 */
const joinsAtMost = 6;

function conditionsOnMembership(
  place: Place,
  { allOf: all, anyOf: alternatives, noneOf }: Membership,
  table: string,
  column: string,
): SQL[] {
  const isOneOf = (ids: readonly number[]) =>
    place.has(sql`${sql.identifier(table)}`, sql`x.${sql.identifier(column)} = any(${sql.param(ids)}::bigint[])`);
  const required = [...[...new Set(all)].map((id) => [id]), ...alternatives];
  const joined = required.slice(0, joinsAtMost).map(isOneOf);
  const sifted = required.slice(joinsAtMost).map(isOneOf);
  return [
    ...joined,
    // Within `case` nothing becomes a join, and all of it counts with a selectivity of one half: the planner does not multiply the selectivities of
    // correlated traits.
    ...(sifted.length > 0 ? [sql`case when ${sql.join(sifted, sql` and `)} then true else false end`] : []),
    ...(noneOf.length > 0 ? [sql`not ${isOneOf(noneOf)}`] : []),
  ];
}
