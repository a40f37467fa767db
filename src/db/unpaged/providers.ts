// Reads a provider with the uuids of its parent and root.
import type { ListedProvider } from '../../domain/unpaged.ts';
import type { Db } from '../sql/client.ts';

const columnOf: Readonly<Record<keyof ListedProvider, string>> = {
  uuid: 'p.uuid',
  name: 'p.name',
  generation: 'p.generation::float8',
  parentUuid: 'parent.uuid',
  rootUuid: 'root.uuid',
  updatedAt: `date_part('epoch', p.updated_at) * 1000`,
};
const columns = Object.entries(columnOf)
  .map(([field, column]) => `${column} as "${field}"`)
  .join(', ');
const places = `left join resource_providers parent on parent.id = p.parent_provider_id join resource_providers root on root.id = p.root_provider_id`;

/**
 * The provider with a canonical uuid, if it exists. Not a batch: for an array of unknown length Postgres would plan each call again, which takes
 * several times as long as the read.
 */
export async function selectListedProvider({ sql }: Db, uuid: string): Promise<ListedProvider | undefined> {
  const [provider] = await sql<ListedProvider[]>`
    select ${sql.unsafe(columns)} from resource_providers p ${sql.unsafe(places)} where p.uuid = ${uuid}::uuid`;
  return provider;
}
