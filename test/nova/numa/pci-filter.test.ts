// selectDestinations excludes hosts whose free PCI devices cannot serve requests that are not in Placement, as Nova's PciPassthroughFilter does: aliases of
// flavors if cards are not providers, and devices of networks. As a client sends it, on a real database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSearch } from '../../../src/nova/instances/destination-search.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { scopeOf } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

const functionOf = (card: string, place: number, rest: object = {}) => ({
  ...{ address: `${card}.${place}`, parentAddress: `${card}.0`, vendorId: '8086', productId: '10ED', devType: 'type-VF', ...rest },
});
const cardAt = (card: string, rest: object = {}) => ({
  address: `${card}.0`,
  vendorId: '8086',
  productId: '10fb',
  devType: 'type-PF',
  ...rest,
});
const whole = { address: '0000:90:00.0', vendorId: '10de', productId: '1eb8', devType: 'type-PCI' };
const physnet = { key: 'physical_network', value: 'net1' };

/** By host, from the one with most room: its devices, and their common tags. */
const hosts: Readonly<Record<string, { readonly devices: readonly object[]; readonly tags?: readonly object[] }>> = {
  bare: { devices: [] },
  held: {
    devices: [
      { ...whole, status: 'allocated', instance: uuidOf('other') },
      cardAt('0000:81:00', { status: 'allocated' }),
      functionOf('0000:81:00', 1),
    ],
  },
  functions: { devices: [cardAt('0000:81:00'), functionOf('0000:81:00', 1), functionOf('0000:81:00', 2)] },
  gpu: { devices: [whole] },
  net: { devices: [functionOf('0000:81:00', 1)], tags: [physnet] },
  still: { devices: [{ ...whole, productId: '20b5' }] },
  live: { devices: [{ ...whole, productId: '20b5' }], tags: [{ key: 'live_migratable', value: 'yes' }] },
};
const order = { orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB', direction: 'DESC' }] };
const aliases = [
  { name: 'gpu', vendorId: '10de', productId: '1eb8', deviceType: 'type-PCI' },
  { name: 'vf', vendorId: '8086', productId: '10ed', deviceType: 'type-VF' },
  { name: 'live', vendorId: '10de', productId: '20b5', deviceType: 'type-PCI', liveMigratable: true },
  { name: 'still', vendorId: '10de', productId: '20b5', deviceType: 'type-PCI', liveMigratable: false },
  { name: 'pf', vendorId: '8086', productId: '10fb', deviceType: 'type-PF' },
];
const requestFor = (alias: string) => {
  const extraSpecs = [{ key: 'pci_passthrough:alias', value: alias }];
  return { flavorToRequest: { flavor: { fields: { vcpus: 1, memoryMb: 512, extraSpecs } }, pciPassthrough: { aliases } } };
};
const inputFor = (requestFrom: object) => ({
  ...{ instances: { instance: uuidOf('vm'), project: 'p1', user: 'u1' }, alternates: 0, requestFrom, ...order },
});

async function select(requestFrom: object) {
  const fields = 'destinations { selected { candidate { root { name } } } } warnings { subject }';
  const { userErrors, ...answer } = await write('selectDestinations', inputFor(requestFrom), fields);
  expect(userErrors).toEqual([]);
  await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
  const { destinations, warnings } = answer as unknown as {
    readonly destinations: readonly { readonly selected: { readonly candidate: { readonly root: { readonly name: string } } } }[];
    readonly warnings: readonly { readonly subject: string | null }[];
  };
  const ofDevices = warnings.filter(({ subject }) => subject === 'pci_passthrough:alias');
  return { host: destinations[0]?.selected.candidate.root.name, warnings: ofDevices };
}

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  for (const [place, [name, { devices, tags }]] of Object.entries(hosts).entries()) {
    const fields = { serviceHost: name, hypervisorHostname: name, uuid: uuidOf(name), vcpus: 8, memoryMb: 8192 - place * 512, localGb: 10 };
    const pciDevices = devices.map((device) => ({ device: { fields: device }, tags }));
    expect((await write('reportComputeNode', { computeNodeRecord: { fields }, pciDevices })).userErrors).toEqual([]);
  }
});
afterAll(() => gateway.close());

