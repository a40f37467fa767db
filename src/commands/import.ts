// Imports everything from a running OpenStack Placement: names, providers with all their parts, consumers with their allocations. Reads from it and
// writes to our ledger. Can be interrupted and repeated at any time: it writes only differences. Only catching up deletes what was deleted there.
import { randomUUID } from 'node:crypto';
import { type BatchOutcome, importConsumers, importer, importProviders, refusedItems } from '../bridge/imports.ts';
import { listOwnUuids } from '../bridge/ledger.ts';
import { openPlacement, type TokenSource } from '../bridge/placement/client.ts';
import {
  type ListedProvider,
  listProviders,
  readConsumer,
  readHoldings,
  readProvider,
  type UpstreamConsumer,
  type UpstreamProvider,
} from '../bridge/placement/upstream.ts';
import type { Db } from '../db/sql/client.ts';
import { catchUp, takeDifferences } from './import/catch-up.ts';
import { faultOfProvider, faultOfUnreadable } from './import/faults.ts';
import { countTo } from './import/progress.ts';
import { type Run, type RunCounts, reportRefused, takeNames } from './import/run.ts';
import { type Verification, verify } from './import/verification.ts';
import { inBatches } from './phases/batches.ts';
import { openProgress, type Progress } from './phases/progress.ts';

export interface ImportOptions {
  /** The URL of the other Placement. */
  readonly url: string;
  /** Returns tokens of its administrator. */
  readonly token: TokenSource;
  /** Called with lines of progress. */
  readonly report: (line: string) => void;
  /** Default: no bar. */
  readonly progress?: Progress;
  /** The maximum number of concurrent requests to the other Placement. Default 8. */
  readonly concurrency?: number;
  /** Whether to import only what has changed since the last import, again and again until nothing has. */
  readonly catchUp?: boolean;
  /** Whether to compare everything at the end. Default: true. */
  readonly verifies?: boolean;
}

export interface ImportResult {
  /** The number in the other Placement, with those that cannot be imported. */
  readonly providers: number;
  readonly consumers: number;
  /** The number in this ledger at the end. */
  readonly here: { readonly providers: number; readonly consumers: number };
  /** Names, providers and consumers that this run wrote; 0 if nothing differed. */
  readonly written: number;
  /** Differences that the verification found; 0 if both sides agree, null if they were not compared. */
  readonly differences: number | null;
  /** What this ledger does not yet have, as far as it is known: the changes of the last pass, and what could not be imported. 0 without differences. */
  readonly behind: number;
}

const maxDifferencesShown = 50;
const providersInBatch = 100;
const consumersInBatch = 200;

/**
 * Imports and then verifies. The rules of claims do not apply: what is over capacity upstream is imported unchanged. What the ledger refuses is
 * reported and skipped, and shows as a difference. Throws if the other side cannot be read; what was written before stays.
 */
export async function runImport(
  db: Db,
  {
    url,
    token,
    report,
    progress = openProgress({ write: () => {} }),
    concurrency = 8,
    catchUp: catchesUp = false,
    verifies = true,
  }: ImportOptions,
): Promise<ImportResult> {
  const placement = await openPlacement({ url, token, concurrency });
  report(`reading ${placement.url} with microversion ${placement.microversion}`);
  const run: Run = { db, placement, report, progress, by: importer(`req-${randomUUID()}`) };
  const { lost, ...counts } = catchesUp ? await catchUp(run) : await takeEverything(run);
  if (!verifies) {
    for (const one of lost) report(faultOfProvider(one));
    return { ...counts, here: await countHere(db), differences: null };
  }
  report(`${counts.written} written; verifying`);
  const { faults, differences: others, providers, consumers } = await verifyAndMend(run, catchesUp);
  for (const difference of [...faults, ...others.slice(0, maxDifferencesShown)]) report(difference);
  if (others.length > maxDifferencesShown) report(`and ${others.length - maxDifferencesShown} more differences`);
  const differences = faults.length + others.length;
  const behind = differences === 0 ? 0 : counts.behind;
  return { ...counts, providers, consumers, here: await countHere(db), differences, behind };
}

