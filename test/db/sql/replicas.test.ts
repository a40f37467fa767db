// Examination, waiting. Reads from streaming replicas: a real primary with a real standby, each test with its own, because they are paused, killed and promoted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { type Db, openDatabase, positionOf, readerOf, replicaLags } from '../../../src/db/sql/client.ts';
import { startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { snapshotOfProcess } from '../../../src/metrics/process.ts';
import { HeavyWork } from '../../../src/operations/request/heavy-work.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { freshDirectory, postmasterPid, start, useGateways } from '../../postgres/gateways.ts';
import { socketOf } from '../../support/database.ts';
import { layFailingWire } from '../../support/failing-wire.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { copyAsStandby } from '../../support/standby.ts';

// Before the hook that closes the connections, and therefore called after it.
useGateways();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A primary with a standby, and a handle on both. */
async function startPair({ replicaLag = 10 } = {}) {
  const directory = freshDirectory();
  const primary = await start(directory);
  await migrate(primary.target);
  const copy = freshDirectory(0o700);
  await copyAsStandby(primary.target, directory, copy);
  const standby = await start(copy);
  const own = openDatabase(standby.target);
  const db = openDatabase(primary.target, { replicas: [standby.target], replicaLag });
  for (const opened of [own, db]) closers.push(() => opened.close());
  await until(() => replicaLags(db).every((lag) => lag !== null));
  return { db, copy, standby, own: own.sql, primary };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

const isOnStandby = async ({ sql }: Db) => (await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`)[0]?.standby;
const namesIn = async ({ sql }: Db) =>
  (await sql<{ name: string }[]>`select name from traits where name like 'CUSTOM_%'`).map(({ name }) => name);
const addTrait = (db: Db, name: string) => db.writes`insert into traits (name) values (${name})`;

test('without replicas everything is read from the primary, and answers have no position', async () => {
  const primary = await start(freshDirectory());
  const db = openDatabase(primary.target);
  closers.push(() => db.close());
  expect(await readerOf(db, undefined)).toBe(db);
  expect(await positionOf(db)).toBeNull();
});

test('reads that follow an answered write see it, and a replica answers them', async () => {
  const { db } = await startPair();
  const where: unknown[] = [];
  for (let round = 1; round <= 50; round++) {
    await addTrait(db, `CUSTOM_${round}`);
    const reader = await readerOf(db, undefined);
    expect(await namesIn(reader)).toHaveLength(round);
    where.push(await isOnStandby(reader));
  }
  expect(where).toContain(true);
});

test('while a replica is paused, the primary answers clients that wrote or send no position, and the replica those that know only older writes', async () => {
  const { db, own } = await startPair();
  await addTrait(db, 'CUSTOM_BEFORE');
  const before = (await positionOf(db)) ?? '';
  await until(async () => (await isOnStandby(await readerOf(db, before))) === true);
  await own`select pg_wal_replay_pause()`;
  await until(async () => (await own`select 1 where pg_get_wal_replay_pause_state() = 'paused'`).length > 0);
  await addTrait(db, 'CUSTOM_AFTER');
  const after = (await positionOf(db)) ?? '';
  expect(await namesIn(await readerOf(db, before))).toEqual(['CUSTOM_BEFORE']);
  expect(await namesIn(await readerOf(db, after))).toEqual(['CUSTOM_BEFORE', 'CUSTOM_AFTER']);
  expect(await namesIn(await readerOf(db, undefined))).toEqual(['CUSTOM_BEFORE', 'CUSTOM_AFTER']);
  expect(await namesIn(await readerOf(db, 'FFFFFFFF/FFFFFFFF'))).toEqual(['CUSTOM_BEFORE', 'CUSTOM_AFTER']);
  expect(await namesIn(await readerOf(db, 'no position'))).toEqual(['CUSTOM_BEFORE', 'CUSTOM_AFTER']);
  await own`select pg_wal_replay_resume()`;
  await until(async () => (await isOnStandby(await readerOf(db, undefined))) === true);
  expect(await namesIn(await readerOf(db, undefined))).toEqual(['CUSTOM_BEFORE', 'CUSTOM_AFTER']);
});

test('a replica that lags more than the settings allow is not used', async () => {
  const { db, own } = await startPair({ replicaLag: 1 });
  const position = (await positionOf(db)) ?? '';
  await own`select pg_wal_replay_pause()`;
  await addTrait(db, 'CUSTOM_AFTER');
  await until(async () => !(await isOnStandby(await readerOf(db, position))));
  expect(await namesIn(await readerOf(db, position))).toEqual(['CUSTOM_AFTER']);
  await until(() => replicaLags(db).includes(null));
  expect(replicasTold(db)).toEqual([1, 0]);
});

/** What Prometheus is told: the replicas in the settings, and those that answer. */
function replicasTold(db: Db): (number | undefined)[] {
  const { gauges } = snapshotOfProcess({ db, heavyWork: new HeavyWork(), streams: () => 0 });
  return ['placement_replicas', 'placement_replicas_in_use'].map((wanted) => gauges.find(({ name }) => name === wanted)?.samples[0]?.value);
}

test('the primary answers what a replica fails to answer; a dead replica is left out until it is back', async () => {
  const { db, copy, own, standby } = await startPair();
  const reader = await readerOf(db, undefined);
  // Executed from here on: there for longer than the replica lives, on the primary at once.
  const slow = reader.sql<{ standby: boolean }[]>`
    select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then pg_sleep(60) end`.execute();
  const mistake = reader.sql`select no_such_column`.catch((error: Error) => error.message);
  await until(async () => {
    const waiting = await own`select from pg_stat_activity where wait_event = 'PgSleep'`;
    return waiting.length === 1;
  });
  process.kill(postmasterPid(copy) ?? 0, 'SIGKILL');
  await standby.stop().catch(() => {});
  expect((await slow)[0]?.standby).toBe(false);
  expect(await mistake).toContain('no_such_column');
  expect(await isOnStandby(reader)).toBe(false);
  await until(() => replicaLags(db).includes(null));
  expect(replicasTold(db)).toEqual([1, 0]);
  expect(await readerOf(db, undefined)).toBe(db);
  await start(copy);
  await until(async () => (await isOnStandby(await readerOf(db, undefined))) === true);
  expect(replicasTold(db)).toEqual([1, 1]);
});

test('a replica that has lost its connections is not used until it has been checked: it may have come back with less', async () => {
  const { db, own, primary } = await startPair();
  const reader = await readerOf(db, undefined);
  expect(await isOnStandby(reader)).toBe(true);
  await primary.stop();
  await own`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'placement-gateway' and pid <> pg_backend_pid()`.catch(
    () => {},
  );
  await until(() => replicaLags(db).includes(null));
  await expect(isOnStandby(reader)).rejects.toMatchObject({ code: 'NOT_SENT' });
});

test('a silent replica does not keep others from being used', async () => {
  const { primary, standby } = await startPair();
  const wire = await layFailingWire(socketOf(standby.target));
  // The silent one is waited for, and asked only once.
  const forever = 600_000;
  const deadlines = { connect: forever, answer: forever, silence: forever };
  const db = openDatabase(primary.target, { replicas: [standby.target, wire.target], replicaLag: 1, deadlines });
  closers.push(
    () => db.close(),
    () => wire.close(),
  );
  await until(() => replicaLags(db).every((lag) => lag !== null));
  wire.swallow(true);
  wire.silence();
  await until(() => replicaLags(db)[1] === null);
  // Meanwhile the other one is found up to date again and again.
  let [before, renewed] = [Number.POSITIVE_INFINITY, 0];
  await until(() => {
    const lag = replicaLags(db)[0] ?? Number.POSITIVE_INFINITY;
    if (lag < before) renewed++;
    before = lag;
    return renewed > 10;
  });
  expect(replicaLags(db)[1]).toBeNull();
});

test('a replica that was promoted is left out', async () => {
  const { db, own } = await startPair();
  const reader = await readerOf(db, undefined);
  expect(reader).not.toBe(db);
  await own`select pg_promote(true)`;
  await until(() => replicaLags(db).includes(null));
  expect(await readerOf(db, undefined)).toBe(db);
});

test('a server on another timeline is left out, although it replays and is ahead', async () => {
  const { db, copy, own, standby } = await startPair();
  await own`select pg_promote(true)`;
  const promoted = openDatabase(standby.target);
  for (let count = 1; count <= 20; count++) await addTrait(promoted, `CUSTOM_OTHER_${count}`);
  await promoted.sql`select pg_switch_wal()`;
  await promoted.close();
  await standby.stop();
  writeFileSync(join(copy, 'cluster', 'standby.signal'), '');
  const again = openDatabase((await start(copy)).target);
  closers.push(() => again.close());
  expect(await isOnStandby(again)).toBe(true);
  const [here, there] = [await positionOf(db), (await again.sql<{ at: string }[]>`select pg_last_wal_replay_lsn()::text as at`)[0]?.at];
  expect(await db.sql`select ${there ?? ''}::pg_lsn > ${here ?? ''}::pg_lsn as ahead`).toEqual([{ ahead: true }]);
  await sleep(800);
  expect(replicaLags(db)).toEqual([null]);
  expect(await namesIn(await readerOf(db, undefined))).toEqual([]);
});

test('a server that is not a replica of the primary is never read', async () => {
  const { standby } = await startPair();
  const other = await start(freshDirectory());
  const db = openDatabase(other.target, { replicas: [standby.target, other.target] });
  closers.push(() => db.close());
  await sleep(800);
  expect(replicaLags(db)).toEqual([null, null]);
  expect(await readerOf(db, undefined)).toBe(db);
});

test('both APIs return the position of a write, and a client that sends it reads the write through any gateway', async () => {
  const { db, own, primary, standby } = await startPair();
  await createSeed(db).provider('cn1', {});
  const second = openDatabase(primary.target, { replicas: [standby.target] });
  closers.push(() => second.close());
  const urls: string[] = [];
  for (const handle of [db, second]) {
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    const server = await startServer({ settings, db: handle, log: createLogger({ level: 'silent', write: () => {} }).log });
    closers.push(() => server.close());
    urls.push(server.url);
  }
  const [one = '', other = ''] = urls;
  await until(() => [db, second].every((handle) => replicaLags(handle)[0] !== null));
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  const graphql = (url: string, query: string, more = {}) =>
    fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ query }) });
  const rest = (url: string, method: string, path: string, more = {}) =>
    fetch(`${url}/placement${path}`, { method, headers: { ...headers, ...more } });
  const header = 'placement-ledger-position';

  const early = (await rest(one, 'PUT', '/traits/CUSTOM_EARLY')).headers.get(header) ?? '';
  expect(early).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
  const seenAt = (url: string, position: string) =>
    rest(url, 'GET', '/traits?name=startswith:CUSTOM_', { [header]: position }).then((answer) => answer.json());
  expect(await seenAt(other, early)).toEqual({ traits: ['CUSTOM_EARLY'] });

  await own`select pg_wal_replay_pause()`;
  await until(async () => (await own`select 1 where pg_get_wal_replay_pause_state() = 'paused'`).length > 0);
  const created = await graphql(one, 'mutation { createTrait(input: { name: "CUSTOM_LATE" }) { trait { name } } }');
  expect(await created.json()).toMatchObject({ data: { createTrait: { trait: { name: 'CUSTOM_LATE' } } } });
  const late = created.headers.get(header) ?? '';
  expect(await seenAt(other, early)).toEqual({ traits: ['CUSTOM_EARLY'] });
  expect(await seenAt(other, late)).toEqual({ traits: ['CUSTOM_EARLY', 'CUSTOM_LATE'] });
  expect(await (await rest(other, 'GET', '/traits?name=startswith:CUSTOM_')).json()).toEqual({ traits: ['CUSTOM_EARLY', 'CUSTOM_LATE'] });
  const list = '{ traits(filter: { nameStartsWith: "CUSTOM_" }) { nodes { name } } }';
  expect(await (await graphql(other, list, { [header]: late })).json()).toEqual({
    data: { traits: { nodes: [{ name: 'CUSTOM_EARLY' }, { name: 'CUSTOM_LATE' }] } },
  });
  const refused = await rest(one, 'DELETE', `/resource_providers/${uuidOf('nobody')}`);
  expect([refused.status, refused.headers.has(header)]).toEqual([404, true]);
  expect((await rest(one, 'GET', '/traits')).headers.has(header)).toBe(false);
});
