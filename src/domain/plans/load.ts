// The load of a tree: the used share of its capacity, of the class with the highest share.
import type { Tree } from '../candidates/forest.ts';

/** Loads over a set of trees; 1 is fully used. */
export interface Balance {
  readonly highest: number;
  readonly lowest: number;
  readonly mean: number;
  /** The standard deviation. */
  readonly deviation: number;
}

/** The load of a tree; above 1 if it is over capacity. `more`: additional amounts that count as used, by class id. */
export function loadOf(tree: Tree, classIds: readonly number[], more: ReadonlyMap<number, number> = new Map()): number {
  let load = 0;
  for (const classId of classIds) {
    let used = more.get(classId) ?? 0;
    let capacity = 0;
    for (const member of tree.members) {
      const inventory = member.inventoryOf(classId);
      if (!inventory) continue;
      used += inventory.used;
      capacity += inventory.capacity;
    }
    if (capacity > 0) load = Math.max(load, used / capacity);
  }
  return load;
}

export function balanceOf(loads: readonly number[]): Balance {
  if (loads.length === 0) return { highest: 0, lowest: 0, mean: 0, deviation: 0 };
  const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
  const squares = loads.reduce((sum, load) => sum + (load - mean) ** 2, 0);
  return {
    highest: loads.reduce((most, load) => Math.max(most, load), Number.NEGATIVE_INFINITY),
    lowest: loads.reduce((least, load) => Math.min(least, load), Number.POSITIVE_INFINITY),
    mean,
    deviation: Math.sqrt(squares / loads.length),
  };
}

/** Trees in the order of their loads, least first, ties by age. Single trees can be moved when their load changes. */
export class TreesByLoad {
  private readonly classIds: readonly number[];
  private readonly loads = new Map<Tree, number>();
  trees: Tree[] = [];

  constructor(classIds: readonly number[]) {
    this.classIds = classIds;
  }

  /** Adds a tree. The trees are in order only after `sort`. */
  count(tree: Tree): void {
    this.loads.set(tree, loadOf(tree, this.classIds));
  }

  sort(): void {
    this.trees = [...this.loads].sort(([a, load], [b, other]) => load - other || a.rootId - b.rootId).map(([tree]) => tree);
  }

  load(tree: Tree): number {
    return this.loads.get(tree) ?? 0;
  }

  has(tree: Tree): boolean {
    return this.loads.has(tree);
  }

  /** Must be called with the trees whose usage has changed. */
  update(trees: Iterable<Tree>): void {
    for (const tree of trees) {
      if (!this.loads.has(tree)) continue;
      this.trees.splice(this.placeOf(tree), 1);
      this.loads.set(tree, loadOf(tree, this.classIds));
      this.trees.splice(this.placeOf(tree), 0, tree);
    }
  }

  remove(tree: Tree): void {
    if (!this.loads.has(tree)) return;
    this.trees.splice(this.placeOf(tree), 1);
    this.loads.delete(tree);
  }

  private compare(a: Tree, b: Tree): number {
    return this.load(a) - this.load(b) || a.rootId - b.rootId;
  }

  /** The index of a tree, or the index at which it would be inserted. */
  private placeOf(tree: Tree): number {
    let [low, high] = [0, this.trees.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.trees[middle] as Tree, tree) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
