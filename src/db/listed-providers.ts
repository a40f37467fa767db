// Providers with the uuids of their parent and root: whole lists under a filter, and single ones. Lists have no pages: a filter that
// matches all gives all. What a filter means in SQL is in provider-filter.ts.
import { sql } from 'drizzle-orm';
import type { Db } from './client.ts';
import { whereAll } from './keyset.ts';
import { conditionsOnProvider, type ProviderConditions } from './provider-filter.ts';

export interface ListedProvider {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentUuid: string | null;
  readonly rootUuid: string;
  /** In milliseconds. */
  readonly updatedAt: number;
}

const columns = `p.uuid, p.name, p.generation::float8 as generation, parent.uuid as "parentUuid", root.uuid as "rootUuid",
  (extract(epoch from p.updated_at) * 1000)::float8 as "updatedAt"`;
const places = `left join resource_providers parent on parent.id = p.parent_provider_id join resource_providers root on root.id = p.root_provider_id`;

/** All providers that meet the conditions, oldest first. */
export async function selectListedProviders({ orm }: Db, wanted: ProviderConditions): Promise<ListedProvider[]> {
  return orm.execute<ListedProvider & Record<string, unknown>>(
    sql`select ${sql.raw(columns)} from resource_providers p ${sql.raw(places)} ${whereAll(conditionsOnProvider(wanted))} order by p.id`,
  );
}

/**
 * The provider of a canonical uuid, if there is one. Not a batch: for an array of unknown length Postgres would plan each call anew, which
 * takes several times as long as the read.
 */
export async function selectListedProvider({ sql }: Db, uuid: string): Promise<ListedProvider | undefined> {
  const [provider] = await sql<ListedProvider[]>`
    select ${sql.unsafe(columns)} from resource_providers p ${sql.unsafe(places)} where p.uuid = ${uuid}::uuid`;
  return provider;
}
