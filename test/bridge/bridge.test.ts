// A gateway in front of another Placement, which is a gateway of ours: follows it, leads it, and goes back, while clients write over REST.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bridge } from '../../src/bridge/bridge.ts';
import { listOwnUuids, readOwnConsumers, readOwnProviders } from '../../src/bridge/ledger.ts';
import { openPlacement, type PlacementClient } from '../../src/bridge/placement/client.ts';
import { switchBridge } from '../../src/bridge/switching.ts';
import { countDifferences, countNotes, insertBridge, noteDue, selectBridge } from '../../src/db/bridge.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let here: TestDatabase;
let there: TestDatabase;
let other: Gateway;
let gateways: readonly Gateway[];
let bridges: readonly Bridge[];
const bugs: string[] = [];
/** What the bridge has read in the other Placement. */
const asked: string[] = [];
const warnings: string[] = [];

const log = { info: () => {}, warn: (_details: object, line: string) => void warnings.push(line) };

async function standInFront(): Promise<void> {
  const url = `${other.url}/placement`;
  await insertBridge(here.db, url);
  const state = await selectBridge(here.db);
  if (state === null) throw new Error('there is no bridge');
  const open = async (): Promise<PlacementClient> => {
    const client = await openPlacement({ url, token: async () => 'admin', concurrency: 4, outlivesFailures: true });
    return {
      ...client,
      get(path, ...rest) {
        asked.push(path);
        return client.get(path, ...rest);
      },
    };
  };
  bridges = [1, 2].map(() => new Bridge({ db: here.db, log, open }, state));
  for (const bridge of bridges) bridge.start();
  gateways = await Promise.all(bridges.map((bridge) => startGateway(here, 'jit', (line) => bugs.push(line), { bridge })));
}

beforeEach(async () => {
  [here, there] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  other = await startGateway(there, 'jit', (line) => bugs.push(line));
  [bugs.length, warnings.length, asked.length] = [0, 0, 0];
});

afterEach(async () => {
  await Promise.all(bridges.map((bridge) => bridge.close()));
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await other.close();
  await Promise.all([here.drop(), there.drop()]);
  expect(bugs).toEqual([]);
});

const json = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };

