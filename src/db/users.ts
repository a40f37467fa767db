// Users who ever made a consumer: reads. Keystone knows the rest of them.
import type { Db } from './sql/client.ts';

/** Those of the external ids that are known, in no order. */
export async function selectUsersByExternalIds({ sql }: Db, externalIds: readonly string[]): Promise<{ externalId: string }[]> {
  return sql<{ externalId: string }[]>`select external_id as "externalId" from users where external_id = any(${externalIds}::text[])`;
}
