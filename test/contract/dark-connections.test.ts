// Examination. Connections to the database that fall silent under load, as clients see them: every call is answered in time, nothing is lost, and a call
// that is sent again with its key is done once. Searches and lists recover by themselves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../src/db/sql/client.ts';
import { socketOf, useDatabase } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { claim } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
/** More than all deadlines together: a call that takes longer hangs. */
const hang = 20_000;

let wire: FailingWire;
let db: Db;
let gateway: Gateway;
const bugs: string[] = [];
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (let host = 0; host < 8; host++) await seed.provider(`cn${host}`, { inventories: { VCPU: 1000 } });
  wire = await layFailingWire(socketOf(database.target));
  db = openDatabase(wire.target, { deadlines: { connect: 1000, silence: 300 } });
  gateway = await startGateway({ db }, 'jit', (line) => bugs.push(line));
});
afterAll(async () => {
  await gateway.close();
  await db.close();
  await wire.close();
  expect(bugs).toEqual([]);
});

interface Claimed {
  readonly code: string;
  readonly event: number;
  readonly replayed: boolean;
}

/** Claims on one of the hosts for a consumer, with a key made of its number. */
async function send(number: number): Promise<Claimed> {
  const input = { idempotencyKey: `key ${number}`, consumers: [claim(`server ${number}`, `cn${number % 8}`, 1)] };
  const { data, errors } = await gateway.ask<{ done: { event: { id: string } | null; replayed: boolean; userErrors: object[] } | null }>(
    'mutation ($input: ReplaceAllocationsInput!) { done: replaceAllocations(input: $input) { event { id } replayed userErrors { code } } }',
    { input },
  );
  if (!data?.done) return { code: errors?.[0]?.extensions.code ?? 'none', event: 0, replayed: false };
  expect(data.done.userErrors).toEqual([]);
  return { code: 'done', event: 1, replayed: data.done.replayed };
}

const search = () =>
  gateway.ask(
    '{ allocationCandidates(input: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) { candidates { __typename } } resourceProviders(first: 3) { totalCount } }',
  );

test('claims with keys on silent connections are all answered, and are done once when they are sent again', async () => {
  const sendUntilDone = async (number: number) => {
    while ((await send(number)).code !== 'done');
  };
  await Promise.all(Array.from({ length: 40 }, (_, number) => sendUntilDone(1000 + number)));
  expect((await search()).errors).toBeUndefined();

  const numbers = Array.from({ length: 160 }, (_, number) => number);
  const since = performance.now();
  const told = numbers.slice(0, 80).map(send);
  await Promise.race(told);
  // From here on claims are written, but unanswered, until the first connection is given up; then nothing is written either.
  wire.delay(2 * hang);
  const untold = numbers.slice(80).map(send);
  await Promise.race(untold);
  wire.silence();
  wire.delay(0);
  const answers = await Promise.all([...told, ...untold]);
  expect(performance.now() - since).toBeLessThan(hang);
  for (const { code } of answers) expect(['done', 'OUTCOME_UNKNOWN', 'UNAVAILABLE']).toContain(code);
  expect(answers.filter(({ code }) => code === 'OUTCOME_UNKNOWN').length).toBeGreaterThan(0);
  // Claims that were reported as not done do not exist, and never will: the sessions of the lost connections end first.
  await expect
    .poll(
      async () =>
        (
          await database.own`select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
        ).length,
    )
    .toBe(0);
  const present = new Set((await database.own<{ uuid: string }[]>`select uuid from consumers`).map(({ uuid }) => uuid));
  const undone = numbers.filter((number) => answers[number]?.code === 'UNAVAILABLE');
  expect(undone.filter((number) => present.has(uuidOf(`server ${number}`)))).toEqual([]);

  const again = await Promise.all(numbers.map(send));
  expect(new Set(again.map(({ code }) => code))).toEqual(new Set(['done']));
  for (const [number, { code }] of answers.entries()) if (code === 'done') expect(again[number]?.replayed).toBe(true);
  const events = await database.own<{ consumers: number; events: number }[]>`
    select count(*)::int as events, count(distinct consumer_uuids)::int as consumers from events where kind = 'REPLACE_ALLOCATIONS'`;
  expect(events).toEqual([{ events: 200, consumers: 200 }]);
  const used = await database.own<{ used: number }[]>`select sum(used)::int as used from inventories`;
  expect(used).toEqual([{ used: 200 }]);
  await expectSoundLedger(database.db);
});

test('searches and lists on silent connections are refused in time, and answered soon after', async () => {
  expect((await search()).errors).toBeUndefined();
  wire.silence();
  const since = performance.now();
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, search));
  expect(performance.now() - since).toBeLessThan(hang);
  for (const { errors = [] } of [first, ...others].flatMap((answer) => answer ?? [])) {
    for (const { extensions } of errors) expect(extensions).toMatchObject({ code: 'UNAVAILABLE', retry: 'LATER' });
  }
  await expect.poll(async () => (await search()).errors, { timeout: hang }).toBeUndefined();
});
