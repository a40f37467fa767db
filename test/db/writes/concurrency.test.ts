// Examination. Many concurrent writers on real connections: no over-commitment, no lost updates, no deadlocks. Each test runs on a
// separate database, so that the server's count of deadlocks is that of the test.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { type AnyAnswer, writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { countDeadlocks, expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

const write = writeAny;

/** What one consumer of a request shall hold: `{ cn1: 2 }` is 2 VCPU there. */
const wanted = (name: string, held: Readonly<Record<string, number>>, rest: object = {}) => ({
  uuid: uuidOf(name),
  expect: {},
  project: 'p1',
  user: 'u1',
  type: 'INSTANCE',
  keepType: false,
  allocations: Object.entries(held).map(([provider, amount]) => ({ provider: uuidOf(provider), resourceClass: 'VCPU', amount })),
  ...rest,
});

const claim = (db: Db, ...consumers: object[]) => write(db, 'replace_allocations', { consumers });
const times = <Value>(count: number, make: (index: number) => Value): Value[] => Array.from({ length: count }, (_, index) => make(index));
const codesOf = (answers: readonly AnyAnswer[]) => answers.flatMap(({ refusal }) => (refusal ? [refusal.code] : []));
const acknowledged = (answers: readonly AnyAnswer[]) => answers.flatMap(({ eventId }) => eventId ?? []);

test('the deadlocks of a storm are counted: two transactions that wait for each other are one', async () => {
  await seed.provider('a');
  await seed.provider('b');
  const deadlocks = await countDeadlocks(database.target, async () => {
    let arrived = 0;
    let open = () => {};
    const bothHere = new Promise<void>((resolve) => {
      open = resolve;
    });
    const crossing = (first: string, second: string) =>
      database.own.begin(async (sql) => {
        await sql`select from resource_providers where name = ${first} for update`;
        arrived += 1;
        if (arrived === 2) open();
        await bothHere;
        await sql`select from resource_providers where name = ${second} for update`;
      });
    await Promise.allSettled([crossing('a', 'b'), crossing('b', 'a')]);
  });
  expect(deadlocks).toBe(1);
});

describe('claims on one provider', () => {
  test('of fifty writers with room for forty, exactly forty succeed, and ten learn that it is full', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 40 } });
    const answers: AnyAnswer[] = [];
    const deadlocks = await countDeadlocks(database.target, async (db) => {
      answers.push(...(await Promise.all(times(50, (index) => claim(db, wanted(`c${index}`, { cn1: 1 }))))));
    });
    expect(codesOf(answers)).toEqual(times(10, () => 'CAPACITY_EXCEEDED'));
    expect(deadlocks).toBe(0);
    await expectSoundLedger(database.db, acknowledged(answers));
    const [row] = await database.db.sql`select used::int as used from inventories`;
    expect(row).toEqual({ used: 40 });
  });

  test('of 64 first claims with the same new project, user and type all succeed (story 2009159)', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 64 } });
    const answers: AnyAnswer[] = [];
    await countDeadlocks(database.target, async (db) => {
      const of = { project: 'new', user: 'new', type: 'NEW' };
      answers.push(...(await Promise.all(times(64, (index) => claim(db, wanted(`c${index}`, { cn1: 1 }, of))))));
    });
    expect(codesOf(answers)).toEqual([]);
    await expectSoundLedger(database.db, acknowledged(answers));
    const [row] = await database.db
      .sql`select (select count(*)::int from projects) as projects, (select count(*)::int from users) as users`;
    expect(row).toEqual({ projects: 1, users: 1 });
  });

  test('of many writers with the same generation of a consumer, exactly one wins', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 64 } });
    await seed.claim('c', { cn1: { VCPU: 1 } });
    const answers = await Promise.all(
      times(12, (index) => claim(database.db, wanted('c', index % 3 === 0 ? {} : { cn1: index }, { expect: { generation: 1 } }))),
    );
    expect(codesOf(answers)).toEqual(times(11, () => 'CONSUMER_CONFLICT'));
    await expectSoundLedger(database.db, acknowledged(answers));
  });

  test('of many writers that expect a consumer to be new, exactly one creates it', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 64 } });
    const answers = await Promise.all(times(12, () => claim(database.db, wanted('c', { cn1: 1 }, { expect: { isNew: true } }))));
    expect(codesOf(answers)).toEqual(times(11, () => 'CONSUMER_CONFLICT'));
  });
});

