// Orders providers by the free amount, usage or utilization of classes in their subtrees. The order is that of db/sql/keyset.ts: providers
// without a value come last in both directions, ties are broken by age, oldest first.
import type { ForestProvider } from './candidates/forest.ts';
import { microsecondsOf } from './moment.ts';
import type { PageRequest } from './page.ts';
import type { ProviderSortKey } from './provider.ts';
import { type Amounts, subtreeAmounts } from './subtree.ts';

/** A sort key that needs no database. Names are sorted there, by its collation. */
export type TreeSortKey =
  | Exclude<ProviderSortKey, { readonly by: 'NAME' | 'CREATED_AT' }>
  | { readonly by: 'CREATED_AT'; readonly descending: boolean };

type Value = number | null;

/** The value of a key; null without the class, and for UTILIZATION without capacity. */
function amountOf(provider: ForestProvider, key: TreeSortKey): Value {
  if (key.by === 'CREATED_AT') return microsecondsOf(provider.state.provider.createdAt);
  const amounts: Amounts | null =
    key.scope === 'TREE' ? subtreeAmounts(provider, key.classId) : (provider.inventoryOf(key.classId) ?? null);
  if (!amounts) return null;
  const { capacity, used } = amounts;
  if (key.by === 'USED') return used;
  if (key.by === 'FREE') return capacity - used;
  return capacity === 0 ? null : used / capacity;
}

/** A position in the list. The value of a key is computed only when the previous keys are equal. */
interface Place {
  readonly id: number;
  valueOf(key: number): Value;
}

/** A provider with its position. */
class RankedProvider implements Place {
  readonly provider: ForestProvider;
  readonly id: number;
  readonly #sort: readonly TreeSortKey[];
  readonly #values: Value[];

  constructor(provider: ForestProvider, sort: readonly TreeSortKey[], first: Value) {
    this.provider = provider;
    this.id = provider.id;
    this.#sort = sort;
    this.#values = [first];
  }

  valueOf(key: number): Value {
    let value = this.#values[key];
    if (value === undefined) {
      value = amountOf(this.provider, this.#sort[key] as TreeSortKey);
      this.#values[key] = value;
    }
    return value;
  }

  /** One value for each key. */
  get values(): readonly Value[] {
    return this.#sort.map((_, key) => this.valueOf(key));
  }
}

function startOf({ key }: PageRequest, id: number): Place | null {
  return key && { id, valueOf: (index) => key[index] as Value };
}

type Comparison = (a: Place, b: Place) => number;

/** Compares two values of a key; null comes last in both directions. */
function compareValues(one: Value, other: Value, descending: boolean): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return descending ? other - one : one - other;
}

/** Compares by the keys alone, without a tie-breaker. */
function byKeys(sort: readonly TreeSortKey[]): Comparison {
  const descends = sort.map(({ descending }) => descending);
  return (a, b) => {
    for (let key = 0; key < descends.length; key++) {
      const order = compareValues(a.valueOf(key), b.valueOf(key), descends[key] as boolean);
      if (order !== 0) return order;
    }
    return 0;
  };
}

const directed = (compare: Comparison, backward: boolean): Comparison => (backward ? (a, b) => compare(b, a) : compare);

const rank = (provider: ForestProvider, sort: readonly TreeSortKey[]): RankedProvider =>
  new RankedProvider(provider, sort, amountOf(provider, sort[0] as TreeSortKey));

/** The first `size` after `start`, in order. A single pass that sorts only these, and makes places only of those that may be among them. */
function firstOf(
  providers: readonly ForestProvider[],
  sort: readonly TreeSortKey[],
  {
    compare,
    backward,
    start,
    size,
  }: { readonly compare: Comparison; readonly backward: boolean; readonly start: Place | null; readonly size: number },
): RankedProvider[] {
  const [key] = sort as readonly [TreeSortKey, ...TreeSortKey[]];
  let best: RankedProvider[] = [];
  let worst: Place | null = null;
  for (const provider of providers) {
    const value = amountOf(provider, key);
    if (worst) {
      const order = compareValues(value, worst.valueOf(0), key.descending);
      if (backward ? order < 0 : order > 0) continue;
    }
    const place = new RankedProvider(provider, sort, value);
    if ((start && compare(place, start) <= 0) || (worst && compare(place, worst) >= 0)) continue;
    best.push(place);
    if (best.length < 2 * size + 100) continue;
    best = best.sort(compare).slice(0, size);
    worst = best.at(-1) ?? null;
  }
  return best.sort(compare).slice(0, size);
}

/** The providers of a page and one more, starting at the cursor. */
export function rankByTree(providers: readonly ForestProvider[], sort: readonly TreeSortKey[], page: PageRequest): RankedProvider[] {
  const last = sort.at(-1);
  const tiesDescend = last?.by === 'CREATED_AT' && last.descending;
  const compareKeys = byKeys(sort);
  const compare = directed((a, b) => compareKeys(a, b) || (tiesDescend ? b.id - a.id : a.id - b.id), page.backward);
  const start = startOf(page, page.key?.at(-1) as number);
  return firstOf(providers, sort, { compare, backward: page.backward, start, size: page.size + 1 });
}

/**
 * The same when names break ties: groups of providers with equal keys, in order, until they contain the page and one more. With a cursor,
 * the first group is that of the cursor's position, only part of which comes after it.
 */
export function groupByTree(providers: readonly ForestProvider[], sort: readonly TreeSortKey[], page: PageRequest): RankedProvider[][] {
  const compare = directed(byKeys(sort), page.backward);
  const start = startOf(page, 0);
  const ranked = providers.map((provider) => rank(provider, sort));
  const groups = start ? [ranked.filter((one) => compare(one, start) === 0)] : [];
  const behind = start ? ranked.filter((one) => compare(one, start) > 0) : ranked;
  const end = firstOf(providers, sort, { compare, backward: page.backward, start, size: page.size + 1 }).at(-1);
  // Names decide between the last one and its equals, so all of them are needed.
  const within = end ? behind.filter((one) => compare(one, end) <= 0) : [];
  for (const [place, one] of within.sort(compare).entries()) {
    const group = groups.at(-1);
    if (group && place > 0 && compare(group[0] as RankedProvider, one) === 0) group.push(one);
    else groups.push([one]);
  }
  return groups;
}
