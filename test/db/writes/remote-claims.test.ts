// Examination. Claims that another process writes: here another set of connections, with JSON on the way.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Db, notedBy, openDatabase } from '../../../src/db/sql/client.ts';
import { diskOf } from '../../../src/db/writes/full-disk.ts';
import { type Forward, forwardClaims, writeForwarded } from '../../../src/db/writes/remote-claims.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { DiskFull, OutcomeUnknown, Overloaded, Unavailable } from '../../../src/domain/errors.ts';
import type { NotedStatement } from '../../../src/measures/activity.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

interface Cloud {
  readonly database: TestDatabase;
  /** The process that writes for all. */
  readonly writer: Db;
  readonly ofWriter: string[];
}

const open: Cloud[] = [];
async function createCloud(): Promise<Cloud> {
  const database = await createTestDatabase();
  const ofWriter: string[] = [];
  const writer = openDatabase(database.target, { onStatement: (statement) => void ofWriter.push(statement) });
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 10 } });
  const cloud = { database, writer, ofWriter };
  open.push(cloud);
  return cloud;
}

let cloud: Cloud;
beforeEach(async () => {
  cloud = await createCloud();
});
afterEach(async () => {
  for (const { writer, database } of open.splice(0)) {
    await writer.close();
    await database.drop();
  }
});

const byWay =
  (writer: Db): Forward =>
  async (claim) => ({ answer: JSON.parse(JSON.stringify(await writeForwarded(writer, JSON.parse(JSON.stringify(claim)))) ?? '') });

const wanted = (name: string, amount: number, provider = 'cn1') => ({
  consumers: [
    {
      ...{ uuid: uuidOf(name), expect: { isNew: true as const }, project: 'p', user: 'u', type: 'INSTANCE' },
      allocations: [{ provider: uuidOf(provider), resourceClass: 'VCPU', amount }],
    },
  ],
});
const by = { user: 'u', project: 'p', roles: ['admin'], requestId: 'req-1' };
const keyed = (key: string, hash = key) => ({
  by,
  idempotency: { principal: 'u', operation: 'replaceAllocations', key, hash, besides: { key } },
});

const claim = (db: Db, name: string, amount = 1, provider = 'cn1') =>
  submitWrite(db, 'replace_allocations', wanted(name, amount, provider), { by });
const calls = (statements: readonly string[]) => statements.filter((statement) => statement.includes('apply_write')).length;

test('forwarded claims have the same answers and refusals as others', async () => {
  const outcomes = async ({ database: { db } }: Cloud) => {
    const told = [
      await claim(db, 'a'),
      await claim(db, 'a'),
      await claim(db, 'b', 20),
      await claim(db, 'c', 1, 'nowhere'),
      await submitWrite(db, 'replace_allocations', wanted('d', 2), keyed('k')),
      await submitWrite(db, 'replace_allocations', wanted('d', 2), keyed('k')),
      await submitWrite(db, 'replace_allocations', wanted('d', 2), keyed('k', 'other')),
    ];
    return JSON.stringify(told).replaceAll(/\d{4}-\d\d-\d\d[T ][^"]*/g, 'some time');
  };
  const other = await createCloud();
  forwardClaims(cloud.database.db, byWay(cloud.writer));
  cloud.database.statements.length = 0;
  const forwarded = await outcomes(cloud);
  expect(calls(cloud.database.statements)).toBe(0);
  expect(forwarded).toBe(await outcomes(other));
  expect(forwarded).toMatch(/CONSUMER_CONFLICT|GENERATION_CONFLICT/);
  expect(forwarded).toContain('CAPACITY_EXCEEDED');
  expect(forwarded).toContain('IDEMPOTENCY_KEY_REUSED');
  expect(forwarded).toContain('"replayed":true');
  await expectSoundLedger(cloud.writer);
});

test('claims of two processes share calls', async () => {
  forwardClaims(cloud.database.db, byWay(cloud.writer));
  await claim(cloud.writer, 'first');
  cloud.ofWriter.length = 0;
  const { provider } = createSeed(cloud.database.db);
  await provider('cn2', { inventories: { VCPU: 100 } });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => claim(index % 2 ? cloud.writer : cloud.database.db, `server${index}`, 1, 'cn2')),
  );
  expect(answers.every((answer) => 'eventId' in answer)).toBe(true);
  expect(calls(cloud.ofWriter)).toBeLessThan(10);
  await expectSoundLedger(cloud.writer);
});

