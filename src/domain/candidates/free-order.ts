// Trees by what they have free, all members together: of a class, or of several classes added up by weights. Kept up while trees change, a search looks at as
// many as it needs; otherwise it would have to sort all of them.
import { limits } from '../limits.ts';
import { SortedNumbers } from './sorted-numbers.ts';
import { type Rooted, TreeList } from './tree-list.ts';

/** Which trees, and in which direction. */
export interface FreeRange {
  readonly descending: boolean;
  /** Those with less free are left out. */
  readonly least: number;
  /** Trees that have at most so much more or less than the first of a group belong to it. */
  readonly tolerance: number;
}

/** Trees that are sorted between two pauses: tenths of a millisecond. */
const treesAtOnce = 500;

/** Trees with different amounts that make a group: more would take long to put in the order of their age, and chance needs no more. */
const maxTolerated = limits.equalRoots;

export class FreeOrder<Tree extends Rooted> {
  private readonly freeOf: (tree: Tree) => number | undefined;
  private readonly amounts = new Map<Tree, number>();
  private readonly groups = new Map<number, TreeList<Tree>>();
  /** The amounts that there are. */
  private readonly sorted = new SortedNumbers();
  /** What is still to be sorted, in lists; those before the place are. */
  private unsorted: readonly (readonly Tree[])[];
  private place = 0;
  /** Trees that may stand elsewhere now. Moved when somebody looks, as much is only supposed, and taken back before. */
  private readonly touched = new Set<Tree>();

  /** `lists`: a tree may be in several. `freeOf`: in units of the class; undefined for trees that do not belong here. */
  constructor(lists: readonly (readonly Tree[])[], freeOf: (tree: Tree) => number | undefined) {
    this.unsorted = lists.map((trees) => trees.slice());
    this.freeOf = freeOf;
  }

  /** Must be called after a tree has changed. */
  touch(tree: Tree): void {
    this.touched.add(tree);
  }

  /** Must be done before groups are asked for. Pauses; who comes meanwhile goes on with the same work. */
  *sort(): Generator<void> {
    for (let list = this.unsorted[0]; list; list = this.unsorted[0]) {
      for (const end = Math.min(this.place + treesAtOnce, list.length); this.place < end; this.place++) this.move(list[this.place] as Tree);
      if (this.place === list.length) [this.unsorted, this.place] = [this.unsorted.slice(1), 0];
      yield;
    }
  }

  /** Groups of trees that have the same free, or as good as; in each the oldest first. Others may suppose changes meanwhile if they take them back. */
  *groupsIn({ descending, least, tolerance }: FreeRange): Generator<readonly Tree[]> {
    // By amounts, not by places: while others suppose changes there are more or fewer.
    const next = (amount: number) => (descending ? this.sorted.below(amount) : this.sorted.above(amount));
    this.settle();
    let amount = descending ? this.sorted.below(Number.POSITIVE_INFINITY) : this.sorted.atLeast(least);
    while (amount !== undefined && amount >= least) {
      const first = amount;
      const list = this.groups.get(first) as TreeList<Tree>;
      let group: Tree[] | null = null;
      let last = first;
      for (amount = next(first); amount !== undefined && amount >= least && Math.abs(amount - first) <= tolerance; amount = next(amount)) {
        const trees: readonly Tree[] = this.groups.get(amount)?.trees ?? [];
        if ((group ?? list.trees).length + trees.length > maxTolerated) break;
        group ??= list.trees.slice();
        for (const tree of trees) group.push(tree);
        last = amount;
      }
      if (group) yield group.sort((a, b) => a.rootId - b.rootId);
      else {
        // Not copied unless it changes while it is looked at: of equal hosts there may be very many, of which a claim takes one.
        const held = list.hold();
        try {
          yield held;
        } finally {
          list.letGo(held);
        }
      }
      this.settle();
      amount = next(last);
    }
  }

  private settle(): void {
    for (const tree of this.touched) this.move(tree);
    this.touched.clear();
  }

  /** Puts a tree where it belongs now. */
  private move(tree: Tree): void {
    const [was, is] = [this.amounts.get(tree), this.freeOf(tree)];
    if (was === is) return;
    if (was !== undefined) this.take(tree, was);
    if (is !== undefined) this.put(tree, is);
  }

  private put(tree: Tree, amount: number): void {
    let group = this.groups.get(amount);
    if (!group) {
      group = new TreeList<Tree>();
      this.groups.set(amount, group);
      this.sorted.add(amount);
    }
    group.add(tree);
    this.amounts.set(tree, amount);
  }

  private take(tree: Tree, amount: number): void {
    const group = this.groups.get(amount);
    group?.remove(tree);
    this.amounts.delete(tree);
    if (group?.length !== 0) return;
    this.groups.delete(amount);
    this.sorted.remove(amount);
  }
}
