// The providers that a filter finds, and the filters that are refused. Small clouds, one condition at a time.
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { capacityOf, fits, type InventoryRecord } from '../../../src/domain/inventory.ts';
import type { ResourceProviderFilterInput } from '../../../src/graphql/schema.generated.ts';
import type { ProviderFilterInput } from '../../../src/operations/loaders/provider-filter.ts';
import { listProviders } from '../../../src/operations/providers/providers.ts';
import { listAllProviders } from '../../../src/operations/unpaged/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();

/** Names of the providers that match, as one string: the same whether Postgres or the forest in memory looks for them. */
async function matching(filter: ProviderFilterInput): Promise<string> {
  const scope = scopeOf(database.db);
  const page = await listProviders(scope, { filter });
  expect(await page.countAll()).toBe(page.rows.length);
  const names = page.rows.map(({ name }) => name);
  expect((await listAllProviders(scope, filter)).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  return names.join(' ');
}

async function refusal(filter: ProviderFilterInput) {
  const error = await matching(filter).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refusal)) throw new Error(`not refused: ${String(error)}`);
  return error.problems.map(({ code, path }) => `${code} ${path.join('.')}`).join(', ');
}

const disk: InventoryRecord = { total: 100, reserved: 10, minUnit: 4, maxUnit: 50, stepSize: 2, allocationRatio: 1.5 };
const diskUsed = 100;

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('a1', { inventories: { VCPU: 8 }, traits: ['CUSTOM_RED', 'CUSTOM_ROUND'], aggregates: ['rack1'] });
  await seed.provider('a1_gpu', { parent: 'a1', inventories: { VGPU: 4 }, traits: ['CUSTOM_RED'] });
  await seed.provider('B2', { inventories: { VCPU: 4, MEMORY_MB: 10 }, traits: ['CUSTOM_BLUE'], aggregates: ['rack1', 'zone'] });
  await seed.provider('c_3%', {
    inventories: { DISK_GB: disk },
    traits: ['MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_ROUND'],
    aggregates: ['zone'],
  });
  await seed.claim('vm1', { a1: { VCPU: 8 }, B2: { VCPU: 4 } });
  await seed.claim('vm2', { 'c_3%': { DISK_GB: 50 } });
  await seed.claim('vm3', { 'c_3%': { DISK_GB: 50 } });
  await seed.inventories('B2', { VCPU: 2, MEMORY_MB: 10 });
});

