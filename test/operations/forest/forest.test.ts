// The forest in memory equals the database at every call, whoever writes, and concurrent callers share one read.
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteOldChanges } from '../../../src/db/housekeeping.ts';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { Unavailable } from '../../../src/domain/errors.ts';
import { ForestKeeper, forestOf } from '../../../src/operations/forest/forest.ts';
import { createTestDatabase, socketOf, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { pictureFromScratch, pictureOf } from '../../support/forest-picture.ts';
import { least, sampled } from '../../support/profile.ts';
import { everyOperation, writeAtRandom } from '../../support/random-writes.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { laySlowWire, type SlowWire } from '../../support/slow-wire.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
let keeper: ForestKeeper;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  keeper = new ForestKeeper(database.db);
  return () => database.drop();
});

const find = async (name: string, by = keeper) => (await by.current()).findByUuid(uuidOf(name));
const usedOf = async (name: string, by = keeper) => (await find(name, by))?.inventoryOf(0)?.used;
const expectExact = async (by = keeper) => expect(pictureOf(await by.current())).toEqual(await pictureFromScratch(database.db));
const countReads = () => database.statements.filter((statement) => statement.includes('pg_current_snapshot')).length;

describe('after any history', () => {
  test('of every kind of write, one by one, the forest equals one loaded from scratch', async () => {
    const roll = freshDice('one by one');
    const done = new Set<WriteOperation>();
    for (let round = 0; round < sampled(80); round++) {
      for (let count = roll(12); count >= 0; count--) {
        const write = await writeAtRandom(database.db, roll);
        if (write.done) done.add(write.operation);
      }
      await expectExact();
    }
    // Some writes are refused most of the time: repeats until each has been done once.
    for (let count = 0; done.size < everyOperation.length && count < sampled(2000); count++) {
      const write = await writeAtRandom(database.db, roll);
      if (!write.done || done.has(write.operation)) continue;
      done.add(write.operation);
      await expectExact();
    }
    // With some dice every name is used by something to the end, and none can be deleted.
    for (const noun of ['resource_class', 'trait'] as const) {
      await seed.write(`create_${noun}`, { name: 'CUSTOM_UNUSED' });
      await seed.write(`delete_${noun}`, { name: 'CUSTOM_UNUSED' });
      done.add(`delete_${noun}`);
      await expectExact();
    }
    expect(done.size).toBeGreaterThanOrEqual(least(everyOperation.length));
  });

  test.each([
    { by: 'in one read', slice: 500 },
    { by: 'in slices, which do not fit together until the last', slice: 2 },
  ])('of writers at once and readers all the while, read $by, it is too', async ({ slice }) => {
    const other = openDatabase(database.target);
    const keepers = [new ForestKeeper(database.db, slice), new ForestKeeper(other, slice)];
    try {
      for (let round = 0; round < sampled(6); round++) {
        let writing = true;
        const writers = Array.from({ length: 6 }, async (_, index) => {
          const roll = freshDice(`writer ${index} of round ${round}`);
          for (let count = 0; count < 25; count++) await writeAtRandom(database.db, roll);
        });
        const readers = [...keepers, keepers[0] as ForestKeeper].map(async (reader, index) => {
          // The third restarts again and again, in the middle of everything.
          while (writing) await (index === 2 ? new ForestKeeper(database.db, slice) : reader).current();
        });
        const [written] = await Promise.allSettled([Promise.all(writers)]);
        writing = false;
        await Promise.all(readers);
        expect(written).toMatchObject({ status: 'fulfilled' });
        for (const reader of keepers) await expectExact(reader);
      }
    } finally {
      await other.close();
    }
  });

  test('a provider whose inventories do not match the reported usage is read as a whole', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
    await keeper.current();
    await database.own`
      insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
      select id, 2, 100, 0, 1, 100, 1, 1 from resource_providers`;
    await seed.claim('c', { cn1: { VCPU: 1 } });
    await expectExact();
    expect((await find('cn1'))?.inventoryOf(2)?.total).toBe(100);
  });

  test('a tree that arrives in pieces, a child before its root, is complete', async () => {
    for (const name of ['child', 'other', 'root']) await seed.provider(name);
    await seed.write('update_resource_provider', { provider: uuidOf('child'), expect: {}, parent: uuidOf('root') });
    await expectExact(new ForestKeeper(database.db, 1));
  });

  test('a provider that was deleted and created again with its uuid is the new one', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 4 } });
    const before = await find('cn1');
    await seed.write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {} });
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
    const after = await find('cn1');
    expect(after?.id).not.toBe(before?.id);
    expect(after?.inventoryOf(0)?.total).toBe(8);
    await expectExact();
  });

  test('added, deleted and changed names are known, even if no provider changed', async () => {
    const known = async () => {
      const { classes, traits, aggregates } = await keeper.current();
      const aggregate = [...aggregates.every()].map((named) => named.aggregate.name);
      return [classes.idOf('CUSTOM_C') !== undefined, traits.idOf('CUSTOM_T') !== undefined, aggregate];
    };
    expect(await known()).toEqual([false, false, []]);
    await seed.write('create_resource_class', { name: 'CUSTOM_C' });
    expect(await known()).toEqual([true, false, []]);
    await seed.write('create_trait', { name: 'CUSTOM_T' });
    await seed.write('name_aggregate', { aggregate: uuidOf('a'), name: 'rack' });
    expect(await known()).toEqual([true, true, ['rack']]);
    await seed.write('name_aggregate', { aggregate: uuidOf('a'), name: null });
    await seed.write('delete_trait', { name: 'CUSTOM_T' });
    expect(await known()).toEqual([true, false, [null]]);
    await seed.write('delete_resource_class', { name: 'CUSTOM_C' });
    expect(await known()).toEqual([false, false, [null]]);
  });
});

