// Examination. Clients that only follow the `retry` of a refusal, while answers are lost after their commit, the database is unavailable and
// others change the same data: every intended write is done exactly once, with keys as in docs/clients.md, and without.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../src/db/sql/client.ts';
import type { Retry } from '../../src/domain/retry.ts';
import { type CutWire, layCutWire } from '../support/cut-wire.ts';
import { socketOf, useDatabase } from '../support/database.ts';
import { type Dice, freshDice } from '../support/dice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { heldOf } from '../support/held.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createWriter, hold, isNew, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const roll: Dice = freshDice('losses');
let wire: CutWire;
let lossy: Db;
let gateway: Gateway;
/** For clients without faults. */
let quiet: Gateway;
let isQuiet = true;

/** The refusals that the clients met, to show that they met all kinds. */
const met = new Map<string, number>();
const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1);

/** The same database, which is unavailable for one write in eight, and for one in two until a client was told so. */
function sometimesAway(db: Db): Db {
  const writes = new Proxy(db.writes, {
    apply: (target, self, args) => {
      if (isQuiet || roll(met.has('UNAVAILABLE LATER') ? 8 : 2) > 0) return Reflect.apply(target, self, args);
      return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    },
  });
  return { ...db, writes };
}

beforeAll(async () => {
  wire = await layCutWire(socketOf(database.target));
  lossy = openDatabase(wire.target);
  gateway = await startGateway({ db: sometimesAway(lossy) }, 'jit');
  quiet = await startGateway(database, 'jit');
});
afterAll(async () => {
  wire.loseAnswers(null);
  await Promise.all([gateway.close(), quiet.close()]);
  await lossy.close();
  await wire.close();
});

/** Runs clients while one answer of the database in twelve is lost with its connection, and one in three until that was the answer to a write. */
async function throughLosses(clients: () => readonly Promise<unknown>[]): Promise<void> {
  isQuiet = false;
  const isMet = () => [...met.keys()].some((what) => what.startsWith('OUTCOME_UNKNOWN'));
  wire.loseAnswers(() => roll(isMet() ? 12 : 3) === 0);
  await Promise.all(clients());
  isQuiet = true;
  wire.loseAnswers(null);
}

type Advice = 'DONE' | Retry;
interface Refused {
  readonly code: string;
  readonly retry: Retry;
}

/** One attempt of a mutation: what to do next. An answer that does not arrive is an unknown outcome. */
async function attempt(field: string, input: object): Promise<Advice> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const { data, errors } = await gateway.ask<{ payload: { userErrors: readonly Refused[] } | null }>(
    `mutation ($input: ${type}) { payload: ${field}(input: $input) { replayed userErrors { code retry } } }`,
    { input },
  );
  // The first time always, because dice may never do it.
  if (!met.has('no answer') || roll(8) === 0) {
    meet('no answer');
    return 'idempotencyKey' in input ? 'LATER' : 'AFTER_READ';
  }
  const refusals: readonly Refused[] = errors?.map(({ extensions }) => extensions as unknown as Refused) ?? data?.payload?.userErrors ?? [];
  for (const { code, retry } of refusals) meet(`${code} ${retry}`);
  const advices = refusals.map(({ retry }) => retry);
  return (['NEVER', 'AFTER_READ', 'LATER'] as const).find((one) => advices.includes(one)) ?? 'DONE';
}

/** Reads until there is an answer. */
async function read<Data>(query: string, variables: Readonly<Record<string, unknown>>): Promise<Data> {
  for (;;) {
    const { data, errors } = await gateway.ask<Data>(query, variables);
    if (data && !errors) return data;
    await setTimeout(5 + roll(10));
  }
}

const mostAttempts = 200;

/** Follows `retry`: sends the same call again, or, after a read, the call that `decide` returns. `decide` returns null when the wish is fulfilled. */
async function obey(field: string, decide: () => Promise<object | null>): Promise<'DONE' | 'NEVER'> {
  let input = await decide();
  for (let tries = 0; input !== null && tries < mostAttempts; tries++) {
    const advice = await attempt(field, input);
    if (advice === 'DONE' || advice === 'NEVER') return advice;
    await setTimeout(1 + roll(20));
    if (advice === 'AFTER_READ') input = await decide();
  }
  if (input !== null) throw new Error(`${field} was still sent after ${mostAttempts} tries`);
  return 'DONE';
}

/** A gate that opens once this many clients stand before it: what each of them read is then older than what any of them writes. */
function gateOf(clients: number): () => Promise<void> {
  let come = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    come += 1;
    if (come === clients) open();
    return opened;
  };
}

const holds = async (consumer: string) => {
  const { consumer: found } = await read<{
    consumer: { generation: number; allocations: { amount: number; resourceProvider: { name: string } }[] } | null;
  }>('query ($uuid: UUID!) { consumer(uuid: $uuid) { generation allocations { amount resourceProvider { name } } } }', {
    uuid: uuidOf(consumer),
  });
  return found;
};