const found: [words: string, filter: ProviderFilterInput, names: string][] = [
  ['nothing given finds all, by name', {}, 'B2 a1 a1_gpu c_3%'],
  ['null is the same as not given', { uuids: null, traits: null, isRoot: null, fits: null, nameContains: null }, 'B2 a1 a1_gpu c_3%'],
  ['uuids', { uuids: [uuidOf('a1'), uuidOf('B2'), uuidOf('nobody')] }, 'B2 a1'],
  ['no uuids match nothing', { uuids: [] }, ''],
  ['names', { names: ['a1', 'b2', 'nobody'] }, 'a1'],
  ['no names match nothing', { names: [] }, ''],
  ['part of a name, in any case', { nameContains: 'b' }, 'B2'],
  ['part of a name in upper case', { nameContains: 'A1' }, 'a1 a1_gpu'],
  ['wildcards in a name are characters', { nameContains: '_' }, 'a1_gpu c_3%'],
  ['a percent sign is one too', { nameContains: '%' }, 'c_3%'],
  ['an empty part is in every name', { nameContains: '' }, 'B2 a1 a1_gpu c_3%'],
  ['roots', { isRoot: true }, 'B2 a1 c_3%'],
  ['those with a parent', { isRoot: false }, 'a1_gpu'],
  ['sharing providers', { isSharing: true }, 'c_3%'],
  ['those that do not share', { isSharing: false }, 'B2 a1 a1_gpu'],
  ['the tree of any member', { inTrees: [uuidOf('a1_gpu')] }, 'a1 a1_gpu'],
  ['the tree of nobody', { inTrees: [uuidOf('nobody')] }, ''],
  ['no tree matches nothing', { inTrees: [] }, ''],
  ['all traits', { traits: [{ allOf: ['CUSTOM_RED', 'CUSTOM_ROUND'] }] }, 'a1'],
  ['any trait', { traits: [{ anyOf: ['CUSTOM_BLUE', 'CUSTOM_ROUND'] }] }, 'B2 a1 c_3%'],
  ['no trait of some', { traits: [{ noneOf: ['CUSTOM_RED', 'CUSTOM_BLUE'] }] }, 'c_3%'],
  ['a clause holds as a whole', { traits: [{ anyOf: ['CUSTOM_RED', 'CUSTOM_BLUE'], noneOf: ['CUSTOM_ROUND'] }] }, 'B2 a1_gpu'],
  ['every clause must hold', { traits: [{ anyOf: ['CUSTOM_RED', 'CUSTOM_BLUE'] }, { anyOf: ['CUSTOM_ROUND'] }] }, 'a1'],
  ['an empty clause demands nothing', { traits: [{ allOf: [], noneOf: [] }] }, 'B2 a1 a1_gpu c_3%'],
  ['one of no traits is had by nobody', { traits: [{ anyOf: [] }] }, ''],
  ['all aggregates', { aggregates: [{ allOf: [uuidOf('rack1'), uuidOf('zone')] }] }, 'B2'],
  ['any aggregate', { aggregates: [{ anyOf: [uuidOf('rack1'), uuidOf('nowhere')] }] }, 'B2 a1'],
  ['no aggregate of some', { aggregates: [{ noneOf: [uuidOf('rack1')] }] }, 'a1_gpu c_3%'],
  ['all of an unknown aggregate is nobody', { aggregates: [{ allOf: [uuidOf('nowhere')] }] }, ''],
  ['none of an unknown aggregate is everybody', { aggregates: [{ noneOf: [uuidOf('nowhere')] }] }, 'B2 a1 a1_gpu c_3%'],
  ['classes', { resourceClasses: ['VCPU', 'MEMORY_MB', 'VCPU'] }, 'B2'],
  ['no classes demand nothing', { resourceClasses: [] }, 'B2 a1 a1_gpu c_3%'],
  ['over capacity', { overCapacity: true }, 'B2'],
  ['not over capacity', { overCapacity: false }, 'a1 a1_gpu c_3%'],
  ['room for several classes on one provider', { fits: [{ resourceClass: 'VGPU', amount: 4 }] }, 'a1_gpu'],
  [
    'no room for two classes on two providers',
    {
      fits: [
        { resourceClass: 'VGPU', amount: 1 },
        { resourceClass: 'MEMORY_MB', amount: 1 },
      ],
    },
    '',
  ],
  ['the beginning of a name, in any case', { nameStartsWith: 'A1' }, 'a1 a1_gpu'],
  ['the beginning is no pattern', { nameStartsWith: '_' }, ''],
  ['those with consumers', { hasConsumers: true }, 'B2 a1 c_3%'],
  ['those without', { hasConsumers: false }, 'a1_gpu'],
  ['more used than most', { utilizations: [{ resourceClass: 'VCPU', above: 0.9 }] }, 'B2 a1'],
  ['used as much as there is', { utilizations: [{ resourceClass: 'VCPU', is: 1 }] }, 'a1'],
  ['used, but not all of it', { utilizations: [{ resourceClass: 'DISK_GB', atLeast: 0.7, below: 1 }] }, 'c_3%'],
  ['used in the tree', { scope: 'TREE', utilizations: [{ resourceClass: 'VGPU', atMost: 0 }] }, 'a1 a1_gpu'],
  ['another ratio', { allocationRatios: [{ resourceClass: 'DISK_GB', isNot: 1 }] }, 'c_3%'],
  ['another ratio, of those that have the class', { allocationRatios: [{ resourceClass: 'VCPU', isNot: 1 }] }, ''],
  ['a ratio in the tree', { scope: 'TREE', allocationRatios: [{ resourceClass: 'VGPU', is: 1 }] }, 'a1 a1_gpu'],
  ['two consumers', { consumerCount: { is: 2 } }, 'c_3%'],
  ['some consumers', { consumerCount: { above: 0 } }, 'B2 a1 c_3%'],
  ['at most one', { consumerCount: { atMost: 1 } }, 'B2 a1 a1_gpu'],
  ['none, in the tree', { scope: 'TREE', consumerCount: { is: 0 } }, 'a1_gpu'],
  ['not two, in a group', { isRoot: true, not: { consumerCount: { is: 2 } } }, 'B2 a1'],
  ['created after they were', { createdAfter: '9999-01-01T00:00:00Z' }, ''],
  ['created before now', { createdAfter: '2000-01-01T00:00:00.5Z', createdBefore: '9999-01-01T00:00:00Z' }, 'B2 a1 a1_gpu c_3%'],
  ['written before they were', { updatedBefore: '2000-01-01T00:00:00Z' }, ''],
  ['written after a moment', { updatedAfter: '2000-01-01T00:00:00.000001Z' }, 'B2 a1 a1_gpu c_3%'],
  ['a class anywhere in the tree', { scope: 'TREE', resourceClasses: ['VCPU', 'VGPU'] }, 'a1'],
  ['a tree is what is below, not above', { scope: 'TREE', resourceClasses: ['VCPU'] }, 'B2 a1'],
  ['a subtree begins anywhere', { scope: 'TREE', resourceClasses: ['VGPU'], isRoot: false }, 'a1_gpu'],
  ['room in the tree', { scope: 'TREE', fits: [{ resourceClass: 'VGPU', amount: 4 }] }, 'a1 a1_gpu'],
  ['nothing used in the tree', { scope: 'TREE', hasConsumers: false }, 'a1_gpu'],
  ['no trait anywhere in the tree', { scope: 'TREE', traits: [{ noneOf: ['CUSTOM_RED'] }] }, 'B2 c_3%'],
  ['one of several, nothing else', { or: [{ names: ['B2'] }, { isRoot: false }] }, 'B2 a1_gpu'],
  ['one of none', { or: [] }, ''],
  ['all of none', { and: [] }, 'B2 a1 a1_gpu c_3%'],
  ['not everything', { not: {} }, ''],
  ['not this', { not: { traits: [{ anyOf: ['CUSTOM_RED'] }] } }, 'B2 c_3%'],
  ['groups are ANDed with what stands beside them', { isRoot: true, or: [{ names: ['a1_gpu'] }, { nameContains: 'a' }] }, 'a1'],
  ['a group has the scope around it', { isRoot: true, scope: 'TREE', or: [{ resourceClasses: ['VGPU'] }] }, 'a1'],
  [
    'or one of its own',
    { traits: [{ allOf: ['CUSTOM_ROUND'] }], and: [{ scope: 'TREE', traits: [{ allOf: ['CUSTOM_RED'] }], resourceClasses: ['VGPU'] }] },
    'a1',
  ],
  ['groups within groups', { not: { or: [{ and: [{ not: { isRoot: true } }] }, { names: ['B2'] }] } }, 'a1 c_3%'],
  ['conditions are ANDed', { isRoot: true, nameContains: 'a', traits: [{ allOf: ['CUSTOM_RED'] }] }, 'a1'],
];