describe('whatever was committed before the call is seen', () => {
  test('if written by another process on the same database, at once, by each of many claimers', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 1000 } });
    const other = openDatabase(database.target);
    try {
      const elsewhere = forestOf(other);
      let acknowledged = 0;
      const claimer = async (_: unknown, index: number) => {
        for (let count = 0; count < 15; count++) {
          await seed.claim(`c${index}-${count}`, { cn1: { VCPU: 1 } });
          const least = ++acknowledged;
          expect(await usedOf('cn1', elsewhere)).toBeGreaterThanOrEqual(least);
        }
      };
      await Promise.all(Array.from({ length: 8 }, claimer));
      expect(await usedOf('cn1', elsewhere)).toBe(120);
    } finally {
      await other.close();
    }
  });

  test('even if it was written long before what was committed and read meanwhile', async () => {
    for (const name of ['slow', 'quick']) await seed.provider(name, { inventories: { VCPU: 10 } });
    await keeper.current();
    const { commit, write } = await openWriter();
    await write('replace_traits', { provider: uuidOf('slow'), expect: {}, traits: ['HW_NUMA_ROOT'] });
    for (let round = 1; round <= 3; round++) {
      await seed.claim(`c${round}`, { quick: { VCPU: 1 } });
      expect(await usedOf('quick')).toBe(round);
      expect((await find('slow'))?.traits.ids).toEqual([]);
    }
    await commit();
    expect((await find('slow'))?.traits.ids).toHaveLength(1);
    await expectExact();
  });

  test('including deletions, also of names', async () => {
    await seed.provider('slow', { traits: ['CUSTOM_T'] });
    await seed.write('replace_traits', { provider: uuidOf('slow'), expect: {}, traits: [] });
    await keeper.current();
    const { commit, write } = await openWriter();
    await write('delete_resource_provider', { provider: uuidOf('slow'), expect: {} });
    await write('delete_trait', { name: 'CUSTOM_T' });
    await seed.provider('quick');
    expect([(await find('slow'))?.state.provider.name, (await find('quick'))?.state.provider.name]).toEqual(['slow', 'quick']);
    await commit();
    expect(await find('slow')).toBeUndefined();
    expect((await keeper.current()).traits.idOf('CUSTOM_T')).toBeUndefined();
    await expectExact();
  });

  test('including savepoints of a transaction, of which some are rolled back', async () => {
    for (const name of ['kept', 'undone', 'refused']) await seed.provider(name, { inventories: { VCPU: 10 } });
    await keeper.current();
    const { commit, write, sql } = await openWriter();
    const total = (name: string, count: number) =>
      write('replace_inventories', {
        provider: uuidOf(name),
        expect: name === 'refused' ? { generation: 99 } : {},
        inventories: [{ resourceClass: 'VCPU', total: count, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 }],
      });
    await sql('savepoint a');
    await total('kept', 20);
    await sql('release savepoint a');
    await sql('savepoint b');
    await total('undone', 20);
    await sql('rollback to savepoint b');
    await total('refused', 20);
    // The one who reads now has seen later transactions than any of the above when it reads again.
    await seed.provider('later');
    await keeper.current();
    await commit();
    const totals = ['kept', 'undone', 'refused'].map(async (name) => (await find(name))?.inventoryOf(0)?.total);
    expect(await Promise.all(totals)).toEqual([20, 10, 10]);
    await expectExact();
  });

  test('without anything of a transaction that is rolled back', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    const before = pictureOf(await keeper.current());
    const { sql, write, end } = await openWriter();
    await write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {} });
    expect(pictureOf(await keeper.current())).toEqual(before);
    await sql('rollback');
    end();
    expect(pictureOf(await keeper.current())).toEqual(before);
  });

  /** A transaction of another client, open until it is told to end. */
  async function openWriter() {
    let end = () => {};
    const session = await database.own.reserve();
    await session`begin`;
    end = () => session.release();
    const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-slow' };
    return {
      sql: (statement: string) => session.unsafe(statement),
      write: (operation: string, request: object) =>
        session`select apply_write(${operation}, ${session.json({ kind: 'X', by, ...request } as never)})`,
      commit: async () => {
        await session`commit`;
        end();
      },
      end,
    };
  }
});

