// `status`: describes the database without changing it.

import { readDatabaseVersion, reasonNotToServe } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import { adviceOn } from '../db/schema/server-checks.ts';
import type { Db } from '../db/sql/client.ts';

/** Prints the state of the database, one fact per line. `upToDate` is false while `migrate` has work to do. */
export async function runStatus(db: Db, print: (line: string) => void): Promise<{ upToDate: boolean }> {
  const [server] = await db.sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const release = readRelease();
  const database = await readDatabaseVersion(db.sql);
  const reason = await reasonNotToServe(db.sql, release);
  print(`Postgres ${server?.version}`);
  print(`version: ${database?.version ?? 'none'}, of this release: ${release.version}${reason === null ? '' : `: ${reason}`}`);
  for (const line of await adviceOn(db.sql)) print(`advice: ${line}`);
  if (reason !== null) return { upToDate: false };
  const [counts] = await db.sql<Record<'providers' | 'trees' | 'consumers' | 'over' | 'events', number>[]>`
    select (select count(*)::int from resource_providers) as providers,
           (select count(*)::int from resource_providers where parent_provider_id is null) as trees,
           (select count(*)::int from consumers) as consumers,
           (select count(*)::int from inventories where used > capacity) as over,
           (select count(*)::float8 from events) as events`;
  if (counts) {
    print(`providers: ${counts.providers} in ${counts.trees} trees`);
    print(`consumers: ${counts.consumers}`);
    print(`inventories over capacity: ${counts.over}`);
    print(`events: ${counts.events}`);
  }
  return { upToDate: true };
}
