// Examination. What writes do beside others that rename or create what they name: the ledger stays true, and nobody waits in a circle.
import type { Sql } from 'postgres';
import { beforeEach, describe, expect, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import type { Db } from '../../../src/db/sql/client.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { countDeadlocks, expectSoundLedger } from '../../support/ledger.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

const plain = { reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 };
const differences = async () => (await runAudit(database.db, () => {})).differences;

/** Runs a write while its provider is locked by somebody else, and work while it waits. */
async function whileWaiting(provider: string, write: () => Promise<unknown>, work: () => Promise<unknown>): Promise<unknown> {
  const { own } = database;
  const waiting = await own.begin(async (sql) => {
    await sql`select from resource_providers where name = ${provider} for no key update`;
    const started = write();
    const waits = async () =>
      (await own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length;
    await expect.poll(waits).toBe(1);
    return [started, work()];
  });
  return (await Promise.all(waiting))[0];
}

test('a class that is renamed while a claim waits for its provider is renamed before or after the claim, in the events, too', async () => {
  await seed.provider('cn1', { inventories: { CUSTOM_OLD: 10, VCPU: 10 } });
  await seed.claim('server', { cn1: { CUSTOM_OLD: 1 } });
  const allocations = [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 2 }];
  const wanted = { uuid: uuidOf('server'), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, allocations };
  await whileWaiting(
    'cn1',
    () => writeAny(database.db, 'replace_allocations', { consumers: [wanted] }),
    () => writeAny(database.db, 'rename_resource_class', { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' }),
  );
  await expectSoundLedger(database.db);
  expect(await differences()).toBe(0);
});

/** Waits until as many sessions wait for the lock of another one. */
async function expectWaiting(count: number): Promise<void> {
  const waiting = () => database.own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await waiting()).length).toBe(count);
}

describe('a name that changes hands while a write waits for its previous holder', () => {
  const inventory = { resourceClass: 'CUSTOM_A', total: 50, ...plain };
  const tree = { root: uuidOf('cn1'), dryRun: false, consumers: [] };
  const listed = { uuid: uuidOf('cn1'), name: 'cn1', parent: null };
  const imported = { ...listed, generation: 9, inventories: [inventory], traits: ['CUSTOM_X'], aggregates: [] };

  test.each<[operation: WriteOperation, request: object]>([
    ['replace_inventories', { provider: uuidOf('cn1'), expect: {}, inventories: [inventory] }],
    ['reshape', { providers: [{ provider: uuidOf('cn1'), expect: {}, inventories: [inventory] }], consumers: [] }],
    ['apply_provider_tree', { ...tree, providers: [{ ...listed, expect: {}, inventories: [inventory], traits: ['CUSTOM_X'] }] }],
    ['import_resource_providers', { providers: [imported] }],
    ['replace_traits', { provider: uuidOf('cn1'), expect: {}, traits: ['CUSTOM_X'] }],
    ['patch_traits', { providers: [uuidOf('cn1')], added: ['CUSTOM_X'], removed: [], dryRun: false }],
  ])('%s holds what has it then', async (operation, request) => {
    await seed.provider('cn1');
    for (const name of ['CUSTOM_A', 'CUSTOM_B']) await seed.write('create_resource_class', { name });
    await seed.write('create_trait', { name: 'CUSTOM_X' });
    const { own } = database;
    const provider = await own.reserve();
    const names = await own.reserve();
    await provider`begin`;
    await provider`select from resource_providers where name = 'cn1' for no key update`;
    await names`begin`;
    await names`update resource_classes set name = 'CUSTOM_C' where name = 'CUSTOM_A'`;
    await names`update resource_classes set name = 'CUSTOM_A' where name = 'CUSTOM_B'`;
    await names`delete from traits where name = 'CUSTOM_X'`;
    await names`insert into traits (name) values ('CUSTOM_X')`;
    const write = writeAny(database.db, operation, request);
    await expectWaiting(1);
    await names`commit`;
    await expectWaiting(1);
    const isFree = async (table: string, name: string) =>
      (await own`select from ${own(table)} where name = ${name} for update skip locked`).length > 0;
    const namesClass = JSON.stringify(request).includes('CUSTOM_A');
    const namesTrait = JSON.stringify(request).includes('CUSTOM_X');
    await expect
      .poll(async () => [await isFree('resource_classes', 'CUSTOM_A'), await isFree('traits', 'CUSTOM_X')])
      .toEqual([!namesClass, !namesTrait]);
    await provider`commit`;
    for (const session of [provider, names]) session.release();
    expect(await write).not.toHaveProperty('refusal');
    expect(await differences()).toBe(0);
  });

  test('patched inventories are of one class, even if its name changes hands twice', async () => {
    await seed.provider('cn1', { inventories: { CUSTOM_A: 10, CUSTOM_B: 20 } });
    const { own } = database;
    const provider = await own.reserve();
    const names = await own.reserve();
    await provider`begin`;
    await provider`select from resource_providers where name = 'cn1' for no key update`;
    await names`begin`;
    const rename = (sql: Sql, from: string, name: string) => {
      const request = { kind: 'RESOURCE_CLASS_RENAMED', by: { user: 'u', project: 'p', roles: [], requestId: 'req' }, from, name };
      return sql`select apply_write('rename_resource_class', ${sql.json(request)})`;
    };
    const patch = { providers: [uuidOf('cn1')], resourceClass: 'CUSTOM_A', patch: { total: 60 }, dryRun: false };
    await names`update resource_classes set name = 'CUSTOM_C' where name = 'CUSTOM_A'`;
    await names`update resource_classes set name = 'CUSTOM_A' where name = 'CUSTOM_B'`;
    const write = writeAny(database.db, 'patch_inventories', patch);
    await expectWaiting(1);
    await names`commit`;
    await expectWaiting(1);
    await rename(provider, 'CUSTOM_A', 'CUSTOM_D');
    await provider`commit`;
    for (const session of [provider, names]) session.release();
    expect(await write).toMatchObject({ refusal: { code: 'NOT_FOUND', details: { noun: 'resourceClass', key: 'CUSTOM_A' } } });
  });

  test('a root that is renamed while a report of its program waits for it is not marked, and the new holder of the name is', async () => {
    for (const name of ['host', 'spare']) await seed.provider(name, { traits: ['COMPUTE_NODE'] });
    const mark = { trait: 'COMPUTE_STATUS_DISABLED', kind: 'node', of: 'COMPUTE_NODE' };
    const report = { host: 'host', program: 'nova-compute', version: 70, disabled: true, minimumOf: 'nova-compute', mark };
    let write: Promise<unknown> = Promise.resolve();
    await database.own.begin(async (sql) => {
      await sql`update resource_providers set name = 'gone' where name = 'host'`;
      await sql`update resource_providers set name = 'host' where name = 'spare'`;
      write = writeAny(database.db, 'report_service', report);
      await expectWaiting(1);
    });
    expect(await write).toMatchObject({ changed: true });
    const marked = await database.db.sql`
      select p.name from resource_providers p join resource_provider_traits has on has.resource_provider_id = p.id
      join traits t on t.id = has.trait_id where t.name = 'COMPUTE_STATUS_DISABLED'`;
    expect(marked).toEqual([{ name: 'host' }]);
  });
});

test('a class whose inventories wait for a provider is written under the requested name, or not at all', async () => {
  await seed.provider('cn1');
  await seed.write('create_resource_class', { name: 'CUSTOM_B' });
  const inventories = [{ resourceClass: 'CUSTOM_A', total: 50, ...plain }];
  const { own } = database;
  const provider = await own.reserve();
  await provider`begin`;
  await provider`select from resource_providers where name = 'cn1' for no key update`;
  // Nobody has the name yet.
  const write = writeAny(database.db, 'replace_inventories', { provider: uuidOf('cn1'), expect: {}, inventories });
  await expectWaiting(1);
  await seed.write('rename_resource_class', { from: 'CUSTOM_B', name: 'CUSTOM_A' });
  await own.begin(async (sql) => {
    await sql`select from resource_classes where name = 'CUSTOM_A' for update`;
    await sql`update resource_classes set name = 'CUSTOM_C' where name = 'CUSTOM_A'`;
    await provider`commit`;
    provider.release();
    await expectWaiting(1);
  });
  expect(await write).toMatchObject({ refusal: { code: 'NOT_FOUND', details: { noun: 'resourceClass', key: 'CUSTOM_A' } } });
  expect(await differences()).toBe(0);
});

test('renaming classes beside their inventories, claims and imports never causes a deadlock', async () => {
  for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { CUSTOM_A: 100, CUSTOM_B: 100 } });
  await seed.names({ projects: ['p'], users: ['u'], types: ['INSTANCE'] });
  const roll = freshDice('renames');
  const some = () => ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'][roll(3)] ?? '';
  const write = (db: Db): Promise<unknown> => {
    const provider = uuidOf(`cn${1 + roll(3)}`);
    const inventories = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'].map((resourceClass) => ({ resourceClass, total: 50 + roll(50), ...plain }));
    switch (roll(4)) {
      case 0:
        return writeAny(db, 'rename_resource_class', { from: some(), name: some() });
      case 1:
        return writeAny(db, 'replace_inventories', {
          provider,
          expect: {},
          inventories: inventories.slice(0, 1 + roll(3)),
          keepOthers: true,
        });
      case 2:
        return writeAny(db, 'patch_inventories', {
          providers: [provider],
          resourceClass: some(),
          patch: { total: 60 + roll(9) },
          dryRun: false,
        });
      default: {
        const allocations = [{ provider, resourceClass: some(), amount: 1 + roll(2) }];
        const wanted = { uuid: uuidOf(`c${roll(5)}`), expect: {}, project: 'p', user: 'u', type: 'INSTANCE', keepType: false, allocations };
        return writeAny(db, 'replace_allocations', { consumers: [wanted] });
      }
    }
  };
  const deadlocks = await countDeadlocks(database.target, async (db) => {
    await Promise.all(Array.from({ length: 400 }, () => write(db)));
  });
  expect(deadlocks).toBe(0);
  await expectSoundLedger(database.db);
  expect(await differences()).toBe(0);
});

