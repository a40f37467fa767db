// The usage of a node by instances without allocations. An imported record gives the amounts, but not the instances. The first report of the node allocates
// them to consumers of a type of their own, so that no other consumer gets them. An audit transfers them, instance by instance, and releases the rest.
import { randomUUID } from 'node:crypto';
import type { AllocationInput } from '../../domain/allocation.ts';
import { capacityOf } from '../../domain/inventory.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import { untrackedType } from '../terms/consumer-types.ts';
import type { GivenInventories } from '../trees/provider-tree.ts';
import type { NodeSizes } from './node-sizes.ts';

/** The project and user of consumers without an owner, as upstream has it. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** The maximum number of consumers. Each holds up to the largest unit of each class, so this is also the highest ratio whose usage is kept in full. */
const maxConsumers = 64;

/** The consumers for the usage in a record, on a node with these inventories. Usage in a record includes the host's reservations, which are subtracted. */
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

/** The holders of untracked usage after as much of it as possible was transferred to these allocations; only those that change. */
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