describe('the host of an instance that requests PCI devices', () => {
  test.each([
    ['has a whole device that is free', 'gpu:1', 'gpu'],
    ['has functions whose card is free, whatever the spelling of their product', 'vf:2', 'functions'],
    ['has a card without functions in use', 'pf:1', 'functions'],
    ['has a device that can migrate live', 'live:1', 'live'],
    ['has a device that cannot migrate live', 'still:1', 'still'],
  ])('%s', async (_, alias, host) => {
    expect(await select(requestFor(alias))).toEqual({ host, warnings: [] });
  });

  test.each([
    ['needs more devices than any host has', 'vf:3'],
    ['needs a card and its functions', 'pf:1,vf:1'],
  ])('does not exist if the request %s, and the refusal says so', async (_, alias) => {
    expect(await refusal('selectDestinations', inputFor(requestFor(alias)))).toMatchObject({
      code: 'NO_CANDIDATES',
      message: expect.stringContaining('able to serve the PCI devices'),
    });
  });

  test('has the network of a port in a RequestSpec', async () => {
    const request = wireOf('InstancePCIRequest', '1.4', {
      ...{ request_id: uuidOf('port'), count: 1, alias_name: null, is_new: false, spec: [{ physical_network: 'net1' }] },
    });
    const { 'nova_object.data': own } = smallRequestSpec;
    const whole = { ...(own as object), pci_requests: wireOf('InstancePCIRequests', '1.1', { requests: [request] }) };
    const spec = { requestSpecToRequest: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } };
    expect((await select(spec)).host).toBe('net');
  });
});

describe('several instances of one call', () => {
  const vms = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ instance: uuidOf(`vm${place}`), project: 'p1', user: 'u1' }));
  const inputOf = (count: number, alias: string, rest: object) => {
    return { instances: vms(count), alternates: 0, requestFrom: requestFor(alias), ...rest };
  };

  test.each([
    ['in an order', order],
    ['by weights', {}],
  ])('find only the devices that the previous ones leave, %s', async (_, choice) => {
    const fields = 'destinations { selected { candidate { root { name } } } }';
    const { userErrors, destinations } = await write('selectDestinations', inputOf(3, 'vf:1', choice), fields);
    expect(userErrors).toEqual([]);
    const chosen = destinations as readonly { readonly selected: { readonly candidate: { readonly root: { readonly name: string } } } }[];
    expect(chosen.map(({ selected }) => selected.candidate.root.name).toSorted()).toEqual(['functions', 'functions', 'net']);
    for (const { instance } of vms(3))
      await write('releaseAllocations', { consumers: [{ consumer: instance, expect: { unchecked: true } }] });
  });

  test.each([
    ['in an order', order],
    ['by weights', {}],
  ])('are refused together if there are devices for only some of them, %s', async (_, choice) => {
    expect(await refusal('selectDestinations', inputOf(2, 'gpu:1', choice))).toMatchObject({
      code: 'NO_CANDIDATES',
      message: expect.stringContaining('able to serve the PCI devices'),
    });
    const { destinations } = await write(
      'selectDestinations',
      { ...inputOf(2, 'gpu:1', choice), mode: 'BEST_EFFORT' },
      'destinations { instance { uuid } }',
    );
    expect(destinations).toEqual([{ instance: { uuid: uuidOf('vm0') } }]);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm0'), expect: { unchecked: true } }] });
  });
});

test('the devices of all hosts cost one statement, and only for requests with devices', async () => {
  const count = async (requestFrom: ReturnType<typeof requestFor>) => {
    const scope = scopeOf(database.db);
    database.statements.length = 0;
    await prepareSearch(scope, { ...inputFor(requestFrom), instances: [], orderBy: null } as Parameters<typeof prepareSearch>[1]);
    return database.statements.filter((text) => text.includes('devices')).length;
  };
  expect(await count(requestFor('vf:1'))).toBe(1);
  expect(
    await count({ flavorToRequest: { flavor: { fields: { vcpus: 1, memoryMb: 512, extraSpecs: [] } }, pciPassthrough: { aliases } } }),
  ).toBe(0);
});