test.each([
  ['consumer', 'consumers', uuidOf('one'), 'allocations'],
  ['reservation', 'records', `reservation ${uuidOf('one')}`, 'amounts'],
])('two classes of one %s that are renamed at once have a gapless history', async (noun, ...[list, key, part]) => {
  const held = { cn1: { CUSTOM_A: 1 }, cn2: { CUSTOM_B: 2 } };
  for (const [name, inventories] of Object.entries({ cn1: { CUSTOM_A: 10 }, cn2: { CUSTOM_B: 10 } }))
    await seed.provider(name, { inventories });
  await (noun === 'consumer' ? seed.claim('one', held) : seed.reservation('one', held));
  const rename = (sql: Sql, from: string, name: string) => {
    const request = { kind: 'RENAME_RESOURCE_CLASS', by: { user: 'u', project: 'p', roles: [], requestId: 'req' }, from, name };
    return sql`select apply_write('rename_resource_class', ${sql.json(request)})`;
  };
  await atOnce(
    (sql) => rename(sql, 'CUSTOM_A', 'CUSTOM_A2'),
    (sql) => rename(sql, 'CUSTOM_B', 'CUSTOM_B2'),
  );
  const sides = await database.own`
    select changes #> ${[list, key, 'before', part]}::text[] as before, changes #> ${[list, key, 'after', part]}::text[] as after
    from events order by id desc limit 2`;
  expect(sides[0]?.before).toEqual(sides[1]?.after);
  await expectSoundLedger(database.db);
  expect(await differences()).toBe(0);
});