test('concurrent duplicates with one idempotency key have one effect and the same answer', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 64 } });
  const idempotency = { principal: 'me', operation: 'replaceAllocations', key: 'k1', hash: 'h1' };
  const answers = await Promise.all(
    times(8, () =>
      write(database.db, 'replace_allocations', { consumers: [wanted('c', { cn1: 1 }, { expect: { isNew: true } })], idempotency }),
    ),
  );
  const first = answers.filter(({ replayed }) => replayed === undefined);
  expect(first.length).toBe(1);
  for (const { replayed, ...rest } of answers) expect(rest).toEqual(first[0]);
  const events = await database.db.sql`select from events where kind = 'REPLACE_ALLOCATIONS'`;
  expect(events.length).toBe(1);
});

test('many providers take the same new aggregates at once, in any order (LP 1804453, 1818498)', async () => {
  for (let index = 0; index < 10; index++) await seed.provider(`cn${index}`);
  const roll = freshDice('counters');
  const answers: AnyAnswer[] = [];
  const deadlocks = await countDeadlocks(database.target, async (db) => {
    const sets = times(200, (index) =>
      write(db, 'replace_aggregates', {
        provider: uuidOf(`cn${index % 10}`),
        expect: {},
        aggregates: times(4, () => uuidOf(`rack${roll(10)}`)),
      }),
    );
    answers.push(...(await Promise.all(sets)));
  });
  expect({ deadlocks, refused: codesOf(answers) }).toEqual({ deadlocks: 0, refused: [] });
  await expectSoundLedger(database.db, acknowledged(answers));
});

test('crossing moves of consumers and providers in opposite orders never deadlock', async () => {
  for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { VCPU: 100 } });
  for (const name of ['a', 'b', 'c']) await seed.claim(name, { cn1: { VCPU: 2 }, cn2: { VCPU: 2 } });
  const answers: AnyAnswer[] = [];
  const deadlocks = await countDeadlocks(database.target, async (db) => {
    const orders = [
      [wanted('a', { cn1: 1, cn3: 2 }), wanted('b', { cn3: 1, cn2: 1 }), wanted('c', { cn2: 1 })],
      [wanted('c', { cn3: 1, cn1: 1 }), wanted('b', { cn1: 2 }), wanted('a', { cn2: 2, cn1: 1 })],
      [wanted('b', { cn2: 3 }), wanted('a', { cn3: 1 })],
      [wanted('a', { cn1: 1 }), wanted('c', { cn1: 1, cn2: 1, cn3: 1 })],
    ];
    answers.push(...(await Promise.all(times(80, (index) => claim(db, ...(orders[index % orders.length] ?? []))))));
  });
  expect({ deadlocks, refused: codesOf(answers) }).toEqual({ deadlocks: 0, refused: [] });
  await expectSoundLedger(database.db, acknowledged(answers));
});

test('providers moved at random by many at once never form a loop, and every root is right (LP 1779635, 1779818)', async () => {
  const names = times(12, (index) => `p${index}`);
  for (const name of names) await seed.provider(name, { inventories: { VCPU: 100 } });
  const roll = freshDice('moves');
  const answers: AnyAnswer[] = [];
  const deadlocks = await countDeadlocks(database.target, async (db) => {
    const moves = times(100, (index) => {
      const [provider, parent] = [uuidOf(`p${roll(12)}`), uuidOf(`p${roll(12)}`)];
      if (index % 4 === 0) return claim(db, wanted(`c${roll(6)}`, { [`p${roll(12)}`]: 1, [`p${roll(12)}`]: 2 }));
      return write(db, 'update_resource_provider', { provider, expect: {}, parent: roll(8) === 0 ? null : parent });
    });
    answers.push(...(await Promise.all(moves)));
  });
  expect(deadlocks).toBe(0);
  expect([...new Set(codesOf(answers))]).toEqual(['PARENT_LOOP']);
  await expectSoundLedger(database.db, acknowledged(answers));
});

