// Examination, waiting. Subscriptions to events: every write once for every reader, whatever is open meanwhile, wherever and whenever it is resumed; and
// what that costs the database.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { EventBatch } from '../../../src/operations/live/event-batch.ts';
import { type EventStreamArguments, followEvents } from '../../../src/operations/live/event-stream.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

/** Reads a subscription to its end, message by message. */
function read(args: EventStreamArguments = {}, db: Db = database.db, project: string | null = null) {
  const scope = scopeOf(db);
  scope.ownProject = project;
  const stream = followEvents(scope, args);
  const batches: EventBatch[] = [];
  const done = (async () => {
    for await (const batch of stream) batches.push(batch);
  })();
  return {
    batches,
    ids: () => batches.flatMap(({ events }) => events.map(({ id }) => id)),
    async end() {
      await stream.return?.();
      await done;
    },
  };
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 });
const allIds = async () => (await database.own<{ id: number }[]>`select id::float8 as id from events order by id`).map(({ id }) => id);
const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

describe('every event arrives once', () => {
  test('at readers that stay, and at one that keeps changing the gateway, while writes commit late or never', async () => {
    const other = openDatabase(database.target);
    const gateways = [database.db, other];
    const roll = freshDice('events');
    const start = read();
    await eventually(() => expect(start.batches).toHaveLength(1));
    const steady = read({ after: start.batches[0]?.cursor ?? null });
    const wanderer: number[] = [];
    let cursor = start.batches[0]?.cursor ?? '';
    let isWriting = true;
    const wander = async () => {
      for (let visit = 0; isWriting || wanderer.length < (await allIds()).length; visit++) {
        const reader = read({ after: cursor }, gateways[visit % 2]);
        const wanted = 1 + roll(3);
        await vi.waitFor(() => expect(reader.batches.length >= wanted || !isWriting).toBe(true), { timeout: 60_000, interval: 5 });
        if (!isWriting) await eventually(() => expect(reader.batches.length).toBeGreaterThan(0));
        await reader.end();
        wanderer.push(...reader.ids());
        cursor = reader.batches.at(-1)?.cursor ?? cursor;
      }
    };
    const writer = async (index: number) => {
      const dice = freshDice(`writer ${index}`);
      for (let count = 0; count < 12; count++) {
        // A transaction that is open for a while, gets its id early, and ends late or never.
        await database.own
          .begin(async (sql) => {
            const many = 1 + dice(3);
            for (let part = 0; part < many; part++) {
              const request = {
                kind: 'CREATE_TRAIT',
                by: { user: 'u', project: 'p', roles: [], requestId: `req-${index}` },
                name: `CUSTOM_T${index}_${count}_${part}`,
              };
              await sql`select apply_write('create_trait', ${sql.json(request)})`;
            }
            await sql`select pg_sleep(${dice(4) / 10})`;
            if (dice(4) === 0) throw new Error('aborted on purpose');
          })
          .catch((error: Error) => expect(error.message).toBe('aborted on purpose'));
      }
    };
    const wandering = wander();
    await Promise.all([1, 2, 3, 4].map(writer));
    isWriting = false;
    const written = await allIds();
    await eventually(() => expect(ascending(steady.ids())).toEqual(written));
    await eventually(() => expect(ascending(start.ids())).toEqual(written));
    await wandering;
    expect(ascending(wanderer)).toEqual(written);
    await Promise.all([start.end(), steady.end()]);
    await other.close();
  });

  test('at a reader that is behind by more than a message holds', async () => {
    const reader = followEvents(scopeOf(database.db), {});
    const first = await reader.next();
    await database.own`insert into events (kind, request_id, roles, changes, provider_uuids, consumer_uuids)
      select 'CREATE_TRAIT', 'req-' || n, '{}', '{}', '{}', '{}' from generate_series(1, 2500) n`;
    // Long enough for the common read to have passed it by.
    const steady = read({ after: first.value?.cursor ?? null });
    await eventually(() => expect(steady.ids()).toHaveLength(2500));
    await steady.end();
    const ids: number[] = [];
    while (ids.length < 2500) {
      const { value } = await reader.next();
      expect(value?.events.length).toBeLessThanOrEqual(1000);
      ids.push(...(value?.events.map(({ id }) => id) ?? []));
    }
    expect(ascending(ids)).toEqual(await allIds());
    await reader.return?.();
  });
});

