// Quotas for what is held in an aggregate, while trees are written as a whole: such writes are not refused for a quota, and a dry run counts nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selectQuotaUses } from '../../../src/db/quotas.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { applyProviderTree } from '../../../src/operations/trees/provider-tree.ts';
import { reshape } from '../../../src/operations/trees/reshape.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { dumpTables, expectSoundLedger, refusalOf } from '../../support/ledger.ts';
import { type Amounts, createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
/** Of a caller whose claims obey quotas. */
const scope = () =>
  new Scope({
    ...{ db: database.db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'req-test' },
    quotasOfRest: true,
  });
const unchecked = { unchecked: true } as const;
const [east, west] = [uuidOf('east'), uuidOf('west')];

/** `held`: VCPU by provider. */
const wanted = (consumer: string, held: Amounts) => ({
  ...{ consumer: uuidOf(consumer), project: 'p1', user: 'u1', expect: unchecked },
  hold: {
    allocations: Object.entries(held).map(([provider, amount]) => ({
      ...{ resourceProvider: uuidOf(provider), resources: [{ resourceClass: 'VCPU', amount }] },
    })),
  },
});
const hold = (consumer: string, held: Amounts) => replaceAllocations(scope(), { consumers: [wanted(consumer, held)] });
/** The quotas of both zones for VCPU. */
const set = (ofEast: number, ofWest: number) =>
  replaceQuotas(scope(), {
    ...{ project: 'p1', expect: unchecked },
    quotas: [
      { resourceClass: 'VCPU', aggregate: east, amount: ofEast },
      { resourceClass: 'VCPU', aggregate: west, amount: ofWest },
    ],
  });
/** What is used of the quotas of both. */
const used = async () => {
  const uses = await selectQuotaUses(database.db, ['p1'], false);
  return [east, west].map((zone) => uses.find(({ aggregate }) => aggregate === zone)?.used);
};

beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  for (const [host, zone] of Object.entries({ h1: 'east', h2: 'west' })) {
    await seed.provider(host, { inventories: { VCPU: 100 }, aggregates: [zone] });
    await seed.provider(`${host} cell`, { parent: host, inventories: { VCPU: 100 } });
  }
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

test('a reshape is not refused for what it moves into an aggregate, and counts it there', async () => {
  await hold('a', { 'h2 cell': 7 });
  await set(4, 9);
  const inventories = [{ resourceClass: 'VCPU', total: 100 }];
  const resourceProviders = ['h1', 'h2 cell'].map((name) => ({ resourceProvider: uuidOf(name), expect: unchecked, inventories }));
  await reshape(scope(), { resourceProviders, consumers: [wanted('a', { h1: 7 })] });
  expect(await used()).toEqual([7, 0]);
  expect(await refusalOf(database.db, () => hold('b', { h1: 1 }))).toMatchObject([
    { code: 'QUOTA_EXCEEDED', details: { aggregate: east, used: 7 } },
  ]);
});

test('a dry run of a tree that brings what is held into another aggregate counts nothing', async () => {
  await hold('a', { h1: 5, 'h1 cell': 2 });
  await set(9, 1);
  const before = await dumpTables(database.db);
  const resourceProviders = [
    { name: 'h1', expect: unchecked, aggregates: [west] },
    { name: 'h1 cell', uuid: uuidOf('h1 cell'), parentName: 'h1', expect: unchecked },
  ];
  const tree = { root: uuidOf('h1'), resourceProviders, consumers: [wanted('a', { h1: 1, 'h1 cell': 8 })] };
  expect((await applyProviderTree(scope(), { ...tree, dryRun: true })).applied).toBe(false);
  expect(await dumpTables(database.db)).toEqual(before);
  await applyProviderTree(scope(), tree);
  expect(await used()).toEqual([0, 9]);
});