test('claims beside reshapes, applied trees, moves, deletions and inventories never deadlock, and leave a sound ledger', async () => {
  const roots = times(4, (index) => `root${index}`);
  for (const root of roots) {
    await seed.provider(root, { inventories: { VCPU: 40, VGPU: 8 } });
    await seed.provider(`${root} child`, { parent: root, inventories: { VCPU: 40 } });
  }
  const plain = { reserved: 0, minUnit: 1, maxUnit: 100, stepSize: 1, allocationRatio: 1 };
  const roll = freshDice('trees');
  const any = () => `root${roll(4)}${roll(2) === 0 ? '' : ' child'}`;
  const some = (consumers: number) =>
    times(consumers, () => `c${roll(10)}`)
      .filter((name, index, all) => all.indexOf(name) === index)
      .map((name) => wanted(name, roll(5) === 0 ? {} : { [any()]: 1, [any()]: 2 }));
  const inventories = (total: number) => [{ resourceClass: 'VCPU', total, ...plain }];
  const act = (db: Db, index: number): Promise<AnyAnswer> => {
    const root = `root${roll(4)}`;
    const [parent, child] = [uuidOf(root), uuidOf(`${root} child`)];
    switch (index % 8) {
      case 0:
        return write(db, 'reshape', {
          providers: [parent, child].map((provider) => ({ provider, expect: {}, inventories: inventories(30 + roll(20)) })),
          consumers: some(3),
        });
      case 1: {
        const providers = [
          {
            uuid: parent,
            name: root,
            parent: null,
            expect: {},
            inventories: inventories(30 + roll(20)),
            aggregates: [uuidOf(`rack${roll(3)}`)],
          },
          ...(roll(3) === 0 ? [] : [{ uuid: child, name: `${root} child`, parent: root, expect: {}, traits: [`CUSTOM_T${roll(3)}`] }]),
        ];
        return write(db, 'apply_provider_tree', { root: parent, providers, consumers: some(roll(3)), dryRun: roll(4) === 0 });
      }
      case 2:
        return write(db, 'update_resource_provider', { provider: child, expect: {}, parent: roll(2) === 0 ? null : uuidOf(any()) });
      case 3:
        return write(db, 'delete_resource_provider', { provider: child, expect: {} });
      case 4:
        return write(db, 'replace_aggregates', { provider: child, expect: {}, aggregates: [uuidOf(`rack${roll(3)}`), uuidOf('zone')] });
      default:
        return claim(db, ...some(1 + roll(3)));
    }
  };
  const answers: AnyAnswer[] = [];
  const deadlocks = await countDeadlocks(database.target, async (db) => {
    answers.push(...(await Promise.all(times(320, (index) => act(db, index)))));
  });
  expect(deadlocks).toBe(0);
  expect(acknowledged(answers).length).toBeGreaterThan(20);
  await expectSoundLedger(database.db, acknowledged(answers));
});

describe('something that is deleted while others use it', () => {
  test('a provider is deleted or claimed, never both', async () => {
    for (let round = 0; round < 12; round++) {
      const name = `cn${round}`;
      await seed.provider(name, { inventories: { VCPU: 4 } });
      const work = [
        () => claim(database.db, wanted(`a${round}`, { [name]: 1 })),
        () => write(database.db, 'delete_resource_provider', { provider: uuidOf(name), expect: {} }),
        () => claim(database.db, wanted(`b${round}`, { [name]: 1 })),
      ];
      const answers = await Promise.all((round % 2 === 0 ? work : work.toReversed()).map((start) => start()));
      const outcome = codesOf(answers).toSorted();
      expect([['IN_USE'], ['NOT_FOUND', 'NOT_FOUND']]).toContainEqual(outcome);
    }
    await expectSoundLedger(database.db);
  });

  test.each(['trait', 'resource_class'] as const)('a %s is deleted or set, and the second writer is refused by name', async (noun) => {
    const name = 'CUSTOM_DOOMED';
    const inventory = { resourceClass: name, total: 1, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 };
    await seed.provider('cn1');
    const provider = uuidOf('cn1');
    const set = (full: boolean) =>
      noun === 'trait'
        ? write(database.db, 'replace_traits', { provider, expect: {}, traits: full ? [name] : [] })
        : write(database.db, 'replace_inventories', { provider, expect: {}, inventories: full ? [inventory] : [] });
    for (let round = 0; round < 30; round++) {
      await write(database.db, `create_${noun}`, { name });
      const [one, two] = await Promise.all(
        round % 2 === 0
          ? [set(true), write(database.db, `delete_${noun}`, { name })]
          : [write(database.db, `delete_${noun}`, { name }), set(true)],
      );
      const [refusal] = [one?.refusal, two?.refusal].filter((given) => given !== undefined);
      expect(['IN_USE', 'NOT_FOUND']).toContain(refusal?.code);
      expect(refusal?.details).toMatchObject({ key: name });
      await set(false);
    }
  });
});

test('a claim of a class that is deleted while it waits for its provider is refused by the name of the class', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 4 } });
  await seed.write('create_resource_class', { name: 'CUSTOM_GONE' });
  const { db, own } = database;
  const waiting = await own.begin(async (sql) => {
    await sql`select from resource_providers where name = 'cn1' for update`;
    const allocations = [{ provider: uuidOf('cn1'), resourceClass: 'CUSTOM_GONE', amount: 1 }];
    const claimed = claim(db, wanted('server', {}, { expect: { isNew: true }, allocations }));
    await expect
      .poll(async () => (await own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length)
      .toBe(1);
    await seed.write('delete_resource_class', { name: 'CUSTOM_GONE' });
    return [claimed];
  });
  expect(await waiting[0]).toEqual({ refusal: { code: 'NOT_FOUND', details: { noun: 'resourceClass', key: 'CUSTOM_GONE' } } });
});
