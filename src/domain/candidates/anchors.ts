// Selects the roots that may be anchors, and orders them. The search starts from the most selective condition, so few trees are examined
// without being a candidate, and trees are produced lazily, so hardly more are examined than needed.
import type { Forest, Tree } from './forest.ts';
import { FreeOrder } from './free-order.ts';
import type { Query } from './groups.ts';
import { type CandidateSortKey, type FreeSortKey, partsOfOrder } from './request.ts';
import type { Steps } from './steps.ts';
import { mergeLists, TreeList } from './tree-list.ts';

/** A superset of the trees that can be anchors, without duplicates, in the requested order; yields null where the caller may pause. */
export function anchorsOf(forest: Forest, query: Query, order: readonly CandidateSortKey[], steps: Steps): Iterable<Tree | null> {
  const lists = rarest(forest, query);
  // Several lists may be merged eagerly, so their whole cost is charged up front.
  if (lists.length > 1) steps.spend(lists.reduce((sum, { length }) => sum + length, 0));
  const inAge = mergeLists(lists);
  const { free, last } = partsOfOrder(order);
  if (free.length === 0 && last.by === 'CREATED_AT' && !last.descending) return inAge;
  const trees: readonly Tree[] = Array.isArray(inAge) ? inAge : [...inAge];
  const random = randomOf(last.by === 'RANDOM' ? last.seed : 0);
  const tied = (equal: readonly Tree[]): Iterable<Tree> => {
    if (last.by === 'RANDOM') return shuffled(equal, random);
    return last.descending ? reversed(equal) : equal;
  };
  if (free.length === 0) return tied(trees);
  return inKeys([trees], free, (equal, key) => groupsBy(forest, query, equal, key, equal.length === trees.length, steps), tied);
}

function* reversed<Element>(elements: readonly Element[]): Generator<Element> {
  for (let place = elements.length - 1; place >= 0; place--) yield elements[place] as Element;
}

/** The number of trees skipped between two pauses. */
const passedAtOnce = 500;

/**
 * Trees in the order of several keys, given groups of trees that are equal so far. Later keys are computed only within groups of several trees. `groupsOf`
 * may return trees outside the group it was given; these are skipped.
 */
function* inKeys(
  groups: Iterable<readonly Tree[] | null>,
  [key, ...others]: readonly FreeSortKey[],
  groupsOf: (equal: readonly Tree[], key: FreeSortKey) => Iterable<readonly Tree[] | null>,
  tied: (equal: readonly Tree[]) => Iterable<Tree>,
): Generator<Tree | null> {
  for (const equal of groups) {
    if (!equal) yield null;
    else if (!key || equal.length === 1) yield* tied(equal);
    else {
      let passed = 0;
      for (const tree of inKeys(groupsOf(equal, key), others, groupsOf, tied)) {
        if (!tree || isAmong(equal, tree)) yield tree;
        else if (++passed % passedAtOnce === 0) yield null;
      }
    }
  }
}

/** Whether a tree is in a group; the group is in the order of root ids. */
function isAmong(group: readonly Tree[], tree: Tree): boolean {
  let [low, high] = [0, group.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((group[middle] as Tree).rootId < tree.rootId) low = middle + 1;
    else high = middle;
  }
  return group[low] === tree;
}

/** Sorting this fraction of the trees of a class costs about as much as reading the maintained order and skipping the others. */
const partSorted = 1 / 8;

/**
 * Groups of trees with equal free amounts, trees without any of the classes last; the groups may contain trees that were not given. `isAll`: whether the
 * given trees are all that can be anchors.
 */
function* groupsBy(
  forest: Forest,
  { runs }: Query,
  trees: readonly Tree[],
  { weights: named, descending, tolerance = 0 }: FreeSortKey,
  isAll: boolean,
  steps: Steps,
): Generator<readonly Tree[] | null> {
  const weights = named.map(({ resourceClass, weight }) => ({ classId: forest.classes.idOf(resourceClass) ?? -1, weight }));
  // The tolerance is counted from the best of the given trees, which need not be the best in the maintained order of all trees.
  const isKept =
    (isAll || tolerance === 0) && weights.every(({ classId }) => trees.length >= forest.byClass.listOf(classId).length * partSorted);
  if (!isKept) steps.spend(trees.length);
  const order = isKept ? forest.freeOrderOf(weights) : new FreeOrder([trees], (tree: Tree) => tree.free(weights));
  for (const _ of order.sort()) yield null;
  const [only, ...others] = weights;
  // Amounts that a tree must have itself, because no sharing provider offers them.
  const amounts = runs.flatMap(({ takes, sharing }) =>
    sharing.length > 0 ? [] : takes.filter(({ classId }) => classId === only?.classId),
  );
  const isLeast = only !== undefined && only.weight > 0 && others.length === 0;
  const least = isLeast ? only.weight * Math.max(0, ...amounts.map(({ amount }) => amount)) : Number.NEGATIVE_INFINITY;
  yield* order.groupsIn({ descending, least, tolerance });
  if (amounts.length > 0) return;
  const without = trees.filter(({ classIds }) => !weights.some(({ classId }) => classIds.has(classId)));
  if (without.length > 0) yield without;
}

