// Examination. The forest in memory when the server changes: another one at the same address, one that crashed, a standby.
// Rows are changed here without entries in the change feed, unlike in real writes: whoever sees them has reloaded everything.
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { connect, connectionOptions, type DatabaseTarget, type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { ForestKeeper } from '../../../src/operations/forest/forest.ts';
import { freshDirectory, postmasterPid, start, useGateways } from '../../postgres/gateways.ts';
import { pictureFromScratch, pictureOf } from '../../support/forest-picture.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { copyAsStandby } from '../../support/standby.ts';

// Before the hook that closes the connections, and therefore called after it.
useGateways();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function open(target: DatabaseTarget): Db {
  const db = openDatabase(target);
  closers.push(...[db.sql, db.writes].map((pool) => () => pool.end({ timeout: 0 })));
  return db;
}

/** A server of its own with one provider. */
async function startLedger() {
  const directory = freshDirectory();
  const server = await start(directory);
  await migrate(server.target);
  const db = open(server.target);
  const seed = createSeed(db);
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  return { directory, server, db, seed, keeper: new ForestKeeper(db) };
}

const nameOf = async (keeper: ForestKeeper) => (await keeper.current()).findByUuid(uuidOf('cn1'))?.state.provider.name;
const renameSilently = (db: Db, name: string) => db.writes`update resource_providers set name = ${name} where name = 'cn1'`;

/** The answer of the first call that gets one. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('another server at the same address is read from scratch', async () => {
  const { directory, server, db, keeper } = await startLedger();
  expect(await nameOf(keeper)).toBe('cn1');
  await renameSilently(db, 'renamed behind its back');
  expect(await nameOf(keeper)).toBe('cn1');
  await server.stop();
  const again = await start(directory);
  expect(again.target).toEqual(server.target);
  expect(await patiently(() => nameOf(keeper))).toBe('renamed behind its back');
});

test('a server that crashed and recovered, as the same process, is read from scratch', async () => {
  const { directory, db, keeper } = await startLedger();
  await nameOf(keeper);
  await renameSilently(db, 'renamed behind its back');
  const postmaster = postmasterPid(directory);
  const [backend] = await db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  process.kill(backend?.pid ?? 0, 'SIGKILL');
  expect(await patiently(() => nameOf(keeper))).toBe('renamed behind its back');
  expect(postmasterPid(directory)).toBe(postmaster);
});

test('a database restored under the name of the old one is read from scratch', async () => {
  const { server, db, keeper } = await startLedger();
  await nameOf(keeper);
  await renameSilently(db, 'restored');
  const admin = open({ ...server.target, database: 'postgres' }).writes;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${server.target.database}`;
  await patiently(() => admin.unsafe(`create database restored template ${server.target.database} strategy file_copy`));
  await admin.unsafe(`drop database ${server.target.database} with (force)`);
  await admin.unsafe(`alter database restored rename to ${server.target.database}`);
  expect(await patiently(() => nameOf(keeper))).toBe('restored');
});

test('on a standby everything that it has received is seen, although it does not say what is still open', async () => {
  const { directory, server, db, seed } = await startLedger();
  await seed.provider('slow', { inventories: { VCPU: 10 } });
  const copy = freshDirectory(0o700);
  await copyAsStandby(server.target, directory, copy);
  const standby = open((await start(copy)).target);
  const keeper = new ForestKeeper(standby);
  const caughtUp = async () => {
    const [here] = await db.writes<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
    for (;;) {
      const [there] = await standby.sql`select pg_last_wal_replay_lsn() >= ${here?.lsn ?? ''}::pg_lsn as done`;
      if (there?.done) return;
    }
  };
  const usedOf = async (name: string) => (await keeper.current()).findByUuid(uuidOf(name))?.inventoryOf(0)?.used;

  await caughtUp();
  expect(await standby.sql`select pg_is_in_recovery() as standby`).toEqual([{ standby: true }]);
  const forest = await keeper.current();
  const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-slow' };
  const traits = { kind: 'X', by, provider: uuidOf('slow'), expect: {}, traits: ['HW_NUMA_ROOT'] };
  const writer = connect(server.target, { ...connectionOptions(server.target, {}), fetch_types: true });
  closers.push(() => writer.end({ timeout: 0 }));
  const session = await writer.reserve();
  await session`begin`;
  await session`select apply_write('replace_traits', ${session.json(traits)})`;
  for (let round = 1; round <= 3; round++) {
    await seed.claim(`c${round}`, { cn1: { VCPU: 1 } });
    await caughtUp();
    expect(await usedOf('cn1')).toBe(round);
  }
  await session`commit`;
  session.release();
  await caughtUp();
  expect((await keeper.current()).findByUuid(uuidOf('slow'))?.traits.ids).toHaveLength(1);
  expect(pictureOf(await keeper.current())).toEqual(await pictureFromScratch(db));
  expect(await keeper.current()).toBe(forest);

  // Promoted, it may have missed what the old primary went on to write, and numbers its transactions itself.
  await renameSilently(db, 'renamed behind its back');
  await caughtUp();
  expect(await nameOf(keeper)).toBe('cn1');
  await standby.sql`select pg_promote()`;
  expect(await nameOf(keeper)).toBe('renamed behind its back');
});
