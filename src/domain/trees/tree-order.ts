// Orders providers by the free amount, usage or utilization of classes in their subtrees. The order is that of db/sql/keyset.ts: providers
// without a value come last in both directions, ties are broken by age, oldest first.
import type { ForestProvider } from '../candidates/forest.ts';
import { microsecondsOf } from '../moment.ts';
import type { PageRequest } from '../page.ts';
import type { ProviderSortKey } from '../provider.ts';
import { type Amounts, subtreeAmounts } from './subtree.ts';

/** A sort key that needs no database. Names are sorted there, by its collation. */
export type TreeSortKey =
  | Exclude<ProviderSortKey, { readonly by: 'NAME' | 'CREATED_AT' | 'CONSUMERS' }>
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

/** A position in the list. The value of a key is computed only if the previous keys are equal. */
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

/** Collects places and keeps only the first ones in order. */
class FirstPlaces {
  readonly #compare: Comparison;
  readonly #size: number;
  #places: RankedProvider[] = [];
  /** The number of places held at which they are sorted and cut. */
  #limit: number;
  /** The last of the first places, once there are enough: places after it are dropped. */
  last: Place | null = null;

  constructor(compare: Comparison, size: number) {
    this.#compare = compare;
    this.#size = size;
    this.#limit = 2 * size + 100;
  }

  add(place: RankedProvider): void {
    if (this.last && this.#compare(place, this.last) > 0) return;
    this.#places.push(place);
    if (this.#places.length < this.#limit) return;
    // All places equal to the last are kept. Without twice the room, many of them would be sorted again and again.
    this.#limit = 2 * this.inOrder().length + 100;
  }

  /** The first `size`, and those that compare equal to the last of them. */
  inOrder(): readonly RankedProvider[] {
    const sorted = this.#places.sort(this.#compare);
    const last = sorted[this.#size - 1];
    if (!last) return sorted;
    this.last = last;
    const end = sorted.findIndex((place, index) => index >= this.#size && this.#compare(place, last) > 0);
    if (end >= 0) sorted.length = end;
    return sorted;
  }
}

/**
 * The providers at the start and the first `size` after it, in order, with those that compare equal to the last of them. A single pass, which
 * computes the first key of each provider once, and makes places only of those that may be among the first.
 */
function firstOf(
  providers: readonly ForestProvider[],
  sort: readonly TreeSortKey[],
  { compare, backward, start, size }: Section,
): { readonly atStart: readonly RankedProvider[]; readonly behind: readonly RankedProvider[] } {
  const [key] = sort as readonly [TreeSortKey, ...TreeSortKey[]];
  const atStart: RankedProvider[] = [];
  const first = new FirstPlaces(compare, size);
  for (const provider of providers) {
    const value = amountOf(provider, key);
    if (first.last) {
      const order = compareValues(value, first.last.valueOf(0), key.descending);
      if (backward ? order < 0 : order > 0) continue;
    }
    const place = new RankedProvider(provider, sort, value);
    const order = start ? compare(place, start) : 1;
    if (order === 0) atStart.push(place);
    if (order > 0) first.add(place);
  }
  return { atStart, behind: first.inOrder() };
}

/** The requested part of a list: `size` places after the start, in the direction of paging. */
interface Section {
  readonly compare: Comparison;
  readonly backward: boolean;
  readonly start: Place | null;
  readonly size: number;
}

/** The providers of a page and at least one more, starting after the cursor. */
export function rankByTree(
  providers: readonly ForestProvider[],
  sort: readonly TreeSortKey[],
  page: PageRequest,
): readonly RankedProvider[] {
  const last = sort.at(-1);
  const tiesDescend = last?.by === 'CREATED_AT' && last.descending;
  const compareKeys = byKeys(sort);
  const compare = directed((a, b) => compareKeys(a, b) || (tiesDescend ? b.id - a.id : a.id - b.id), page.backward);
  const start = startOf(page, page.key?.at(-1) as number);
  return firstOf(providers, sort, { compare, backward: page.backward, start, size: page.size + 1 }).behind;
}

/**
 * The same if names break ties: groups of providers with equal keys, in order, until they contain the page and one more. With a cursor,
 * the first group is that of the cursor's position, only part of which comes after it.
 */
export function groupByTree(
  providers: readonly ForestProvider[],
  sort: readonly TreeSortKey[],
  page: PageRequest,
): (readonly RankedProvider[])[] {
  const compare = directed(byKeys(sort), page.backward);
  const start = startOf(page, 0);
  const { atStart, behind } = firstOf(providers, sort, { compare, backward: page.backward, start, size: page.size + 1 });
  const groups: RankedProvider[][] = [];
  for (const one of behind) {
    const group = groups.at(-1);
    if (group && compare(group[0] as RankedProvider, one) === 0) group.push(one);
    else groups.push([one]);
  }
  return start ? [atStart, ...groups] : groups;
}
