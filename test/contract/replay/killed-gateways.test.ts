// Gateways that are killed in the midst of a mutation, each at a moment that is told by how far the mutation has got: it is done once or not at all, and whoever
// sends it again under its key, through another gateway, cannot tell the difference. Each mutation at each moment with `npm run gate`, otherwise one at each.
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
/** That of the gateway that is not killed. */
let db: Db;
let survivor: Gateway;
let victim: Victim;
/** What is to be closed after a test, the last first: also when its beginnings took too long. */
let open: (() => Promise<unknown>)[] = [];
/** The processes of the sessions that are not the victim's, while nobody works yet. */
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
}, 120_000);
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Of gateways that are not called survivor. */
const sessions = () => database.own<{ pid: number }[]>`
  select pid from pg_stat_activity where datname = current_database() and application_name = 'placement-gateway'`;

const key = 'the one key';
const asked = (fields: string) => `${fields} replayed event { id kind }`;

/** How many rows a statement finds. */
const count = async (statement: string) => (await database.own.unsafe(statement)).length;

const until = (isSo: () => Promise<boolean>) => expect.poll(isSo).toBe(true);

const spread = (index: number) => rows[Math.floor((index * rows.length) / momentsOfDeath.length)] as Row;
const cases = momentsOfDeath.flatMap((moment, index) =>
  (isGate ? rows : [spread(index)]).map((row) => [row.mutation, moment, row] as const),
);

test.each(cases)('%s, by a gateway that is killed %s, is done once or not at all', { timeout: 60_000 }, async (mutation, moment, row) => {
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
  // The tree of a report and what is stored beside it have an event each, of one transaction.
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
  // Nothing of the dead is left at the server.
  await until(async () => (await sessions()).every(({ pid }) => others.includes(pid)));
});
