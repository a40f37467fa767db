// `status`: describes the database without changing it.

import { findLostConsumers, findWrongRoots } from '../db/audit.ts';
import { selectEventChunks } from '../db/event-chunks.ts';
import { selectLedgerHealth } from '../db/ledger-health.ts';
import { readDatabaseVersion, reasonNotToServe } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import { adviceOn } from '../db/schema/server-checks.ts';
import type { Db } from '../db/sql/client.ts';
import { ledgerProblems } from '../domain/event-retention.ts';
import { describeChunk, sizeOf } from './prune-events.ts';

/** A check before an upgrade. The worst result decides the exit code, as in upstream's `placement-status upgrade check`. */
export interface UpgradeCheck {
  readonly check: string;
  readonly result: 'success' | 'warning' | 'failure';
  readonly details: readonly string[];
}

/** The codes of upstream, and 255 if the check was impossible. */
export const statusExitCodes = { success: 0, warning: 1, failure: 2, error: 255 } as const;

export interface Status {
  readonly result: UpgradeCheck['result'];
  readonly checks: readonly UpgradeCheck[];
}

/** Prints the state of the database, one fact per line, and the result of each check. */
export async function runStatus(
  db: Db,
  print: (line: string) => void,
  { eventRetentionDays }: { readonly eventRetentionDays: number | null },
): Promise<Status> {
  const [server] = await db.sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const release = readRelease();
  const database = await readDatabaseVersion(db.sql);
  const reason = await reasonNotToServe(db.sql, release);
  print(`Postgres ${server?.version}`);
  print(`version: ${database?.version ?? 'none'}, of this release: ${release.version}${reason === null ? '' : `: ${reason}`}`);
  const unwise = await adviceOn(db.sql);
  for (const line of unwise) print(`advice: ${line}`);
  const checks = [
    checkOf('version of the database', reason === null ? [] : [reason], 'failure'),
    checkOf('settings of the server', unwise, 'warning'),
  ];
  if (reason !== null) return reported(checks, print);
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
  const problems = ledgerProblems({ ...health, endedDaysAgo: chunks[0]?.endedDaysAgo ?? null }, eventRetentionDays);
  for (const problem of problems) print(`problem: ${problem}`);
  const [lost, roots] = [await findLostConsumers(db), await findWrongRoots(db)];
  return reported(
    [
      ...checks,
      checkOf('ledger and change feed', problems, 'warning'),
      checkOf('incomplete consumers', lost.examples, 'failure'),
      checkOf('roots of providers', roots.examples, 'failure'),
    ],
    print,
  );
}

function checkOf(check: string, details: readonly string[], otherwise: UpgradeCheck['result']): UpgradeCheck {
  return { check, result: details.length === 0 ? 'success' : otherwise, details };
}

function reported(checks: readonly UpgradeCheck[], print: (line: string) => void): Status {
  for (const { check, result } of checks) print(`check: ${check}: ${result}`);
  const results = checks.map(({ result }) => result);
  const result = results.includes('failure') ? 'failure' : results.includes('warning') ? 'warning' : 'success';
  return { result, checks };
}
