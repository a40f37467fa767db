// Reads traits: by name, of providers, and in pages. The traits of providers come as arrays, one row for each provider: a host has a hundred.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Trait } from '../domain/provider.ts';
import { standardTraits } from '../domain/standard-traits.ts';
import { traits } from './schema/schema.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { integerKey, type KeysetOrder, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';
import { oncePerDb } from './sql/statements.ts';

const byNames = oncePerDb((db) =>
  db.orm
    .select({ id: traits.id, name: traits.name })
    .from(traits)
    .where(sql`${traits.name} = any(${sql.placeholder('names')}::text[])`)
    .prepare('traits_by_names'),
);

/** The traits with these names, if they exist. */
export function selectTraitsByNames(db: Db, names: readonly string[]): Promise<Trait[]> {
  return byNames(db).execute({ names });
}

/** The traits of each provider by name, as two parallel arrays; providers without any are omitted. */
export async function selectTraitsOfProviders(
  db: Db,
  ids: readonly number[],
): Promise<{ providerId: number; ids: number[]; names: string[] }[]> {
  return db.sql<{ providerId: number; ids: number[]; names: string[] }[]>`
    select m.resource_provider_id::float8 as "providerId", array_agg(t.id::float8 order by t.name) as ids, array_agg(t.name order by t.name) as names
    from resource_provider_traits m join traits t on t.id = m.trait_id
    where m.resource_provider_id = any(${ids as number[]}::bigint[]) group by m.resource_provider_id`;
}

/** The names of the traits of each provider, sorted; providers without any are omitted. */
export async function selectTraitNamesOfProviders(db: Db, ids: readonly number[]): Promise<{ providerId: number; names: string[] }[]> {
  return db.sql<{ providerId: number; names: string[] }[]>`
    select m.resource_provider_id::float8 as "providerId", array_agg(t.name order by t.name) as names
    from resource_provider_traits m join traits t on t.id = m.trait_id
    where m.resource_provider_id = any(${ids as number[]}::bigint[]) group by m.resource_provider_id`;
}

/** The pairs of these providers and traits that exist. */
export async function selectTraitHolders(
  db: Db,
  ids: readonly number[],
  names: readonly string[],
): Promise<{ providerId: number; name: string }[]> {
  return db.sql<{ providerId: number; name: string }[]>`
    select m.resource_provider_id::float8 as "providerId", t.name
    from traits t join resource_provider_traits m on m.trait_id = t.id
    where t.name = any(${names as string[]}::text[]) and m.resource_provider_id = any(${ids as number[]}::bigint[])`;
}

/** Conditions on a trait, all of which must hold. */
export interface TraitConditions {
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  /** Whether it is standard (true) or custom (false). */
  readonly isStandard?: boolean;
  /** Whether some provider has it. */
  readonly inUse?: boolean;
}

/** A sort key of traits. */
export interface TraitSortKey {
  readonly by: 'NAME' | 'CREATED_AT';
  readonly descending: boolean;
}

/** The keyset order behind a sort; ids are given in the order of creation. */
export function orderOfTraits(sort: readonly TraitSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'NAME' ? textKey(sql`t.name`, descending, { unique: true }) : integerKey(sql`t.id`, descending, { unique: true }),
  );
  return totalOrder(keys, sql`t.id`);
}

function conditionsOnTrait({ names, nameContains, nameStartsWith, isStandard, inUse }: TraitConditions): SQL[] {
  const standard = sql`t.name = any(${sql.param(standardTraits)}::text[])`;
  const held = sql`exists (select from resource_provider_traits m where m.trait_id = t.id)`;
  return [
    ...(names ? [sql`t.name = any(${sql.param(names)}::text[])`] : []),
    ...(nameContains ? [containsText(sql`t.name`, nameContains)] : []),
    ...(nameStartsWith ? [startsWithText(sql`t.name`, nameStartsWith)] : []),
    ...(isStandard === undefined ? [] : [isStandard ? standard : sql`not ${standard}`]),
    ...(inUse === undefined ? [] : [inUse ? held : sql`not ${held}`]),
  ];
}

/** A page of the traits that meet the conditions. */
export async function selectTraitPage(
  db: Db,
  wanted: TraitConditions,
  sort: readonly TraitSortKey[],
  page: PageRequest,
): Promise<Sorted<Trait>[]> {
  const columns = sql`t.id::float8 as id, t.name`;
  const selection = { columns, from: sql`traits t`, where: conditionsOnTrait(wanted), order: orderOfTraits(sort) };
  return db.orm.execute<Sorted<Trait> & Record<string, unknown>>(pageOf(selection, page));
}

/** The number of traits that meet the conditions. */
export async function countTraits(db: Db, wanted: TraitConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from traits t ${whereAll(conditionsOnTrait(wanted))}`,
  );
  return row?.count ?? 0;
}
