// Examination. A write waits for what it needs and for nothing else, and not for long.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { admissionOf } from '../../../src/db/writes/admission.ts';
import type { RequestOf, WriteOperation } from '../../../src/db/writes/operations.ts';
import { Permits } from '../../../src/db/writes/permits.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { Unavailable } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
/** What writes. */
let db: Db;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
  seed = createSeed(database.db);
  for (const name of ['held', 'free', 'free too']) await seed.provider(name, { inventories: { VCPU: 1000 } });
  await seed.provider('tree', { inventories: { VCPU: 10 } });
  await seed.claim('guest', { held: { VCPU: 1 } });
  return async () => {
    if (db !== database.db) await db.close();
    await database.drop();
  };
});

/** Test databases wait longer for locks. */
function waitAsLongAsAGateway(): void {
  db = openDatabase(database.target);
}

const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-test' };
const submit = <Name extends WriteOperation>(operation: Name, request: RequestOf<Name>) => submitWrite(db, operation, request, { by });

const allocationsOf = (provider: string) => [{ provider: uuidOf(provider), resourceClass: 'VCPU', amount: 1 }];
const claim = (name: string, provider: string) =>
  submit('replace_allocations', {
    consumers: [
      { uuid: uuidOf(name), expect: { isNew: true }, allocations: allocationsOf(provider), project: 'p1', user: 'u1', type: null },
    ],
  });
const release = (name: string) => submit('replace_allocations', { consumers: [{ uuid: uuidOf(name), expect: {}, allocations: [] }] });
const inventoriesOf = (provider: string, total: number) =>
  submit('replace_inventories', {
    provider: uuidOf(provider),
    expect: {},
    inventories: [{ resourceClass: 'VCPU', total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 }],
  } as RequestOf<'replace_inventories'>);
const rename = (provider: string, name: string) => submit('update_resource_provider', { provider: uuidOf(provider), expect: {}, name });

/** Locks what a query selects until the result is called. */
async function holding(query: string): Promise<() => Promise<void>> {
  const session = await database.own.reserve();
  await session.unsafe('begin');
  await session.unsafe(query);
  return async () => {
    await session.unsafe('rollback');
    session.release();
  };
}
const holdingProvider = (name: string) => holding(`select from resource_providers where name = '${name}' for update`);

/** Returns once a write waits in the database for a lock. */
async function oneWaits(): Promise<void> {
  for (let waits = 0; waits === 0; ) {
    const rows = await database.own`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`;
    waits = rows.length;
  }
}

/** What has been settled, by name, in order. */
function watch(calls: Readonly<Record<string, Promise<unknown>>>): string[] {
  const settled: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    call.then(
      () => settled.push(name),
      () => settled.push(`${name} failed`),
    );
  }
  return settled;
}

