// What projects held over a period, against a model that adds up, moment by moment, what the tables had.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runUsage } from '../../../src/commands/usage.ts';
import { beginUsageReport, continueUsageReport } from '../../../src/db/usage-report.ts';
import { microsecondsOf } from '../../../src/domain/moment.ts';
import { pruneEvents } from '../../../src/operations/ledger/housekeeping.ts';
import { readUsageReport } from '../../../src/operations/loaders/usage-reports.ts';
import { writeAny } from '../../support/any-write.ts';
import { ageEvents } from '../../support/chunks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { execute, query } from '../../support/graphql.ts';
import { historiesOf } from '../../support/profile.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Amounts by project, type and class. */
type Held = Readonly<Record<string, bigint>>;

async function heldNow(): Promise<Held> {
  const rows = await database.own<{ key: string; amount: string }[]>`
    select concat_ws(' ', p.external_id, coalesce(t.name, '-'), rc.name) as key, sum(a.used)::text as amount
    from allocations a join consumers c on c.id = a.consumer_id join projects p on p.id = c.project_id
    join resource_classes rc on rc.id = a.resource_class_id left join consumer_types t on t.id = c.consumer_type_id group by 1`;
  return Object.fromEntries(rows.map(({ key, amount }) => [key, BigInt(amount)]));
}

const lastId = async () => (await database.own<{ id: string }[]>`select coalesce(max(id), 0)::text as id from events`)[0]?.id ?? '0';
const momentOf = (microseconds: number) =>
  `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, -1)}${`${microseconds % 1000}`.padStart(3, '0')}Z`;
const rowsOf = (report: Awaited<ReturnType<typeof readUsageReport>>): Held =>
  Object.fromEntries(
    report.rows.map(({ project, consumerType, resourceClassName, amount }) => [
      `${project} ${consumerType ?? '-'} ${resourceClassName}`,
      amount,
    ]),
  );

/** What was held since a moment: moments in order, in microseconds. */
type Timeline = readonly { readonly at: number; readonly held: Held }[];

/** Random writes are often refused; these are not. */
async function holdAtRandom(roll: ReturnType<typeof freshDice>): Promise<void> {
  const [amount, project, type] = [roll(5), ['p', 'q'][roll(2)], [null, 'INSTANCE', 'MIGRATION'][roll(3)]];
  await writeAny(database.db, 'replace_allocations', {
    consumers: [
      {
        ...{ uuid: uuidOf(`steady ${roll(6)}`), expect: {}, project, user: 'u', type, keepType: false },
        allocations: amount === 0 ? [] : [{ provider: uuidOf('steady'), resourceClass: 'VCPU', amount }],
      },
    ],
  });
}

/** Writes at random, and moves each write to a random moment of the last days. */
async function live(roll: ReturnType<typeof freshDice>, writes: number): Promise<Timeline> {
  const timeline: { at: number; held: Held }[] = [];
  await createSeed(database.db).provider('steady', { inventories: { VCPU: 1000 } });
  let at = (Date.now() - 10 * 24 * 3600 * 1000) * 1000;
  let known = await lastId();
  for (let write = 0; write < writes; write++) {
    if (roll(2) === 0) await writeAtRandom(database.db, roll);
    else await holdAtRandom(roll);
    const last = await lastId();
    if (last === known) continue;
    at += 1 + roll(3600) * 1_000_000 + roll(1_000_000);
    await database.own`update events set at = ${momentOf(at)}::text::timestamptz where id > ${known} and id <= ${last}`;
    timeline.push({ at, held: await heldNow() });
    known = last;
  }
  return timeline;
}

function integral(timeline: Timeline, from: number, until: number, isMeant: (project: string) => boolean): Held {
  const sums: Record<string, bigint> = {};
  for (const [index, { at, held }] of timeline.entries()) {
    const time = Math.min(until, timeline[index + 1]?.at ?? Number.POSITIVE_INFINITY) - Math.max(from, at);
    if (time <= 0) continue;
    for (const [key, amount] of Object.entries(held)) {
      if (isMeant(key.split(' ')[0] ?? '')) sums[key] = (sums[key] ?? 0n) + amount * BigInt(time);
    }
  }
  return sums;
}

test.each(historiesOf(3))(
  'is the integral of what was held, for any period and any projects, in pieces of any size (history %i)',
  async (number) => {
    const roll = freshDice(`usage report ${number}`);
    const timeline = await live(roll, 150);
    const moments = [(timeline[0]?.at ?? 0) - 5_000_000, ...timeline.map(({ at }) => at), (timeline.at(-1)?.at ?? 0) + 7_000_000];
    const moment = () => (moments[roll(moments.length)] as number) + ([0, 1, -1, 400_000_000][roll(4)] as number);
    let held = 0;
    for (let question = 0; question < 25; question++) {
      const [from, until] = [moment(), moment()].sort((one, other) => one - other) as [number, number];
      const projects = [null, null, ['p'], ['q'], ['q', 'p'], ['nobody']][roll(6)] ?? null;
      const report = await readUsageReport(
        database.db,
        { from: momentOf(from), until: momentOf(until), projects },
        { pieceSize: [1, 7, 5000][roll(3)] as number },
      );
      const expected = integral(timeline, from, until, (project) => projects?.includes(project) ?? true);
      expect(rowsOf(report)).toEqual(expected);
      held += Object.keys(expected).length;
    }
    expect(held).toBeGreaterThan(0);
  },
  120_000,
);

