// The ledger as a feed: a reader sees every committed write exactly once, those of each subject in the order of its
// generations, regardless of open transactions.
import type { ReservedSql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { HistoryRefusal, Refusal } from '../../../src/domain/errors.ts';
import type { LedgerEvent } from '../../../src/domain/event.ts';
import { renderFeedCursor } from '../../../src/domain/event-feed.ts';
import { type EventFeedArguments, listEventFeed } from '../../../src/operations/ledger/event-feed.ts';
import { listEvents } from '../../../src/operations/ledger/events.ts';
import { pruneEvents } from '../../../src/operations/ledger/housekeeping.ts';
import { groupBy } from '../../../src/operations/request/keyed-loaders.ts';
import { ageEvents } from '../../support/chunks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { scopeOf } from '../../support/graphql.ts';
import { historiesOf, sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

const read = (args: EventFeedArguments) => listEventFeed(scopeOf(database.db), args);

/** A reader of pages of one size, from the beginning or from a cursor. */
class Reader {
  readonly seen: LedgerEvent[] = [];
  readonly args: EventFeedArguments;
  after: string | undefined;

  constructor(args: EventFeedArguments, after?: string) {
    this.args = args;
    this.after = after;
  }

  /** One page. Returns whether there is a next one. */
  async readPage(): Promise<boolean> {
    const { rows, cursors, endCursor, hasNextPage } = await read({ ...this.args, after: this.after });
    this.seen.push(...rows);
    // The cursor of the last element continues the list just as that of the page does.
    this.after = hasNextPage && rows.length > 0 && this.seen.length % 2 === 0 ? cursors.at(-1) : endCursor;
    return hasNextPage;
  }

  async readToEnd(): Promise<number[]> {
    while (await this.readPage());
    return this.seen.map(({ id }) => id);
  }
}

const allIds = async () => (await database.db.sql<{ id: number }[]>`select id::int as id from events order by id`).map(({ id }) => id);

/** A connection that makes one write after the other, and takes its time before it commits. */
class SlowWriter {
  private readonly connection: ReservedSql;
  private state: 'idle' | 'writing' | 'written' = 'idle';

  constructor(connection: ReservedSql) {
    this.connection = connection;
  }

  /** The next step, whatever it is. A write that waits for another writer is left alone. */
  async step(roll: Dice): Promise<void> {
    if (this.state === 'idle') {
      this.state = 'writing';
      await this.connection`begin`;
      if (roll(3) === 0) await this.connection`savepoint inner_block`;
      void this.write(roll);
    } else if (this.state === 'written') await this.end(roll(5) > 0);
  }

  get isIdle(): boolean {
    return this.state === 'idle';
  }

  /** Commits if it has written. */
  async commit(): Promise<void> {
    if (this.state === 'written') await this.end(true);
  }

  release(): void {
    this.connection.release();
  }

  private async write(roll: Dice): Promise<void> {
    const [consumer, provider] = [`c${roll(3)}`, `p${roll(3)}`];
    const allocations = roll(3) === 0 ? [] : [{ provider: uuidOf(provider), resourceClass: 'VCPU', amount: 1 + roll(3) }];
    const held = { uuid: uuidOf(consumer), expect: {}, project: 'p', user: 'u', type: 'INSTANCE', keepType: false, allocations };
    const [operation, request] =
      roll(3) > 0
        ? ['replace_allocations', { consumers: [held] }]
        : ['replace_traits', { provider: uuidOf(provider), expect: {}, traits: roll(2) === 0 ? [] : ['HW_CPU_X86_AVX'] }];
    const by = { user: 'u', project: 'p', roles: [], requestId: 'req-slow' };
    const whole = { kind: operation.toUpperCase(), by, ...request };
    try {
      await this.connection`select apply_write(${operation}, ${this.connection.json(whole)})`;
    } catch (error) {
      // Another has created the consumer meanwhile: a gateway would begin anew.
      if ((error as { code?: string }).code !== '40001') throw error;
      return await this.end(false);
    }
    this.state = 'written';
  }

  private async end(commits: boolean): Promise<void> {
    this.state = 'writing';
    await (commits ? this.connection`commit` : this.connection`rollback`);
    this.state = 'idle';
  }
}

test.each(historiesOf(3))(
  'every reader gets every event once and in order, even of writers that commit late (history %i)',
  async (number) => {
    const roll = freshDice(`history ${number}`);
    for (const name of ['p0', 'p1', 'p2']) await seed.provider(name, { inventories: { VCPU: 1000 } });
    await seed.names({ projects: ['p'], users: ['u'], types: ['INSTANCE'] });
    const writers = await Promise.all(Array.from({ length: 5 }, async () => new SlowWriter(await database.own.reserve())));
    // Another client's transaction that stays open throughout.
    const foreign = await database.own.reserve();
    await foreign`begin`;
    await foreign`select pg_current_xact_id()`;
    const readers = [new Reader({ first: 1 }), new Reader({ first: 3 }), new Reader({ first: 1000 }), new Reader({ from: 'NOW' })];
    const [late] = readers.slice(-1);
    const before = await allIds();
    await late?.readPage();
    if (late) Object.assign(late.args, { from: undefined });
    const filtered = new Reader({ first: 2, filter: { consumers: [uuidOf('c0')] } });
    // On a slow machine most steps meet writers that still wait: then there are more of them.
    for (let step = 0; step < sampled(400) || (await allIds()).length <= before.length + 10; step++) {
      const reader = [...readers, filtered][roll(16)];
      if (reader) await reader.readPage();
      else await writers[roll(writers.length)]?.step(roll);
    }
    while (writers.some(({ isIdle }) => !isIdle)) {
      for (const writer of writers) await writer.commit();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const writer of writers) writer.release();
    const ids = await allIds();
    expect(ids.length).toBeGreaterThan(before.length + 10);
    for (const reader of readers) {
      const seen = await reader.readToEnd();
      expect(seen.toSorted((one, other) => one - other)).toEqual(reader === late ? ids.slice(before.length) : ids);
      await expectOrderOfGenerations(seen);
    }
    const ofConsumer = await database.db.sql<{ id: number }[]>`
    select event_id::int as id from event_subjects where subject = ${uuidOf('c0')} order by event_id`;
    expect(await filtered.readToEnd()).toEqual(ofConsumer.map(({ id }) => id));
    await foreign`rollback`;
    foreign.release();
  },
);

async function expectOrderOfGenerations(seen: readonly number[]): Promise<void> {
  const rows = await database.db.sql<{ id: number; subject: string; before: number | null; after: number | null }[]>`
    select e.id::int as id, noun || key as subject, (change #>> '{before,generation}')::int as before, (change #>> '{after,generation}')::int as after
    from events e cross join lateral (values ('providers'), ('consumers')) n(noun) cross join lateral jsonb_each(e.changes -> noun) c(key, change)`;
  const ofEvent = groupBy(rows, ({ id }) => id);
  const generations = new Map<string, number | null>();
  for (const id of seen) {
    for (const { subject, before, after } of ofEvent.get(id) ?? []) {
      if (generations.has(subject)) expect([subject, before]).toEqual([subject, generations.get(subject)]);
      generations.set(subject, after);
    }
  }
}

test('an event that was written before one already read, but committed after it, comes next', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  const reader = new Reader({});
  await reader.readToEnd();
  const slow = await database.own.reserve();
  await slow`begin`;
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-slow' };
  await slow`select apply_write('create_trait', ${slow.json({ kind: 'CREATE_TRAIT', by, name: 'CUSTOM_SLOW' })})`;
  await seed.claim('fast', { cn1: { VCPU: 1 } });
  const told = await reader.readToEnd();
  await slow`commit`;
  slow.release();
  const [late, ...ids] = (await allIds()).toReversed().slice(1);
  expect(told.toSorted((one, other) => one - other)).not.toContain(late);
  expect((await reader.readToEnd()).at(-1)).toBe(late);
  expect(told.at(-1)).toBeGreaterThan(late ?? 0);
  expect(ids.length).toBe(told.length - 1);
});

test('a long backlog is read in pages of one moment, and then what came meanwhile', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  for (let index = 0; index < 10; index++) await seed.claim(`a${index}`, { cn1: { VCPU: 1 } });
  const reader = new Reader({ first: 5 });
  expect(await reader.readPage()).toBe(true);
  await seed.claim('b', { cn1: { VCPU: 1 } });
  expect(await reader.readToEnd()).toEqual(await allIds());
  const { rows, hasNextPage } = await read({ after: reader.after });
  expect([rows, hasNextPage]).toEqual([[], false]);
});