describe('a deletion that is no longer in the feed', () => {
  const remove = (name: string) => seed.write('delete_resource_provider', { provider: uuidOf(name), expect: {} });
  const changesLeft = async () => (await database.own`select from provider_changes`).length;

  /** Transactions of other tests on the same server are waited for, too. */
  const prune = async () => {
    while ((await changesLeft()) > 0) await deleteOldChanges(database.db, 0);
  };

  test('makes readers that had not seen it start over once', async () => {
    for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name);
    await keeper.current();
    await remove('cn1');
    await prune();
    const forest = await keeper.current();
    expect(forest.findByUuid(uuidOf('cn1'))).toBeUndefined();
    await expectExact();
    await seed.provider('cn4');
    expect(await keeper.current()).toBe(forest);
  });

  test('is dropped only after all transactions that were open then, so that no reader starts over each time', async () => {
    await seed.provider('cn1');
    await prune();
    await database.own.begin(async (sql) => {
      await sql`select pg_current_xact_id()`;
      await remove('cn1');
      expect(await deleteOldChanges(database.db, 0)).toBe(0);
      expect(await changesLeft()).toBe(1);
    });
    await prune();
  });
});

describe('many callers', () => {
  test('share one read, and a database handle has one keeper', async () => {
    await seed.provider('cn1');
    await keeper.current();
    database.statements.length = 0;
    const forests = await Promise.all(Array.from({ length: 100 }, () => keeper.current()));
    expect(new Set(forests).size).toBe(1);
    expect(countReads()).toBe(1);
    expect(forestOf(database.db)).toBe(forestOf(database.db));
  });

  test('share one statement if nothing has changed', async () => {
    await seed.provider('cn1');
    await keeper.current();
    database.statements.length = 0;
    await keeper.current();
    expect(database.statements).toHaveLength(1);
  });
});

