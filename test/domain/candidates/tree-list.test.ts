// A list of trees contains the same as a sorted set, and readers that hold it see no changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Rooted, TreeList } from '../../../src/domain/candidates/tree-list.ts';

const trees = Array.from({ length: 12 }, (_, rootId): Rooted => ({ rootId }));

test('readers that hold a list see no changes, whatever their number and the order in which they let go', () => {
  const step = fc.record({ does: fc.constantFrom('add', 'remove', 'hold', 'let go'), place: fc.nat({ max: trees.length - 1 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = new TreeList<Rooted>();
      const model = new Set<Rooted>();
      const inOrder = () => [...model].sort((a, b) => a.rootId - b.rootId);
      const holders: { readonly held: readonly Rooted[]; readonly seen: readonly Rooted[] }[] = [];
      for (const { does, place } of steps) {
        const tree = trees[place] as Rooted;
        if (does === 'add') {
          list.add(tree);
          model.add(tree);
        } else if (does === 'remove') {
          list.remove(tree);
          model.delete(tree);
        } else if (does === 'hold') holders.push({ held: list.hold(), seen: inOrder() });
        else for (const { held } of holders.splice(place, 1)) list.letGo(held);
        expect(list.trees).toEqual(inOrder());
        for (const { held, seen } of holders) expect(held).toEqual(seen);
      }
    }),
    { numRuns: 300 },
  );
});

test('a list without readers changes in place, without a copy', () => {
  const list = new TreeList<Rooted>();
  for (const tree of trees) list.add(tree);
  const held = list.hold();
  list.letGo(held);
  list.remove(trees[5] as Rooted);
  expect(list.trees).toBe(held);
});
