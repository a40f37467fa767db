// Reads the other Placement again and compares everything with our ledger. Writes nothing; each difference becomes a readable line.
import { isDeepStrictEqual } from 'node:util';
import { listOwnUuids, type OwnProvider, readOwnConsumers, readOwnProviders } from '../../bridge/ledger.ts';
import { compareNames, type Names } from '../../bridge/names.ts';
import type { PlacementClient } from '../../bridge/placement/client.ts';
import {
  type ListedProvider,
  listProviders,
  readConsumer,
  readHoldings,
  readProvider,
  readUsage,
  type UpstreamConsumer,
  type UpstreamProvider,
} from '../../bridge/placement/upstream.ts';
import type { Db } from '../../db/sql/client.ts';
import { inBatches } from '../phases/batches.ts';
import { excessOf, faultOfProvider, faultsOfConsumer, findOwnerless, type ProviderThere } from './faults.ts';
import { countTo } from './progress.ts';
import type { Run } from './run.ts';

export interface Verification {
  /** The number of each upstream, with those that are left out. */
  readonly providers: number;
  readonly consumers: number;
  /** One line for each fault of the other side's own data, with what to correct there. */
  readonly faults: readonly string[];
  /** One line for each other difference. */
  readonly differences: readonly string[];
  /** What the other side has and this one lacks, or has differently; providers in the order of the other side. */
  readonly differing: { readonly providers: readonly ListedProvider[]; readonly consumers: readonly string[] };
}

const batchSize = 100;

/** What was seen there so far. */
interface Seen {
  readonly faults: string[];
  readonly differences: string[];
  readonly differing: { readonly providers: ListedProvider[]; readonly consumers: string[] };
  /** By uuid. */
  readonly providers: Map<string, ProviderThere>;
  /** The providers on which each consumer holds something. */
  readonly holders: Map<string, string[]>;
  /** The providers that seem to have allocations without a consumer. */
  readonly suspects: Set<string>;
}

/**
 * Compares names, providers (name, parent, generation, inventories, usage, traits, aggregates) and consumers (generation, project, user, type,
 * allocations), and reports objects that only one side has. Concurrent changes upstream may show as differences.
 */
export async function verify(run: Run): Promise<Verification> {
  const { db, placement } = run;
  const seen: Seen = {
    faults: [],
    differences: await differencesOfNames(db, placement),
    differing: { providers: [], consumers: [] },
    providers: new Map(),
    holders: new Map(),
    suspects: new Set(),
  };
  await verifyProviders(run, seen);
  const consumers = await verifyConsumers(run, seen);
  const { faults, differences, differing, providers } = seen;
  const own = await listOwnUuids(db);
  for (const uuid of own.providers) if (!providers.has(uuid)) differences.push(`provider ${uuid} is here only; import deletes nothing`);
  for (const uuid of own.consumers) if (!consumers.has(uuid)) differences.push(`consumer ${uuid} is here only; import deletes nothing`);
  return { providers: providers.size, consumers: consumers.size, faults, differences, differing };
}

async function verifyProviders(run: Run, seen: Seen): Promise<void> {
  const { db, placement } = run;
  const { placed, lost } = await listProviders(placement);
  const done = countTo(placed.length + lost.length, 'verifying providers', run);
  const readHolders = async (uuid: string) => {
    const held = await readHoldings(placement, uuid);
    for (const consumer of Object.keys(held)) {
      const on = seen.holders.get(consumer);
      if (on) on.push(uuid);
      else seen.holders.set(consumer, [uuid]);
    }
    return held;
  };
  await Promise.all(lost.map(({ uuid }) => readHolders(uuid).finally(done)));
  for (const one of lost) {
    seen.providers.set(one.uuid, { name: one.name, classes: null });
    seen.faults.push(faultOfProvider(one));
  }
  for (const batch of inBatches(placed, batchSize)) {
    const there = await Promise.all(
      batch.map(async (one) => {
        const [provider, used, held] = await Promise.all([
          readProvider(placement, one),
          readUsage(placement, one.uuid),
          readHolders(one.uuid),
        ]).finally(done);
        if (used && excessOf(used, held).length > 0) seen.suspects.add(one.uuid);
        return provider && used && { ...provider, used };
      }),
    );
    const here = await readOwnProviders(
      db,
      batch.map(({ uuid }) => uuid),
    );
    for (const [index, provider] of there.entries()) {
      const one = batch[index];
      if (provider && one) compareProvider(seen, one, provider, here.get(one.uuid));
    }
  }
}

