// Examination. Gateways that are killed during a mutation, each at a certain stage of it: the mutation is done once or not at all, and a client that sends
// it again with its key, through another gateway, sees no difference. `npm run gate` kills each mutation at each moment; otherwise one mutation is killed at
// each.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { isGate } from '../../support/profile.ts';
import { createSeed } from '../../support/seed.ts';
import { momentsOfDeath, Victim } from '../../support/victim.ts';
import { rows } from './every-row.ts';
import type { Row } from './row.ts';

let database: TestDatabase;
/** The database of the gateway that is not killed. */
let db: Db;
let survivor: Gateway;
let victim: Victim;
/** To be closed after a test, the last first, even if its setup timed out. */
let open: (() => Promise<unknown>)[] = [];
/** The processes of the sessions that are not the victim's, before any work begins. */
let others: number[];
beforeEach(async () => {
  database = await createTestDatabase();
  open = [() => database.drop()];
  db = openDatabase(database.target, { applicationName: 'survivor' });
  open.unshift(() => db.close());
  survivor = await startGateway({ db }, 'jit');
  open.unshift(() => survivor.close());
  others = (await sessions()).map(({ pid }) => pid);
  victim = await Victim.start(database);
  open.unshift(() => victim.close());
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Sessions of gateways that are not called survivor. */
const sessions = () => database.own<{ pid: number }[]>`
  select pid from pg_stat_activity where datname = current_database() and application_name = 'placement-gateway'`;

const key = 'the one key';
const asked = (fields: string) => `${fields} replayed event { id kind }`;

/** The number of rows that a statement finds. */
const count = async (statement: string) => (await database.own.unsafe(statement)).length;

const until = (isSo: () => Promise<boolean>) => expect.poll(isSo).toBe(true);

const spread = (index: number) => rows[Math.floor((index * rows.length) / momentsOfDeath.length)] as Row;
const cases = momentsOfDeath.flatMap((moment, index) =>
  (isGate ? rows : [spread(index)]).map((row) => [row.mutation, moment, row] as const),
);

test.each(cases)('%s through a gateway that is killed %s is done once or not at all', async (mutation, moment, row) => {
  const { before, input, fields, answer, event, userErrors = [] } = row;
  const { write } = createWriter(survivor, database);
  await before?.({
    seed: createSeed(db),
    write: async (...given) => {
      const payload = await write(...given);
      expect({ given, userErrors: payload.userErrors }).toEqual({ given, userErrors: [] });
      return payload;
    },
  });
  // The tree of a report and the data stored beside it have one event each, in one transaction.
  const writesOfKind = () => count(`select distinct xid from events where kind = '${event}'`);
  const started = await writesOfKind();
  const keyed = { ...input, idempotencyKey: key };
  await victim.dieDoing({ mutation, input: keyed, fields: asked(fields) }, moment);

  const done = await write(mutation, keyed, asked(fields));
  expect(done).toEqual({
    ...{ ...answer, event: event === null ? null : { id: expect.any(String), kind: event }, userErrors, replayed: expect.any(Boolean) },
  });
  expect(await write(mutation, keyed, asked(fields))).toEqual({ ...done, replayed: true });
  expect(await writesOfKind()).toBe(started + (event === null ? 0 : 1));
  await expectSoundLedger(db);
  // The killed gateway has no session left at the server.
  await until(async () => (await sessions()).every(({ pid }) => others.includes(pid)));
});
