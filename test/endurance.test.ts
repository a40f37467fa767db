// Examination. A gateway that has worked for a while keeps nothing of it: memory, open files and sessions of the database are what they were after its first
// requests.
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from './support/database.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { expectSoundLedger } from './support/ledger.ts';
import { claim, createWriter, unchecked } from './support/mutations.ts';
import { tried } from './support/profile.ts';
import { createSeed, uuidOf } from './support/seed.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const database = useDatabase();
let gateway: Gateway;
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (let host = 0; host < 10; host++) await seed.provider(`cn${host}`, { inventories: { VCPU: 100 } });
  gateway = await startGateway(database, 'jit');
});
afterAll(() => gateway.close());

const reads = [
  '{ allocationCandidates(input: { groups: { resources: [{ resourceClass: "VCPU", amount: 1 }] }, limit: 5 }) { candidates { root { name } } } }',
  '{ resourceProviders(first: 10) { nodes { name inventories { used capacity } traitNames } } totals { own { used } } }',
  '{ events(last: 5) { nodes { kind changes(first: 5) { nodes { __typename } } } } }',
  '{ refused }',
];
const stretches = tried(5, 40);
const requestsInStretch = 300;

/** Claims, releases, searches, lists and refusals, as many at once as a pool has connections. */
async function work(stretch: number): Promise<void> {
  const { write } = createWriter(gateway, database);
  const one = async (number: number) => {
    if (number % 3 === 0) await gateway.ask(reads[(number / 3) % reads.length] ?? '');
    else {
      const name = `${stretch} ${Math.floor(number / 3)}`;
      const consumers = number % 3 === 1 ? [claim(name, `cn${number % 10}`, 1)] : [{ consumer: uuidOf(name), expect: unchecked }];
      const mutation = number % 3 === 1 ? 'replaceAllocations' : 'releaseAllocations';
      await write(mutation, { consumers, idempotencyKey: `${stretch} ${number}` });
    }
  };
  let next = 0;
  const worker = async () => {
    while (next < requestsInStretch) await one(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

interface Kept {
  readonly memory: number;
  readonly files: number;
  readonly sessions: number;
}

async function kept(): Promise<Kept> {
  // Twice: what finalizers let go of is free only then.
  for (let times = 0; times < 2; times++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [row] = await database.own<{ sessions: number }[]>`
    select count(*)::int as sessions from pg_stat_activity where datname = current_database()`;
  return {
    memory: process.memoryUsage().heapUsed,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    sessions: row?.sessions ?? 0,
  };
}

test('after five stretches of 300 requests a gateway holds no more memory, files or sessions than after two', {
  timeout: tried(400_000, 1_800_000),
}, async () => {
  for (let stretch = 0; stretch < 2; stretch++) await work(stretch);
  database.statements.length = 0;
  const before = await kept();
  for (let stretch = 2; stretch < stretches; stretch++) {
    await work(stretch);
    // The record of the test, not of the gateway.
    database.statements.length = 0;
  }
  const after = await kept();
  // Less than 2 KB for each request: one that is kept whole takes tens of them.
  expect(after.memory - before.memory).toBeLessThan(2048 * requestsInStretch * (stretches - 2));
  expect(after.files).toBeLessThanOrEqual(before.files + 8);
  expect(after.sessions).toBeLessThanOrEqual(before.sessions + 8);
  await expectSoundLedger(database.db);
});
