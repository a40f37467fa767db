// Follows another Placement that keeps changing, in passes, until a pass finds nothing. A pass reads the list of providers and, of each, its aggregates (old
// clients change them without raising a generation) and who holds what. It reads only those as a whole that differ. What was deleted there is deleted here.
import { isDeepStrictEqual } from 'node:util';
import {
  forgetConsumers,
  forgetProvider,
  importConsumers,
  importProviders,
  refusedItems,
  withOwnInventories,
} from '../../bridge/imports.ts';
import {
  hasWritesOfCallers,
  listOwnProviders,
  listProvidersWith,
  readOwnConsumers,
  readOwnHoldings,
  readOwnProviders,
} from '../../bridge/ledger.ts';
import { compareNames } from '../../bridge/names.ts';
import {
  type ListedProvider,
  listProviders,
  readAggregates,
  readConsumer,
  readHoldings,
  readProvider,
} from '../../bridge/placement/upstream.ts';
import { inBatches } from '../phases/batches.ts';
import { faultOfUnreadable } from './faults.ts';
import { countTo } from './progress.ts';
import { forgetNames, type Run, type RunCounts, reportRefused, takeNames } from './run.ts';
import type { Verification } from './verification.ts';

/** A Placement that still changes after so many passes will not come to rest by itself. */
const maxPasses = 10;
const batchSize = 100;

/**
 * Throws if the ledger has writes of its own, which would be undone, or if the other side is empty. A pass does not see a consumer of which only the
 * generation, project, user or type changed, nor a class that took the name of another. The verification does, and `takeDifferences` imports them.
 */
export async function catchUp(run: Run): Promise<RunCounts> {
  if (await hasWritesOfCallers(run.db)) {
    throw new Error('this gateway has writes of its own: catching up would undo them');
  }
  let counts: RunCounts = { providers: 0, consumers: 0, written: 0, behind: 0, lost: [] };
  for (let pass = 1; pass <= maxPasses; pass++) {
    const { written, missed, ...there } = await passOver(run);
    counts = { ...there, written: counts.written + written, behind: written + missed };
    run.report(`pass ${pass}: ${written} changes${missed > 0 ? `, ${missed} more still to come` : ''}`);
    // Changes that are still to come wait for something that passes do not see, or for a change there.
    if (written === 0) break;
  }
  return counts;
}

/** With what is on the other side. */
type Pass = Changes & Pick<RunCounts, 'providers' | 'consumers' | 'lost'>;

interface Changes {
  readonly written: number;
  /** Changes that were not possible: they wait for others, or for a correction there. */
  readonly missed: number;
}

async function passOver(run: Run): Promise<Pass> {
  const { db, placement, by } = run;
  let written = await takeNames(run);
  const { placed, lost } = await listProviders(placement);
  const listed = [...placed, ...lost];
  const own = await listOwnProviders(db);
  if (listed.length === 0 && own.length > 0) throw new Error('the other Placement has no providers: everything here would be deleted');

  const changed = await findChangedProviders(run, placed, new Map(own.map(({ uuid, ...state }) => [uuid, state])));
  const holders = new Set<string>();
  const taken = await takeChanges(run, changed, () =>
    findChangedConsumers(run, [...new Set([...listed, ...own].map(({ uuid }) => uuid))], holders),
  );
  written += taken.written;
  let missed = taken.missed + lost.length;

  const there = new Set(listed.map(({ uuid }) => uuid));
  for (const { uuid } of own) {
    if (there.has(uuid)) continue;
    if (await forgetProvider(db, uuid, by)) written += 1;
    else missed += 1;
  }
  const names = await forgetNames(run);
  written += names.written;
  missed += names.missed;
  return { providers: listed.length, consumers: holders.size, lost, written, missed };
}

/** Imports these providers, then the consumers that differ afterwards. */
async function takeChanges(
  run: Run,
  changed: readonly ListedProvider[],
  findConsumers: () => Promise<readonly string[]>,
): Promise<Changes> {
  const { db, by } = run;
  const providers = await takeProviders(run, changed);
  // Consumers move first, perhaps to a new inventory of the same provider, for example if a class was renamed.
  await importProviders(db, await withOwnInventories(db, refusedItems(providers)), by);
  const consumers = await takeConsumers(run, await findConsumers());
  // Providers that waited for a name or an inventory that was in use.
  const lateProviders = await importProviders(db, refusedItems(providers), by);
  const lateConsumers = await importConsumers(db, refusedItems(consumers), by);
  reportRefused(run, 'provider', lateProviders);
  reportRefused(run, 'consumer', lateConsumers);
  return {
    written: [providers, consumers, lateProviders, lateConsumers].reduce((sum, outcome) => sum + outcome.written, 0),
    missed: consumers.unreadable + lateProviders.refused.length + lateConsumers.refused.length,
  };
}