describe.each([
  ['with a key for each wish', true],
  ['without keys', false],
])('%s', (way, isKeyed) => {
  const serverOf = (wish: string, incarnation: number) => `${way}: ${wish}, server ${incarnation}`;
  const keyed = (input: object, key: string) => (isKeyed ? { ...input, idempotencyKey: `${way}: ${key}` } : input);
  const trait = isKeyed ? 'CUSTOM_KEYED' : 'CUSTOM_BARE';
  const hosts = Array.from({ length: 4 }, (_, index) => `${trait} host ${index}`);
  const wishes = Array.from({ length: 16 }, (_, index) => `wish ${index}`);

  beforeAll(async () => {
    const seed = createSeed(database.db);
    // Room for all of them, once rivals have left.
    for (const name of hosts) await seed.provider(name, { inventories: { VCPU: 8 }, traits: [trait] });
  });

  /** Requests one server of two VCPU; if that is refused for good, requests another in its place, as a user would. */
  async function place(wish: string): Promise<void> {
    for (let incarnation = 0; incarnation < 3; incarnation++) {
      const server = serverOf(wish, incarnation);
      const input = keyed(
        {
          consumers: [{ consumer: uuidOf(server), expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE' }],
          request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], traits: [{ allOf: [trait] }] }] },
        },
        server,
      );
      if ((await obey('claim', async () => ((await holds(server)) ? null : input))) === 'DONE') return;
    }
  }

  const rival = (host: string) => uuidOf(`rival on ${host}`);

  /** Takes capacity from all others until it is released. */
  const occupy = () => {
    const consumers = hosts.map((host) => ({
      ...{ consumer: rival(host), expect: isNew, project: 'p1', user: 'u1' },
      hold: hold(host, 'VCPU', 5),
    }));
    return createWriter(quiet, database).write('replaceAllocations', { consumers });
  };
  /** Releases it after this many refusals. */
  const leave = async (host: string, turnedAway: number) => {
    while ((met.get('NO_CANDIDATES LATER') ?? 0) < turnedAway) await setTimeout(5);
    await createWriter(quiet, database).write('releaseAllocations', { consumers: [{ consumer: rival(host), expect: unchecked }] });
  };

  test('no server is placed twice and none is lost, although two clients request each of them', async () => {
    met.clear();
    await occupy();
    await throughLosses(() => [
      ...wishes.flatMap((wish) => [place(wish), place(wish)]),
      ...hosts.map((host, index) => leave(host, 4 * (index + 1))),
    ]);
    const placed = await database.db.sql<{ uuid: string; amount: number; generation: number }[]>`
      select c.uuid, sum(a.used)::int as amount, c.generation::int as generation from consumers c join allocations a on a.consumer_id = c.id
      join resource_providers p on p.id = a.resource_provider_id where starts_with(p.name, ${trait}) group by c.id`;
    expect(placed.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))).toEqual(
      wishes.map((wish) => ({ uuid: uuidOf(serverOf(wish, 0)), amount: 2, generation: 1 })).toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    );
    expect([...met.keys()]).toEqual(
      expect.arrayContaining([
        'no answer',
        'UNAVAILABLE LATER',
        'NO_CANDIDATES LATER',
        `OUTCOME_UNKNOWN ${isKeyed ? 'LATER' : 'AFTER_READ'}`,
      ]),
    );
    await expectSoundLedger(database.db);
  });

  test('each server grows to the desired amount, although two clients request it', async () => {
    met.clear();
    const [host = ''] = hosts;
    await createSeed(database.db).inventories(host, { VCPU: 64 });
    /** An absolute wish can be recognized as fulfilled, whichever client did it. */
    const grow = async (wish: string, bothHaveRead: () => Promise<void>) => {
      const server = serverOf(wish, 0);
      let decisions = 0;
      return obey('replaceAllocations', async () => {
        const found = await holds(server);
        await bothHaveRead();
        if (found?.allocations[0]?.amount === 3) return null;
        const consumer = { consumer: uuidOf(server), expect: { generation: found?.generation }, hold: hold(host, 'VCPU', 3) };
        return keyed({ consumers: [consumer] }, `${server} grows ${roll(1e9)} ${decisions++}`);
      });
    };
    await throughLosses(() =>
      wishes.flatMap((wish) => {
        const bothHaveRead = gateOf(2);
        return [grow(wish, bothHaveRead), grow(wish, bothHaveRead)];
      }),
    );
    expect((await heldOf(database.db, 'VCPU'))[host]).toBe(3 * wishes.length);
    expect([...met.keys()]).toContain('CONSUMER_CONFLICT AFTER_READ');
    const generations = await Promise.all(wishes.map(async (wish) => (await holds(serverOf(wish, 0)))?.generation));
    expect(generations).toEqual(wishes.map(() => 2));
  });
});

test('with keys, each client adds to a number exactly once', async () => {
  met.clear();
  await createSeed(database.db).provider('counter', { inventories: { DISK_GB: 100 } });
  const clients = Array.from({ length: 16 }, (_, index) => index);
  const allHaveRead = gateOf(clients.length);
  const add = (client: number) => {
    let decisions = 0;
    // The key identifies a decision: after a read a new one is made, and the previous one is known to have been refused.
    return obey('setInventory', async () => {
      const { resourceProvider } = await read<{ resourceProvider: { generation: number; inventory: { total: number } } }>(
        'query ($uuid: UUID!) { resourceProvider(uuid: $uuid) { generation inventory(resourceClass: "DISK_GB") { total } } }',
        { uuid: uuidOf('counter') },
      );
      await allHaveRead();
      const { generation, inventory } = resourceProvider;
      return {
        resourceProvider: uuidOf('counter'),
        expect: { generation },
        inventory: { resourceClass: 'DISK_GB', total: inventory.total + 1 },
        idempotencyKey: `client ${client}, decision ${decisions++}`,
      };
    });
  };
  await throughLosses(() => clients.map(add));
  const [row] = await database.db.sql<{ total: number }[]>`
    select i.total from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = 'counter'`;
  expect(row?.total).toBe(116);
  expect([...met.keys()]).toEqual(expect.arrayContaining(['no answer', 'PROVIDER_CONFLICT AFTER_READ', 'OUTCOME_UNKNOWN LATER']));
});
