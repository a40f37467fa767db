// Questions about the past may read many events, and make way for other reads.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const since = 'from: $moment, stepSeconds: 3600';
test.each<[question: string, table: string]>([
  [`usageHistory(of: { project: "p1" }, ${since}) { eventCount }`, 'resource_classes'],
  [`usageHistory(of: { tree: "${uuidOf('cn1')}" }, ${since}) { eventCount }`, 'resource_provider_traits'],
  [`claimHistory(${since}) { eventCount }`, 'refused_claims'],
  ['asOf(moment: $moment) { projectUsage(externalId: "p1") { consumerCount } }', 'resource_classes'],
  [`asOf(moment: $moment) { pastResourceProvider(uuid: "${uuidOf('cn1')}") { holders(first: 1) { totalCount } } }`, 'allocations'],
  ['project(externalId: "p1") { usageReport(from: $moment, until: "2099-01-01T00:00:00Z") { resourceClassName } }', 'resource_classes'],
])('%s leaves connections to other reads while it reads %s', async (question, table) => {
  const { db, own } = database;
  const seed = createSeed(db);
  await seed.provider('cn1', { inventories: { VCPU: 8 } });
  await seed.claim('a', { cn1: { VCPU: 1 } });
  const [last] = await own<{ at: Date }[]>`select max(at) + interval '1 millisecond' as at from events`;
  const ask = () => query(db, `query ($moment: DateTime!) { ${question} }`, { moment: last?.at.toISOString() });
  await ask();
  let answers: Promise<unknown> = Promise.resolve();
  await own.begin(async (holder) => {
    await holder`lock table ${holder(table)} in access exclusive mode`;
    answers = Promise.all(Array.from({ length: 20 }, ask));
    answers.catch(() => {});
    await expect.poll(async () => (await own`select from pg_locks where not granted`).length).toBeGreaterThan(0);
    expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
  expect(await answers).toHaveLength(20);
});