/** Imports the differences that the verification found. Returns the number of changes. */
export async function takeDifferences(run: Run, { differing }: Pick<Verification, 'differing'>): Promise<number> {
  const names = await takeNames(run);
  const { written } = await takeChanges(run, differing.providers, async () => differing.consumers);
  return names + written + (await forgetNames(run)).written;
}

type Known = ReadonlyMap<string, Omit<ListedProvider, 'uuid'>>;

async function findChangedProviders(run: Run, listed: readonly ListedProvider[], known: Known): Promise<ListedProvider[]> {
  // Renaming a class raises no generation there.
  const { onlyHere } = await compareNames(run.db, run.placement);
  const ofGoneClasses = await listProvidersWith(run.db, onlyHere.resourceClasses);
  const differs = ({ uuid, ...state }: ListedProvider) => ofGoneClasses.has(uuid) || !isDeepStrictEqual(known.get(uuid), state);
  const inOthers = await findInOtherAggregates(
    run,
    listed.filter((one) => !differs(one)).map(({ uuid }) => uuid),
  );
  return listed.filter((one) => differs(one) || inOthers.has(one.uuid));
}

/** In the order of the list: parents before their children. */
async function takeProviders(run: Run, changed: readonly ListedProvider[]) {
  const { db, placement, by } = run;
  const done = countTo(changed.length, 'providers that changed', run);
  const outcome = { written: 0, refused: [] as Awaited<ReturnType<typeof importProviders>>['refused'][number][] };
  for (const batch of inBatches(changed, batchSize)) {
    const read = await Promise.all(batch.map((one) => readProvider(placement, one).finally(done)));
    const { written, refused } = await importProviders(
      db,
      read.filter((provider) => provider !== null),
      by,
    );
    outcome.written += written;
    outcome.refused.push(...refused);
  }
  return outcome;
}

/** The uuids of the providers whose aggregates differ. */
async function findInOtherAggregates(run: Run, providers: readonly string[]): Promise<ReadonlySet<string>> {
  const { db, placement } = run;
  const found = new Set<string>();
  const done = countTo(providers.length, 'looking for providers in other aggregates', run);
  for (const batch of inBatches(providers, batchSize)) {
    const there = await Promise.all(batch.map((uuid) => readAggregates(placement, uuid).finally(done)));
    const here = await readOwnProviders(db, batch);
    for (const [index, uuid] of batch.entries()) {
      const theirs = there[index];
      if (theirs && !isDeepStrictEqual(theirs, here.get(uuid)?.aggregates.toSorted())) found.add(uuid);
    }
  }
  return found;
}

/** The uuids of the consumers that hold something different on a provider. Adds all consumers there to `holders`. */
async function findChangedConsumers(run: Run, providers: readonly string[], holders: Set<string>): Promise<string[]> {
  const { db, placement } = run;
  const changed = new Set<string>();
  const done = countTo(providers.length, 'looking for consumers that changed', run);
  for (const batch of inBatches(providers, batchSize)) {
    const there = await Promise.all(batch.map((uuid) => readHoldings(placement, uuid).finally(done)));
    const here = await readOwnHoldings(db, batch);
    for (const [index, uuid] of batch.entries()) {
      const [theirs, ours] = [there[index] ?? {}, here.get(uuid) ?? {}];
      for (const consumer of Object.keys(theirs)) holders.add(consumer);
      for (const consumer of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
        if (!isDeepStrictEqual(theirs[consumer], ours[consumer])) changed.add(consumer);
      }
    }
  }
  return [...changed].sort();
}

async function takeConsumers(run: Run, uuids: readonly string[]) {
  const { db, placement, by } = run;
  const done = countTo(uuids.length, 'consumers that changed', run);
  const outcome = { written: 0, unreadable: 0, refused: [] as Awaited<ReturnType<typeof importConsumers>>['refused'][number][] };
  for (const batch of inBatches(uuids, batchSize)) {
    const read = await Promise.all(batch.map((uuid) => readConsumer(placement, uuid).finally(done)));
    const here = await readOwnConsumers(db, batch);
    const empty = batch.filter((_uuid, index) => read[index] === null);
    const unreadable = empty.filter((uuid) => !here.has(uuid));
    const gone = await forgetConsumers(
      db,
      empty.filter((uuid) => here.has(uuid)),
      by,
    );
    for (const uuid of unreadable) run.report(faultOfUnreadable(uuid));
    outcome.unreadable += unreadable.length;
    const { written, refused } = await importConsumers(
      db,
      read.filter((consumer) => consumer !== null),
      by,
    );
    outcome.written += gone.written + written;
    outcome.refused.push(...refused);
  }
  return outcome;
}
