// Totals of inventories over sets of providers of the forest, each provider counted once. db/totals.ts is the same in SQL.
import type { Forest, ForestProvider } from '../candidates/forest.ts';
import type { IdSet } from '../candidates/id-set.ts';
import type { Capacity, ResourceTotal, Scope } from '../provider.ts';
import { compileConditions, type ProviderConditions, possibleProviders } from './provider-conditions.ts';
import { subtreeOf } from './subtree.ts';

const largest = Number.MAX_SAFE_INTEGER;

type Sum = { -readonly [Column in keyof ResourceTotal]: ResourceTotal[Column] };

/** The totals of providers that are added one by one. Sums saturate at 2^53 - 1. */
class Totals {
  private readonly sums = new Map<number, Sum>();

  add({ state }: ForestProvider): void {
    for (const { classId, className, total, reserved, capacity, used, promised = 0 } of state.inventories) {
      let sum = this.sums.get(classId);
      if (!sum) {
        sum = { classId, className, providerCount: 0, total: 0, reserved: 0, capacity: 0, used: 0, freeUsable: 0, promised: 0 };
        this.sums.set(classId, sum);
      }
      sum.providerCount += 1;
      sum.total += total;
      sum.reserved += reserved;
      sum.capacity = Math.min(sum.capacity + capacity, largest);
      sum.used = Math.min(sum.used + used, largest);
      sum.freeUsable = Math.min(sum.freeUsable + Math.max(capacity - used, 0), largest);
      sum.promised = Math.min(sum.promised + promised, largest);
    }
  }

  /** A row for each class, in the order of class ids. */
  get rows(): ResourceTotal[] {
    return [...this.sums.values()].sort((a, b) => a.classId - b.classId);
  }
}

/** The totals of a provider and its descendants. */
export function subtreeTotals(provider: ForestProvider): ResourceTotal[] {
  const totals = new Totals();
  for (const member of subtreeOf(provider)) totals.add(member);
  return totals.rows;
}

/** The number of providers between two pauses: under a millisecond with the largest filter. */
const checkedAtOnce = 50;

/**
 * The capacity of the providers that meet the conditions (TREE: with all their descendants), and of the pools outside this set that serve their trees.
 * Pauses now and then; the forest must not change during a pause.
 */
export function* sumCapacityIn(forest: Forest, wanted: ProviderConditions, summed: Scope): Generator<void, Capacity> {
  const holds = compileConditions(wanted);
  const [own, shared] = [new Totals(), new Totals()];
  /** The aggregates of the trees that have a member in the sum; there are few distinct sets. */
  const aggregates = new Set<IdSet>();
  /** With TREE: the members counted so far, so that none is counted twice. */
  const counted = new Set<ForestProvider>();
  let checked = 0;
  for (const provider of possibleProviders(forest, wanted)) {
    if (++checked % checkedAtOnce === 0) yield;
    if (!holds(provider)) continue;
    aggregates.add(provider.tree.aggregates);
    if (summed === 'PROVIDER') own.add(provider);
    else if (!counted.has(provider)) {
      for (const member of subtreeOf(provider)) {
        if (counted.has(member)) continue;
        counted.add(member);
        own.add(member);
      }
    }
  }
  const serving = new Set([...aggregates].flatMap(({ ids }) => ids));
  for (const pool of forest.sharing) {
    const isOwn = summed === 'PROVIDER' ? holds(pool) : counted.has(pool);
    if (!isOwn && pool.aggregates.ids.some((id) => serving.has(id))) shared.add(pool);
  }
  return { own: own.rows, shared: shared.rows };
}
