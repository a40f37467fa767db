// Projects that consumers ever belonged to: reads. Keystone knows the rest of them.
import { sql } from 'drizzle-orm';
import type { PageRequest } from '../domain/page.ts';
import type { Db } from './sql/client.ts';
import type { KeysetOrder } from './sql/keyset.ts';

/** By external id. */
export const projectOrder: KeysetOrder = {
  value: sql`external_id`,
  descending: false,
  nullable: false,
  tie: null,
  key: 'text',
  bound: (externalId) => sql`${externalId}::text`,
};

/** The external ids of a page of projects and one more, in order. */
export async function selectProjects({ sql }: Db, page: PageRequest): Promise<{ externalId: string }[]> {
  const [after = ''] = page.key ?? [];
  return sql<{ externalId: string }[]>`
    select external_id as "externalId" from projects where external_id > ${after} order by external_id limit ${page.size + 1}`;
}

/** How many projects there are. */
export async function countProjects({ sql }: Db): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::float8 as count from projects`;
  return row?.count ?? 0;
}

/** Those of the external ids that are known, in no order. */
export async function selectProjectsByExternalIds({ sql }: Db, externalIds: readonly string[]): Promise<{ externalId: string }[]> {
  return sql<{ externalId: string }[]>`select external_id as "externalId" from projects where external_id = any(${externalIds}::text[])`;
}
