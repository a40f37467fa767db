// Whether a gateway is ready, as a load balancer asks it: not while a pool or the forest is dark, but though all of it is busy; with the reason, and at once.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, connectionOptions, type Db, openDatabase } from '../../src/db/sql/client.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { socketOf } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { call, database, log, schema, useListener } from '../support/listener.ts';

useListener();

const deadlines = { connect: 5000, wait: 1000, silence: 300, answer: 600_000 };

let wire: FailingWire;
let db: Db;
let gateway: RunningServer;
beforeEach(async () => {
  wire = await layFailingWire(socketOf(database.target));
  db = openDatabase({ ...wire.target, settings: { statement_timeout: '0' } }, { readConnections: 2, writeConnections: 4, deadlines });
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  gateway = await startServer({ settings, db, log, schema });
});
afterEach(async () => {
  await gateway.close();
  await db.close();
  await wire.close();
});

async function readiness() {
  const { status, json, headers } = await call({ method: 'GET', path: '/readyz' }, gateway.url);
  return { code: status, ...json, retryAfter: headers['retry-after'] };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a gateway whose database connections stop answering is not ready, says so at once, and is ready again with new ones', async () => {
  await expect.poll(readiness).toMatchObject({ code: 200 });
  wire.silence();
  wire.swallow(true);
  // On a busy machine another check may be dark for a moment, too.
  await expect.poll(readiness).toMatchObject({
    code: 503,
    retryAfter: '1',
    reason: expect.stringContaining('reads: no answer within 800 ms; writes: no answer within 800 ms'),
    checks: { reads: 'no answer within 800 ms', writes: 'no answer within 800 ms', schema: 'ok' },
  });
  expect((await call({ method: 'GET', path: '/healthz' }, gateway.url)).status).toBe(200);
  wire.mend();
  await expect.poll(readiness).toMatchObject({ code: 200 });
});

test('a gateway is ready while all of its database connections are in use', async () => {
  // On a busy machine a check may be late.
  await expect.poll(readiness).toMatchObject({ code: 200 });
  const all = Promise.allSettled([
    ...Array.from({ length: 2 }, () => db.sql`select pg_sleep(600)`),
    ...Array.from({ length: 4 }, () => db.writes`select pg_sleep(600)`),
  ]);
  const sleeping = database.own`datname = current_database() and query = 'select pg_sleep(600)' and state = 'active'`;
  await expect.poll(async () => (await database.own`select from pg_stat_activity where ${sleeping}`).length).toBe(6);
  await pause(1200);
  await expect.poll(readiness).toMatchObject({ code: 200 });
  const ended = await database.own`select pg_cancel_backend(pid) from pg_stat_activity where ${sleeping}`;
  expect(ended.length).toBe(6);
  await all;
});

test('a gateway that has not read the forest yet is not ready', async () => {
  await database.own.begin(async (sql) => {
    await sql`lock table resource_providers`;
    expect(await readiness()).toMatchObject({ code: 503, reason: 'forest: not read yet' });
  });
  await expect.poll(readiness).toMatchObject({ code: 200 });
});

test('a database that refuses sessions is reported with its error code, without its address', async () => {
  const target = socketOf(database.target);
  const neighbour = { ...target, database: 'postgres' };
  const elsewhere = connect(neighbour, connectionOptions(neighbour, {}));
  await elsewhere.unsafe(`alter database ${target.database} allow_connections false`);
  const refused = await readiness();
  await elsewhere.unsafe(`alter database ${target.database} allow_connections true`);
  await elsewhere.end();
  expect(refused).toMatchObject({ code: 503, checks: { reads: 'refused by the server (SQLSTATE 55000)' } });
  expect(JSON.stringify(refused)).not.toMatch(/127\.0\.0\.1|ECONN/);
});
