// Moves disk allocations of instances from their hosts, where they were counted, to a shared storage pool that was added later.

import type { AllocationInput } from '../../domain/allocation.ts';
import { invalidInput, type Problem, refusalOf, relabel } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { type Inventory, type Provider, sharingTrait } from '../../domain/provider.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listConsumerUuids } from '../../operations/allocations/consumers.ts';
import { findHolders, type Holder } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer, keepAnswer, type Written } from '../../operations/scope/write.ts';
import { reshape } from '../../operations/trees/reshape.ts';

const diskClass = 'DISK_GB';

export interface StorageAdoption {
  /** Uuid of the pool, a sharing provider with enough capacity for all disks. */
  readonly pool: string;
  /** Uuids of the compute nodes that have the disk allocations, 1 to 1,000. */
  readonly computeNodes: readonly string[];
  /** Instances whose disks stay on their host, such as the remaining disks of instances booted from a volume. Their hosts keep an inventory of DISK_GB. */
  readonly stayingInstances?: readonly string[] | null | undefined;
}

export interface StorageAdopted {
  /** Uuids of the consumers whose disk allocations moved. */
  readonly moved: readonly string[];
  /** The pool and the hosts in their state after the write. */
  readonly providers: readonly Provider[];
}

const maxHosts = limits.adoptedHosts;
const maxConsumers = limits.adoptedConsumers;

/**
 * Moves the allocations of DISK_GB on these hosts to the pool, and removes the disk from the hosts, in one transaction: nothing is free or counted
 * twice in between. Refuses NOT_FOUND; PROVIDER_CONFLICT and CONSUMER_CONFLICT if another write came first (the caller may try again); NO_INVENTORY and
 * CAPACITY_EXCEEDED if the disks do not fit on the pool.
 */
export async function adoptSharedStorage(
  scope: RequestScope,
  { pool, computeNodes: hosts, stayingInstances }: StorageAdoption,
): Promise<StorageAdopted> {
  checkHosts(pool, hosts);
  const first = await findFirstAnswer(scope, 'reshape');
  if (first) return adoptedBy(first);
  await requirePool(scope, pool);
  const providers = await Promise.all(hosts.map((uuid, index) => getProvider(scope, uuid, ['computeNodes', String(index)])));
  const inventories = await Promise.all(providers.map(({ id }) => scope.loaders.inventoriesByProvider.load(id)));
  const holders = [...(await findHolders(scope, await consumersOn(scope, hosts))).values()];
  const [fromHosts, staying] = [new Set(hosts), new Set(stayingInstances)];
  const withDisk = holders.filter(({ allocations }) => allocations.some((held) => isDisk(held, fromHosts)));
  const movers = withDisk.filter(({ uuid }) => !staying.has(uuid));
  const kept = new Set(
    withDisk
      .filter(({ uuid }) => staying.has(uuid))
      .flatMap(({ allocations }) => allocations.filter((held) => isDisk(held, fromHosts)).map(({ resourceProvider }) => resourceProvider)),
  );
  const reshapes = providers.map(({ uuid, generation }, index) => {
    const own = inventories[index] ?? [];
    const left = kept.has(uuid) ? own : own.filter(({ className }) => className !== diskClass);
    return { isShrunk: left.length < own.length, host: { resourceProvider: uuid, expect: { generation }, inventories: left.map(asInput) } };
  });
  const shrunk = reshapes.filter(({ isShrunk }) => isShrunk);
  if (shrunk.length === 0 && movers.length === 0) {
    const kept = await keepAnswer(scope, { providers }, { moved: [] });
    return kept ? adoptedBy(kept) : { moved: [], providers };
  }
  // A reshape must name at least one provider. If all hosts keep their disk, it names one that stays unchanged.
  const named = shrunk.length > 0 ? shrunk : reshapes.slice(0, 1);
  const allocations = movers.map((holder) => moveDisk(holder, fromHosts, pool));
  const moved = movers.map(({ uuid }) => uuid);
  return adoptedBy(
    await relabel(
      () => reshape(scope, { resourceProviders: named.map(({ host }) => host), consumers: allocations }, { moved }),
      (problem) => placeInReshape(problem, hosts),
    ),
  );
}

/** The result in an answer, fresh or replayed. */
function adoptedBy({ providers = [], besides }: Pick<Written, 'providers' | 'besides'>): StorageAdopted {
  return { ...(besides as Pick<StorageAdopted, 'moved'>), providers };
}

function checkHosts(pool: string, hosts: readonly string[]): void {
  if (hosts.length < 1 || hosts.length > maxHosts) throw invalidInput(['computeNodes'], `must have 1 to ${maxHosts} elements`);
  const twice = hosts.findIndex((host, index) => hosts.indexOf(host) < index);
  if (twice >= 0) throw invalidInput(['computeNodes', twice], 'is listed twice');
  if (hosts.includes(pool)) throw invalidInput(['computeNodes'], 'the pool cannot be one of the hosts');
}

async function requirePool(scope: RequestScope, pool: string): Promise<void> {
  const { id } = await getProvider(scope, pool, ['pool']);
  const traits = await scope.loaders.traitsByProvider.load(id);
  if (!traits.some(({ name }) => name === sharingTrait))
    throw invalidInput(['pool'], `is not a pool: it does not have the trait ${sharingTrait}`);
}

async function getProvider({ loaders }: RequestScope, uuid: string, path: readonly string[]): Promise<Provider> {
  const provider = await loaders.providerByUuid.load(uuid);
  if (provider) return provider;
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: uuid } }, path);
}

/** Moves a refusal of the reshape to the path of the host or pool that it concerns. */
function placeInReshape(problem: Problem, hosts: readonly string[]): Path {
  const host = 'provider' in problem ? hosts.indexOf(problem.provider ?? '') : -1;
  if (host >= 0) return ['computeNodes', host];
  return problem.code === 'CONSUMER_CONFLICT' ? [] : ['pool'];
}

async function consumersOn(scope: RequestScope, hosts: readonly string[]): Promise<string[]> {
  const uuids = await listConsumerUuids(scope, { resourceProviders: hosts }, maxConsumers);
  if (uuids) return uuids;
  throw invalidInput(['computeNodes'], `more than ${maxConsumers} consumers have allocations there: take fewer hosts at a time`);
}

function isDisk({ resourceProvider: provider, resources }: AllocationInput, hosts: ReadonlySet<string>): boolean {
  return hosts.has(provider) && resources.some(({ resourceClass }) => resourceClass === diskClass);
}

function asInput({ className, total, reserved, minUnit, maxUnit, stepSize, allocationRatio }: Inventory) {
  return { resourceClass: className, total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
}

/** The same allocations with the disk on the pool. */
function moveDisk({ uuid, generation, allocations }: Holder, hosts: ReadonlySet<string>, pool: string): ConsumerAllocations {
  const held = new Map<string, Map<string, number>>();
  for (const { resourceProvider: provider, resources } of allocations) {
    for (const { resourceClass, amount } of resources) {
      const giver = resourceClass === diskClass && hosts.has(provider) ? pool : provider;
      const amounts = held.get(giver) ?? new Map<string, number>();
      held.set(giver, amounts);
      amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
    }
  }
  const moved = [...held].map(([provider, amounts]) => ({
    resourceProvider: provider,
    resources: [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  return { consumer: uuid, expect: { generation }, hold: { allocations: moved } };
}
