// Reads users who created consumers. Keystone manages the users themselves.
import type { Db } from './sql/client.ts';

/** The users with these external ids, if known, unordered; with a project, those of its consumers. */
export async function selectUsersByExternalIds(
  { sql }: Db,
  externalIds: readonly string[],
  project: string | null,
): Promise<{ externalId: string }[]> {
  const ofProject = sql`
    and exists (select from consumers c join projects p on p.id = c.project_id where c.user_id = u.id and p.external_id = ${project})`;
  return sql<{ externalId: string }[]>`
    select u.external_id as "externalId" from users u where u.external_id = any(${externalIds}::text[]) ${project === null ? sql`` : ofProject}`;
}
