// Drawings of trees have the same meaning everywhere: parsed and drawn again, in memory and in a real database.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Forest } from '../../src/domain/candidates/forest.ts';
import { forestOf as keeperOf } from '../../src/operations/forest/forest.ts';
import { useDatabase } from './database.ts';
import { randomCloud } from './random-clouds.ts';
import { drawingOf, forestOf, plantTrees, readDrawing } from './tree.ts';

const database = useDatabase();

const drawing = `
  cn1        VCPU 16 used 4 ratio 1.5, MEMORY_MB 32768 reserved 512   COMPUTE_NODE  @rack1
    numa0    CORE 8 min 2 max 4 step 2                                HW_NUMA_ROOT FOO
      pf0    VF 8 used 7 max 2
    numa1    CUSTOM_CORE 8 used 10
  ss1        DISK_GB 2000                                             SHARING       @rack1 @rack2`;

/** The providers of a forest, without the fields that only a database sets. */
function providersOf(forest: Forest) {
  return [...forest.everyProvider()]
    .map(({ state, tree, parent, isSharing, traits, aggregates }) => ({
      name: state.provider.name,
      uuid: state.provider.uuid,
      parent: parent?.state.provider.name,
      root: tree.root.state.provider.name,
      isSharing,
      inventories: state.inventories
        .map(({ providerId: _provider, classId: _class, updatedAt: _at, ...record }) => record)
        .sort((a, b) => a.className.localeCompare(b.className)),
      traits: traits.ids.map((id) => forest.traits.get(id)?.name).sort(),
      aggregates: aggregates.ids.map((id) => forest.aggregates.get(id)?.name).sort(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

test('a drawing is parsed as expected', () => {
  const plain = { used: 0, reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };
  const [cn1, numa0, pf0, numa1, ss1] = readDrawing(drawing);
  expect(cn1).toEqual({
    name: 'cn1',
    parent: null,
    inventories: [
      { ...plain, resourceClass: 'VCPU', total: 16, used: 4, allocationRatio: 1.5 },
      { ...plain, resourceClass: 'MEMORY_MB', total: 32768, reserved: 512 },
    ],
    traits: ['COMPUTE_NODE'],
    aggregates: ['rack1'],
  });
  expect(numa0?.inventories).toEqual([{ ...plain, resourceClass: 'CUSTOM_CORE', total: 8, minUnit: 2, maxUnit: 4, stepSize: 2 }]);
  expect([numa0, pf0, numa1, ss1].map((provider) => provider?.parent)).toEqual(['cn1', 'numa0', 'cn1', null]);
  expect([numa0?.traits, ss1?.traits, ss1?.aggregates]).toEqual([
    ['HW_NUMA_ROOT', 'CUSTOM_FOO'],
    ['MISC_SHARES_VIA_AGGREGATE'],
    ['rack1', 'rack2'],
  ]);
});

test('an unknown word is refused', () => {
  expect(() => readDrawing('cn1 VCPU 8 usd 4')).toThrow('usd means nothing in a drawing');
});

test('drawing and parsing are inverse', () => {
  fc.assert(
    fc.property(randomCloud, (cloud) => {
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      expect(readDrawing(drawingOf(cloud)).sort(byName)).toEqual([...cloud].sort(byName));
    }),
  );
});

test('a drawing gives the same forest in a database as in memory, usage beyond the limits included', async () => {
  await plantTrees(database.db, drawing);
  expect(providersOf(await keeperOf(database.db).current())).toEqual(providersOf(forestOf(drawing)));
});
