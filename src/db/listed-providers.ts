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

const updatedAt = `date_part('epoch', p.updated_at) * 1000`;
const columns = `p.uuid, p.name, p.generation::float8 as generation, parent.uuid as "parentUuid", root.uuid as "rootUuid", ${updatedAt} as "updatedAt"`;
const places = `left join resource_providers parent on parent.id = p.parent_provider_id join resource_providers root on root.id = p.root_provider_id`;

type ListedRow = readonly [uuid: string, name: string, generation: number, parentUuid: string | null, rootUuid: string, updatedAt: number];

/** All providers that meet the conditions, oldest first. */
export async function selectListedProviders({ orm }: Db, wanted: ProviderConditions): Promise<ListedProvider[]> {
  // One value for all: a driver takes several times as long to read the same as rows.
  const rows = sql.raw(`json_agg(json_build_array(p.uuid, p.name, p.generation, parent.uuid, root.uuid, ${updatedAt}) order by p.id)`);
  const [found] = await orm.execute<{ providers: ListedRow[] | null }>(
    sql`select ${rows} as providers from resource_providers p ${sql.raw(places)} ${whereAll(conditionsOnProvider(wanted))}`,
  );
  return (found?.providers ?? []).map(([uuid, name, generation, parentUuid, rootUuid, updated]) => ({
    uuid,
    name,
    generation,
    parentUuid,
    rootUuid,
    updatedAt: updated,
  }));
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
