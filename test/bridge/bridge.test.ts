// A gateway in front of another Placement, which is a gateway of ours: what clients write and read through it while the one or the other leads.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Bridge } from '../../src/bridge/bridge.ts';
import { switchBridge } from '../../src/bridge/switching.ts';
import { countDifferences, countNotes, insertBridge, selectBridge } from '../../src/db/bridge.ts';
import { claimOf, contentsOf, json, rest, useBridgedGateways } from '../support/bridged-gateways.ts';
import type { Gateway } from '../support/gateway.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const bridged = useBridgedGateways();

test('what was there before, and every write that is passed on, is here soon, with its generations', async () => {
  const seed = createSeed(bridged.there.db);
  await seed.provider('host', { inventories: { VCPU: 8 }, traits: ['CUSTOM_T'] });
  await seed.provider('child', { parent: 'host', inventories: { CUSTOM_GPU: 2 } });
  await bridged.standInFront();
  const [first, second] = bridged.gateways as [Gateway, Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host', 2))).status).toBe(204);
  expect((await rest(second, 'POST', '/resource_providers', { name: 'named only' })).status).toBe(200);
  expect((await rest(second, 'PUT', '/traits/CUSTOM_NEW')).status).toBe(201);
  const { body } = await rest(first, 'GET', `/allocations/${uuidOf('c1')}`);
  expect(body.allocations[uuidOf('host')].resources).toEqual({ VCPU: 2 });
  await bridged.until('everything is read back', async () => (await countNotes(bridged.here.db)).count === 0);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect((await rest(first, 'DELETE', `/allocations/${uuidOf('c1')}`)).status).toBe(204);
  await bridged.until('everything is read back', async () => (await countNotes(bridged.here.db)).count === 0);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect(await countDifferences(bridged.here.db)).toBe(0);
});

test('claims and releases of one consumer are taken over as they say, and nothing of them is read in the other Placement', async () => {
  const seed = createSeed(bridged.there.db);
  await seed.provider('h0', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first, second] = bridged.gateways as [Gateway, Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  bridged.requests.length = 0;
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
    await bridged.until('it is taken over', async () => (await countNotes(bridged.here.db)).count === 0);
    expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  }
  expect(bridged.requests.filter((one) => one.startsWith('/allocations/') || one === `/resource_providers/${uuidOf('h0')}`)).toEqual([]);
});

test('a claim that is emptied raises the generation of the host that it leaves, here as there', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  for (const body of [claimOf('host'), { ...claimOf('host'), allocations: {}, consumer_generation: 1 }]) {
    expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, body)).status).toBe(204);
    await bridged.until('it is taken over', async () => (await countNotes(bridged.here.db)).count === 0);
    expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  }
});

test('what is gone before it is read back leaves the generations of its providers, and no difference', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  for (const consumer of ['c1', 'c2']) {
    expect((await rest(first, 'PUT', `/allocations/${uuidOf(consumer)}`, claimOf('host'))).status).toBe(204);
    expect((await rest(first, 'DELETE', `/allocations/${uuidOf(consumer)}`)).status).toBe(204);
  }
  expect((await rest(first, 'PUT', '/traits/CUSTOM_BRIEF')).status).toBe(201);
  expect((await rest(first, 'DELETE', '/traits/CUSTOM_BRIEF')).status).toBe(204);
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect(await countDifferences(bridged.here.db)).toBe(0);
});

test('a class that is renamed there, which raises no generation, is renamed here for all that have it', async () => {
  const seed = createSeed(bridged.there.db);
  await seed.provider('host', { inventories: { CUSTOM_OLD: 8, VCPU: 1 } });
  await seed.claim('c1', { host: { CUSTOM_OLD: 2 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  const renamed = await fetch(`${first.url}/placement/resource_classes/CUSTOM_OLD`, {
    method: 'PUT',
    headers: { ...json, 'openstack-api-version': 'placement 1.2' },
    body: JSON.stringify({ name: 'CUSTOM_YOUNG' }),
  });
  expect(renamed.status).toBe(200);
  await bridged.until('everything is read back', async () => (await bridged.isQuiet()) && (await countDifferences(bridged.here.db)) === 0);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
});

test('what the other side has lost while this ledger leads is made there again before it leads', async () => {
  const seed = createSeed(bridged.there.db);
  await seed.provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await switchBridge(bridged.here.db, 'lead');
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'))).status).toBe(204);
  await bridged.until('it was carried over', async () => (await contentsOf(bridged.there)).consumers[uuidOf('c1')] !== undefined);
  expect((await rest(bridged.other, 'DELETE', `/allocations/${uuidOf('c1')}`)).status).toBe(204);
  expect((await rest(bridged.other, 'DELETE', `/resource_providers/${uuidOf('host')}`)).status).toBe(204);
  expect(await switchBridge(bridged.here.db, 'follow')).toBeGreaterThan(0);
  expect(Object.keys((await contentsOf(bridged.there)).consumers)).toEqual([uuidOf('c1')]);
  await bridged.until('both are equal', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
});

test('a path that must be encoded is passed on encoded, and a name that cannot be stored here as it is', async () => {
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  for (const [method, path, body] of [
    ...['/traits/CUSTOM_%20A', '/traits/CUSTOM_%E4%BD%A0'].map((path) => ['GET', path] as const),
    ...['a\0b', '\ud800'].map((name) => ['POST', '/resource_providers', { name }] as const),
  ]) {
    const [passed, own] = [await rest(first, method, path, body), await rest(bridged.other, method, path, body)];
    expect([passed.status, passed.body.errors[0].detail], path).toEqual([own.status, own.body.errors[0].detail]);
  }
});

test('a write that is refused there leaves nothing to read back', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host', 9))).status).toBe(409);
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
});

test('GraphQL answers from this ledger and refuses writes with FOLLOWING', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  await bridged.until('both are equal', bridged.isQuiet);
  const [first] = bridged.gateways as [Gateway];
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
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  const [passed, own] = [
    await rest(first, 'GET', `/resource_providers/${uuidOf('none')}`),
    await rest(bridged.other, 'GET', `/resource_providers/${uuidOf('none')}`),
  ];
  expect(passed.status).toBe(404);
  expect(passed.body.errors[0].detail).toEqual(own.body.errors[0].detail);
  for (const name of ['openstack-api-version', 'content-type', 'x-content-type-options'])
    expect(passed.headers.get(name), name).toBe(own.headers.get(name));
});

test('a process that ends while it looks at the mode looks no more, and does not count as one that serves', async () => {
  const { db, own, statements } = bridged.here;
  await insertBridge(db, 'http://localhost');
  const state = await selectBridge(db);
  if (state === null) throw new Error('there is no bridge');
  const bridge = new Bridge({ db, log: { info: () => {}, warn: () => {} }, open: null }, state);
  const holder = await own.reserve();
  await holder`begin`;
  await holder`lock table bridge in access exclusive mode`;
  bridge.start();
  await expect
    .poll(() =>
      own`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.then(({ count }) => count),
    )
    .toBe(1);
  const closed = bridge.close();
  await holder`commit`;
  holder.release();
  await closed;
  statements.length = 0;
  await sleep(500);
  expect(statements).toEqual([]);
  expect(await own`select from bridge_gateways`).toHaveLength(0);
});
