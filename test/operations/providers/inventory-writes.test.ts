// Writes of inventories, on a real database: effects, refusals, warnings, generations and events.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteInventory, replaceInventories, setInventory } from '../../../src/operations/providers/inventory-writes.ts';
import { deleteResourceProvider } from '../../../src/operations/providers/provider-writes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
const provider = uuidOf('cn1');
const nowhere = uuidOf('nowhere');
const unchecked = { unchecked: true } as const;
const defaults = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };

beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 8, DISK_GB: 100 } });
  await seed.claim('c', { cn1: { VCPU: 4 } });
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const scope = () => scopeOf(database.db);
const replace = (inventories: Parameters<typeof replaceInventories>[1]['inventories'], rest: object = {}) =>
  replaceInventories(scope(), { resourceProvider: provider, expect: unchecked, inventories, ...rest });

test('the given set becomes the whole set; omitted values of a record get their defaults, not their old values', async () => {
  const { resourceProvider, warnings } = await replace(
    [
      { resourceClass: 'VCPU', total: 16, allocationRatio: 4 },
      { resourceClass: 'MEMORY_MB', total: 1024, reserved: 24, minUnit: 8, maxUnit: 64, stepSize: 8 },
    ],
    { expect: { generation: 2 } },
  );
  expect(resourceProvider).toMatchObject({ uuid: provider, generation: 3 });
  expect(warnings).toEqual([]);
  expect(await newestEvent(database.db)).toMatchObject({
    kind: 'REPLACE_INVENTORIES',
    changes: {
      providers: {
        [provider]: {
          before: { generation: 2, inventories: { VCPU: { ...defaults, total: 8 }, DISK_GB: { ...defaults, total: 100 } } },
          after: {
            generation: 3,
            inventories: {
              VCPU: { ...defaults, total: 16, allocationRatio: 4 },
              MEMORY_MB: { ...defaults, total: 1024, reserved: 24, minUnit: 8, maxUnit: 64, stepSize: 8 },
            },
          },
        },
      },
    },
  });
});

test("setting or deleting one leaves the others, and raises the provider's generation", async () => {
  const set = await setInventory(scope(), {
    resourceProvider: provider,
    expect: { generation: 2 },
    inventory: { resourceClass: 'VGPU', total: 2 },
  });
  expect(set.resourceProvider.generation).toBe(3);
  const removed = await deleteInventory(scope(), { resourceProvider: provider, expect: { generation: 3 }, resourceClass: 'DISK_GB' });
  expect(removed.resourceProvider.generation).toBe(4);
  const { changes } = await newestEvent(database.db);
  expect(Object.keys((changes.providers?.[provider]?.after?.inventories ?? {}) as object).toSorted()).toEqual(['VCPU', 'VGPU']);
});

test('setting the same again still raises the generation, and its event has only that', async () => {
  await replace([
    { resourceClass: 'VCPU', total: 8 },
    { resourceClass: 'DISK_GB', total: 100 },
  ]);
  expect((await newestEvent(database.db)).changes.providers).toEqual({
    [provider]: { before: { generation: 2 }, after: { generation: 3 } },
  });
});

test('shrinking below the usage is allowed, with a warning', async () => {
  const { warnings } = await setInventory(scope(), {
    resourceProvider: provider,
    expect: unchecked,
    inventory: { resourceClass: 'VCPU', total: 3 },
  });
  expect(warnings).toEqual([{ provider, resourceClass: 'VCPU', used: 4, capacity: 3 }]);
});

test('an inventory in use cannot be deleted: the answer lists the consumers, and nothing changes (nova LP 2115905)', async () => {
  const details = { noun: 'inventory', key: 'VCPU', provider, by: [uuidOf('c')], count: 1 };
  expect(await refusalOf(database.db, () => replace([{ resourceClass: 'DISK_GB', total: 1 }]))).toEqual([
    { code: 'IN_USE', path: ['inventories'], details },
  ]);
  expect(
    await refusalOf(database.db, () => deleteInventory(scope(), { resourceProvider: provider, expect: unchecked, resourceClass: 'VCPU' })),
  ).toEqual([{ code: 'IN_USE', path: ['resourceClass'], details }]);
});

