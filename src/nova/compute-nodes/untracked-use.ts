// What instances of a node used before they had allocations. An imported record says how much, not who. The first report of the node gives it to
// consumers of their own type, so that nobody else gets it; an audit hands it on, instance by instance, and releases what is left.
import { randomUUID } from 'node:crypto';
import type { AllocationInput } from '../../domain/allocation.ts';
import { capacityOf } from '../../domain/inventory.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import { untrackedType } from '../terms/consumer-types.ts';
import type { GivenInventories } from '../trees/provider-tree.ts';
import type { NodeSizes } from './node-sizes.ts';

/** Nobody in particular, as upstream calls the owners of consumers that have none. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** So many consumers at most: each holds up to the largest unit of each class, so this is also the highest ratio whose use is kept in full. */
const maxConsumers = 64;

/** The consumers of the use in a record, on a node with these inventories: what the record calls used includes what the host reserves for itself. */
export function untrackedConsumers(sizes: NodeSizes, node: string, inventories: GivenInventories): ConsumerAllocations[] {
  const left = { VCPU: sizes.vcpusUsed, MEMORY_MB: sizes.memoryMbUsed, DISK_GB: sizes.localGbUsed };
  const uses = Object.entries(left).flatMap(([resourceClass, used]) => {
    const { total, reserved, allocationRatio, maxUnit } = inventories[resourceClass] ?? { total: 0 };
    const capacity = capacityOf({ total, reserved: reserved ?? 0, allocationRatio: allocationRatio ?? 1 });
    return { resourceClass, amount: Math.min(Math.max(used - (reserved ?? 0), 0), capacity), unit: Math.max(maxUnit ?? total, 1) };
  });
  const count = Math.min(Math.max(0, ...uses.map(({ amount, unit }) => Math.ceil(amount / unit))), maxConsumers);
  return Array.from({ length: count }, (_, index) => {
    const resources = uses.flatMap(({ resourceClass, amount, unit }) => {
      const own = Math.min(amount - index * unit, unit);
      return own > 0 ? [{ resourceClass, amount: own }] : [];
    });
    return {
      ...{ consumer: randomUUID(), expect: { isNew: true as const }, project: nobody, user: nobody, consumerType: untrackedType },
      hold: { allocations: [{ resourceProvider: node, resources }] },
    };
  });
}

/** Those who hold untracked use, after as much of it as possible went to these allocations; only those that change. */
export function withoutUntracked(holders: readonly Holder[], allocations: readonly AllocationInput[]): Holder[] {
  const wanted = new Map<string, number>();
  for (const { resourceProvider, resources } of allocations)
    for (const { resourceClass, amount } of resources) {
      const key = `${resourceProvider} ${resourceClass}`;
      wanted.set(key, (wanted.get(key) ?? 0) + amount);
    }
  return holders.flatMap((holder) => {
    let isChanged = false;
    const left = holder.allocations.map(({ resourceProvider, resources }) => ({
      resourceProvider,
      resources: resources.flatMap(({ resourceClass, amount }) => {
        const key = `${resourceProvider} ${resourceClass}`;
        const given = Math.min(amount, wanted.get(key) ?? 0);
        wanted.set(key, (wanted.get(key) ?? 0) - given);
        isChanged ||= given > 0;
        return amount > given ? [{ resourceClass, amount: amount - given }] : [];
      }),
    }));
    return isChanged ? [{ ...holder, allocations: left.filter(({ resources }) => resources.length > 0) }] : [];
  });
}