describe('a report', () => {
  const day = 24 * 3600;
  const from = () => new Date(Date.now() - 3 * day * 1000).toISOString();
  const until = () => new Date(Date.now() - 2 * day * 1000).toISOString();
  let seed: ReturnType<typeof createSeed>;
  beforeEach(async () => {
    seed = createSeed(database.db);
    await seed.provider('cn1', { inventories: { VCPU: 1000, CUSTOM_GOLD: 10 } });
    await seed.claim('vm1', { cn1: { VCPU: 4 } }, { project: 'shop' });
    await seed.claim('vm2', { cn1: { CUSTOM_GOLD: 1 } }, { project: 'a,b', type: null });
    await database.own`update events set at = at - make_interval(days => 10)`;
  });

  test('leaves out a write that is committed while it is read, even if its event has an earlier id than others', async () => {
    await seed.names({ projects: ['late'], users: ['u1'] });
    await seed.provider('cn2', { inventories: { VCPU: 10 } });
    const writer = await database.own.reserve();
    await writer`begin`;
    const allocations = [{ provider: uuidOf('cn2'), resourceClass: 'VCPU', amount: 1 }];
    const wanted = {
      uuid: uuidOf('vm3'),
      expect: { isNew: true },
      project: 'late',
      user: 'u1',
      type: 'INSTANCE',
      keepType: false,
      allocations,
    };
    const request = { kind: 'REPLACE_ALLOCATIONS', by: { user: 'u', project: 'p', roles: [], requestId: 'req-late' }, consumers: [wanted] };
    await writer`select apply_write('replace_allocations', ${writer.json(request)})`;
    await seed.claim('vm4', { cn1: { VCPU: 1 } });
    const period = { from: from(), until: until(), projects: null };
    const { position } = await beginUsageReport(database.db, period);
    await writer`commit`;
    writer.release();
    const part = await continueUsageReport(database.db, period, position, 5000);
    expect(part?.rows.map(({ project }) => project)).toEqual(['p1']);
    expect(part?.position.read).toBe(position.last);
  });

  test('is printed as CSV, with exact seconds', async () => {
    const lines: string[] = [];
    const progress = { at: () => {}, clear: () => {} };
    const period = { from: '2026-01-01T00:00:00Z', until: until(), projects: null };
    const { usages } = await runUsage(database.db, period, { asCsv: true, print: (line) => void lines.push(line), progress });
    const [{ at } = { at: '' }] = await database.own<{ at: string }[]>`
      select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from events where consumer_uuids <> '{}'`;
    const microseconds = microsecondsOf(period.until) - microsecondsOf(at);
    expect(usages.find(({ project }) => project === 'shop')).toMatchObject({ amountHours: (4 * microseconds) / 3.6e9 });
    expect(lines).toEqual([
      'project,consumer_type,resource_class,amount_seconds,amount_hours',
      expect.stringMatching(/^"a,b",,CUSTOM_GOLD,\d+\.\d{6},\d+\.\d{4}$/),
      `shop,INSTANCE,VCPU,${((4 * microseconds) / 1e6).toFixed(6)},${((4 * microseconds) / 3.6e9).toFixed(4)}`,
    ]);
  });

  test('is refused for a period whose events are no longer kept, and begins with the database otherwise', async () => {
    const period = { from: '2020-01-01T00:00:00Z', until: until(), projects: null };
    expect((await readUsageReport(database.db, period)).rows).toHaveLength(2);
    await ageEvents(database, 20);
    await seed.claim('vm3', { cn1: { VCPU: 1 } });
    await pruneEvents(database.db, 5);
    await expect(readUsageReport(database.db, period)).rejects.toThrow(/The state is not known at 2020-01-01.*: events are kept since/);
  });

  test('covers a page of projects together, including those that hold nothing', async () => {
    await seed.claim('vm4', { cn1: { VCPU: 1 } }, { project: 'new' });
    const asked = `query ($from: DateTime!, $until: DateTime!) {
      projects(first: 10) { nodes { externalId usageReport(from: $from, until: $until) { consumerType resourceClassName amountHours } } } }`;
    database.statements.length = 0;
    const { projects } = await query<{ projects: { nodes: object[] } }>(database.db, asked, { from: from(), until: until() });
    const reads = database.statements.length;
    expect(projects.nodes).toEqual([
      { externalId: 'a,b', usageReport: [{ consumerType: null, resourceClassName: 'CUSTOM_GOLD', amountHours: expect.closeTo(24) }] },
      { externalId: 'new', usageReport: [] },
      { externalId: 'shop', usageReport: [{ consumerType: 'INSTANCE', resourceClassName: 'VCPU', amountHours: expect.closeTo(96) }] },
    ]);
    expect(reads).toBe(7);
    const { errors } = await execute(database.db, asked, { from: until(), until: from() });
    expect(errors?.map(({ message }) => message)).toContain('until is before from');
  });

  test('is refused before events are read if there are more than may be', async () => {
    const period = { from: '2026-01-01T00:00:00Z', until: until(), projects: null };
    for (const projects of [null, ['shop', 'a,b']]) {
      const all = await readUsageReport(database.db, { ...period, projects });
      expect(await readUsageReport(database.db, { ...period, projects }, { most: all.eventCount })).toMatchObject({ rows: all.rows });
      database.statements.length = 0;
      await expect(readUsageReport(database.db, { ...period, projects }, { most: all.eventCount - 1 })).rejects.toThrow(
        'would have to be read',
      );
      expect(database.statements.filter((text) => text.includes('changes'))).toEqual([]);
    }
  });
});