async function countHere(db: Db): Promise<ImportResult['here']> {
  const { providers, consumers } = await listOwnUuids(db);
  return { providers: providers.length, consumers: consumers.length };
}

/** If asked, imports the differences once and verifies everything again, because passes do not see every kind of change. */
async function verifyAndMend(run: Run, mends: boolean): Promise<Verification> {
  const found = await verify(run);
  if (!mends || found.differences.length === 0) return found;
  const taken = await takeDifferences(run, found);
  run.report(`${taken} changes that a pass does not see; verifying again`);
  return verify(run);
}

async function takeEverything(run: Run): Promise<RunCounts> {
  const { db, placement, report } = run;
  const names = await takeNames(run);
  const { placed, lost } = await listProviders(placement);
  const listed = [...placed, ...lost];
  report(`${listed.length} providers to read`);
  const providers = await takeProviders(run, placed);
  const holders = await readHolders(run, listed);
  report(`${holders.length} consumers to read`);
  const consumers = await takeConsumers(run, holders);
  // A provider may have waited for a name or an inventory to become free, and a consumer for such a provider.
  const lateProviders = await importProviders(db, refusedItems(providers), run.by);
  const lateConsumers = await importConsumers(db, refusedItems(consumers), run.by);
  reportRefused(run, 'provider', lateProviders);
  reportRefused(run, 'consumer', lateConsumers);
  const written = names + [providers, consumers, lateProviders, lateConsumers].reduce((sum, outcome) => sum + outcome.written, 0);
  const behind = lost.length + lateProviders.refused.length + lateConsumers.refused.length;
  return { providers: listed.length, consumers: holders.length, written, behind, lost };
}

async function takeProviders(run: Run, listed: readonly ListedProvider[]): Promise<BatchOutcome<UpstreamProvider>> {
  const { db, placement, report, by } = run;
  const done = countTo(listed.length, 'providers', run);
  return takeBatches(inBatches(listed, providersInBatch), async (batch) => {
    const read = await Promise.all(batch.map((one) => readProvider(placement, one).finally(done)));
    for (const [index, one] of batch.entries()) if (!read[index]) report(`provider ${one.uuid} (${one.name}) was deleted in the meantime`);
    return importProviders(
      db,
      read.filter((provider) => provider !== null),
      by,
    );
  });
}

async function readHolders(run: Run, listed: readonly ListedProvider[]): Promise<string[]> {
  const done = countTo(listed.length, 'looking for consumers on providers', run);
  const held = await Promise.all(listed.map(async ({ uuid }) => Object.keys(await readHoldings(run.placement, uuid).finally(done))));
  return [...new Set(held.flat())].sort();
}

async function takeConsumers(run: Run, uuids: readonly string[]): Promise<BatchOutcome<UpstreamConsumer>> {
  const { db, placement, by } = run;
  const done = countTo(uuids.length, 'consumers', run);
  return takeBatches(inBatches(uuids, consumersInBatch), async (batch) => {
    const read = await Promise.all(batch.map((uuid) => readConsumer(placement, uuid).finally(done)));
    for (const [index, uuid] of batch.entries()) if (!read[index]) run.report(faultOfUnreadable(uuid));
    return importConsumers(
      db,
      read.filter((consumer) => consumer !== null),
      by,
    );
  });
}

async function takeBatches<Key, Item>(
  batches: Iterable<Key[]>,
  take: (batch: Key[]) => Promise<BatchOutcome<Item>>,
): Promise<BatchOutcome<Item>> {
  const outcomes: BatchOutcome<Item>[] = [];
  for (const batch of batches) outcomes.push(await take(batch));
  return {
    written: outcomes.reduce((sum, { written }) => sum + written, 0),
    refused: outcomes.flatMap(({ refused }) => refused),
  };
}