test.each(found)('%s', async (_words, filter, names) => {
  expect(await matching(filter)).toBe(names);
});

test('an amount fits exactly where the rule of inventories says so', async () => {
  for (const amount of [1, 2, 3, 4, 5, 33, 34, 35, 36, 49, 50, 51, 52, 2 ** 40]) {
    const expected = fits({ ...disk, capacity: capacityOf(disk), used: diskUsed }, amount) ? 'c_3%' : '';
    expect([amount, await matching({ fits: [{ resourceClass: 'DISK_GB', amount }] })]).toEqual([amount, expected]);
  }
});

test('all of many traits in a clause are required', async () => {
  const seed = createSeed(database.db);
  const traits = Array.from({ length: 20 }, (_, index) => `CUSTOM_T${index}`);
  await seed.provider('many', { traits });
  await seed.provider('nearly', { traits: traits.slice(1) });
  expect(await matching({ traits: [{ allOf: traits }] })).toBe('many');
  expect(await matching({ traits: [{ allOf: traits.toReversed() }] })).toBe('many');
  expect(await matching({ traits: traits.map((name) => ({ anyOf: [name] })) })).toBe('many');
  await seed.write('delete_resource_provider', { provider: uuidOf('many'), expect: {} });
  await seed.write('delete_resource_provider', { provider: uuidOf('nearly'), expect: {} });
});

