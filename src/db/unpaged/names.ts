// Complete lists of the names of traits and resource classes in the order of creation: standard ones first.

import type { NamePart } from '../../domain/unpaged.ts';
import type { Db } from '../sql/client.ts';

/** Conditions on traits; null for none. */
export interface TraitListConditions {
  readonly names: readonly string[] | null;
  readonly prefix: string | null;
  /** Some provider has it (true), none has it (false). */
  readonly inUse: boolean | null;
}

/** The traits that meet the conditions. */
export async function selectTraitList({ sql }: Db, { names, prefix, inUse }: TraitListConditions): Promise<NamePart[]> {
  return sql<NamePart[]>`
    select t.name, (extract(epoch from t.updated_at) * 1000)::float8 as "updatedAt"
    from traits t
    where (${names as string[] | null}::text[] is null or t.name = any(${names as string[] | null}::text[]))
      and (${prefix}::text is null or starts_with(t.name, ${prefix}::text))
      and (${inUse}::boolean is null or ${inUse}::boolean = exists (select from resource_provider_traits m where m.trait_id = t.id))
    order by t.id`;
}

/** All classes, or those of the names that exist. */
export async function selectResourceClassList({ sql }: Db, names: readonly string[] | null): Promise<NamePart[]> {
  return sql<NamePart[]>`
    select rc.name, (extract(epoch from rc.updated_at) * 1000)::float8 as "updatedAt"
    from resource_classes rc
    where (${names as string[] | null}::text[] is null or rc.name = any(${names as string[] | null}::text[]))
    order by rc.id`;
}
