// Samples of the usage of the cloud: one a minute whoever takes it, nothing made up, thinned as they grow old.
import { beforeEach, describe, expect, test } from 'vitest';
import { fineSampleDays, isGap, thinnedSampleMinutes } from '../../../src/domain/usage-samples.ts';
import { takeUsageSample, thinUsageSamples } from '../../../src/operations/ledger/usage-samples.ts';
import { useDatabase } from '../../support/database.ts';
import { execute, query } from '../../support/graphql.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
const at = (text: string) => new Date(text);

interface Amounts {
  readonly resourceClassName: string;
  readonly capacity: number;
  readonly used: number;
}
interface Sample {
  readonly at: string;
  readonly followsGap: boolean;
  readonly ownUsages: readonly Amounts[];
  readonly sharedUsages: readonly Amounts[];
}

async function samplesOf(variables: object): Promise<readonly Sample[]> {
  const { usageSamples } = await query<{ usageSamples: readonly Sample[] }>(
    database.db,
    `query ($from: DateTime!, $until: DateTime, $stepSeconds: Int!, $resourceClasses: [String!]) {
      usageSamples(from: $from, until: $until, stepSeconds: $stepSeconds, resourceClasses: $resourceClasses) {
        at followsGap ownUsages { resourceClassName total reserved capacity used providerCount } sharedUsages { resourceClassName capacity used } } }`,
    { ...variables },
  );
  return usageSamples;
}

/** Samples of these minutes before now, as if they had been taken then: each with as much VCPU in use as it is old. */
async function remember(...minutesAgo: number[]): Promise<void> {
  await database.db.writes`
    insert into usage_samples (at, totals)
    select date_trunc('minute', now()) - make_interval(mins => m), jsonb_build_array(jsonb_build_array(false, 'VCPU', 1, 100, 0, 100, m))
    from unnest(${minutesAgo}::int[]) m on conflict do nothing`;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const count = async () => Number((await database.own`select count(*) from usage_samples`)[0]?.count);
beforeEach(() => database.own`delete from usage_samples`);

describe('a sample', () => {
  test('has the sums of every class, with pools apart, and is the first of its minute', async () => {
    const seed = createSeed(database.db);
    await seed.provider('cn1', { inventories: { VCPU: { total: 8, reserved: 1, allocationRatio: 2 } } });
    await seed.provider('cn2', { inventories: { VCPU: 4, DISK_GB: 50 } });
    await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
    await seed.claim('vm', { cn1: { VCPU: 3 }, pool: { DISK_GB: 20 } });
    expect(await takeUsageSample(database.db)).toBe(true);
    const [sample, ...others] = await samplesOf({ from: minutesAgo(5), stepSeconds: 60 });
    expect(others).toEqual([]);
    expect(sample).toEqual({
      at: expect.stringMatching(/:00(\.0+)?Z$/),
      followsGap: false,
      ownUsages: [
        { resourceClassName: 'DISK_GB', total: 50, reserved: 0, capacity: 50, used: 0, providerCount: 1 },
        { resourceClassName: 'VCPU', total: 12, reserved: 1, capacity: 18, used: 3, providerCount: 2 },
      ],
      sharedUsages: [{ resourceClassName: 'DISK_GB', capacity: 1000, used: 20 }],
    });
    expect((await samplesOf({ from: minutesAgo(5), stepSeconds: 60, resourceClasses: ['VCPU'] }))[0]).toMatchObject({
      ownUsages: [{ resourceClassName: 'VCPU' }],
      sharedUsages: [],
    });
  });

  test('is taken once a minute by however many gateways, with one statement each', async () => {
    // The minute may change meanwhile: as many samples as there are minutes.
    database.statements.length = 0;
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeUsageSample(database.db)));
    const [{ minutes } = { minutes: 0 }] = await database.own<{ minutes: number }[]>`
      select count(distinct date_trunc('minute', at))::int as minutes from usage_samples`;
    expect(await count()).toBe(minutes);
    expect(taken.filter(Boolean)).toHaveLength(minutes);
    expect(minutes).toBeGreaterThan(0);
    // Another test's gateway may still end its work.
    expect(database.statements.filter((statement) => statement.includes('usage_samples'))).toHaveLength(8);
  });

  test('that exists stays unchanged when the clock goes back to its minute', async () => {
    await remember(0, -1);
    const before = await database.own`select at, totals from usage_samples order by at`;
    await takeUsageSample(database.db);
    expect((await database.own`select at, totals from usage_samples order by at`).slice(0, 2)).toEqual(before);
  });
});