describe('while a provider is locked', () => {
  test('writes of every kind on other providers are done, however many wait for it', async () => {
    const letGo = await holdingProvider('held');
    const claims = Array.from({ length: 100 }, (_, index) => claim(`waiting ${index}`, 'held'));
    const waiting = [...claims, release('guest'), inventoriesOf('held', 2000), rename('held', 'held no more')];
    const settled = watch(Object.fromEntries(waiting.map((call, index) => [`waiting ${index}`, call])));
    const others = [
      ...Array.from({ length: 20 }, (_, index) => claim(`going ${index}`, index % 2 === 0 ? 'free' : 'free too')),
      inventoriesOf('free', 3000),
      rename('free too', 'free as well'),
      submit('create_trait', { name: 'CUSTOM_ONE', ensure: false } as RequestOf<'create_trait'>),
    ];
    await Promise.all(others);
    await release('going 1');
    expect(settled).toEqual([]);

    await letGo();
    await Promise.all(waiting);
    await expectSoundLedger(database.db);
  });

  test('each waiting write is refused as unavailable in time, nothing of it is written, and later ones are done once the lock is gone', async () => {
    const letGo = await holdingProvider('held');
    waitAsLongAsAGateway();
    const begun = performance.now();
    const waiting = [
      ...Array.from({ length: 70 }, (_, index) => claim(`waiting ${index}`, 'held')),
      inventoriesOf('held', 2000),
      rename('held', 'other'),
    ];
    const results = await Promise.allSettled(waiting);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    // A machine under load is slow, too; without a deadline this would last as long as the lock.
    expect(performance.now() - begun).toBeLessThan(4 * limits.writeWait);
    await letGo();
    await claim('next', 'held');
    const [row] = await database.db.sql<{ count: number }[]>`select count(*)::int as count from consumers`;
    expect(row?.count).toBe(2);
    await expectSoundLedger(database.db);
  });

  test('a write of the whole tree does not block other trees', async () => {
    const letGo = await holdingProvider('held');
    const waiting = rename('held', 'held no more');
    const settled = watch({ waiting });
    await expect
      .poll(() => database.own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      .toHaveLength(1);
    const forest = await database.own`select from pg_locks where locktype = 'advisory' and objid = 8778002 and granted
      and database = (select oid from pg_database where datname = current_database())`;
    expect(forest).toHaveLength(0);
    for (const name of ['one', 'two', 'three']) await rename('tree', name);
    expect(settled).toEqual([]);
    await letGo();
    await waiting;
  });
});

test('while more providers are locked than writes may wait in the database, claims on others are done, and those on locked ones once they are free', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `many ${index}`);
  for (const name of names) await seed.provider(name, { inventories: { VCPU: 10 } });
  const letGo = await holding("select from resource_providers where name like 'many %' for update");
  const waiting = names.map((name) => claim(`on ${name}`, name));
  const settled = watch(Object.fromEntries(waiting.map((call, index) => [names[index] as string, call])));
  await Promise.all(Array.from({ length: 20 }, (_, index) => claim(`going ${index}`, 'free')));
  expect(settled).toEqual([]);
  await letGo();
  await Promise.all(waiting);
  await expectSoundLedger(database.db);
});

describe('once a provider is free, the writes that wait for it are done, although the first of them also needs', () => {
  const key = { principal: 'admin', operation: 'replaceAllocations', key: 'k', hash: 'h' };
  const newConsumer = (name: string) =>
    `insert into consumers (uuid, project_id, user_id) select '${uuidOf(name)}', project_id, user_id from consumers limit 1`;
  const keyInUse = "insert into idempotency_keys (principal, operation, key, input_hash) values ('admin', 'replaceAllocations', 'k', 'h')";
  const ways = ['shared', 'alone'] as const;
  test.each([
    ['another locked provider', "select from resource_providers where name = 'free' for update", ['held', 'free']],
    ['a consumer that another transaction creates', newConsumer('first'), ['held']],
    ['a key that another transaction uses', keyInUse, ['held']],
  ] as const)('%s', async (_, lock, providers) => {
    for (const way of ways) {
      const claimOn = (name: string, on: readonly string[], more = {}) =>
        submitWrite(
          database.db,
          'replace_allocations',
          {
            consumers: [
              {
                ...{
                  uuid: uuidOf(name),
                  expect: { isNew: true },
                  allocations: on.flatMap(allocationsOf),
                  project: 'p1',
                  user: 'u1',
                  type: null,
                },
                ...(way === 'alone' && { expiresAt: '2098-01-01T00:00:00Z' }),
              },
            ],
          },
          { by, ...more },
        );
      const letGoOfOther = await holding(lock);
      const letGo = await holdingProvider('held');
      const opening = claimOn(`opening ${way}`, ['held']);
      await oneWaits();
      const first = claimOn('first', providers, lock === keyInUse ? { idempotency: key } : {});
      const settled = watch({ first });
      const behind = ['second', 'third'].map((name) => claimOn(`${name} ${way}`, ['held']));
      await letGo();
      expect(await Promise.all([opening, ...behind])).toEqual(Array(3).fill(expect.not.objectContaining({ refusal: expect.anything() })));
      expect(settled).toEqual([]);
      await letGoOfOther();
      await first.catch(() => {});
      await release('first');
      await database.own`delete from idempotency_keys`;
    }
    await expectSoundLedger(database.db);
  });
});

