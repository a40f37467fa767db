// Trees by what they have free of a class, all members together. Kept up while trees change, a search looks at as many as it needs; otherwise it would have
// to sort all of them.
import { type Rooted, TreeList } from './tree-list.ts';

/** Which trees, and in which direction. */
export interface FreeRange {
  readonly descending: boolean;
  /** Those with less free are left out. */
  readonly least: number;
  /** Trees that have at most so much more or less than the first of a group belong to it. */
  readonly tolerance: number;
}

export class FreeOrder<Tree extends Rooted> {
  private readonly freeOf: (tree: Tree) => number;
  private readonly amounts = new Map<Tree, number>();
  private readonly groups = new Map<number, TreeList<Tree>>();
  /** The amounts that there are, ascending. */
  private readonly sorted: number[];
  /** Trees that may stand elsewhere now. Moved when somebody looks, as much is only supposed, and taken back before. */
  private readonly touched = new Set<Tree>();

  /** `freeOf`: in units of the class; negative for trees that do not belong here. */
  constructor(trees: readonly Tree[], freeOf: (tree: Tree) => number) {
    this.freeOf = freeOf;
    for (const tree of trees) {
      const amount = freeOf(tree);
      if (amount >= 0) this.put(tree, amount);
    }
    this.sorted = [...this.groups.keys()].sort((a, b) => a - b);
  }

  /** Must be called after a tree has changed. */
  touch(tree: Tree): void {
    this.touched.add(tree);
  }

  /** Groups of trees that have the same free, or as good as; in each the oldest first. Others may suppose changes meanwhile if they take them back. */
  *groupsIn({ descending, least, tolerance }: FreeRange): Generator<readonly Tree[]> {
    this.settle();
    const step = descending ? -1 : 1;
    let place = descending ? this.sorted.length - 1 : this.placeOf(least);
    for (;;) {
      const first = this.sorted[place];
      if (first === undefined || first < least) return;
      const trees: Tree[] = [];
      let last = first;
      let size = 0;
      for (let amount: number | undefined = first; amount !== undefined && amount >= least; amount = this.sorted[place]) {
        if (Math.abs(amount - first) > tolerance) break;
        trees.push(...(this.groups.get(amount)?.trees ?? []));
        last = amount;
        size++;
        place += step;
      }
      yield size === 1 ? trees : trees.sort((a, b) => a.rootId - b.rootId);
      this.settle();
      // Not by place: while others supposed changes there were more or fewer amounts.
      place = this.placeOf(last);
      if (descending) place--;
      else if (this.sorted[place] === last) place++;
    }
  }

  private settle(): void {
    for (const tree of this.touched) {
      const [was, is] = [this.amounts.get(tree) ?? -1, this.freeOf(tree)];
      if (was === is) continue;
      if (was >= 0) this.take(tree, was);
      if (is < 0) continue;
      if (!this.groups.has(is)) this.sorted.splice(this.placeOf(is), 0, is);
      this.put(tree, is);
    }
    this.touched.clear();
  }

  private put(tree: Tree, amount: number): void {
    const group = this.groups.get(amount) ?? new TreeList<Tree>();
    this.groups.set(amount, group);
    group.add(tree);
    this.amounts.set(tree, amount);
  }

  private take(tree: Tree, amount: number): void {
    const group = this.groups.get(amount);
    group?.remove(tree);
    this.amounts.delete(tree);
    if (group?.length !== 0) return;
    this.groups.delete(amount);
    this.sorted.splice(this.placeOf(amount), 1);
  }

  /** The index at which an amount is, or would be inserted. */
  private placeOf(amount: number): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] as number) < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