function compareProvider(
  seen: Seen,
  listed: ListedProvider,
  { uuid, inventories, ...rest }: UpstreamProvider & { readonly used: Readonly<Record<string, number>> },
  own: OwnProvider | undefined,
): void {
  seen.providers.set(uuid, { name: rest.name, classes: new Set(inventories.map(({ resourceClass }) => resourceClass)) });
  const byClass = Object.fromEntries(inventories.map(({ resourceClass, ...record }) => [resourceClass, record]));
  const found = compare(`provider ${uuid} (${rest.name})`, { ...rest, inventories: byClass }, own);
  if (found.length > 0) seen.differing.providers.push(listed);
  seen.differences.push(...found);
}

/** The uuids of the consumers there, with those that cannot be read. */
async function verifyConsumers(run: Run, seen: Seen): Promise<ReadonlySet<string>> {
  const { db, placement } = run;
  const { holders, providers, suspects } = seen;
  const consumers = new Set<string>();
  const unreadable = new Set<string>();
  const done = countTo(holders.size, 'verifying consumers', run);
  for (const batch of inBatches([...holders.keys()], batchSize)) {
    const there = await Promise.all(batch.map((uuid) => readConsumer(placement, uuid).finally(done)));
    const here = await readOwnConsumers(db, batch);
    for (const [index, listed] of batch.entries()) {
      const consumer = there[index];
      if (!consumer) {
        unreadable.add(listed);
        continue;
      }
      const { uuid, ...rest } = consumer;
      consumers.add(uuid);
      const own = here.get(uuid);
      const faults = faultsOfConsumer(consumer, providers);
      const found = compare(`consumer ${uuid}`, sorted(rest), own && sorted(own));
      if (found.length > 0) seen.differing.consumers.push(uuid);
      seen.faults.push(...faults);
      if (faults.length === 0) seen.differences.push(...found);
    }
  }
  for (const uuid of unreadable) for (const provider of holders.get(uuid) ?? []) suspects.add(provider);
  const ownerless = await findOwnerless(placement, [...suspects], unreadable, providers);
  seen.faults.push(...ownerless.faults);
  return new Set([...consumers, ...ownerless.consumers]);
}

async function differencesOfNames(db: Db, placement: PlacementClient): Promise<string[]> {
  const { onlyThere, onlyHere } = await compareNames(db, placement);
  const linesOf = ({ resourceClasses, traits }: Names, where: string) => [
    ...resourceClasses.map((name) => `resource class ${name} is ${where}`),
    ...traits.map((name) => `trait ${name} is ${where}`),
  ];
  return [...linesOf(onlyThere, 'missing here'), ...linesOf(onlyHere, 'here only')];
}

function compare(subject: string, there: object, here: object | undefined): string[] {
  if (!here) return [`${subject} is missing here`];
  const own = new Map(Object.entries(here));
  return Object.entries(there)
    .filter(([field, value]) => !isDeepStrictEqual(value, own.get(field)))
    .map(([field, value]) => `${subject}: ${field} is ${JSON.stringify(own.get(field))}, there ${JSON.stringify(value)}`);
}

function sorted<Held extends Pick<UpstreamConsumer, 'allocations'>>(consumer: Held): Held {
  const key = ({ provider, resourceClass }: UpstreamConsumer['allocations'][number]) => `${provider} ${resourceClass}`;
  return { ...consumer, allocations: consumer.allocations.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) };
}