describe('what a reader gets', () => {
  test.each<[string, EventStreamArguments['filter'], readonly string[]]>([
    ['kinds', { kinds: ['CREATE_TRAIT'] }, ['CREATE_TRAIT']],
    ['providers', { resourceProviders: [uuidOf('cn2')] }, ['REPLACE_INVENTORIES']],
    ['trees', { inTrees: [uuidOf('cn1')] }, ['REPLACE_ALLOCATIONS']],
    ['aggregates of a tree', { aggregates: [uuidOf('rack1')] }, ['REPLACE_ALLOCATIONS']],
    ['consumers', { consumers: [uuidOf('vm')] }, ['REPLACE_ALLOCATIONS']],
    ['projects', { projects: ['blue'] }, ['REPLACE_ALLOCATIONS']],
    ['another project', { projects: ['red'] }, []],
    ['classes', { resourceClasses: ['VGPU'] }, ['REPLACE_INVENTORIES']],
    ['traits', { traits: ['CUSTOM_NONE'] }, []],
    ['users', { users: ['admin'] }, ['CREATE_TRAIT', 'REPLACE_ALLOCATIONS', 'REPLACE_INVENTORIES']],
    ['requests', { requestIds: ['req-none'] }, []],
    ['times gone by', { until: '2020-01-01T00:00:00Z' }, []],
    ['present times', { since: '2020-01-01T00:00:00Z', kinds: ['CREATE_TRAIT'] }, ['CREATE_TRAIT']],
  ])('by %s is the same live, caught up and in the list', async (_, filter, kinds) => {
    await seed.provider('cn1', { aggregates: ['rack1'] });
    await seed.provider('cn1_numa', { parent: 'cn1', inventories: { VCPU: 8 } });
    await seed.provider('cn2');
    const live = read({ filter: filter ?? null });
    const all = read();
    await eventually(() => expect([live.batches.length, all.batches.length]).toEqual([1, 1]));
    await seed.claim('vm', { cn1_numa: { VCPU: 1 } }, { project: 'blue' });
    await seed.inventories('cn2', { VGPU: 1 });
    await seed.write('create_trait', { name: 'CUSTOM_SEEN' });
    await eventually(() => expect(all.ids()).toHaveLength(3));
    await eventually(() => expect(live.batches.flatMap(({ events }) => events.map(({ kind }) => kind)).toSorted()).toEqual(kinds));
    const late = read({ filter: filter ?? null, after: all.batches[0]?.cursor ?? null });
    await eventually(() => expect(late.batches.length).toBeGreaterThan(0));
    await eventually(() => expect(late.ids()).toEqual(live.ids()));
    await Promise.all([live.end(), all.end(), late.end()]);
  });

  test('is limited to what its filter names, live or catching up', async () => {
    await seed.provider('named', { inventories: { VCPU: 9 } });
    const start = read();
    await eventually(() => expect(start.batches).toHaveLength(1));
    const cursor = start.batches[0]?.cursor ?? '';
    const filter = { consumers: [uuidOf('its own')] };
    const live = read({ filter });
    await eventually(() => expect(live.batches).toHaveLength(1));
    await seed.claim('its own', { named: { VCPU: 1 } });
    const caughtUp = read({ after: cursor, filter });
    for (const { batches } of [live, caughtUp]) {
      await eventually(() => expect(batches.flatMap(({ events }) => events)).toMatchObject([{ named: filter }]));
    }
    await eventually(() => expect(start.ids()).not.toEqual([]));
    expect(start.batches.flatMap(({ events }) => events).map(({ named }) => named)).toEqual([undefined]);
    await Promise.all([start.end(), live.end(), caughtUp.end()]);
  });

  test('is at most the requested size, with the number of changes left out', async () => {
    const few = read({ atMost: 2 });
    await eventually(() => expect(few.batches).toHaveLength(1));
    for (let index = 0; index < 10; index++) await seed.write('create_trait', { name: `CUSTOM_T${index}` });
    await eventually(() => expect(few.batches.reduce((sum, { events, omittedCount }) => sum + events.length + omittedCount, 0)).toBe(10));
    for (const { events } of few.batches) expect(events.length).toBeLessThanOrEqual(2);
    await few.end();
  });

  test('is limited to its project, if it may read only that', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
    const own = read({}, database.db, 'blue');
    const none = read({ filter: { projects: ['red'] } }, database.db, 'blue');
    await eventually(() => expect([own.batches.length, none.batches.length]).toEqual([1, 1]));
    await seed.claim('theirs', { cn1: { VCPU: 1 } }, { project: 'red' });
    await seed.claim('ours', { cn1: { VCPU: 1 } }, { project: 'blue' });
    await eventually(() => expect(own.ids()).toHaveLength(1));
    const [mine] = await database.own<{ id: number }[]>`select id::float8 as id from events where ${uuidOf('ours')} = any(consumer_uuids)`;
    expect([own.ids(), none.ids()]).toEqual([[mine?.id], []]);
    await Promise.all([own.end(), none.end()]);
  });

  test('by project has what happens to its reservations, live, caught up and for those who may read only the project', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8, CUSTOM_OLD: 8 } });
    const filter = { projects: ['blue'] };
    const readers = [read({ filter }), read({}, database.db, 'blue'), read({ filter: { projects: ['red', 'blue'] } })];
    const stranger = read({ filter: { projects: ['red'] } });
    const all = read();
    await eventually(() => expect([...readers, stranger, all].map(({ batches }) => batches.length)).toEqual([1, 1, 1, 1, 1]));
    await seed.reservation('lesson', { cn1: { VCPU: 2 } }, { project: 'blue' });
    await seed.write('replace_reservation', {
      ...{ reservation: { uuid: uuidOf('lesson'), endsAt: '2099-01-01T00:00:00Z' }, expect: {}, most: limits.reservationAmounts },
    });
    await seed.write('release_reservation', { reservation: uuidOf('lesson'), expect: {} });
    await seed.reservation('exam', { cn1: { CUSTOM_OLD: 2 } }, { project: 'blue' });
    await seed.write('rename_resource_class', { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' });
    await seed.write('end_reservations', { until: '2099-01-01T00:00:00Z', most: 10 });
    readers.push(read({ filter, after: all.batches[0]?.cursor ?? null }));
    for (const { batches } of readers) {
      await eventually(() =>
        expect(batches.flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual([
          ...['REPLACE_RESERVATION', 'REPLACE_RESERVATION', 'RELEASE_RESERVATION'],
          ...['REPLACE_RESERVATION', 'RENAME_RESOURCE_CLASS', 'END_RESERVATIONS'],
        ]),
      );
    }
    await eventually(() => expect(all.ids()).toHaveLength(6));
    expect(stranger.ids()).toEqual([]);
    await Promise.all([...readers, stranger, all].map((reader) => reader.end()));
  });

  test('is an error if events are missing, because they were deleted or the database was restored', async () => {
    const before = read();
    await eventually(() => expect(before.batches).toHaveLength(1));
    await seed.write('create_trait', { name: 'CUSTOM_LOST' });
    await eventually(() => expect(before.ids()).toHaveLength(1));
    await before.end();
    await database.own`update change_feed set pruned_event_id = (select max(id) from events)`;
    const after = read({ after: before.batches[0]?.cursor ?? null });
    await eventually(() => expect(after.batches[0]).toMatchObject({ reset: true, events: [] }));
    await seed.write('create_trait', { name: 'CUSTOM_NEXT' });
    await eventually(() => expect(after.ids()).toHaveLength(1));
    await after.end();
  });

  test('says that events are missing to a slow reader, too, even if it has more to catch up with since than a message holds', async () => {
    const slow = followEvents(scopeOf(database.db), {});
    await slow.next();
    const quick = read();
    await eventually(() => expect(quick.batches).toHaveLength(1));
    await seed.write('create_trait', { name: 'CUSTOM_LOST' });
    await database.own`update change_feed set pruned_event_id = (select max(id) from events)`;
    await eventually(() => expect(quick.batches.at(-1)).toMatchObject({ reset: true }));
    await database.own`insert into events (kind, request_id, roles, changes, provider_uuids, consumer_uuids)
      select 'CREATE_TRAIT', 'req-' || n, '{}', '{}', '{}', '{}' from generate_series(1, ${limits.streamEvents + 500}) n`;
    await eventually(() => expect(quick.ids()).toHaveLength(limits.streamEvents + 500));
    const next = await slow.next();
    expect(next.value?.reset).toBe(true);
    const after = await slow.next();
    expect([after.value?.reset, (next.value?.events.length ?? 0) + (after.value?.events.length ?? 0)]).toEqual([
      false,
      limits.streamEvents + 500,
    ]);
    await Promise.all([slow.return?.(), quick.end()]);
  });
});

describe('the cost', () => {
  test('of two readers or fifty is one statement a beat, and none once all have left without a word', async () => {
    const beats = async (count: number) => {
      const readers = Array.from({ length: count }, () => read());
      await eventually(() => expect(readers.every(({ batches }) => batches.length === 1)).toBe(true));
      database.statements.length = 0;
      await seed.write('create_trait', { name: `CUSTOM_T${count}` });
      const written = database.statements.length;
      await eventually(() => expect(readers.every((reader) => reader.ids().length === 1)).toBe(true));
      const reads = database.statements.slice(written);
      // Between the write and the message there are one or two beats, on a machine of any speed a few more.
      const feeds = reads.filter((statement) => statement.includes('looked'));
      expect(feeds).toHaveLength(reads.length);
      await Promise.all(readers.map((reader) => reader.end()));
      return reads.length;
    };
    expect(await beats(2)).toBeLessThan(50);
    expect(await beats(50)).toBeLessThan(50);
    await vi.waitFor(
      async () => {
        database.statements.length = 0;
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect(database.statements).toEqual([]);
      },
      { timeout: 60_000 },
    );
  });
});
