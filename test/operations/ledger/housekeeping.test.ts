// What expires and is deleted, what is kept, and that several gateways may clean up concurrently.
import { beforeAll, expect, test } from 'vitest';
import { deleteOldChanges } from '../../../src/db/housekeeping.ts';
import { deleteExpired } from '../../../src/operations/ledger/housekeeping.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const count = async (table: string): Promise<number> => {
  const [row] = await database.db.sql<{ count: number }[]>`select count(*)::int as count from ${database.db.sql(table)}`;
  return row?.count ?? 0;
};

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.claim('a', { cn1: { VCPU: 1 } }, { project: 'p1' });
  await database.db.writes`update events set at = now() - interval '31 days'`;
  await seed.claim('b', { cn1: { VCPU: 1 } }, { project: 'p1' });
});

test('events go after their retention with all their subjects, and younger ones stay findable', async () => {
  expect(await deleteExpired(database.db, { eventRetentionDays: 30 })).toMatchObject({ events: 3 });
  const rows = await database.db.sql<{ subjects: string[] }[]>`
    select array_agg(s.subject order by s.subject) as subjects from events e join event_subjects s on s.event_id = e.id group by e.id`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.subjects).toHaveLength(3);
  expect(rows[0]?.subjects).toContain(uuidOf('b'));
  expect(await count('event_subjects')).toBe(3);
});

test('idempotency keys go after a day', async () => {
  await database.db.writes`
    insert into idempotency_keys (principal, operation, key, input_hash, created_at)
    select 'p', 'o', n::text, '', now() - make_interval(mins => 60 * n - 30) from generate_series(1, 30) n`;
  expect(await deleteExpired(database.db, { eventRetentionDays: 30 })).toMatchObject({ idempotencyKeys: 6 });
  expect(await count('idempotency_keys')).toBe(24);
});

test('changes of providers go when many transactions followed, and the change feed remembers the highest of them', async () => {
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

test('several gateways at once delete each event once, however many batches there are', async () => {
  await database.db.writes`
    insert into events (kind, roles, request_id, consumer_uuids, provider_uuids, changes, at)
    select 'X', '{}', '', array[${uuidOf('x')}::uuid], '{}', '{}', now() - interval '40 days' from generate_series(1, 5000)`;
  await database.db.writes`insert into event_subjects select ${uuidOf('x')}::uuid, id from events where kind = 'X'`;
  // The one remaining event precedes them all, as that of a slow transaction may.
  const kept = await Promise.all(Array.from({ length: 4 }, () => deleteExpired(database.db, { eventRetentionDays: 30 })));
  expect(kept.reduce((sum, { events }) => sum + events, 0)).toBe(5000);
  expect([await count('events'), await count('event_subjects')]).toEqual([1, 3]);
});
