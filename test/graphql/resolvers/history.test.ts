// The past of trees and aggregates through GraphQL, in a cloud in which cells, members and providers came and went.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

interface Sample {
  readonly usages: readonly object[];
}

/**
 * Four hours ago a host with one cell was alone in a rack, with a pool. Two hours ago it got a second cell and more to do, and another host joined. Now it has left
 * the rack, and its first cell is gone.
 */
beforeAll(async () => {
  const seed = createSeed(database.db);
  const makeOlder = async (hours: number) => {
    await database.db.writes`update events set at = at - make_interval(hours => ${hours}) where at > now() - interval '1 hour'`;
  };
  await seed.provider('pool', { inventories: { DISK_GB: 500 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
  await seed.provider('host', { inventories: { MEMORY_MB: 100 }, aggregates: ['rack'] });
  await seed.provider('cell0', { parent: 'host', inventories: { VCPU: 8 } });
  await seed.claim('vm1', { cell0: { VCPU: 2 }, host: { MEMORY_MB: 10 }, pool: { DISK_GB: 5 } });
  await makeOlder(4);
  await seed.provider('cell1', { parent: 'host', inventories: { VCPU: 8 } });
  await seed.claim('vm2', { cell1: { VCPU: 3 } });
  await seed.provider('late', { inventories: { VCPU: 4 }, aggregates: ['rack'] });
  await makeOlder(2);
  await seed.aggregates('host', []);
  await seed.write('release_allocations', {
    consumers: [{ uuid: uuidOf('vm1'), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, allocations: [] }],
  });
  await seed.write('delete_resource_provider', { provider: uuidOf('cell0'), expect: {} });
});

const row = (resourceClassName: string, used: number, capacity: number, providerCount = 1) => ({
  ...{ resourceClassName, used, capacity, providerCount },
});
/** What was there three hours ago, one hour ago, and is now. */
const expected = {
  tree: [
    [row('MEMORY_MB', 10, 100), row('VCPU', 2, 8)],
    [row('MEMORY_MB', 10, 100), row('VCPU', 5, 16, 2)],
    [row('MEMORY_MB', 0, 100), row('VCPU', 3, 8)],
  ],
  aggregate: [[row('MEMORY_MB', 10, 100), row('VCPU', 2, 8)], [row('MEMORY_MB', 10, 100), row('VCPU', 5, 20, 3)], [row('VCPU', 0, 4)]],
  cell: [[row('VCPU', 2, 8)], [row('VCPU', 2, 8)], []],
};
const fields = 'usages { resourceClassName used capacity providerCount }';

test.each<[words: string, of: object, usages: object[][]]>([
  ['a tree, with the cells that it had', { tree: uuidOf('host') }, expected.tree],
  ['a part of a tree that is gone', { tree: uuidOf('cell0') }, expected.cell],
  ['an aggregate, with the trees that were in it and without pools', { aggregate: uuidOf('rack') }, expected.aggregate],
])('the history of %s', async (_words, of, usages) => {
  const answer = await query<{ usageHistory: { samples: Sample[] } }>(
    database.db,
    `query ($of: UsageHistorySubjectInput!, $from: DateTime!, $until: DateTime!) {
      usageHistory(of: $of, from: $from, until: $until, stepSeconds: 7200) { samples { ${fields} } } }`,
    { of, from: hoursAgo(3), until: hoursAgo(1) },
  );
  expect(answer.usageHistory.samples.map((sample) => sample.usages)).toEqual(usages.slice(0, 2));
});

test('the state at a moment has the same numbers for trees and aggregates', async () => {
  for (const [index, hours] of [3, 1, 0].entries()) {
    const { asOf } = await query<{ asOf: Record<string, Sample> }>(
      database.db,
      `query ($moment: DateTime!, $host: UUID!, $cell: UUID!, $rack: UUID!) { asOf(moment: $moment) {
        tree: treeUsage(resourceProvider: $host) { ${fields} } cell: treeUsage(resourceProvider: $cell) { ${fields} }
        aggregate: aggregateUsage(aggregate: $rack) { ${fields} } } }`,
      { moment: hoursAgo(hours), host: uuidOf('host'), cell: uuidOf('cell0'), rack: uuidOf('rack') },
    );
    expect(Object.fromEntries(Object.entries(asOf).map(([name, { usages }]) => [name, usages]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, usages]) => [name, usages[index]])),
    );
  }
});
