// Reads providers by id, uuid, name or position in their tree: children, ancestors, descendants. Batched. Pages and filters are in provider-pages.ts.
import { asc, type SQL, sql } from 'drizzle-orm';
import type { Provider } from '../domain/provider.ts';
import { columns, providerColumns } from './schema/provider-columns.ts';
import { resourceProviders } from './schema/schema.ts';
import type { Db } from './sql/client.ts';
import { oncePerDb } from './sql/statements.ts';

const columnsOfP = providerColumns('p');

const selected = {
  ...columns,
  // Text keeps the microseconds that a Date would lose.
  createdAt: sql<string>`${columns.createdAt}`,
  updatedAt: sql<string>`${columns.updatedAt}`,
};

const prepareWhere = (name: string, condition: SQL) =>
  oncePerDb((db) => db.orm.select(selected).from(resourceProviders).where(condition).orderBy(asc(resourceProviders.name)).prepare(name));

const keys = sql.placeholder('keys');
const byIds = prepareWhere('providers_by_ids', sql`${resourceProviders.id} = any(${keys}::bigint[])`);
const byUuids = prepareWhere('providers_by_uuids', sql`${resourceProviders.uuid} = any(${keys}::uuid[])`);
const byNames = prepareWhere('providers_by_names', sql`${resourceProviders.name} = any(${keys}::text[])`);
const byParents = prepareWhere('providers_by_parents', sql`${resourceProviders.parentId} = any(${keys}::bigint[])`);

/** The providers with these ids, if they exist, by name. */
export function selectProvidersByIds(db: Db, ids: readonly number[]): Promise<Provider[]> {
  return byIds(db).execute({ keys: ids });
}

/** The providers with these canonical uuids, if they exist, by name. */
export function selectProvidersByUuids(db: Db, uuids: readonly string[]): Promise<Provider[]> {
  return byUuids(db).execute({ keys: uuids });
}

/** The providers with these names, if they exist, by name. */
export function selectProvidersByNames(db: Db, names: readonly string[]): Promise<Provider[]> {
  return byNames(db).execute({ keys: names });
}

/** The children of these providers, by name. */
export function selectChildren(db: Db, parentIds: readonly number[]): Promise<Provider[]> {
  return byParents(db).execute({ keys: parentIds });
}

/** The ancestors of each provider, from its root to its parent; `of` is the provider. */
export function selectAncestors(db: Db, ids: readonly number[]): Promise<(Provider & { of: number })[]> {
  return db.sql<(Provider & { of: number })[]>`
    with recursive above (of, id, distance) as (
      select p.id, p.parent_provider_id, 1 from resource_providers p where p.id = any(${ids as number[]}::bigint[])
      union all
      select above.of, p.parent_provider_id, above.distance + 1 from above join resource_providers p on p.id = above.id
    ) cycle of, id set is_loop using line
    select above.of::float8 as of, ${db.sql.unsafe(columnsOfP)}
    from above join resource_providers p on p.id = above.id
    where not above.is_loop
    order by above.of, above.distance desc`;
}

/**
 * The descendants of all these providers, each once, by name; down to `maxDepth` levels below each, or all when null. The given providers are
 * included only if they are descendants of others.
 */
export function selectBelow(db: Db, ids: readonly number[], maxDepth: number | null): Promise<Provider[]> {
  // Without a limit, levels are not needed. Not counting them finds a descendant of several given providers only once.
  return db.sql<Provider[]>`
    with recursive below (id, level) as (
      select p.id, 1 from resource_providers p where p.parent_provider_id = any(${ids as number[]}::bigint[])
      union
      select p.id, case when ${maxDepth}::int is null then 1 else below.level + 1 end
      from below join resource_providers p on p.parent_provider_id = below.id
      where ${maxDepth}::int is null or below.level < ${maxDepth}::int
    )
    select ${db.sql.unsafe(columnsOfP)} from resource_providers p where p.id in (select id from below) order by p.name`;
}

export async function countProviders({ sql }: Db): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::float8 as count from resource_providers`;
  return row?.count ?? 0;
}