/** Makes one write in a transaction that ends only after the other has ended, or waits for it. */
async function atOnce(first: (sql: Sql) => PromiseLike<unknown>, second: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const { own } = database;
  const [one, other] = await Promise.all([own.reserve(), own.reserve()]);
  await one`begin`;
  await first(one);
  const ended = Promise.resolve(second(other)).then(() => true);
  const isWaiting = async () =>
    (await own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0;
  await Promise.race([ended, expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)]);
  await one`commit`;
  await ended;
  for (const session of [one, other]) session.release();
}

describe('a project that is named for the first time while a class with a default quota is deleted', () => {
  const addProject = (sql: Sql) => sql`select ensure_consumer_names('{added}', '{}', '{}')`;
  const deletion = { kind: 'DELETE_RESOURCE_CLASS', by: { user: 'u', project: 'p', roles: [], requestId: 'req' }, name: 'CUSTOM_OLD' };
  const deleteClass = (sql: Sql) => sql`select apply_write('delete_resource_class', ${sql.json(deletion)})`;

  test.each([
    ['just before', addProject, deleteClass],
    ['just after', deleteClass, addProject],
  ])('has no quota of it, if it is named %s', async (_when, first, second) => {
    await seed.write('create_resource_class', { name: 'CUSTOM_OLD' });
    const quotas = ['CUSTOM_OLD', 'VCPU'].map((resourceClass) => ({ user: null, consumerType: null, resourceClass, amount: 3 }));
    const record = { kind: 'default_quotas', name: 'default_quotas', uuid: uuidOf('defaults'), body: { parent: null, quotas } };
    await seed.write('replace_quotas', { record, expect: {} });
    await atOnce(first, second);
    expect(
      await database.own`select distinct rc.name from quota_uses q left join resource_classes rc on rc.id = q.resource_class_id`,
    ).toEqual([{ name: 'VCPU' }]);
  });
});

test('two first reports of one record under different uuids both succeed, and the later one stays', async () => {
  await seed.provider('cn1');
  const report = (uuid: string) =>
    writeAny(database.db, 'apply_report', {
      root: uuidOf('cn1'),
      record: { kind: 'node', name: 'n', uuid: uuidOf(uuid), body: { by: uuid } },
    });
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all([report(`one ${round}`), report(`two ${round}`)]);
    expect(answers.filter(({ eventId }) => typeof eventId === 'number')).toHaveLength(2);
    expect(await database.db.sql`select from records`).toHaveLength(1);
  }
});

/** How long everything happens at once, in seconds. */
const stormTime = Number(process.env.PLACEMENT_STORM_SECONDS ?? 4);

test(
  'all kinds of writes at once never make anybody wait in a circle, and leave a sound ledger',
  async () => {
    const roll = freshDice('storm');
    const until = Date.now() + stormTime * 1000;
    const deadlocks = await countDeadlocks(database.target, async (db) => {
      const writer = async () => {
        while (Date.now() < until) await writeAtRandom(db, roll);
      };
      await Promise.all(Array.from({ length: 16 }, writer));
    });
    expect(deadlocks).toBe(0);
    await expectSoundLedger(database.db);
    expect(await differences()).toBe(0);
  },
  60_000 + stormTime * 2000,
);
