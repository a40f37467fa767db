// Conditions on providers in SQL. Names are resolved to ids by one statement first: only with the id of a trait at hand can Postgres
// know how many providers have it. Every condition speaks of a provider `p`. Decides nothing about what is refused.
import { type SQL, sql } from 'drizzle-orm';
import type { Membership, ProviderConditions } from '../domain/provider-conditions.ts';
import type { Db } from './sql/client.ts';

/** What a filter names. */
export interface FilterNames {
  readonly traits: readonly string[];
  readonly resourceClasses: readonly string[];
  readonly aggregates: readonly string[];
  /** Uuids of members of trees. */
  readonly treeMembers: readonly string[];
}

/** The ids of those names that exist; of a member of a tree the id of its root. */
export type FilterIds = { readonly [Noun in keyof FilterNames]: ReadonlyMap<string, number> };

/** Finds the ids of everything that a filter names. */
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
  if (wanted.uuids) conditions.push(sql`p.uuid = any(${sql.param(wanted.uuids)}::uuid[])`);
  if (wanted.names) conditions.push(sql`p.name = any(${sql.param(wanted.names)}::text[])`);
  if (wanted.rootIds) conditions.push(sql`p.root_provider_id = any(${sql.param(wanted.rootIds)}::bigint[])`);
  if (wanted.isRoot !== undefined)
    conditions.push(wanted.isRoot ? sql`p.parent_provider_id is null` : sql`p.parent_provider_id is not null`);
  conditions.push(...conditionsOnMembership(wanted.traits, 'resource_provider_traits', 'trait_id'));
  conditions.push(...conditionsOnMembership(wanted.aggregates, 'resource_provider_aggregates', 'aggregate_id'));
  conditions.push(...wanted.classIds.map((id) => hasInventory(sql`i.resource_class_id = ${id}::int`)));
  // The rule `fits` of domain/inventory.ts. A remainder below 1 rather than 0: Postgres takes equality for rare, and would read every
  // inventory of the class instead of walking along the list until the page is full.
  conditions.push(
    ...wanted.fits.map(({ classId, amount }) => {
      const n = sql`${amount}::bigint`;
      return hasInventory(sql`i.resource_class_id = ${classId}::int and i.used + ${n} <= i.capacity
        and ${n} between i.min_unit and i.max_unit and ${n} % i.step_size < 1`);
    }),
  );
  if (wanted.overCapacity !== undefined) {
    // Those over capacity are few, which Postgres cannot know: they are found first, not by walking along the list.
    conditions.push(
      wanted.overCapacity
        ? sql`p.id = any(array(select i.resource_provider_id from inventories i where i.used > i.capacity))`
        : sql`not ${hasInventory(sql`i.used > i.capacity`)}`,
    );
  }
  if (wanted.nameContains) conditions.push(sql`position(lower(${wanted.nameContains}::text) in lower(p.name)) > 0`);
  return conditions;
}

const hasInventory = (condition: SQL): SQL => sql`exists (select from inventories i where i.resource_provider_id = p.id and ${condition})`;

/** So many conditions become joins, from which Postgres may start; the time of planning rises fast with more, which only sift. */
const joinsAtMost = 6;

function conditionsOnMembership({ allOf, anyOf, noneOf }: Membership, table: string, column: string): SQL[] {
  const [members, member] = [sql.identifier(table), sql.identifier(column)];
  const isOneOf = (ids: readonly number[]) =>
    sql`exists (select from ${members} m where m.resource_provider_id = p.id and m.${member} = any(${sql.param(ids)}::bigint[]))`;
  const required = [...[...new Set(allOf)].map((id) => [id]), ...anyOf];
  const joined = required.slice(0, joinsAtMost).map(isOneOf);
  const sifted = required.slice(joinsAtMost).map(isOneOf);
  return [
    ...joined,
    // Inside of `case` nothing becomes a join, and together they count as one even chance: traits that go together are not taken for rare.
    ...(sifted.length > 0 ? [sql`case when ${sql.join(sifted, sql` and `)} then true else false end`] : []),
    ...(noneOf.length > 0 ? [sql`not ${isOneOf(noneOf)}`] : []),
  ];
}
