// Supposed changes: a forest with them equals that of a cloud that really has them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Forest, Tree } from '../../../src/domain/candidates/forest.ts';
import { AddedTrees, changeProvider, firstAddedId, removeTrees } from '../../../src/domain/plans/changes.ts';
import { countFit } from '../../support/fit.ts';
import { sampled } from '../../support/profile.ts';
import { randomCloud, randomRequest } from '../../support/random-clouds.ts';
import { uuidOf } from '../../support/seed.ts';
import { type DrawnProvider, drawnInventory, forestOf } from '../../support/tree.ts';

function run(work: Generator<unknown, void>): void {
  for (const _ of work);
}

const treeOf = (forest: Forest, name: string) => forest.findByUuid(uuidOf(name))?.tree as Tree;
const unused = (drawn: readonly DrawnProvider[]) =>
  drawn.map((provider) => ({ ...provider, inventories: provider.inventories.map((inventory) => ({ ...inventory, used: 0 })) }));
const renamed = (drawn: readonly DrawnProvider[], suffix: string) =>
  drawn.map((provider) => ({ ...provider, name: `${provider.name}${suffix}`, parent: provider.parent && `${provider.parent}${suffix}` }));

test('added, lost and changed trees count as if they really were', () => {
  fc.assert(
    fc.property(randomCloud, randomRequest, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 }), (drawn, given, one, other, count) => {
      // The request names trees; the copies have names of their own.
      const request = { ...given, groups: given.groups.map((group) => ({ ...group, inTrees: null })) };
      const forest = forestOf(drawn);
      const roots = drawn.filter(({ parent }) => parent === null).map(({ name }) => name);
      const [like = '', lost = ''] = [roots[one % roots.length], roots[other % roots.length]];
      const membersOf = (root: string) => new Set(treeOf(forest, root).members.map(({ state }) => state.provider.name));
      const [copied, gone] = [membersOf(like), membersOf(lost)];
      const really = [
        ...drawn.filter(({ name }) => !gone.has(name)),
        ...Array.from({ length: count }, (_, turn) =>
          unused(
            renamed(
              drawn.filter(({ name }) => copied.has(name)),
              ` ${turn}`,
            ),
          ),
        ).flat(),
      ];
      const supposed = forestOf(drawn);
      const added = new AddedTrees(supposed, '2026-11-22T00:00:00Z');
      run(added.addLike(treeOf(supposed, like), { inventories: [], traitIds: [], aggregateIds: [] }, count));
      run(removeTrees(supposed, [treeOf(supposed, lost)]));
      const [a, b] = [countFit(forestOf(really), request), countFit(supposed, request)];
      expect([b.exact, b.total]).toEqual([a.exact, a.total]);
    }),
    { numRuns: sampled(200) },
  );
});

test('a host may be added like another, with other inventories and more traits, and below it nothing differs', () => {
  const forest = forestOf(`
    cn1 VCPU 8 used 4, DISK_GB 10
      numa0 MEMORY_MB 512
  `);
  const added = new AddedTrees(forest, '2026-11-22T00:00:00Z');
  const traitIds = [7];
  run(added.addLike(treeOf(forest, 'cn1'), { inventories: [drawnInventory('VCPU', 16)], traitIds, aggregateIds: [5] }, 1));
  const members = forest.findById(added.rootIds[0]?.[0] ?? 0)?.tree.members ?? [];
  const shown = members.map(({ state }) => [
    state.inventories.map(({ className, total, used }) => `${className} ${total} ${used}`),
    state.traitIds,
    state.aggregateIds,
  ]);
  expect(shown).toEqual([
    [['VCPU 16 0', 'DISK_GB 10 0'], [7], [5]],
    [['MEMORY_MB 512 0'], [], []],
  ]);
});

test('an added host may be described, and its rows differ from those of existing hosts', () => {
  const forest = forestOf('cn1 VCPU 8 used 4 FOO');
  const added = new AddedTrees(forest, '2026-11-22T00:00:00Z');
  const fooId = forest.traits.idOf('CUSTOM_FOO') ?? -1;
  run(added.addNew({ inventories: [drawnInventory('VCPU', 16)], traitIds: [fooId], aggregateIds: [] }, 2));
  const group = {
    suffix: '',
    resources: [{ resourceClass: 'VCPU', amount: 2 }],
    traits: [{ allOf: ['CUSTOM_FOO'] }],
    aggregates: [],
    inTrees: null,
  };
  const plain = { groupPolicy: 'NONE', rootTraits: [], sameSubtree: [], limit: null, perRootLimit: null, order: [] } as const;
  const fit = countFit(forest, { ...plain, groups: [group] });
  expect(fit.total).toBe(2 + 8 + 8);
  expect(added.rootIds).toEqual([[firstAddedId, firstAddedId + 1]]);
  expect(
    fit.byRoot
      .before(firstAddedId)
      .behind(null, 9)
      .map(({ row }) => [row.root.name, row.count]),
  ).toEqual([['cn1', 2]]);
});

test('a changed provider keeps its usage, and is found by its new parts', () => {
  const forest = forestOf('cn1 VCPU 8 used 6, DISK_GB 100 FOO\ncn2 MEMORY_MB 1 BAR');
  const id = (name: string) => forest.traits.idOf(`CUSTOM_${name}`) ?? -1;
  changeProvider(forest, {
    provider: uuidOf('cn1'),
    inventories: [drawnInventory('VCPU', 4), drawnInventory('MEMORY_MB', 512)],
    removedClassIds: [forest.classes.idOf('DISK_GB') ?? -1],
    ...{ addedTraitIds: [id('BAR')], removedTraitIds: [id('FOO')] },
  });
  const { root } = treeOf(forest, 'cn1');
  expect(root.state.inventories.map(({ className, capacity, used }) => [className, capacity, used])).toEqual([
    ['VCPU', 4, 6],
    ['MEMORY_MB', 512, 0],
  ]);
  expect([forest.byTrait.listOf(id('BAR')).length, forest.byTrait.listOf(id('FOO')).length]).toEqual([2, 0]);
  expect(forest.byClass.listOf(forest.classes.idOf('DISK_GB') ?? -1).length).toBe(0);
});
