// Examination. While many clients move allocations and many read sums, no allocation is missing from a sum or counted twice: each sum is from one moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../src/db/sql/client.ts';
import { useDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createWriter, hold } from '../support/mutations.ts';
import { tried } from '../support/profile.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const hosts = Array.from({ length: 20 }, (_, index) => `cn${index}`);
const servers = Array.from({ length: 40 }, (_, index) => `server${index}`);
const amount = 5;
const everything = servers.length * amount;
const readsOfEach = tried(400, 1700);

let otherDb: Db;
let gateways: readonly [Gateway, Gateway];
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 1000 } });
  for (const [index, server] of servers.entries()) await seed.claim(server, { [`cn${index % hosts.length}`]: { VCPU: amount } });
  otherDb = openDatabase(database.target);
  gateways = [await startGateway(database, 'jit'), await startGateway({ db: otherDb }, 'graphql-js')];
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await otherDb.close();
});

const writersAtOnce = 4;

/** One of the writers: each moves servers of its own, one to three in a write, each as a whole. */
function createMover(number: number): () => Promise<void> {
  const roll = freshDice(`mover ${number}`);
  const { write } = createWriter(gateways[number % 2] as Gateway, database);
  const own = servers.filter((_, index) => index % writersAtOnce === number);
  return async () => {
    const moved = own.slice(roll(own.length)).slice(0, 3);
    const consumers = moved.map((server) => ({
      ...{ consumer: uuidOf(server), expect: { generation: generations.get(server) ?? 1 } },
      ...{ hold: hold(`cn${roll(hosts.length)}`, 'VCPU', amount), project: 'p1', user: 'u1', consumerType: 'INSTANCE' },
    }));
    expect((await write('replaceAllocations', { consumers })).userErrors).toEqual([]);
    for (const server of moved) generations.set(server, (generations.get(server) ?? 1) + 1);
  };
}
const generations = new Map<string, number>();

interface Amounts {
  readonly used: number;
}
const sumOf = (amounts: readonly Amounts[]) => amounts.reduce((sum, { used }) => sum + used, 0);

/** Each sum, by its description. */
const sums: Readonly<Record<string, (gateway: Gateway) => Promise<number>>> = {
  'the total of the cloud': async (gateway) => {
    const { totals } = await gateway.data<{ totals: { own: Amounts[] } }>('{ totals { own { used } } }');
    return sumOf(totals.own);
  },
  'the providers of a page': async (gateway) => {
    const { page } = await gateway.data<{ page: { nodes: { inventories: Amounts[] }[] } }>(
      '{ page: resourceProviders(first: 100) { nodes { inventories { used } } } }',
    );
    return sumOf(page.nodes.flatMap(({ inventories }) => inventories));
  },
  'the usage of a project': async (gateway) => {
    const { usages } = await gateway.data<{ usages: { nodes: Amounts[] } }>(
      '{ usages(filter: { projects: ["p1"] }) { nodes { used: amount(resourceClass: "VCPU") } } }',
    );
    return sumOf(usages.nodes);
  },
};

test.each(Object.keys(sums))('%s is the same in every one of 400 reads', async (words) => {
  let reads = 0;
  let moves = 0;
  const seen = new Set<number>();
  const readers = Array.from({ length: 8 }, async (_, reader) => {
    while (reads < readsOfEach) {
      reads += 1;
      seen.add((await sums[words]?.(gateways[reader % 2] as Gateway)) ?? 0);
    }
  });
  const writers = Array.from({ length: writersAtOnce }, async (_, number) => {
    const move = createMover(number);
    while (reads < readsOfEach) {
      await move();
      moves += 1;
    }
  });
  await Promise.all([...readers, ...writers]);
  expect([...seen]).toEqual([everything]);
  expect(moves).toBeGreaterThan(20);
  await expectSoundLedger(database.db);
});
