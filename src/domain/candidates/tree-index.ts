// An index of the forest.
import type { IdSet } from './id-set.ts';
import { type Rooted, TreeList } from './tree-list.ts';

/** Trees by what some member has: an inventory of a class, a trait, an aggregate. */
export class TreeIndex<Tree extends Rooted> {
  private readonly lists = new Map<number, TreeList<Tree>>();

  listOf(id: number): TreeList<Tree> {
    return this.lists.get(id) ?? new TreeList<Tree>();
  }

  /** Moves a tree from the lists of one set of ids to those of another. */
  move(tree: Tree, from: IdSet | undefined, to: IdSet | undefined): void {
    if (from === to) return;
    for (const id of from?.ids ?? []) {
      if (to?.has(id)) continue;
      const list = this.listOf(id);
      list.remove(tree);
      if (list.length === 0) this.lists.delete(id);
    }
    for (const id of to?.ids ?? []) {
      if (from?.has(id)) continue;
      const list = this.lists.get(id) ?? new TreeList<Tree>();
      this.lists.set(id, list);
      list.add(tree);
    }
  }
}