describe('the samples of a period', () => {
  test('are the first of each step; missing ones are reported as missing', async () => {
    await remember(50, 49, 48, 47, 31, 30, 29, 0);
    const samples = await samplesOf({ from: minutesAgo(51), stepSeconds: 60 });
    expect(samples.map(({ ownUsages: own, followsGap }) => `${own[0]?.used}${followsGap ? ' after a gap' : ''}`)).toEqual([
      ...['50', '49', '48', '47', '31 after a gap', '30', '29', '0 after a gap'],
    ]);
    const coarse = await samplesOf({ from: minutesAgo(51), until: minutesAgo(20), stepSeconds: 600 });
    expect(coarse.map(({ ownUsages: own, followsGap }) => [own[0]?.used, followsGap])).toEqual([
      [50, false],
      [31, false],
      [30, false],
    ]);
  });

  test('take one statement', async () => {
    await remember(...Array.from({ length: 300 }, (_, index) => index));
    database.statements.length = 0;
    expect(await samplesOf({ from: minutesAgo(299), stepSeconds: 60 })).not.toHaveLength(0);
    expect(database.statements).toHaveLength(1);
  });

  test.each([
    [{ from: minutesAgo(10), stepSeconds: 59 }, /at least 60/],
    [{ from: minutesAgo(10), until: minutesAgo(20), stepSeconds: 60 }, /before from/],
    [{ from: minutesAgo(1001), stepSeconds: 60 }, /use a step of 61 seconds/],
    [{ from: minutesAgo(10), stepSeconds: 60, resourceClasses: [''] }, /must not be empty/],
  ])('are refused for %j', async (variables, message) => {
    const { errors } = await execute(
      database.db,
      `query ($from: DateTime!, $until: DateTime, $stepSeconds: Int!, $resourceClasses: [String!]) {
        usageSamples(from: $from, until: $until, stepSeconds: $stepSeconds, resourceClasses: $resourceClasses) { at } }`,
      variables,
    );
    expect(errors?.[0]?.message).toMatch(message);
  });
});

describe('old samples', () => {
  const day = 24 * 60;

  test('are thinned to one for each quarter of an hour after a week, and deleted after the days of the setting', async () => {
    const fine = Array.from({ length: 60 }, (_, index) => 2 * day + index);
    const old = Array.from({ length: 60 }, (_, index) => (fineSampleDays + 1) * day + index);
    const tooOld = Array.from({ length: 60 }, (_, index) => 31 * day + index);
    await remember(...fine, ...old, ...tooOld);
    await thinUsageSamples(database.db, 30);
    const left = await samplesOf({ from: minutesAgo(40 * day), stepSeconds: day * 60 });
    expect(left.length).toBeGreaterThan(0);
    const rows = await database.own<{ age: number; minute: number }[]>`
      select round(extract(epoch from date_trunc('minute', now()) - at) / 60)::int as age, extract(minute from at)::int as minute from usage_samples`;
    const ofWeek = rows.filter(({ age }) => age < fineSampleDays * day);
    const older = rows.filter(({ age }) => age > fineSampleDays * day);
    expect(ofWeek).toHaveLength(60);
    // An hour that begins anywhere touches four or five quarters; of the first of them, a part.
    const quarters = new Set(older.map(({ minute }) => Math.floor(minute / thinnedSampleMinutes)));
    expect([4, 5]).toContain(older.length);
    expect(quarters.size).toBe(4);
    expect(rows.every(({ age }) => age < 30 * day)).toBe(true);
  });

  test('of a future that a wrong clock produced are deleted, too', async () => {
    await remember(-60 * 24 * 365, 1);
    await thinUsageSamples(database.db, 30);
    expect(await count()).toBe(1);
  });
});

test.each([
  ['a minute later', '2026-01-10T00:00:00Z', '2026-01-10T00:01:00Z', 60, false],
  ['two minutes later', '2026-01-10T00:00:00Z', '2026-01-10T00:02:00Z', 60, true],
  ['in the next step', '2026-01-10T00:00:00Z', '2026-01-10T00:59:00Z', 1800, false],
  ['after a step without any', '2026-01-10T00:00:00Z', '2026-01-10T01:00:00Z', 1800, true],
  ['among old ones', '2026-01-02T00:00:00Z', '2026-01-02T00:29:00Z', 60, false],
  ['among old ones, later', '2026-01-02T00:00:00Z', '2026-01-02T00:30:00Z', 60, true],
])('a sample %s: whether some are missing', (_, before, after, step, expected) => {
  expect(isGap(at(before), at(after), step, at('2026-01-10T12:00:00Z'))).toBe(expected);
});
