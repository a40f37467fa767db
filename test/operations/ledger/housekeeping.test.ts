// What expires and is deleted, what is kept, and that several gateways may clean up concurrently.
import { beforeAll, describe, expect, test } from 'vitest';
import { selectEventChunks } from '../../../src/db/event-chunks.ts';
import { beginEventChunk, createEventChunk, deleteOldChanges } from '../../../src/db/housekeeping.ts';
import { deleteExpired, pruneEvents } from '../../../src/operations/ledger/housekeeping.ts';
import { ageEvents } from '../../support/chunks.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const count = async (table: string): Promise<number> => {
  const [row] = await database.db.sql<{ count: number }[]>`select count(*)::int as count from ${database.db.sql(table)}`;
  return row?.count ?? 0;
};

const seed = () => createSeed(database.db);
const chunks = async () => (await selectEventChunks(database.db)).map(({ number }) => number);
const chunkOf = async (consumer: string): Promise<string | undefined> => {
  const [row] = await database.db.sql<{ part: string }[]>`
    select tableoid::regclass::text as part from events where ${uuidOf(consumer)}::uuid = any(consumer_uuids)`;
  return row?.part;
};

beforeAll(async () => {
  await seed().provider('cn1', { inventories: { VCPU: 1000 } });
  await seed().claim('a', { cn1: { VCPU: 1 } }, { project: 'p1' });
});

test('a chunk of events ends after a twelfth of the retention, not before', async () => {
  await seed().claim('first', { cn1: { VCPU: 1 } });
  await deleteExpired(database.db, { eventRetentionDays: 36 });
  expect(await chunks()).toEqual([0]);
  await ageEvents(database, 2);
  expect(await chunks()).toEqual([0, 1]);
  await seed().claim('second', { cn1: { VCPU: 1 } });
  expect([await chunkOf('first'), await chunkOf('second')]).toEqual(['events_0', 'events_1']);
  await deleteExpired(database.db, { eventRetentionDays: 36 });
  expect(await chunks()).toEqual([0, 1]);
});

test('a chunk without events continues, and a write never lacks a partition, even without housekeeping', async () => {
  await ageEvents(database, 400);
  expect(await chunks()).toEqual([0, 1, 2]);
  for (let round = 0; round < 3; round += 1) await deleteExpired(database.db, { eventRetentionDays: null });
  expect(await chunks()).toEqual([0, 1, 2]);
  await seed().claim('third', { cn1: { VCPU: 1 } });
  expect(await chunkOf('third')).toBe('events_2');
});

test('ids go into the next partition only when every statement knows it', async () => {
  await database.own`update event_chunks set begun_at = now() - interval '90 days', created_at = now() where number > 1`;
  expect(await beginEventChunk(database.db, 1)).toBe(false);
  await database.own`update event_chunks set created_at = now() - interval '3 minutes'`;
  await database.own`update event_chunks set begun_at = null where number = 3`;
  expect(await beginEventChunk(database.db, 1)).toBe(true);
  expect(await createEventChunk(database.db)).toBe(true);
  expect(await createEventChunk(database.db)).toBe(false);
  await seed().claim('fourth', { cn1: { VCPU: 1 } }, { project: 'p1' });
  expect(await chunkOf('fourth')).toBe('events_3');
});

describe('beside a reader of events that takes hours, such as a dump,', () => {
  test('chunks are created, and the next begins', async () => {
    await database.own.begin(async (reader) => {
      await reader`select count(*) from events`;
      await ageEvents(database, 40);
      await seed().claim('fifth', { cn1: { VCPU: 1 } });
    });
    expect(await chunkOf('fifth')).toBe('events_4');
  });

  test('none is dropped, claims do not wait, and the next round drops them', async () => {
    let pruned: unknown;
    await database.own.begin(async (reader) => {
      await reader`select count(*) from events`;
      const pruning = pruneEvents(database.db, 30);
      let longest = 0;
      for (let claim = 0; claim < 100; claim += 1) {
        const begun = performance.now();
        await seed().claim(`beside${claim}`, { cn1: { VCPU: 1 } });
        longest = Math.max(longest, performance.now() - begun);
      }
      pruned = await pruning;
      expect(longest).toBeLessThan(1000);
    });
    expect(pruned).toEqual({ dropped: 0, inUse: true });
    expect(await chunks()).toContain(0);
  });
});

