// What writes do beside others that rename or create what they name: the ledger stays true, and nobody waits in a circle.
import { beforeEach, expect, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import type { Db } from '../../../src/db/sql/client.ts';
import { writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countDeadlocks, expectSoundLedger } from '../../support/ledger.ts';
import { diceOf, writeAtRandom } from '../../support/random-writes.ts';
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

test('a class that is renamed while a claim waits for its provider is renamed before or after it, in the events too', async () => {
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

test('renamed classes beside inventories, claims and imports of them never make anybody wait in a circle', async () => {
  for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { CUSTOM_A: 100, CUSTOM_B: 100 } });
  await seed.names({ projects: ['p'], users: ['u'], types: ['INSTANCE'] });
  const roll = diceOf(5);
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
    const roll = diceOf(Number(process.env.PLACEMENT_STORM_SEED ?? 3));
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