test('a cursor of now returns no earlier events; a page of 0 returns none', async () => {
  await seed.provider('cn1');
  const now = await read({ from: 'NOW' });
  expect([now.rows, now.hasNextPage]).toEqual([[], false]);
  await seed.provider('cn2');
  const none = await read({ first: 0, after: now.endCursor });
  expect([none.rows, none.hasNextPage]).toEqual([[], true]);
  const reader = new Reader({}, none.endCursor);
  expect(await reader.readToEnd()).toEqual((await allIds()).slice(-1));
});

test('a filter that few events match ends a page early, and the next page continues', async () => {
  await seed.provider('cn1');
  await database.db.writes`
    insert into events (kind, roles, request_id, consumer_uuids, provider_uuids, changes)
    select 'CREATE_TRAIT', '{}', 'req-many', '{}', '{}', '{}' from generate_series(1, 12000)`;
  await seed.provider('cn2');
  const pages: number[] = [];
  const reader = new Reader({ filter: { kinds: ['CREATE_RESOURCE_PROVIDER'] } });
  for (let more = true; more; ) {
    more = await reader.readPage();
    pages.push(reader.seen.length);
  }
  expect(pages.slice(0, 3)).toEqual([1, 1, 2]);
});

describe('a cursor is refused, with what to do,', () => {
  const expectExpired = async (after: string | undefined) => {
    const error = await read({ after }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HistoryRefusal);
    expect(error).toMatchObject({ code: 'CURSOR_EXPIRED', message: expect.stringContaining('from: NOW') });
  };

  test('when events behind it were deleted, but not when only those before it were', async () => {
    await seed.provider('cn1');
    const early = await read({});
    await seed.provider('cn2');
    const onTime = await read({});
    await ageEvents(database, 40);
    await pruneEvents(database.db, 30);
    await expectExpired(early.endCursor);
    expect((await read({ after: onTime.endCursor })).rows).toEqual([]);
    expect((await read({})).rows).toEqual([]);
    await seed.provider('cn3');
    expect((await read({ after: onTime.endCursor })).rows).toHaveLength(1);
    expect((await read({})).rows).toHaveLength(1);
  });

  test('when the database went back to before it', async () => {
    await seed.provider('cn1');
    const { endCursor } = await read({});
    await database.db.writes`update events set xid = '3' where id = (select max(id) from events)`;
    await expectExpired(endCursor);
  });

  test.each([
    'x',
    Buffer.from('[1,"events",7]').toString('base64url'),
    Buffer.from('[1,"changes","5:3:",0,"0"]').toString('base64url'),
    Buffer.from('[1,"changes","3:9:5,4",0,"0"]').toString('base64url'),
    renderFeedCursor({ delivered: { snapshot: '1:1:', newestId: -1, newestXid: '0' }, reading: null }),
  ])('when it is none: %s', async (after) => {
    await expect(read({ after })).rejects.toBeInstanceOf(Refusal);
  });

  test('when it is given together with a beginning', async () => {
    const { endCursor } = await read({});
    await expect(read({ after: endCursor, from: 'NOW' })).rejects.toBeInstanceOf(Refusal);
  });

  test('when it belongs to the list of events, which also names the cursor that it got', async () => {
    await seed.provider('cn1');
    const { endCursor } = await read({});
    const list = await listEvents(scopeOf(database.db), { first: 1 });
    await expect(read({ after: list.cursors[0] })).rejects.toThrow('after is a cursor of events, not of eventFeed');
    await expect(listEvents(scopeOf(database.db), { after: endCursor })).rejects.toThrow('after is a cursor of eventFeed, not of events');
    await expect(read({ after: 'x' })).rejects.toThrow('after is not a cursor of eventFeed');
  });
});

test('events of a restored dump with transaction ids that are still to come here appear once', async () => {
  await seed.provider('cn1');
  await database.db.writes`update events set xid = '900000000000'`;
  await migrate(database.target);
  const reader = new Reader({});
  expect(await reader.readToEnd()).toEqual(await allIds());
  await seed.provider('cn2');
  expect(await reader.readToEnd()).toEqual(await allIds());
});

test('a page is one statement', async () => {
  await seed.provider('cn1');
  const { endCursor } = await read({});
  database.statements.length = 0;
  await read({ after: endCursor });
  expect(database.statements).toHaveLength(1);
});