test('an inventory cannot be deleted while rows of a consumer that does not exist use it, nor can its provider', async () => {
  await database.own`update allocations set consumer_id = -consumer_id`;
  const details = { noun: 'inventory', key: 'VCPU', provider, by: [], count: 1 };
  expect(await refusalOf(database.db, () => replace([{ resourceClass: 'DISK_GB', total: 1 }]))).toEqual([
    { code: 'IN_USE', path: ['inventories'], details },
  ]);
  expect(await refusalOf(database.db, () => deleteResourceProvider(scope(), { resourceProvider: provider, expect: unchecked }))).toEqual([
    { code: 'IN_USE', path: ['resourceProvider'], details: { ...details, noun: 'resourceProvider', key: provider } },
  ]);
  await database.own`update allocations set consumer_id = -consumer_id`;
});

test('unknown providers, classes and inventories and old generations are refused with their paths', async () => {
  const vgpu = { resourceClass: 'VGPU', total: 1 };
  const unknown = { resourceClass: 'CUSTOM_NONE', total: 1 };
  const missing = { noun: 'resourceClass', key: 'CUSTOM_NONE' };
  const refused = (write: () => Promise<unknown>) => refusalOf(database.db, write);
  expect(await refused(() => replace([vgpu], { resourceProvider: nowhere }))).toEqual([
    { code: 'NOT_FOUND', path: ['resourceProvider'], details: { noun: 'resourceProvider', key: nowhere } },
  ]);
  expect(await refused(() => replace([vgpu, unknown]))).toEqual([
    { code: 'NOT_FOUND', path: ['inventories', '1', 'resourceClass'], details: missing },
  ]);
  expect(await refused(() => setInventory(scope(), { resourceProvider: provider, expect: unchecked, inventory: unknown }))).toEqual([
    { code: 'NOT_FOUND', path: ['inventory', 'resourceClass'], details: missing },
  ]);
  expect(await refused(() => deleteInventory(scope(), { resourceProvider: provider, expect: unchecked, resourceClass: 'VGPU' }))).toEqual([
    { code: 'NOT_FOUND', path: ['resourceClass'], details: { noun: 'inventory', key: 'VGPU' } },
  ]);
  const conflict = [{ code: 'PROVIDER_CONFLICT', path: ['expect'], details: { provider, expected: 1, actual: 2 } }];
  const stale = { resourceProvider: provider, expect: { generation: 1 } };
  expect(await refused(() => replace([], stale))).toEqual(conflict);
  expect(await refused(() => setInventory(scope(), { ...stale, inventory: vgpu }))).toEqual(conflict);
  expect(await refused(() => deleteInventory(scope(), { ...stale, resourceClass: 'DISK_GB' }))).toEqual(conflict);
});

test('malformed records are refused together, before they reach the database', async () => {
  const problems = await refusalOf(database.db, () =>
    replace([
      { resourceClass: 'VCPU', total: 0, minUnit: 0, maxUnit: 1.5, stepSize: 2 ** 31 },
      { resourceClass: 'VCPU', total: 1, reserved: 2 },
      { resourceClass: 'vcpu', total: 1, allocationRatio: Number.POSITIVE_INFINITY },
    ]),
  );
  expect(problems.map(({ path }) => path.join('.')).toSorted()).toEqual([
    'inventories.0.maxUnit',
    'inventories.0.minUnit',
    'inventories.0.stepSize',
    'inventories.0.total',
    'inventories.1.reserved',
    'inventories.1.resourceClass',
    'inventories.2.allocationRatio',
    'inventories.2.resourceClass',
  ]);
});
