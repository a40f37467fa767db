// Reads traits: by name, and of providers. Their pages are in names.ts. The traits of providers come as arrays, one row for each provider: a host has a hundred.
import { sql } from 'drizzle-orm';
import type { Trait } from '../domain/provider.ts';
import { traits } from './schema/schema.ts';
import type { Db } from './sql/client.ts';
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
