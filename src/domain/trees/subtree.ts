// A provider and its descendants as one: the members, and their totals of one class (for all classes: totals.ts). Sharing providers that serve the tree from
// outside are not included.
import type { ForestProvider } from '../candidates/forest.ts';

/** The provider and its descendants: for a root its whole tree. */
export function subtreeOf(provider: ForestProvider): readonly ForestProvider[] {
  if (!provider.hasChildren) return [provider];
  const { members } = provider.tree;
  if (provider.parent === null) return members;
  return members.filter((member) => provider.isAtOrAbove(member));
}

const largest = Number.MAX_SAFE_INTEGER;

/** The totals of one class in a subtree. */
export interface Amounts {
  readonly capacity: number;
  readonly used: number;
}

/** The totals of one class; null if no provider of the subtree has an inventory of it. */
export function subtreeAmounts(provider: ForestProvider, classId: number): Amounts | null {
  // The fast path: most providers stand alone, and lists compute this for each.
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