test('the contract has exactly these conditions (checked by the compiler)', () => {
  expectTypeOf<keyof ResourceProviderFilterInput>().toEqualTypeOf<keyof ProviderFilterInput>();
});

const tooMany = (count: number) => Array.from({ length: count }, (_, index) => uuidOf(String(index)));

const refused: [words: string, filter: ProviderFilterInput, problems: string][] = [
  [
    'an unknown trait is refused by its place',
    { traits: [{}, { anyOf: ['CUSTOM_RED', 'CUSTOM_RDE'] }] },
    'NOT_FOUND filter.traits.1.anyOf.1',
  ],
  ['an unknown class is refused', { resourceClasses: ['VCPU', 'VCUP'] }, 'NOT_FOUND filter.resourceClasses.1'],
  ['an unknown class that shall fit is refused', { fits: [{ resourceClass: 'VCUP', amount: 1 }] }, 'NOT_FOUND filter.fits.0.resourceClass'],
  ['an amount of nothing is refused', { fits: [{ resourceClass: 'VCPU', amount: 0 }] }, 'INVALID_INPUT filter.fits.0.amount'],
  [
    'a class that shall fit twice is refused',
    {
      fits: [
        { resourceClass: 'VCPU', amount: 1 },
        { resourceClass: 'VCPU', amount: 2 },
      ],
    },
    'INVALID_INPUT filter.fits.1.resourceClass',
  ],
  ['more than 1,000 uuids are refused', { uuids: tooMany(1001) }, 'INVALID_INPUT filter.uuids'],
  ['more than 1,000 trees are refused', { inTrees: tooMany(1001) }, 'INVALID_INPUT filter.inTrees'],
  ['more than 1,000 aggregates are refused', { aggregates: [{ noneOf: tooMany(1001) }] }, 'INVALID_INPUT filter.aggregates.0.noneOf'],
  ['more than 100 clauses are refused', { traits: tooMany(101).map(() => ({})) }, 'INVALID_INPUT filter.traits'],
  ['text that cannot be stored is refused', { nameContains: 'a\0' }, 'INVALID_INPUT filter.nameContains'],
  ['a name that cannot exist is refused', { names: ['a', 'x'.repeat(201)] }, 'INVALID_INPUT filter.names.1'],
  [
    'a name in a group is refused by its place',
    { or: [{}, { not: { resourceClasses: ['VCUP'] } }] },
    'NOT_FOUND filter.or.1.not.resourceClasses.0',
  ],
  ['a fault in a group, too', { and: [{ nameStartsWith: 'a\0' }] }, 'INVALID_INPUT filter.and.0.nameStartsWith'],
  ['groups five deep are refused', { not: { not: { not: { not: { not: {} } } } } }, 'INVALID_INPUT filter.not.not.not.not.not'],
  ['more than 50 filters are refused', { or: tooMany(51).map(() => ({})) }, 'INVALID_INPUT filter'],
  ['half a character in a trait is refused', { traits: [{ allOf: ['\ud800'] }] }, 'INVALID_INPUT filter.traits.0.allOf.0'],
];

describe('refusals', () => {
  test.each(refused)('%s', async (_words, filter, problems) => {
    expect(await refusal(filter)).toBe(problems);
  });

  test('1,000 entries are not too many', async () => {
    expect(await matching({ uuids: tooMany(1000), aggregates: [{ allOf: tooMany(1000), noneOf: tooMany(1000) }] })).toBe('');
  });
});

test('a filter takes one statement, and one more if it names something', async () => {
  const scope = scopeOf(database.db);
  database.statements.length = 0;
  await listProviders(scope, { filter: { uuids: [uuidOf('a1')], isRoot: true, overCapacity: false } });
  expect(database.statements.length).toBe(1);
  await listProviders(scope, {
    filter: {
      traits: [{ allOf: ['CUSTOM_RED'] }],
      resourceClasses: ['VCPU'],
      inTrees: [uuidOf('a1')],
      aggregates: [{ noneOf: [uuidOf('zone')] }],
    },
    orderBy: [{ field: 'USED', resourceClass: 'VCPU' }],
  });
  expect(database.statements.length).toBe(3);
});
