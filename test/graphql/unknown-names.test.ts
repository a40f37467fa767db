// Unknown classes and traits are refused everywhere, with name and location, so that a typing error never looks like zero.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { execute, query } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 8, CUSTOM_LICENSE: 4 }, aggregates: ['rack'] });
  await seed.write('create_trait', { name: 'CUSTOM_A' });
  await seed.claim('server', { cn1: { VCPU: 1 } });
});

const cn1 = (fields: string) => `{ resourceProvider(name: "cn1") { ${fields} } }`;
const rack = (fields: string) => `{ aggregate(uuid: "${uuidOf('rack')}") { ${fields} } }`;

test.each([
  [cn1('inventory(resourceClass: "VCPUZ") { total }'), 'VCPUZ', ['resourceClass']],
  [cn1('inventories(resourceClasses: ["VCPU", "CUSTOM_LICENSE", "VCPUZ"]) { total }'), 'VCPUZ', ['resourceClasses', '2']],
  [cn1('treeInventory(resourceClass: "VCPUZ") { total }'), 'VCPUZ', ['resourceClass']],
  [cn1('treeInventories(resourceClasses: "VCPUZ") { total }'), 'VCPUZ', ['resourceClasses', '0']],
  [cn1('sharedPools(resourceClasses: "VCPUZ") { usedHere }'), 'VCPUZ', ['resourceClasses', '0']],
  [cn1('hasTrait(name: "CUSTOM_NONE")'), 'CUSTOM_NONE', ['name']],
  [cn1('heldHere(filter: { resourceClasses: "VCPUZ" }) { totalCount }'), 'VCPUZ', ['filter', 'resourceClasses', '0']],
  [rack('totals(resourceClasses: "VCPUZ") { own { total } }'), 'VCPUZ', ['resourceClasses', '0']],
  ['{ totals(resourceClasses: "VCPUZ") { own { total } } }', 'VCPUZ', ['resourceClasses', '0']],
  ['{ usages(groupBy: PROJECT) { nodes { amount(resourceClass: "VCPUZ") } } }', 'VCPUZ', ['resourceClass']],
  ['{ usages(groupBy: PROJECT, filter: { resourceClasses: "VCPUZ" }) { totalCount } }', 'VCPUZ', ['filter', 'resourceClasses', '0']],
  // Filters, groups of them, and orders.
  ['{ resourceProviders(filter: { resourceClasses: "VCPUZ" }) { totalCount } }', 'VCPUZ', ['filter', 'resourceClasses', '0']],
  [
    '{ resourceProviders(filter: { fits: { resourceClass: "VCPUZ", amount: 1 } }) { totalCount } }',
    'VCPUZ',
    ['filter', 'fits', '0', 'resourceClass'],
  ],
  [
    '{ resourceProviders(filter: { traits: { noneOf: "CUSTOM_NONE" } }) { totalCount } }',
    'CUSTOM_NONE',
    ['filter', 'traits', '0', 'noneOf', '0'],
  ],
  [
    '{ totals(filter: { scope: TREE, or: [{}, { not: { traits: { anyOf: ["CUSTOM_A", "CUSTOM_NONE"] } } }] }) { own { total } } }',
    'CUSTOM_NONE',
    ['filter', 'or', '1', 'not', 'traits', '0', 'anyOf', '1'],
  ],
  [
    '{ resourceProviders(orderBy: { field: FREE, resourceClass: "VCPUZ" }) { nodes { name } } }',
    'VCPUZ',
    ['orderBy', '0', 'resourceClass'],
  ],
  ['{ consumers(filter: { resourceClasses: "VCPUZ" }) { totalCount } }', 'VCPUZ', ['filter', 'resourceClasses', '0']],
  [
    '{ consumers(filter: { holds: { resourceClass: "VCPUZ", amount: 1 } }) { totalCount } }',
    'VCPUZ',
    ['filter', 'holds', '0', 'resourceClass'],
  ],
  ['{ consumers(orderBy: { field: AMOUNT, resourceClass: "VCPUZ" }) { nodes { uuid } } }', 'VCPUZ', ['orderBy', '0', 'resourceClass']],
  [
    '{ usages(groupBy: PROJECT, orderBy: { field: AMOUNT, resourceClass: "VCPUZ" }) { nodes { consumerCount } } }',
    'VCPUZ',
    ['orderBy', '0', 'resourceClass'],
  ],
  [
    '{ fit(input: { groups: { resources: { resourceClass: "VCPUZ", amount: 1 } } }) { total } }',
    'VCPUZ',
    ['groups', '0', 'resources', '0', 'resourceClass'],
  ],
  [
    '{ allocationCandidates(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } }, rootTraits: { allOf: "CUSTOM_NONE" } }) { truncated } }',
    'CUSTOM_NONE',
    ['rootTraits', '0', 'allOf', '0'],
  ],
  [
    '{ allocationCandidates(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } }, orderBy: { field: FREE, resourceClass: "VCPUZ" } }) { truncated } }',
    'VCPUZ',
    ['orderBy', '0', 'resourceClass'],
  ],
])('%s is refused', async (text, key, path) => {
  const { errors } = await execute(database.db, text);
  expect(errors?.map(({ originalError }) => originalError)).toMatchObject([{ problems: [{ code: 'NOT_FOUND', key, path }] }]);
});

test('an event may name a deleted class, so its filter accepts any class', async () => {
  expect(await query(database.db, '{ events(filter: { resourceClasses: "VCPUZ" }) { nodes { kind } } }')).toEqual({
    events: { nodes: [] },
  });
});

test('a name that exists, but not on this provider, finds nothing', async () => {
  const fields = `vgpu: inventory(resourceClass: "VGPU") { total } some: inventories(resourceClasses: ["VGPU", "CUSTOM_LICENSE"]) { total }
    hasTrait(name: "CUSTOM_A") heldHere(filter: { resourceClasses: "CUSTOM_LICENSE" }) { totalCount }`;
  expect(await query(database.db, cn1(fields))).toEqual({
    resourceProvider: { vgpu: null, some: [{ total: 4 }], hasTrait: false, heldHere: { totalCount: 0 } },
  });
});

test('a name is known as soon as it exists, and unknown as soon as it is deleted', async () => {
  const seed = createSeed(database.db);
  const ask = () => execute(database.db, cn1('hasTrait(name: "CUSTOM_B")'));
  expect((await ask()).errors).toHaveLength(1);
  await seed.write('create_trait', { name: 'CUSTOM_B' });
  expect((await ask()).errors).toBeUndefined();
  await seed.write('delete_trait', { name: 'CUSTOM_B' });
  expect((await ask()).errors).toHaveLength(1);
});
