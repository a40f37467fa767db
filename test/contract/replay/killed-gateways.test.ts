// Gateways that are killed in the midst of a mutation, each at a moment that is told by how far the mutation has got: it is done once or not at all, and whoever
// sends it again under its key, through another gateway, cannot tell the difference. Each mutation at each moment with `npm run gate`, otherwise one at each.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { createTestDatabase, socketOf, type TestDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createWriter, mutationOf } from '../../support/mutations.ts';
import { isGate } from '../../support/profile.ts';
import { createSeed } from '../../support/seed.ts';
import { Gateway as GatewayProcess } from '../../torture/gateways.ts';
import { rows } from './every-row.ts';
import type { Row } from './row.ts';

let database: TestDatabase;
/** That of the gateway that is not killed. */
let db: Db;
let survivor: Gateway;
let victim: GatewayProcess;
/** The processes of the sessions that are not the victim's, while nobody works yet. */
let others: number[];
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.target, { applicationName: 'survivor' });
  survivor = await startGateway({ db }, 'jit');
  others = (await sessions()).map(({ pid }) => pid);
  victim = await GatewayProcess.lay(socketOf(database.target));
  await victim.start();
});
afterEach(async () => {
  await victim.close();
  await survivor.close();
  await db.close();
  await database.drop();
});

/** Of gateways that are not called survivor. */
const sessions = () => database.own<{ pid: number }[]>`
  select pid from pg_stat_activity where datname = current_database() and application_name = 'placement-gateway'`;

const key = 'the one key';

interface Sent {
  /** The request has come to an end, or broken off. */
  isOver: boolean;
}

/** Sends a mutation to the gateway that will be killed. */
function send({ mutation, input, fields }: Row): Sent {
  const sent = { isOver: false };
  const body = JSON.stringify({ query: mutationOf(mutation, asked(fields)), variables: { input: { ...input, idempotencyKey: key } } });
  const headers = { 'content-type': 'application/json', 'x-auth-token': 'admin' };
  void fetch(`${victim.url}/graphql`, { method: 'POST', headers, body })
    .then((answer) => answer.text())
    .catch(() => {})
    .finally(() => {
      sent.isOver = true;
    });
  return sent;
}

const asked = (fields: string) => `${fields} replayed event { id kind }`;

/** How many rows a statement finds. */
const count = async (statement: string) => (await database.own.unsafe(statement)).length;
const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const kept = `select from idempotency_keys where key = '${key}'`;

const until = (isSo: () => Promise<boolean>) => expect.poll(isSo).toBe(true);

/** Kills the gateway while it waits for a table, which it then gets. A mutation that does not use the table comes to its end. */
async function killWaitingFor(table: string, row: Row): Promise<void> {
  await database.own.begin(async (sql) => {
    await sql.unsafe(`lock table ${table} in exclusive mode`);
    const sent = send(row);
    await until(async () => sent.isOver || (await count(waiting)) > 0);
    await victim.end('SIGKILL');
  });
}

const moments: Readonly<Record<string, (row: Row) => Promise<void>>> = {
  'before the database hears of it': async (row) => {
    victim.wire.silence();
    victim.wire.swallow(true);
    send(row);
    await sleep(100);
    await victim.end('SIGKILL');
    victim.wire.mend();
  },
  'before it has its key': (row) => killWaitingFor('idempotency_keys', row),
  'before it locks providers': (row) => killWaitingFor('resource_providers', row),
  'before it allocates': (row) => killWaitingFor('allocations', row),
  'before it writes its event': (row) => killWaitingFor('events', row),
  'before it tells readers of the change': (row) => killWaitingFor('provider_changes', row),
  'after the commit, before the answer': async (row) => {
    victim.wire.delay(60_000);
    const sent = send(row);
    await until(async () => sent.isOver || (await count(kept)) > 0);
    await victim.end('SIGKILL');
    victim.wire.delay(0);
  },
  'at some moment': async (row) => {
    send(row);
    await sleep(Math.random() * 40);
    await victim.end('SIGKILL');
  },
};

const spread = (index: number) => rows[Math.floor((index * rows.length) / Object.keys(moments).length)] as Row;
const cases = Object.keys(moments).flatMap((moment, index) =>
  (isGate ? rows : [spread(index)]).map((row) => [row.mutation, moment, row] as const),
);

test.each(cases)('%s, by a gateway that is killed %s, is done once or not at all', { timeout: 60_000 }, async (mutation, moment, row) => {
  const { before, input, fields, answer, event, userErrors = [], isOneWrite = true } = row;
  const { write } = createWriter(survivor, database);
  await before?.({
    seed: createSeed(db),
    write: async (...given) => {
      const payload = await write(...given);
      expect({ given, userErrors: payload.userErrors }).toEqual({ given, userErrors: [] });
      return payload;
    },
  });
  // The tree of a report and what is stored beside it have an event each, of one transaction.
  const writesOfKind = () => count(`select distinct xid from events where kind = '${event}'`);
  const started = await writesOfKind();
  await moments[moment]?.(row);

  const keyed = { ...input, idempotencyKey: key };
  const done = await write(mutation, keyed, asked(fields));
  const whole = { ...answer, event: event === null ? null : { id: expect.any(String), kind: event }, userErrors };
  expect(done).toEqual({ ...whole, replayed: expect.any(Boolean) });
  expect(await write(mutation, keyed, asked(fields))).toEqual({ ...done, replayed: true });
  if (isOneWrite) expect(await writesOfKind()).toBe(started + (event === null ? 0 : 1));
  await expectSoundLedger(db);
  // Nothing of the dead is left at the server.
  await until(async () => (await sessions()).every(({ pid }) => others.includes(pid)));
});