test('a write that cannot share a call is not forwarded', async () => {
  const forwarded: object[] = [];
  forwardClaims(cloud.database.db, async (sent) => {
    forwarded.push(sent);
    return 'notSent';
  });
  await claim(cloud.database.db, 'a');
  expect(forwarded).toHaveLength(1);
  const change = { consumers: wanted('a', 2).consumers.map((consumer) => ({ ...consumer, expect: {} })) };
  expect(await submitWrite(cloud.database.db, 'replace_allocations', change, { by })).toHaveProperty('eventId');
  expect(forwarded).toHaveLength(1);
});

test('a claim of up to 300 amounts is forwarded, a larger one is not', async () => {
  await createSeed(cloud.database.db).provider('large', { inventories: { VCPU: 1000 } });
  forwardClaims(cloud.database.db, byWay(cloud.writer));
  await claim(cloud.database.db, 'a');
  for (const [count, forwarded] of [
    [300, 1],
    [301, 0],
  ] as const) {
    cloud.ofWriter.length = 0;
    const consumers = Array.from({ length: count }, (_, index) => wanted(`server${index} of ${count}`, 1, 'large').consumers).flat();
    expect(await submitWrite(cloud.database.db, 'replace_allocations', { consumers }, { by })).toHaveProperty('eventId');
    expect(calls(cloud.ofWriter)).toBe(forwarded);
  }
  await expectSoundLedger(cloud.writer);
});

test('what was not sent is written here; whether what was lost on the way was written is unknown', async () => {
  forwardClaims(cloud.database.db, async () => 'notSent');
  expect(await claim(cloud.database.db, 'a')).toHaveProperty('eventId');
  forwardClaims(cloud.database.db, async () => 'lost');
  await expect(claim(cloud.database.db, 'b')).rejects.toThrow(OutcomeUnknown);
});

test('what fails where it is written fails in the same way here', async () => {
  const failing = (name: string): Forward => {
    const fault = { name, message: 'why', cause: 'because', code: 'XX000' };
    return async () => ({ answer: { fault, statements: [] } });
  };
  const { db } = cloud.database;
  forwardClaims(db, failing('Unavailable'));
  await expect(claim(db, 'a')).rejects.toMatchObject({ name: 'Unavailable', message: 'why' });
  await expect(claim(db, 'a')).rejects.toBeInstanceOf(Unavailable);
  forwardClaims(db, failing('OutcomeUnknown'));
  await expect(claim(db, 'a')).rejects.toThrow(OutcomeUnknown);
  forwardClaims(db, failing('TypeError'));
  await expect(claim(db, 'a')).rejects.toMatchObject({ name: 'TypeError', message: 'why', code: 'XX000' });
  forwardClaims(db, byWay(cloud.writer));
  diskOf(cloud.writer).spaces = [{ directory: '/data', free: 0, size: 1 }];
  await expect(claim(db, 'a')).rejects.toBeInstanceOf(DiskFull);
  await expect(claim(db, 'a')).rejects.toThrow('Nothing was written: less than 256 MiB are free on the disk of the database (/data).');
  diskOf(cloud.writer).spaces = [];
  // A provider that somebody locks for longer than a claim waits.
  const holder = await cloud.database.own.reserve();
  await holder`begin`;
  await holder`select from resource_providers where uuid = ${uuidOf('cn1')}::uuid for update`;
  const held = claim(db, 'a');
  await expect(held).rejects.toThrow(Overloaded);
  await holder`rollback`;
  holder.release();
  // One that comes too late, as when the process that writes has stood still.
  const late = await writeForwarded(cloud.writer, { request: wanted('late', 1), call: { by }, deadline: 0 });
  expect(late).toMatchObject({ fault: { name: 'Overloaded' } });
});

test('a request counts the statements that were sent for its claim elsewhere, with their times', async () => {
  forwardClaims(cloud.database.db, byWay(cloud.writer));
  const statements: NotedStatement[] = [];
  const noted = notedBy(cloud.database.db, { noteStatement: (statement) => void statements.push(statement) });
  const began = performance.now();
  await claim(noted, 'a');
  expect(calls(cloud.ofWriter)).toBe(2);
  expect(statements.length).toBe(cloud.ofWriter.filter((statement) => /apply_write|ensure_consumer_names/.test(statement)).length);
  for (const { pool, since, startedAt } of statements) {
    expect(pool).toBe('writes');
    const times = [began, since, startedAt, performance.now()];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});
