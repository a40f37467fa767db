// A list of trees in the order of their roots' ids: an index entry of the forest for one class, trait or aggregate.

/** Anything ordered by the id of its root. */
export interface Rooted {
  readonly rootId: number;
}

/** Trees without duplicates, in the order of root ids. Appending is cheap; inserting shifts what follows. */
export class TreeList<Tree extends Rooted> {
  trees: readonly Tree[] = [];
  /** The number of readers of `trees` that must not see changes. */
  private holders = 0;

  get length(): number {
    return this.trees.length;
  }

  add(tree: Tree): void {
    const place = this.placeOf(tree.rootId);
    if (this.trees[place] === tree) return;
    const trees = this.changeable();
    if (place === trees.length) trees.push(tree);
    else trees.splice(place, 0, tree);
  }

  remove(tree: Tree): void {
    const place = this.placeOf(tree.rootId);
    if (this.trees[place] === tree) this.changeable().splice(place, 1);
  }

  /** The current trees, unchanged until `letGo`. They are copied only if the list changes meanwhile. */
  hold(): readonly Tree[] {
    this.holders++;
    return this.trees;
  }

  /** Ends a `hold`. */
  letGo(held: readonly Tree[]): void {
    if (held === this.trees) this.holders--;
  }

  private changeable(): Tree[] {
    if (this.holders > 0) this.trees = this.trees.slice();
    this.holders = 0;
    return this.trees as Tree[];
  }

  /** The index of a root, or the index at which it would be inserted. */
  private placeOf(rootId: number): number {
    const { trees } = this;
    let [low, high] = [0, trees.length];
    if (high > 0 && (trees[high - 1] as Tree).rootId < rootId) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((trees[middle] as Tree).rootId < rootId) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** More lists than this are sorted eagerly, because each step of a merge scans all of them. */
const maxListsMergedAtOnce = 8;

/** The union of several lists, in the order of root ids. A few lists are merged lazily: a caller that stops early does not pay for the rest. */
export function mergeLists<Tree extends Rooted>(lists: readonly TreeList<Tree>[]): Iterable<Tree> {
  const [only] = lists;
  if (only && lists.length === 1) return only.trees;
  if (lists.length <= maxListsMergedAtOnce) return mergeStepwise(lists);
  return [...new Set(lists.flatMap(({ trees }) => trees))].sort((a, b) => a.rootId - b.rootId);
}

function* mergeStepwise<Tree extends Rooted>(lists: readonly TreeList<Tree>[]): Generator<Tree> {
  const places = lists.map(() => 0);
  for (;;) {
    let next: Tree | undefined;
    for (const [index, { trees }] of lists.entries()) {
      const tree = trees[places[index] as number];
      if (tree && (!next || tree.rootId < next.rootId)) next = tree;
    }
    if (!next) return;
    for (const [index, { trees }] of lists.entries()) {
      if (trees[places[index] as number] === next) places[index] = (places[index] as number) + 1;
    }
    yield next;
  }
}