test('a forest that cannot apply a change is replaced by a new one', async () => {
  const forest = await keeper.current();
  // A simulated defect: no tree can be added.
  Object.freeze(forest.all.trees);
  await seed.provider('cn1');
  await expect(keeper.current()).rejects.toThrow(TypeError);
  await expectExact();
});

test('reads that reach another server each time end with Unavailable instead of never', async () => {
  await seed.provider('cn1');
  // As if each statement met a server that has just crashed. Found before the function of Postgres, because of the search path.
  await database.own`create function public.pg_stat_get_bgwriter_stat_reset_time() returns timestamptz language sql as 'select clock_timestamp()'`;
  const db = openDatabase({ ...database.target, settings: { search_path: 'public, pg_catalog, placement' } });
  await expect(new ForestKeeper(db).current()).rejects.toThrow(Unavailable);
  await db.close();
});

describe('over a slow wire', () => {
  let wire: SlowWire;
  let db: Db;
  let slow: ForestKeeper;
  beforeEach(async () => {
    wire = await laySlowWire(socketOf(database.target));
    db = openDatabase(wire.target, { onStatement: (statement) => database.statements.push(statement) });
    slow = new ForestKeeper(db);
    return async () => {
      // Not closed gracefully: the driver would wait five seconds for connections that were cut.
      await Promise.all([db.sql.end({ timeout: 0 }), db.writes.end({ timeout: 0 })]);
      await wire.close();
    };
  });

  test.each(['the first', 'a later'])('callers that arrive while %s answer is on its way share the next one', async (which) => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    if (which === 'a later') await slow.current();
    // A connection of its own would wait on the wire, too.
    await db.sql`select 1`;
    database.statements.length = 0;
    const arrived = wire.hold();
    const before = usedOf('cn1', slow);
    await arrived;
    await seed.claim('c', { cn1: { VCPU: 3 } });
    const after = Array.from({ length: 20 }, () => usedOf('cn1', slow));
    wire.release();
    expect(await Promise.all(after)).toEqual(Array.from({ length: 20 }, () => 3));
    await before;
    const reads = which === 'a later' ? 2 : 3; // The first is followed by what changed since it.
    expect(countReads()).toBe(reads);
    await expectExact(slow);
  });

  test('a provider that moves below a younger one while all are read is in its place in the end', async () => {
    for (const name of ['cn1', 'cn2']) await seed.provider(name);
    const sliced = new ForestKeeper(db, 1);
    await db.sql`select 1`;
    const arrived = wire.hold();
    const forest = sliced.current();
    await arrived;
    await seed.provider('late');
    await seed.write('update_resource_provider', { provider: uuidOf('cn1'), expect: {}, parent: uuidOf('late') });
    wire.release();
    expect(pictureOf(await forest)).toEqual(await pictureFromScratch(database.db));
  });

  test('a broken connection fails the callers of that read; the next ones read what was missed', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    const forest = await slow.current();
    const arrived = wire.hold();
    const unlucky = [slow.current(), slow.current()];
    await arrived;
    await seed.claim('c', { cn1: { VCPU: 3 } });
    const lucky = usedOf('cn1', slow);
    wire.cut();
    wire.release();
    for (const outcome of await Promise.allSettled(unlucky)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    }
    expect(await lucky).toBe(3);
    // What was known is still valid: nothing had to be read anew.
    expect(await slow.current()).toBe(forest);
  });

  test('a connection that breaks in the middle of the first read leaves nothing half done', async () => {
    for (let index = 0; index < 9; index++) await seed.provider(`cn${index}`);
    const sliced = new ForestKeeper(db, 2);
    await db.sql`select 1`;
    const arrived = wire.hold();
    const first = sliced.current();
    await arrived;
    wire.cut();
    wire.release();
    await expect(first).rejects.toThrow(Unavailable);
    await expectExact(sliced);
  });
});
