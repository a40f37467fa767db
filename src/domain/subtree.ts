// A provider and its descendants taken as one: the members and their totals. Sharing providers that serve the tree from outside are not
// included.
import type { ForestProvider } from './candidates/forest.ts';
import type { ResourceTotal } from './provider.ts';

/** The provider and its descendants: for a root its whole tree. */
export function subtreeOf(provider: ForestProvider): readonly ForestProvider[] {
  if (!provider.hasChildren) return [provider];
  const { members } = provider.tree;
  if (provider.parent === null) return members;
  return members.filter((member) => provider.isAtOrAbove(member));
}

const largest = Number.MAX_SAFE_INTEGER;

/** Their totals, a row for each class in the order of class ids. Sums saturate at 2^53 - 1, as in db/totals.ts. */
export function subtreeTotals(provider: ForestProvider): ResourceTotal[] {
  const totals = new Map<number, ResourceTotal>();
  for (const { state } of subtreeOf(provider)) {
    for (const { classId, className, total, reserved, capacity, used } of state.inventories) {
      const sum = totals.get(classId);
      totals.set(classId, {
        classId,
        className,
        providerCount: (sum?.providerCount ?? 0) + 1,
        total: (sum?.total ?? 0) + total,
        reserved: (sum?.reserved ?? 0) + reserved,
        capacity: Math.min((sum?.capacity ?? 0) + capacity, largest),
        used: Math.min((sum?.used ?? 0) + used, largest),
        freeUsable: Math.min((sum?.freeUsable ?? 0) + Math.max(capacity - used, 0), largest),
      });
    }
  }
  return [...totals.values()].sort((a, b) => a.classId - b.classId);
}

/** The totals of one class in a subtree. */
export interface Amounts {
  readonly capacity: number;
  readonly used: number;
}

/** The totals of one class; null when no provider of the subtree has an inventory of it. */
export function subtreeAmounts(provider: ForestProvider, classId: number): Amounts | null {
  // Most providers stand alone, and lists of all of them ask each.
  if (!provider.hasChildren) return provider.inventoryOf(classId) ?? null;
  let [found, capacity, used] = [false, 0, 0];
  for (const member of subtreeOf(provider)) {
    const inventory = member.inventoryOf(classId);
    if (!inventory) continue;
    found = true;
    capacity += inventory.capacity;
    used += inventory.used;
  }
  return found ? { capacity: Math.min(capacity, largest), used: Math.min(used, largest) } : null;
}
