// `status`: describes the database without changing it.

import { selectEventChunks } from '../db/event-chunks.ts';
import { selectLedgerHealth } from '../db/ledger-health.ts';
import { readDatabaseVersion, reasonNotToServe } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import { adviceOn } from '../db/schema/server-checks.ts';
import type { Db } from '../db/sql/client.ts';
import { ledgerProblems } from '../domain/event-retention.ts';
import { describeChunk, sizeOf } from './prune-events.ts';

/** Prints the state of the database, one fact per line. `upToDate` is false while `migrate` has work to do. */
export async function runStatus(
  db: Db,
  print: (line: string) => void,
  { eventRetentionDays }: { readonly eventRetentionDays: number | null },
): Promise<{ upToDate: boolean }> {
  const [server] = await db.sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const release = readRelease();
  const database = await readDatabaseVersion(db.sql);
  const reason = await reasonNotToServe(db.sql, release);
  print(`Postgres ${server?.version}`);
  print(`version: ${database?.version ?? 'none'}, of this release: ${release.version}${reason === null ? '' : `: ${reason}`}`);
  for (const line of await adviceOn(db.sql)) print(`advice: ${line}`);
  if (reason !== null) return { upToDate: false };
  const [counts] = await db.sql<Record<'providers' | 'trees' | 'consumers' | 'over', number>[]>`
    select (select count(*)::int from resource_providers) as providers,
           (select count(*)::int from resource_providers where parent_provider_id is null) as trees,
           (select count(*)::int from consumers) as consumers,
           (select count(*)::int from inventories where used > capacity) as over`;
  if (counts) {
    print(`providers: ${counts.providers} in ${counts.trees} trees`);
    print(`consumers: ${counts.consumers}`);
    print(`inventories over capacity: ${counts.over}`);
  }
  const chunks = await selectEventChunks(db);
  const health = await selectLedgerHealth(db);
  for (const chunk of chunks) print(describeChunk(chunk));
  print(`events in all: ${sizeOf(chunks)}; last pruned: ${health.prunedAt ?? 'never'}`);
  print(`change feed: ${health.providerChanges} changes of providers, of the last ${health.feedDepth} transactions`);
  const { vacuumHolder } = health;
  print(`oldest transaction: ${vacuumHolder ? `${vacuumHolder.name}, ${vacuumHolder.transactions} transactions ago` : 'none'}`);
  for (const problem of ledgerProblems({ ...health, endedDaysAgo: chunks[0]?.endedDaysAgo ?? null }, eventRetentionDays)) {
    print(`problem: ${problem}`);
  }
  return { upToDate: true };
}
