// Classes that older releases of Nova kept on the node itself and newer ones keep on its children: virtual GPUs on their cards, contexts of encrypted memory
// on their models. The first report with such children moves inventories and allocations down, in the same write.
import { capacityOf } from '../../domain/inventory.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listConsumers } from '../../operations/allocations/consumers.ts';
import { findHolders, type Holder } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { ProviderTree } from '../trees/provider-tree.ts';
import { type ComputeNodeReport, memoryEncryptionClass, vgpuClass } from './compute-node-report.ts';
import { fullInventory } from './device-inventories.ts';

/** The classes that the node itself has although it reports children for them. */
export function classesToReshape({ vgpus, memoryEncryption }: ComputeNodeReport, root: ProviderState | undefined): string[] {
  const reported = [
    ...(vgpus?.some(({ total, resourceClass }) => total > 0 && (resourceClass ?? vgpuClass) === vgpuClass) ? [vgpuClass] : []),
    ...(memoryEncryption?.some(({ total }) => total > 0) ? [memoryEncryptionClass] : []),
  ];
  return reported.filter((name) => root && Object.hasOwn(root.inventories, name));
}

/** The consumers that hold some of these classes on the node itself; at most as many as one write can move. */
export async function holdersOnRoot(scope: RequestScope, root: ProviderState, classes: readonly string[]): Promise<readonly Holder[]> {
  if (!classes.some((name) => (root.used[name] ?? 0) > 0)) return [];
  const { rows } = await listConsumers(scope, {
    filter: { resourceProviders: [root.uuid], resourceClasses: classes },
    first: maxMoved,
  });
  const held = await findHolders(
    scope,
    rows.map(({ uuid }) => uuid),
  );
  return [...held.values()];
}

const maxMoved = 1000;

/**
 * Moves the classes in an edited tree from its root to the children that have them, and returns the new allocations of the consumers that move. Each consumer
 * gets all of a class from one child. Consumers that fit on no child stay on the root until a later report, with an inventory just for them.
 */
export function reshapeClasses(
  tree: ProviderTree,
  root: ProviderState,
  classes: readonly string[],
  holders: readonly Holder[],
  used: ReadonlyMap<string, Readonly<Record<string, number>>>,
): ConsumerAllocations[] {
  const moves = new Map<string, Map<string, string>>();
  for (const resourceClass of classes) {
    const free = freeOfChildren(tree, root.uuid, resourceClass, used);
    const amounts = holders.map((holder) => ({ holder, amount: amountOn(holder, root.uuid, resourceClass) }));
    // The largest first, because they fit in the fewest places.
    for (const { holder, amount } of amounts.toSorted((a, b) => b.amount - a.amount)) {
      const child = amount > 0 ? [...free].find(([, left]) => left >= amount)?.[0] : undefined;
      if (child === undefined) continue;
      free.set(child, (free.get(child) ?? 0) - amount);
      moves.set(holder.uuid, (moves.get(holder.uuid) ?? new Map()).set(resourceClass, child));
    }
    const moved = amounts.reduce((sum, { holder, amount }) => sum + (moves.get(holder.uuid)?.has(resourceClass) ? amount : 0), 0);
    const left = (root.used[resourceClass] ?? 0) - moved;
    const { [resourceClass]: _, ...others } = tree.data(root.uuid).inventories;
    tree.updateInventory(root.uuid, left > 0 ? { ...others, [resourceClass]: fullInventory(left) } : others);
  }
  return holders.flatMap((holder) => {
    const places = moves.get(holder.uuid);
    return places ? [movedDown(holder, root.uuid, places)] : [];
  });
}

/** What is free on each child with this class, in the order of the tree. */
function freeOfChildren(
  tree: ProviderTree,
  root: string,
  resourceClass: string,
  used: ReadonlyMap<string, Readonly<Record<string, number>>>,
): Map<string, number> {
  return new Map(
    tree.uuidsInSubtree(root).flatMap((uuid): [string, number][] => {
      const inventory = tree.data(uuid).inventories[resourceClass];
      if (uuid === root || !inventory || !tree.hasTraits(uuid, ['OWNER_NOVA'])) return [];
      const { total, reserved, allocationRatio } = inventory;
      const capacity = capacityOf({ total, reserved: reserved ?? 0, allocationRatio: allocationRatio ?? 1 });
      return [[uuid, capacity - (used.get(uuid)?.[resourceClass] ?? 0)]];
    }),
  );
}

function amountOn({ allocations }: Holder, provider: string, resourceClass: string): number {
  const held = allocations.filter(({ resourceProvider }) => resourceProvider === provider).flatMap(({ resources }) => resources);
  return held.reduce((sum, row) => sum + (row.resourceClass === resourceClass ? row.amount : 0), 0);
}

/** The same allocations with some classes of the root on its children. */
function movedDown({ uuid, generation, allocations }: Holder, root: string, places: ReadonlyMap<string, string>): ConsumerAllocations {
  const held = new Map<string, Map<string, number>>();
  for (const { resourceProvider, resources } of allocations) {
    for (const { resourceClass, amount } of resources) {
      const giver = (resourceProvider === root ? places.get(resourceClass) : undefined) ?? resourceProvider;
      const amounts = held.get(giver) ?? new Map<string, number>();
      held.set(giver, amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount));
    }
  }
  const rows = [...held].map(([resourceProvider, amounts]) => ({
    resourceProvider,
    resources: [...amounts].map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  return { consumer: uuid, expect: { generation }, hold: { allocations: rows } };
}
