// Reads users who created consumers. Keystone manages the users themselves.
import type { Db } from './sql/client.ts';

/** The users with these external ids, if known, unordered. */
export async function selectUsersByExternalIds({ sql }: Db, externalIds: readonly string[]): Promise<{ externalId: string }[]> {
  return sql<{ externalId: string }[]>`select external_id as "externalId" from users where external_id = any(${externalIds}::text[])`;
}