/** The lists of the most selective condition: every anchor is in one of them. */
function rarest(forest: Forest, query: Query): readonly TreeList<Tree>[] {
  let best: readonly TreeList<Tree>[] = [forest.all];
  let least = forest.all.length;
  for (const lists of conditions(forest, query)) {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    if (length < least) [best, least] = [lists, length];
  }
  return best;
}

/** For each condition, lists that together contain every tree that meets it. */
function* conditions(
  forest: Forest,
  { runs, rootTraits, rootAggregates, rootRules, spreadTraits }: Query,
): Generator<readonly TreeList<Tree>[]> {
  const withTraits = (ids: readonly number[]) => ids.map((id) => forest.byTrait.listOf(id));
  const withAggregates = (ids: readonly number[]) => ids.map((id) => forest.byAggregate.listOf(id));
  yield* rootTraits.required.map(withTraits);
  yield* rootAggregates.required.map(withAggregates);
  for (const { only } of rootRules) if (only) yield [treesOf(forest, only)];
  for (const slot of runs) {
    const { group, takes, sharing } = slot;
    const served = withAggregates([...new Set(sharing.flatMap(({ aggregates }) => aggregates.ids))]);
    if (group.inTrees) yield [listOf(group.inTrees), ...served];
    for (const { classId } of takes) yield [forest.byClass.listOf(classId), ...served];
    // The root's aggregates count for the unsuffixed group; the index covers them, as the root is a member of its tree.
    for (const ids of group.aggregates.required) yield [...withAggregates(ids), ...served];
    if (group.suffix !== '') for (const ids of group.traits.required) yield [...withTraits(ids), ...served];
  }
  yield* spreadTraits.required.map(withTraits);
}

function treesOf(forest: Forest, roots: ReadonlySet<string>): TreeList<Tree> {
  const trees = [...roots].flatMap((uuid) => forest.findByUuid(uuid)?.tree ?? []);
  return listOf(trees.filter(({ root }) => roots.has(root.state.provider.uuid)));
}

function listOf(trees: Iterable<Tree>): TreeList<Tree> {
  const list = new TreeList<Tree>();
  for (const tree of trees) list.add(tree);
  return list;
}

/** A seeded pseudorandom generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The elements of an array in random order. The cost is proportional to the number of elements taken. */
export function* shuffled<Element>(elements: readonly Element[], random: () => number): Generator<Element> {
  /** Elements swapped into places that have not been reached yet. */
  const swapped = new Map<number, Element>();
  const at = (place: number) => swapped.get(place) ?? (elements[place] as Element);
  for (let place = 0; place < elements.length; place++) {
    const other = place + Math.floor(random() * (elements.length - place));
    const element = at(other);
    swapped.set(other, at(place));
    swapped.delete(place);
    yield element;
  }
}

/** Elements in ascending order of several keys, most significant first; a stable sort, done lazily with a heap. */
export function* inOrder<Element>(elements: readonly Element[], keysOf: readonly ((element: Element) => number)[]): Generator<Element> {
  const keys = keysOf.map((keyOf) => Float64Array.from(elements, keyOf));
  const heap = Uint32Array.from(elements.keys());
  let size = heap.length;
  const isBefore = (a: number, b: number) => {
    for (const values of keys) {
      const [left, right] = [values[a] as number, values[b] as number];
      if (left !== right) return left < right;
    }
    return a < b;
  };
  const sink = (from: number) => {
    const moved = heap[from] as number;
    let place = from;
    for (let child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && isBefore(heap[child + 1] as number, heap[child] as number)) child++;
      if (!isBefore(heap[child] as number, moved)) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = moved;
  };
  for (let place = (size >> 1) - 1; place >= 0; place--) sink(place);
  while (size > 0) {
    const first = heap[0] as number;
    size--;
    heap[0] = heap[size] as number;
    sink(0);
    yield elements[first] as Element;
  }
}
