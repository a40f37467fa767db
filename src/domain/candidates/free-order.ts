// Trees ordered by what all their members have free: of one class, or a weighted sum over several. The order is maintained while trees change, so a search
// reads only as many trees as it needs, and need not sort all of them.
import { limits } from '../limits.ts';
import { SortedNumbers } from './sorted-numbers.ts';
import { type Rooted, TreeList } from './tree-list.ts';

/** The trees to return, and the direction. */
export interface FreeRange {
  readonly descending: boolean;
  /** Trees with less free are left out. */
  readonly least: number;
  /** A tree belongs to a group if its amount differs from that of the group's first tree by at most this. */
  readonly tolerance: number;
}

/** The number of trees sorted between two pauses: tenths of a millisecond. */
const treesAtOnce = 500;

/** The size limit of a group of trees with different amounts: sorting more by age would take long, and a random choice needs no more. */
const maxTolerated = limits.equalRoots;

export class FreeOrder<Tree extends Rooted> {
  private readonly freeOf: (tree: Tree) => number | undefined;
  private readonly amounts = new Map<Tree, number>();
  private readonly groups = new Map<number, TreeList<Tree>>();
  /** All amounts that occur. */
  private readonly sorted = new SortedNumbers();
  /** Lists still to be sorted; in the first, the trees before `place` are done. */
  private unsorted: readonly (readonly Tree[])[];
  private place = 0;
  /** Trees that may have moved. They are moved only when the order is read, because much usage is only supposed and restored before that. */
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

  /** Must be finished before `groupsIn`. Pauses; another caller that calls it meanwhile continues the same work. */
  *sort(): Generator<void> {
    for (let list = this.unsorted[0]; list; list = this.unsorted[0]) {
      for (const end = Math.min(this.place + treesAtOnce, list.length); this.place < end; this.place++) this.move(list[this.place] as Tree);
      if (this.place === list.length) [this.unsorted, this.place] = [this.unsorted.slice(1), 0];
      yield;
    }
  }

  /** Groups of trees with equal free amounts, or equal within the tolerance, oldest first. Between groups, other searches may suppose and restore usage. */
  *groupsIn({ descending, least, tolerance }: FreeRange): Generator<readonly Tree[]> {
    // Continues by amount, not by index, because supposed changes add and remove amounts.
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
        // Held, and copied only if it changes meanwhile: there may be very many equal hosts, and a claim takes one.
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
