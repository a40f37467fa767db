// Reshapes, on a real database: inventories move between providers together with their allocations.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConsumerAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { type Reshape, reshape } from '../../../src/operations/trees/reshape.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
const unchecked = { unchecked: true } as const;
const nowhere = uuidOf('nowhere');
const vgpu = (total: number) => [{ resourceClass: 'VGPU', total }];

// A root with 8 VGPU that a and b use, and two children without inventory: what an old host looks like before its GPUs are providers of their own.
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  await seed.provider('root', { inventories: { VGPU: 8, VCPU: 16 } });
  for (const name of ['gpu0', 'gpu1']) await seed.provider(name, { parent: 'root' });
  await seed.claim('a', { root: { VGPU: 3, VCPU: 1 } });
  await seed.claim('b', { root: { VGPU: 2 } });
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const provider = (name: string, inventories: Reshape['resourceProviders'][number]['inventories'], rest: object = {}) => ({
  resourceProvider: uuidOf(name),
  expect: unchecked,
  inventories,
  ...rest,
});

const consumer = (
  name: string,
  held: Readonly<Record<string, Readonly<Record<string, number>>>>,
  rest: object = {},
): ConsumerAllocations => ({
  consumer: uuidOf(name),
  expect: { generation: 1 },
  hold: {
    allocations: Object.entries(held).map(([on, amounts]) => ({
      resourceProvider: uuidOf(on),
      resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
    })),
  },
  ...rest,
});

const toChildren = {
  resourceProviders: [provider('root', [{ resourceClass: 'VCPU', total: 16 }]), provider('gpu0', vgpu(4)), provider('gpu1', vgpu(4))],
  consumers: [consumer('a', { gpu0: { VGPU: 3 }, root: { VCPU: 1 } }), consumer('b', { gpu1: { VGPU: 2 } })],
} satisfies Reshape;

const refused = (input: Reshape) => refusalOf(database.db, () => reshape(scopeOf(database.db), input));

test('two consumers of the VGPUs of a root go to its two children, in one event', async () => {
  const answer = await reshape(scopeOf(database.db), toChildren);
  const generations = Object.fromEntries(answer.providers.map(({ name, generation }) => [name, generation]));
  // Interim inventory, allocations, final inventory: one step each, as upstream's reshaper.
  expect(generations).toEqual({ root: 6, gpu0: 3, gpu1: 3 });
  expect(answer.consumers).toMatchObject([{ generation: 2 }, { generation: 2 }]);
  expect(answer.warnings).toEqual([]);
  const { kind, changes } = await newestEvent(database.db);
  expect(kind).toBe('RESHAPE');
  expect(changes.providers?.[uuidOf('gpu0')]).toMatchObject({
    before: { generation: 0, inventories: {} },
    after: { generation: 3, inventories: { VGPU: { total: 4 } } },
  });
  expect(Object.keys(changes.consumers ?? {}).toSorted()).toEqual([uuidOf('a'), uuidOf('b')].toSorted());
});

test('inventories alone may be reshaped; a provider that loses everything may be listed empty', async () => {
  const input = {
    resourceProviders: [provider('root', []), provider('gpu0', [...vgpu(8), { resourceClass: 'VCPU', total: 16 }])],
    consumers: [consumer('a', { gpu0: { VGPU: 3, VCPU: 1 } }), consumer('b', {})],
  };
  const answer = await reshape(scopeOf(database.db), input);
  expect(answer.consumers).toMatchObject([{ generation: 2 }, null]);
  const alone = await reshape(scopeOf(database.db), { resourceProviders: [provider('gpu1', vgpu(1))] });
  expect(alone).toMatchObject({ consumers: [], providers: [{ name: 'gpu1', generation: 2 }] });
});

test('an inventory may end below its usage, with a warning', async () => {
  const input = { resourceProviders: [provider('root', [{ resourceClass: 'VCPU', total: 16 }, ...vgpu(1)])] };
  const { warnings } = await reshape(scopeOf(database.db), input);
  expect(warnings).toEqual([{ provider: uuidOf('root'), resourceClass: 'VGPU', used: 5, capacity: 1 }]);
});

test('removing the inventory of a class that is still held is refused, and nothing changes', async () => {
  expect(await refused({ ...toChildren, consumers: toChildren.consumers.slice(0, 1) })).toEqual([
    {
      code: 'IN_USE',
      path: ['resourceProviders', '0', 'inventories'],
      details: { noun: 'inventory', key: 'VGPU', provider: uuidOf('root'), by: [uuidOf('b')], count: 1 },
    },
  ]);
});

test('an allocation that does not fit is refused, and nothing changes', async () => {
  const allocations = [consumer('a', { gpu0: { VGPU: 3 } }), consumer('b', { gpu0: { VGPU: 2 } })];
  expect(await refused({ ...toChildren, consumers: allocations })).toMatchObject([
    {
      code: 'CAPACITY_EXCEEDED',
      path: ['consumers', '0', 'hold', 'allocations', '0', 'resources', '0', 'amount'],
      details: { requested: 5, available: 4 },
    },
    // Together they ask for too much: both are reported.
    { code: 'CAPACITY_EXCEEDED', path: ['consumers', '1', 'hold', 'allocations', '0', 'resources', '0', 'amount'] },
  ]);
});

test('old generations and unknown providers and classes are refused with their paths', async () => {
  const stale = [provider('root', []), provider('gpu0', vgpu(4), { expect: { generation: 5 } })];
  expect(await refused({ ...toChildren, resourceProviders: stale })).toEqual([
    {
      code: 'PROVIDER_CONFLICT',
      path: ['resourceProviders', '1', 'expect'],
      details: { provider: uuidOf('gpu0'), expected: 5, actual: 0 },
    },
  ]);
  expect(await refused({ ...toChildren, resourceProviders: [...toChildren.resourceProviders, provider('nowhere', vgpu(1))] })).toEqual([
    { code: 'NOT_FOUND', path: ['resourceProviders', '3', 'resourceProvider'], details: { noun: 'resourceProvider', key: nowhere } },
  ]);
  const unknown = provider('gpu0', [...vgpu(4), { resourceClass: 'CUSTOM_NONE', total: 1 }]);
  expect(await refused({ resourceProviders: [unknown] })).toEqual([
    {
      code: 'NOT_FOUND',
      path: ['resourceProviders', '0', 'inventories', '1', 'resourceClass'],
      details: { noun: 'resourceClass', key: 'CUSTOM_NONE' },
    },
  ]);
  expect(await refused({ ...toChildren, consumers: [consumer('a', { gpu0: { VGPU: 3 } }, { expect: { generation: 9 } })] })).toEqual([
    { code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], details: { consumer: uuidOf('a'), expected: 9, actual: 1 } },
  ]);
  expect(await refused({ ...toChildren, consumers: [consumer('a', { nowhere: { VGPU: 3 } })] })).toMatchObject([
    { code: 'NOT_FOUND', path: ['consumers', '0', 'hold', 'allocations', '0', 'resourceProvider'] },
  ]);
  expect(await refused({ ...toChildren, consumers: [consumer('a', { gpu0: { PGPU: 3 } })] })).toMatchObject([{ code: 'NO_INVENTORY' }]);
});

test('an empty or a repeated list is refused', async () => {
  expect(await refused({ resourceProviders: [] })).toMatchObject([{ code: 'INVALID_INPUT', path: ['resourceProviders'] }]);
  expect(await refused({ resourceProviders: [provider('gpu0', []), provider('gpu0', [])] })).toMatchObject([
    { path: ['resourceProviders', '1', 'resourceProvider'] },
  ]);
});
