// What of the past is refused, and that it is said what to do.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selectUsageSince } from '../../../src/db/history.ts';
import { HistoryRefusal, Refusal } from '../../../src/domain/errors.ts';
import {
  findPastConsumer,
  findPastProvider,
  findPastUsage,
  listPastHolders,
  listUsageHistory,
  openPast,
  type UsageHistoryInput,
} from '../../../src/operations/ledger/history.ts';
import { pruneEvents } from '../../../src/operations/ledger/housekeeping.ts';
import { ageEvents } from '../../support/chunks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

test('a moment before the oldest event that is kept', async () => {
  await seed.provider('cn1');
  await ageEvents(database, 40);
  await seed.provider('cn2');
  await pruneEvents(database.db, 30);
  const refusal = await openPast(scopeOf(database.db), '2001-01-01T00:00:00Z').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HistoryRefusal);
  expect(refusal).toMatchObject({ code: 'HISTORY_GONE', message: expect.stringContaining('later moment, or keep events') });
});

test('a moment whose events have been deleted meanwhile', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.claim('c', { cn1: { VCPU: 4 } });
  await ageEvents(database, 40);
  const scope = scopeOf(database.db);
  const [row] = await database.db.sql<{ at: number }[]>`
    select extract(epoch from max(at))::float8 * 1000 - 1 as at from events`;
  const known = await openPast(scope, new Date(row?.at ?? 0).toISOString());
  expect(await findPastConsumer(scope, known, uuidOf('c'))).toBeNull();
  expect((await pruneEvents(database.db, 30)).dropped).toBe(1);
  const provider = { ...known, resourceProviderUuid: uuidOf('cn1') };
  for (const answer of [
    () => findPastConsumer(scope, known, uuidOf('c')),
    () => findPastProvider(scope, known, { uuid: uuidOf('cn1') }),
    () => findPastProvider(scope, known, { name: 'cn1' }),
    () => findPastUsage(scope, known, { noun: 'cloud' }),
    () => findPastUsage(scope, known, { noun: 'tree', key: uuidOf('cn1') }),
    () => listPastHolders(scope, provider, { scope: 'PROVIDER' }),
  ])
    await expect(answer()).rejects.toMatchObject({ code: 'HISTORY_GONE' });
});

test('a moment before the database existed', async () => {
  await seed.provider('cn1');
  const refusal = await openPast(scopeOf(database.db), '2001-01-01T00:00:00Z').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HistoryRefusal);
  expect(refusal).toMatchObject({ code: 'HISTORY_GONE', message: expect.stringContaining('this database was begun at') });
  const input = { of: { cloud: true as const }, from: '2001-01-01T00:00:00Z', until: '2001-01-02T00:00:00Z', stepSeconds: 3600 };
  await expect(listUsageHistory(scopeOf(database.db), input)).rejects.toMatchObject({ code: 'HISTORY_GONE' });
  // A chart up to now, whose last sample is from before a database that is younger than a step.
  const week = { of: input.of, from: new Date(Date.now() - 604_800_000 + 60_000).toISOString(), stepSeconds: 604_800 };
  expect(await listUsageHistory(scopeOf(database.db), week)).toEqual({ samples: [], eventCount: 0 });
});

test.each<[keyof UsageHistoryInput['of'], string]>([
  ['project', 'nobody'],
  ['resourceProvider', uuidOf('nobody')],
  ['tree', uuidOf('nobody')],
  ['aggregate', uuidOf('nobody')],
  ['consumer', uuidOf('nobody')],
])('the usage of an unknown %s', async (noun, key) => {
  const from = new Date().toISOString();
  const refusal = await listUsageHistory(scopeOf(database.db), { of: { [noun]: key }, from, stepSeconds: 60 }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'NOT_FOUND', path: ['of', noun], key }]);
});

test.each<[path: string, subject: { readonly noun: 'project' | 'tree' | 'aggregate'; readonly key: string }]>([
  ['externalId', { noun: 'project', key: 'nobody' }],
  ['resourceProvider', { noun: 'tree', key: uuidOf('nobody') }],
  ['aggregate', { noun: 'aggregate', key: uuidOf('nobody') }],
])('the usage of an unknown subject at a moment, by %s', async (path, subject) => {
  const past = await openPast(scopeOf(database.db), new Date().toISOString());
  await expect(findPastUsage(scopeOf(database.db), past, subject)).rejects.toMatchObject({
    problems: [{ code: 'NOT_FOUND', path: [path], key: subject.key }],
  });
});

test('the usage of a provider by the uuid of a consumer, or the other way round, whether it exists or was deleted', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.provider('cn2');
  for (const name of ['a', 'b']) await seed.claim(name, { cn1: { VCPU: 1 } });
  await seed.write('release_allocations', {
    consumers: [{ uuid: uuidOf('b'), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, allocations: [] }],
  });
  await seed.write('delete_resource_provider', { provider: uuidOf('cn2'), expect: {} });
  const from = new Date().toISOString();
  const refusalOf = async (of: UsageHistoryInput['of']) => {
    const refusal = await listUsageHistory(scopeOf(database.db), { of, from, stepSeconds: 60 }).catch((error: unknown) => error);
    return refusal instanceof Refusal ? refusal.problems[0]?.code : null;
  };
  for (const name of ['a', 'b']) {
    expect(await refusalOf({ consumer: uuidOf(name) })).toBeNull();
    for (const noun of ['resourceProvider', 'tree']) expect(await refusalOf({ [noun]: uuidOf(name) })).toBe('NOT_FOUND');
  }
  for (const name of ['cn1', 'cn2']) {
    expect(await refusalOf({ consumer: uuidOf(name) })).toBe('NOT_FOUND');
    for (const noun of ['resourceProvider', 'tree']) expect(await refusalOf({ [noun]: uuidOf(name) })).toBeNull();
  }
});

test('the past usage of a project with an invalid id', async () => {
  const past = await openPast(scopeOf(database.db), new Date().toISOString());
  const refusal = await findPastUsage(scopeOf(database.db), past, { noun: 'project', key: '\u0000' }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['externalId'] }]);
});

test('more events than may be read', async () => {
  const [start] = await database.db.sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  for (const name of ['a', 'b', 'c']) await seed.provider(name);
  expect(await selectUsageSince(database.db, { noun: 'cloud' }, [start?.at ?? ''], 2)).toMatchObject({ eventCount: 3 });
});

test.each<[string, Partial<UsageHistoryInput>, string[]]>([
  ['nobody', { of: {} }, ['of']],
  ['two at once', { of: { project: 'p', cloud: true as const } }, ['of']],
  ['no step', { stepSeconds: 0 }, ['stepSeconds']],
  ['too many samples', { stepSeconds: 1 }, ['stepSeconds']],
  ['an end before the beginning', { until: '2000-01-01T00:00:00Z' }, ['until']],
])('%s', async (_words, input, path) => {
  const args = { of: { cloud: true as const }, from: '2001-01-01T00:00:00Z', stepSeconds: 86_400 * 365, ...input };
  const refusal = await listUsageHistory(scopeOf(database.db), args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path }]);
});
