// Reads the other Placement again and compares everything with our ledger. Writes nothing; each difference becomes a readable line.
import { isDeepStrictEqual } from 'node:util';
import { listOwnNames, listOwnUuids, readOwnConsumers, readOwnProviders } from '../../bridge/ledger.ts';
import type { PlacementClient } from '../../bridge/placement/client.ts';
import {
  type ListedProvider,
  listHolders,
  listProviders,
  listResourceClasses,
  listTraits,
  readConsumer,
  readProvider,
  readUsage,
  type UpstreamConsumer,
} from '../../bridge/placement/upstream.ts';
import type { Db } from '../../db/sql/client.ts';
import { inBatches } from '../phases/batches.ts';
import { countTo } from './progress.ts';
import type { Run } from './run.ts';

export interface Verification {
  /** The number of each upstream. */
  readonly providers: number;
  readonly consumers: number;
  /** One line for each difference. */
  readonly differences: readonly string[];
  /** What the other side has and this one lacks, or has differently; providers in the order of the other side. */
  readonly differing: { readonly providers: readonly ListedProvider[]; readonly consumers: readonly string[] };
}

const batchSize = 100;

/**
 * Compares names, providers (name, parent, generation, inventories, usage, traits, aggregates) and consumers (generation, project, user, type,
 * allocations), and reports objects that only one side has. Concurrent changes upstream may show as differences.
 */
export async function verify(run: Run): Promise<Verification> {
  const { db, placement } = run;
  const differences: string[] = await compareNames(db, placement);
  const differing = { providers: [] as ListedProvider[], consumers: [] as string[] };
  const listed = await listProviders(placement);
  const holders = new Set<string>();
  const providers = new Set<string>();
  const providerDone = countTo(listed.length, 'verifying providers', run);
  for (const batch of inBatches(listed, batchSize)) {
    const there = await Promise.all(
      batch.map(async (one) => {
        const [provider, used, held] = await Promise.all([
          readProvider(placement, one),
          readUsage(placement, one.uuid),
          listHolders(placement, one.uuid),
        ]);
        for (const holder of held) holders.add(holder);
        providerDone();
        return provider && used && { ...provider, used };
      }),
    );
    const here = await readOwnProviders(
      db,
      batch.map(({ uuid }) => uuid),
    );
    for (const [index, provider] of there.entries()) {
      const one = batch[index];
      if (!provider || !one) continue;
      const { uuid, inventories, ...rest } = provider;
      providers.add(uuid);
      const byClass = Object.fromEntries(inventories.map(({ resourceClass, ...record }) => [resourceClass, record]));
      const found = compare(`provider ${uuid} (${rest.name})`, { ...rest, inventories: byClass }, here.get(uuid));
      if (found.length > 0) differing.providers.push(one);
      differences.push(...found);
    }
  }

  const consumers = new Set<string>();
  const consumerDone = countTo(holders.size, 'verifying consumers', run);
  for (const batch of inBatches([...holders], batchSize)) {
    const there = await Promise.all(batch.map((uuid) => readConsumer(placement, uuid).finally(consumerDone)));
    const here = await readOwnConsumers(db, batch);
    for (const consumer of there) {
      if (!consumer) continue;
      const { uuid, ...rest } = consumer;
      consumers.add(uuid);
      const own = here.get(uuid);
      const found = compare(`consumer ${uuid}`, sorted(rest), own && sorted(own));
      if (found.length > 0) differing.consumers.push(uuid);
      differences.push(...found);
    }
  }

  const own = await listOwnUuids(db);
  for (const uuid of own.providers) if (!providers.has(uuid)) differences.push(`provider ${uuid} is here only; import deletes nothing`);
  for (const uuid of own.consumers) if (!consumers.has(uuid)) differences.push(`consumer ${uuid} is here only; import deletes nothing`);
  return { providers: providers.size, consumers: consumers.size, differences, differing };
}

/** Standard names that exist only here do not count: versions of Placement differ in them. */
async function compareNames(db: Db, placement: PlacementClient): Promise<string[]> {
  const own = await listOwnNames(db);
  const oneSided = (what: string, here: Set<string>, there: Set<string>) => [
    ...[...there].filter((name) => !here.has(name)).map((name) => `${what} ${name} is missing here`),
    ...[...here].filter((name) => name.startsWith('CUSTOM_') && !there.has(name)).map((name) => `${what} ${name} is here only`),
  ];
  return [
    ...oneSided('resource class', own.resourceClasses, new Set(await listResourceClasses(placement))),
    ...oneSided('trait', own.traits, new Set(await listTraits(placement))),
  ];
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
