// Lists ordered by what trees hold: providers of a forest by the free, used or relative amount of a class in everything at and below them.
// The order is that of db/sql/keyset.ts: those without a value last either way, ties by age.
import type { ForestProvider } from './candidates/forest.ts';
import type { PageRequest } from './page.ts';
import { subtreeAmounts } from './subtree.ts';

export interface TreeSort {
  readonly by: 'FREE' | 'USED' | 'UTILIZATION';
  readonly classId: number;
  readonly descending: boolean;
}

/** A provider and what it was ordered by; null without the class, and for UTILIZATION without capacity. */
export interface RankedProvider {
  readonly provider: ForestProvider;
  readonly value: number | null;
}

function amountOf(provider: ForestProvider, { by, classId }: TreeSort): number | null {
  const amounts = subtreeAmounts(provider, classId);
  if (!amounts) return null;
  const { capacity, used } = amounts;
  if (by === 'USED') return used;
  if (by === 'FREE') return capacity - used;
  return capacity === 0 ? null : used / capacity;
}

/** A place in the list: its value and its id. */
interface Place {
  readonly value: number | null;
  readonly id: number;
}

function comparison({ descending }: TreeSort, backward: boolean): (a: Place, b: Place) => number {
  const forward = (a: Place, b: Place): number => {
    if (a.value === b.value) return a.id - b.id;
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return descending ? b.value - a.value : a.value - b.value;
  };
  return backward ? (a, b) => forward(b, a) : forward;
}

/** The providers of a page and one more, nearest to its beginning first. Looks at each once; what is not on the page is not sorted. */
export function rankByTree(providers: Iterable<ForestProvider>, sort: TreeSort, page: PageRequest): RankedProvider[] {
  const compare = comparison(sort, page.backward);
  const [value, id] = page.key ?? [];
  const start = page.key && { value: value as number | null, id: id as number };
  const size = page.size + 1;
  let best: (RankedProvider & Place)[] = [];
  let worst: Place | undefined;
  for (const provider of providers) {
    const ranked = { provider, id: provider.id, value: amountOf(provider, sort) };
    if (start && compare(ranked, start) <= 0) continue;
    if (worst && compare(ranked, worst) >= 0) continue;
    best.push(ranked);
    if (best.length < 2 * size + 100) continue;
    best = best.sort(compare).slice(0, size);
    worst = best.at(-1);
  }
  return best.sort(compare).slice(0, size);
}
