// A forest as plain values, its indexes included: equal forests have equal pictures.
import type { Db } from '../../src/db/sql/client.ts';
import type { Forest, ForestProvider, Tree } from '../../src/domain/candidates/forest.ts';
import type { TreeList } from '../../src/domain/candidates/tree-list.ts';
import { ForestKeeper } from '../../src/operations/forest/forest.ts';

/** Everything that a search reads, in a fixed order. */
export function pictureOf(forest: Forest) {
  const providers = [...forest.everyProvider()].sort((a, b) => a.id - b.id);
  const names = { classes: forest.classes, traits: forest.traits, aggregates: forest.aggregates };
  const lists = (index: { listOf(id: number): TreeList<Tree> }, ids: Iterable<number>) =>
    Object.fromEntries([...ids].map((id) => [id, rootsOf(index.listOf(id))] as const).filter(([, roots]) => roots.length > 0));
  // Ids without a name must not be in an index either.
  const upTo = (named: Iterable<{ id: number }>) => {
    const ids = [...named].map(({ id }) => id);
    return new Set([...ids, ...Array.from({ length: 50 }, (_, place) => Math.max(0, ...ids) + place - 25)]);
  };
  return {
    names: Object.fromEntries(Object.entries(names).map(([noun, known]) => [noun, [...known.every()].sort((a, b) => a.id - b.id)])),
    providers: providers.map(pictureOfProvider),
    found: providers.map(
      (provider) => forest.findByUuid(provider.state.provider.uuid) === provider && forest.findById(provider.id) === provider,
    ),
    trees: forest.all.trees.map(pictureOfTree),
    byClass: lists(forest.byClass, upTo(forest.classes.every())),
    byTrait: lists(forest.byTrait, upTo(forest.traits.every())),
    byAggregate: lists(forest.byAggregate, upTo(forest.aggregates.every())),
    sharing: [...forest.sharing].map(({ id }) => id).sort((a, b) => a - b),
  };
}

/** The picture of a newly loaded forest. */
export async function pictureFromScratch(db: Db) {
  return pictureOf(await new ForestKeeper(db).current());
}

function pictureOfProvider({ state, traits, aggregates, tree, parent, isSharing }: ForestProvider) {
  return { ...state, sets: [traits.ids, aggregates.ids], tree: tree.rootId, parent: parent?.id ?? null, isSharing };
}

function pictureOfTree(tree: Tree) {
  return {
    root: tree.root.id,
    members: tree.members.map(({ id }) => id),
    sets: [tree.classIds.ids, tree.traits.ids, tree.aggregates.ids],
    free: tree.classIds.ids.map((id) => [id, tree.largestFree(id), tree.free([{ classId: id, weight: 1 }])]),
  };
}

function rootsOf({ trees }: TreeList<Tree>): number[] {
  return trees.map(({ rootId }) => rootId);
}