test('chunks are dropped after the retention with all their subjects, by several gateways once, and younger events stay findable', async () => {
  const before = await count('events');
  const dropped = await Promise.all(Array.from({ length: 4 }, () => deleteExpired(database.db, { eventRetentionDays: 30 })));
  expect(dropped.reduce((sum, { eventChunks }) => sum + eventChunks, 0)).toBe(4);
  expect(await chunks()).toEqual([4]);
  expect(before).toBeGreaterThan(101);
  expect(await count('events')).toBe(101);
  const rows = await database.db.sql<{ subjects: string[] }[]>`
    select array_agg(s.subject order by s.subject) as subjects from events e join event_subjects s on s.event_id = e.id
    where ${uuidOf('fifth')}::uuid = any(e.consumer_uuids) group by e.id`;
  expect(rows).toEqual([{ subjects: expect.arrayContaining([uuidOf('fifth'), uuidOf('cn1')]) }]);
  expect(await count('event_subjects')).toBe(303);
  const gone = await database.db.sql`select from pg_class where relname like 'event%\_0'`;
  expect(gone).toEqual([]);
  const [feed] = await database.db.sql<{ pruned: number; at: string | null }[]>`
    select pruned_event_id::float8 as pruned, pruned_at as at from change_feed`;
  expect(feed?.pruned).toBe(3e10);
  expect(feed?.at).not.toBeNull();
});

test('without a retention nothing is dropped', async () => {
  await ageEvents(database, 40_000);
  expect(await deleteExpired(database.db, { eventRetentionDays: null })).toMatchObject({ eventChunks: 0 });
  expect(await count('events')).toBe(101);
});

test('idempotency keys go after a day', async () => {
  await database.db.writes`
    insert into idempotency_keys (principal, operation, key, input_hash, created_at)
    select 'p', 'o', n::text, '', now() - make_interval(mins => 60 * n - 30) from generate_series(1, 30) n`;
  expect(await deleteExpired(database.db, { eventRetentionDays: 30 })).toMatchObject({ idempotencyKeys: 6 });
  expect(await count('idempotency_keys')).toBe(24);
});

test('changes of providers are deleted after many transactions, and the change feed remembers the highest one', async () => {
  const { sql, writes } = database.db;
  const left = async () =>
    (await sql<{ xid: string }[]>`select xid::text from provider_changes order by xid`).map(({ xid }) => Number(xid));
  await writes`delete from provider_changes`;
  await writes`insert into provider_changes (xid, resource_provider_id) select (n * 10)::text::xid8, n from generate_series(1, 5) n`;
  expect(await deleteExpired(database.db, { eventRetentionDays: 30 })).toMatchObject({ providerChanges: 0 });
  const [now] = await sql<{ xmax: number }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text::int as xmax`;
  // Other tests run on the same server at the same time: the fourth and fifth are far enough away.
  await writes`update provider_changes set xid = '1000000' where resource_provider_id > 3`;
  expect(await deleteOldChanges(database.db, (now?.xmax ?? 0) - 35)).toBe(3);
  expect(await sql`select pruned_xid::text from change_feed`).toEqual([{ pruned_xid: '30' }]);
  expect(await left()).toEqual([1000000, 1000000]);
  // A change of an older transaction than those pruned before does not lower it.
  await writes`insert into provider_changes (xid, resource_provider_id) values ('7', 9)`;
  expect(await deleteOldChanges(database.db, (now?.xmax ?? 0) - 35)).toBe(1);
  expect(await sql`select pruned_xid::text from change_feed`).toEqual([{ pruned_xid: '30' }]);
});
