// Inventories that shrink below what reservations keep of them: every write that can do so is done, and names the reservations that no longer have their room.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createWriter, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let seed: ReturnType<typeof createSeed>;

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const fields = 'warnings { code message subject reservationUuids inventory { capacity used promised } }';
const vcpu = (total: number) => ({ resourceClass: 'VCPU', total });

/** A host of 16 VCPU: 4 are in use for ever, 10 are reserved from now on, of which 3 are claimed, and 8 some hours later. */
async function host(name: string): Promise<void> {
  await seed.provider(name, { inventories: { VCPU: 16, MEMORY_MB: 1024 } });
  await seed.claim(`${name} lasts`, { [name]: { VCPU: 4 } });
  await seed.reservation(`${name} now`, { [name]: { VCPU: 10, MEMORY_MB: 64 } }, { endsAt: inHours(1) });
  await seed.reservation(`${name} later`, { [name]: { VCPU: 8 } }, { startsAt: inHours(2), endsAt: inHours(3) });
  await seed.claim(`${name} claims`, { [name]: { VCPU: 3 } }, { reservation: `${name} now` });
}

const reservations = (name: string, ...which: string[]) => which.map((one) => uuidOf(`${name} ${one}`));
const kept = (name: string, used: number, capacity: number, ...which: string[]) => ({
  ...{ subject: `${uuidOf(name)}/VCPU`, reservationUuids: reservations(name, ...which), inventory: { capacity, used, promised: 7 } },
});

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
  seed = createSeed(database.db);
});
afterAll(async () => {
  await expectSoundLedger(database.db);
  await gateway.close();
});

describe('an inventory that shrinks', () => {
  const set = (name: string, total: number) =>
    write('setInventory', { resourceProvider: uuidOf(name), expect: unchecked, inventory: vcpu(total) }, fields);

  test('is written, and the warning names the reservations that lack room, in the order of their beginning', async () => {
    await host('h');
    expect(await set('h', 14)).toEqual({ warnings: [], userErrors: [] });
    expect(await set('h', 13)).toEqual({
      warnings: [
        {
          ...{ code: 'SHRUNK_BELOW_PROMISED', ...kept('h', 7, 13, 'now') },
          message: `Inventory of VCPU on provider ${uuidOf('h')} has a capacity of 13, but 14 are in use or reserved at once.`,
        },
      ],
      userErrors: [],
    });
    expect(await set('h', 11)).toMatchObject({ warnings: [{ code: 'SHRUNK_BELOW_PROMISED', ...kept('h', 7, 11, 'now', 'later') }] });
    expect(await set('h', 5)).toMatchObject({
      warnings: [
        {
          ...{ code: 'SHRUNK_BELOW_USE', ...kept('h', 7, 5, 'now', 'later') },
          message: expect.stringContaining('a capacity of 5, but 7 are in use, and 14 are in use or reserved at once.'),
        },
      ],
    });
  });

  test('below its use, of which all is claimed from the reservation, has the warning of always', async () => {
    await seed.provider('full', { inventories: { VCPU: 4 } });
    await seed.reservation('all', { full: { VCPU: 4 } });
    await seed.claim('whole', { full: { VCPU: 4 } }, { reservation: 'all' });
    expect(await set('full', 3)).toMatchObject({ warnings: [{ code: 'SHRUNK_BELOW_USE', reservationUuids: [] }] });
  });
});

const memory = { resourceClass: 'MEMORY_MB', total: 64 };

describe.each([
  ['replaceInventories', (name: string) => ({ resourceProvider: uuidOf(name), expect: unchecked, inventories: [vcpu(13), memory] })],
  [
    'reshape',
    (name: string) => ({ resourceProviders: [{ resourceProvider: uuidOf(name), expect: unchecked, inventories: [vcpu(13), memory] }] }),
  ],
  [
    'patchInventories',
    (name: string) => ({
      ...{ select: { one: { resourceProvider: uuidOf(name), expect: unchecked } }, resourceClass: 'VCPU', patch: { reserved: 3 } },
      dryRun: false,
    }),
  ],
  [
    'applyProviderTree',
    (name: string) => ({
      root: uuidOf(name),
      resourceProviders: [{ name, expect: unchecked, inventories: [{ ...vcpu(26), allocationRatio: 0.5 }, memory] }],
      dryRun: false,
    }),
  ],
])('%s', (mutation, input) => {
  test('warns of what is promised, also before it writes', async () => {
    await host(mutation);
    const wanted = input(mutation);
    const warning = { code: 'SHRUNK_BELOW_PROMISED', ...kept(mutation, 7, 13, 'now') };
    if ('dryRun' in wanted) {
      const before = { ...warning, inventory: { ...warning.inventory, capacity: 16 } };
      expect(await write(mutation, { ...wanted, dryRun: true }, fields)).toEqual({
        warnings: [{ ...before, message: expect.stringContaining('a capacity of 13') }],
        userErrors: [],
      });
    }
    expect(await write(mutation, wanted, fields)).toMatchObject({ warnings: [warning], userErrors: [] });
  });
});

test('reportComputeNode warns of what is promised', async () => {
  const ofNode = { uuid: uuidOf('node'), serviceHost: 'node', hypervisorHostname: 'node', hypervisorType: 'QEMU' };
  const report = (vcpus: number) => ({ computeNodeRecord: { fields: { ...ofNode, vcpus, memoryMb: 1024, localGb: 10 } } });
  await write('reportComputeNode', report(16));
  await seed.reservation('of node', { node: { VCPU: 14 } });
  expect(await write('reportComputeNode', report(2), fields)).toMatchObject({
    warnings: [{ code: 'SHRUNK_BELOW_PROMISED', reservationUuids: [uuidOf('of node')], inventory: { used: 0 } }],
    userErrors: [],
  });
});

test('a client of REST shrinks an inventory as before', async () => {
  await host('rest');
  const url = `${gateway.url}/resource_providers/${uuidOf('rest')}/inventories/VCPU`;
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  const before = (await (await fetch(url, { headers })).json()) as { resource_provider_generation: number };
  const { resource_provider_generation } = before;
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ resource_provider_generation, total: 8 }) });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ total: 8, resource_provider_generation: resource_provider_generation + 1 }),
  ]);
});