async function rest(gateway: Gateway, method: string, path: string, body?: object, version = '1.39') {
  const headers = { ...json, 'openstack-api-version': `placement ${version}` };
  const answer = await fetch(`${gateway.url}/placement${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await holds()) return;
    await sleep(25);
  }
  throw new Error(`${what}: not reached. ${warnings.join('; ')}`);
}

const isQuiet = async () => (await countNotes(here.db)).count === 0 && (await selectBridge(here.db))?.comparedAt !== null;

/** Providers and consumers of a ledger; without generations if they are counted by each side. */
async function contentsOf({ db }: TestDatabase, { generations = true } = {}) {
  const uuids = await listOwnUuids(db);
  const [providers, consumers] = [await readOwnProviders(db, uuids.providers), await readOwnConsumers(db, uuids.consumers)];
  const plain = (states: ReadonlyMap<string, object>) =>
    Object.fromEntries(
      [...states].map(([uuid, state]) => [
        uuid,
        { ...state, id: 0, createdAt: null, updatedAt: null, ...(!generations && { generation: 0 }) },
      ]),
    );
  return { providers: plain(providers), consumers: plain(consumers) };
}

const claimOf = (host: string, amount = 1) => ({
  allocations: { [uuidOf(host)]: { resources: { VCPU: amount } } },
  consumer_generation: null,
  project_id: 'p1',
  user_id: 'u1',
  consumer_type: 'INSTANCE',
});

const lead = () => switchBridge(here.db, 'lead');
const follow = () => switchBridge(here.db, 'follow');

test('what was there before, and every write that is passed on, is here soon, with its generations', async () => {
  const seed = createSeed(there.db);
  await seed.provider('host', { inventories: { VCPU: 8 }, traits: ['CUSTOM_T'] });
  await seed.provider('child', { parent: 'host', inventories: { CUSTOM_GPU: 2 } });
  await standInFront();
  const [first, second] = gateways as [Gateway, Gateway];
  await until('both are equal', isQuiet);
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host', 2))).status).toBe(204);
  expect((await rest(second, 'POST', '/resource_providers', { name: 'named only' })).status).toBe(200);
  expect((await rest(second, 'PUT', '/traits/CUSTOM_NEW')).status).toBe(201);
  const { body } = await rest(first, 'GET', `/allocations/${uuidOf('c1')}`);
  expect(body.allocations[uuidOf('host')].resources).toEqual({ VCPU: 2 });
  await until('everything is read back', async () => (await countNotes(here.db)).count === 0);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect((await rest(first, 'DELETE', `/allocations/${uuidOf('c1')}`)).status).toBe(204);
  await until('everything is read back', async () => (await countNotes(here.db)).count === 0);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect(await countDifferences(here.db)).toBe(0);
});

test('claims and releases of one consumer are taken over as they say, and nothing of them is read in the other Placement', async () => {
  const seed = createSeed(there.db);
  await seed.provider('h0', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first, second] = gateways as [Gateway, Gateway];
  await until('both are equal', isQuiet);
  asked.length = 0;
  const path = `/allocations/${uuidOf('c1')}`;
  const { consumer_type: _, ...untyped } = claimOf('h0', 2);
  const steps = [
    () => rest(first, 'PUT', path, claimOf('h0')),
    () => rest(second, 'PUT', path, { ...untyped, consumer_generation: 1, project_id: 'p2' }, '1.36'),
    () => rest(second, 'PUT', `/allocations/${uuidOf('c2')}`, { ...untyped, consumer_generation: null }, '1.28'),
    () => rest(first, 'DELETE', `/allocations/${uuidOf('c2')}`),
  ];
  for (const step of steps) {
    expect((await step()).status).toBe(204);
    await until('it is taken over', async () => (await countNotes(here.db)).count === 0);
    expect(await contentsOf(here)).toEqual(await contentsOf(there));
  }
  expect(asked.filter((one) => one.startsWith('/allocations/') || one === `/resource_providers/${uuidOf('h0')}`)).toEqual([]);
});

test('a claim that is emptied raises the generation of the host that it leaves, here as there', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await until('both are equal', isQuiet);
  for (const body of [claimOf('host'), { ...claimOf('host'), allocations: {}, consumer_generation: 1 }]) {
    expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, body)).status).toBe(204);
    await until('it is taken over', async () => (await countNotes(here.db)).count === 0);
    expect(await contentsOf(here)).toEqual(await contentsOf(there));
  }
});

test('writes of many clients to the same consumers and providers at once leave both sides equal, with all generations', {
  timeout: 120_000,
}, async () => {
  const roll = freshDice('writes at once');
  const hosts = ['h0', 'h1', 'h2'];
  const seed = createSeed(there.db);
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 10_000 } });
  await standInFront();
  await until('both are equal', isQuiet);
  const anyOf = <One>(list: readonly One[]) => list[roll(list.length)] as One;
  const statuses = new Set<number>();
  const client = async () => {
    for (let count = 0; count < 40; count++) {
      // A consumer stays on its host: of a host that it leaves, this engine raises the generation and the other one would not.
      const [gateway, consumer] = [anyOf(gateways), roll(6)];
      const [host, path] = [`h${consumer % 3}`, `/allocations/${uuidOf(`c${consumer}`)}`];
      const provider = `/resource_providers/${uuidOf(host)}`;
      const write = async () => {
        const kind = roll(8);
        if (kind === 0) return rest(gateway, 'DELETE', path);
        if (kind === 1) {
          const { body } = await rest(gateway, 'GET', provider);
          return rest(gateway, 'PUT', `${provider}/traits`, { resource_provider_generation: body.generation, traits: [] });
        }
        const { body } = await rest(gateway, 'GET', path);
        const claim = { ...claimOf(host, 1 + roll(3)), consumer_generation: body.consumer_generation ?? null };
        return kind === 2 ? rest(gateway, 'POST', '/allocations', { [uuidOf(`c${consumer}`)]: claim }) : rest(gateway, 'PUT', path, claim);
      };
      statuses.add((await write()).status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  // What a comparison would mend must not differ.
  await until('everything is taken over', async () => (await countNotes(here.db)).count === 0);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect([...statuses].filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
});

test('what is gone before it is read back leaves the generations of its providers, and no difference', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await until('both are equal', isQuiet);
  for (const consumer of ['c1', 'c2']) {
    expect((await rest(first, 'PUT', `/allocations/${uuidOf(consumer)}`, claimOf('host'))).status).toBe(204);
    expect((await rest(first, 'DELETE', `/allocations/${uuidOf(consumer)}`)).status).toBe(204);
  }
  expect((await rest(first, 'PUT', '/traits/CUSTOM_BRIEF')).status).toBe(201);
  expect((await rest(first, 'DELETE', '/traits/CUSTOM_BRIEF')).status).toBe(204);
  await until('everything is read back', isQuiet);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect(await countDifferences(here.db)).toBe(0);
});

test('notes of a gateway that lives are read back although it does not know them, because the database went away', async () => {
  await standInFront();
  await until('both are equal', isQuiet);
  await here.own.unsafe(`
    insert into bridge_notes (noun, key, gateway, noted_at)
    select 'consumer', '${uuidOf('c1')}', gateway, now() - interval '6 seconds' from bridge_gateways`);
  await until('everything is read back', isQuiet);
});

test('a write whose notes others have taken over, because its gateway stood still, is read back when it has its answer', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await until('both are equal', isQuiet);
  await there.own.begin(async (held) => {
    await held`lock table allocations in share mode`;
    const writing = rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'));
    await until('it is noted', async () => (await countNotes(here.db)).count > 0);
    await here.own`delete from bridge_notes`;
    await held`rollback and chain`;
    expect((await writing).status).toBe(204);
  });
  await until('it is read back', async () => Object.keys((await contentsOf(here)).consumers).length === 1);
  // The comparison would have told.
  expect(warnings).toEqual([]);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
});

test('a class that is renamed there, which raises no generation, is renamed here for all that have it', async () => {
  const seed = createSeed(there.db);
  await seed.provider('host', { inventories: { CUSTOM_OLD: 8, VCPU: 1 } });
  await seed.claim('c1', { host: { CUSTOM_OLD: 2 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await until('both are equal', isQuiet);
  const renamed = await fetch(`${first.url}/placement/resource_classes/CUSTOM_OLD`, {
    method: 'PUT',
    headers: { ...json, 'openstack-api-version': 'placement 1.2' },
    body: JSON.stringify({ name: 'CUSTOM_YOUNG' }),
  });
  expect(renamed.status).toBe(200);
  await until('everything is read back', async () => (await isQuiet()) && (await countDifferences(here.db)) === 0);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
});

test('what the other side has lost while this ledger leads is made there again before it leads', async () => {
  const seed = createSeed(there.db);
  await seed.provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await lead();
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'))).status).toBe(204);
  await until('it was carried over', async () => (await contentsOf(there)).consumers[uuidOf('c1')] !== undefined);
  expect((await rest(other, 'DELETE', `/allocations/${uuidOf('c1')}`)).status).toBe(204);
  expect((await rest(other, 'DELETE', `/resource_providers/${uuidOf('host')}`)).status).toBe(204);
  expect(await switchBridge(here.db, 'follow')).toBeGreaterThan(0);
  expect(Object.keys((await contentsOf(there)).consumers)).toEqual([uuidOf('c1')]);
  await until('both are equal', isQuiet);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
});

test('going back at once compares nothing first, and leaves behind what the other side refuses', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await lead();
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'))).status).toBe(204);
  await here.own`update inventories set max_unit = 0`;
  await noteDue(here.db, [{ noun: 'provider', key: uuidOf('host') }]);
  await until('the other side has refused', async () => (await countDifferences(here.db)) === 1);
  await expect(switchBridge(here.db, 'follow', { patience: 1 })).rejects.toThrow('1 object differs');
  expect(await switchBridge(here.db, 'follow', { isForced: true })).toBeGreaterThan(0);
  await until('both are equal', isQuiet);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect(Object.keys((await contentsOf(here)).consumers)).toEqual([uuidOf('c1')]);
  expect(await countDifferences(here.db)).toBe(0);
});

test('many consumers of a provider that is not here yet wait for it, and not for each other', async () => {
  await standInFront();
  await until('both are equal', isQuiet);
  const seed = createSeed(there.db);
  await seed.provider('late', { inventories: { VCPU: 200 } });
  const consumers = Array.from({ length: 150 }, (_, place) => `c${place}`);
  for (const consumer of consumers) await seed.claim(consumer, { late: { VCPU: 1 } });
  await noteDue(
    here.db,
    consumers.map((consumer) => ({ noun: 'consumer', key: uuidOf(consumer) })),
  );
  await until('everything is read back', isQuiet);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
  expect(await countDifferences(here.db)).toBe(0);
});

test('a path that must be encoded is passed on encoded, and a name that cannot be stored here as it is', async () => {
  await standInFront();
  const [first] = gateways as [Gateway];
  for (const [method, path, body] of [
    ...['/traits/CUSTOM_%20A', '/traits/CUSTOM_%E4%BD%A0'].map((path) => ['GET', path] as const),
    ...['a\0b', '\ud800'].map((name) => ['POST', '/resource_providers', { name }] as const),
  ]) {
    const [passed, own] = [await rest(first, method, path, body), await rest(other, method, path, body)];
    expect([passed.status, passed.body.errors[0].detail], path).toEqual([own.status, own.body.errors[0].detail]);
  }
});

test('a write that is refused there leaves nothing to read back', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  const [first] = gateways as [Gateway];
  await until('both are equal', isQuiet);
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host', 9))).status).toBe(409);
  await until('everything is read back', isQuiet);
  expect(await contentsOf(here)).toEqual(await contentsOf(there));
});

test('GraphQL answers from this ledger and refuses writes with FOLLOWING', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 8 } });
  await standInFront();
  await until('both are equal', isQuiet);
  const [first] = gateways as [Gateway];
  expect(await first.data('{ resourceProviders { nodes { name } } }')).toEqual({ resourceProviders: { nodes: [{ name: 'host' }] } });
  for (const write of [
    'createTrait(input: { name: "CUSTOM_X" }) { trait { name } }',
    'replaceNovaSettings(input: { expect: { unchecked: true }, settings: {} }) { replayed }',
  ]) {
    const { errors } = await first.ask(`mutation { ${write} }`);
    expect(errors?.[0]?.extensions.code).toBe('FOLLOWING');
  }
});

test('errors and headers of the other side come back as they are', async () => {
  await standInFront();
  const [first] = gateways as [Gateway];
  const [passed, own] = [
    await rest(first, 'GET', `/resource_providers/${uuidOf('none')}`),
    await rest(other, 'GET', `/resource_providers/${uuidOf('none')}`),
  ];
  expect(passed.status).toBe(404);
  expect(passed.body.errors[0].detail).toEqual(own.body.errors[0].detail);
  for (const name of ['openstack-api-version', 'content-type', 'x-content-type-options'])
    expect(passed.headers.get(name), name).toBe(own.headers.get(name));
});

test('follow, lead, follow, lead: no request fails, and both sides are equal after each step', { timeout: 120_000 }, async () => {
  const seed = createSeed(there.db);
  for (const host of ['h0', 'h1', 'h2']) await seed.provider(host, { inventories: { VCPU: 10_000 } });
  await standInFront();
  await until('both are equal', isQuiet);
  const statuses = new Map<number, number>();
  let isOver = false;
  let count = 0;
  const held = new Set<string>();
  const client = async (gateway: Gateway) => {
    while (!isOver) {
      const name = `c${count++}`;
      const { status } = await rest(gateway, 'PUT', `/allocations/${uuidOf(name)}`, claimOf(`h${count % 3}`));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 204) held.add(uuidOf(name));
      // What was acknowledged is seen at once.
      const read = await rest(gateway, 'GET', `/allocations/${uuidOf(name)}`);
      if (Object.keys(read.body.allocations).length !== 1) statuses.set(-1, (statuses.get(-1) ?? 0) + 1);
      if (count % 5 === 0) {
        const gone = await rest(gateway, 'DELETE', `/allocations/${uuidOf(name)}`);
        statuses.set(gone.status, (statuses.get(gone.status) ?? 0) + 1);
        held.delete(uuidOf(name));
      }
    }
  };
  const clients = gateways.flatMap((gateway) => [client(gateway), client(gateway)]);
  const pauseAndCompare = async (step: () => Promise<unknown>) => {
    await sleep(300);
    await step();
  };
  try {
    for (const step of [lead, follow, lead, follow]) await pauseAndCompare(step);
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  await until('everything is read back', isQuiet);
  expect([...statuses.keys()]).toEqual([204]);
  expect(await contentsOf(here, { generations: false })).toEqual(await contentsOf(there, { generations: false }));
  expect(new Set(Object.keys((await contentsOf(here)).consumers))).toEqual(held);
  expect(await countDifferences(here.db)).toBe(0);
});