test('a write of the whole tree that waits for a locked provider does not ask for it again and again', async () => {
  await seed.provider('child', { parent: 'tree' });
  const letGoOfChild = await holdingProvider('child');
  waitAsLongAsAGateway();
  const letGo = await holdingProvider('tree');
  const waiting = rename('tree', 'renamed');
  await oneWaits();
  await letGo();
  const attempts = vi.spyOn(admissionOf(db).permits.forest, 'run');
  await expect(waiting).rejects.toBeInstanceOf(Unavailable);
  expect(attempts.mock.calls.length).toBeLessThan(20);
  await letGoOfChild();
});

test('while the forest is locked, allocations and inventories are written', async () => {
  const letGo = await holding('select lock_forest()');
  const moves = Array.from({ length: 20 }, (_, index) => rename('tree', `tree ${index}`));
  const settled = watch(Object.fromEntries(moves.map((call, index) => [String(index), call])));
  await Promise.all([claim('going', 'free'), inventoriesOf('free too', 50), release('guest')]);
  expect(settled).toEqual([]);
  await letGo();
  await Promise.all(moves);
});

test('a locked consumer blocks no other', async () => {
  const letGo = await holding(`select from consumers where uuid = '${uuidOf('guest')}' for update`);
  const waiting = Array.from({ length: 30 }, () => release('guest'));
  const settled = watch(Object.fromEntries(waiting.map((call, index) => [String(index), call])));
  await Promise.all(Array.from({ length: 20 }, (_, index) => claim(`going ${index}`, 'free')));
  await letGo();
  await Promise.all(waiting);
  expect(settled).toHaveLength(30);
});

test('writes of a kind beyond its share wait, and those beyond the queue are refused at once', async () => {
  const permits = new Permits(1, 'claims');
  const later = performance.now() + 60_000;
  let finish = () => {};
  const first = permits.run(later, () => new Promise<void>((resolve) => (finish = resolve)));
  const queued = Array.from({ length: limits.queuedWrites }, () => permits.run(later, async () => 'done'));
  await expect(permits.run(later, async () => 'done')).rejects.toBeInstanceOf(Unavailable);
  finish();
  await first;
  expect(new Set(await Promise.all(queued))).toEqual(new Set(['done']));
});

test('amounts whose sum is beyond all numbers are refused for their units, and fail no write that shares their call', async () => {
  const quota = { user: null, consumerType: null, resourceClass: 'VCPU', amount: 1000, aggregate: null };
  const record = { kind: 'project_quotas', name: 'p1', uuid: uuidOf('quotas'), body: { parent: null, quotas: [quota] } };
  await submit('replace_quotas', { record, expect: {} } as unknown as RequestOf<'replace_quotas'>);
  const [hosts, amount] = [['held', 'free', 'free too', 'tree'], Number.MAX_SAFE_INTEGER];
  const consumers = Array.from({ length: 300 }, (_, index) => ({
    ...{ uuid: uuidOf(`large ${index}`), expect: { isNew: true as const }, project: 'p1', user: 'u1', type: null },
    allocations: hosts.map((host) => ({ provider: uuidOf(host), resourceClass: 'VCPU', amount })),
  }));
  const [, before, large, after] = await Promise.all([
    ...[claim('opening', 'free'), claim('before', 'free')],
    ...[submit('replace_allocations', { consumers }), claim('after', 'free')],
  ]);
  for (const answer of [before, after]) expect(answer).not.toHaveProperty('refusal');
  expect(large).toMatchObject({ refusal: { code: 'UNIT_VIOLATION', details: { requested: amount } } });
});

test('a claim that finds no turn is refused in time, and the event loop goes on', async () => {
  const { claims } = admissionOf(database.db).permits;
  let letOn = () => {};
  const held = new Promise<void>((resolve) => (letOn = resolve));
  const later = performance.now() + 60_000;
  const turns = Array.from({ length: claims.limit + limits.queuedWrites }, () => claims.run(later, () => held));
  await expect(claim('refused', 'free')).rejects.toBeInstanceOf(Unavailable);
  letOn();
  await Promise.all(turns);
  await expect(claim('done', 'free')).resolves.not.toHaveProperty('refusal');
});
