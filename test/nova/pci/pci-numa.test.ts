// How near PCI devices must be to the cells of a guest, as Nova's NUMATopologyFilter decides it: whichever cells of the host the guest gets, its devices must be
// near enough to these. Four hosts of two cells that differ in where their two devices are.
import { beforeAll, describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { countGuestCells } from '../../../src/nova/flavors/guest-cells.ts';
import { prepareSearch } from '../../../src/nova/instances/destination-search.ts';
import { cellsOfGuest } from '../../../src/nova/pci/pci-stats.ts';
import type { PciAlias } from '../../../src/nova/requests/pci-requests.ts';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, scopeOf } from '../../support/ledger.ts';
import { reportOf } from '../../support/reports.ts';
import { uuidOf } from '../../support/seed.ts';
import { smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);

/** By host: the sockets of its two cells, and the cells of its two devices. */
const hosts = {
  together: { sockets: [0, 1], devices: [0, 0] },
  inSocket: { sockets: [0, 0], devices: [0, 1] },
  apart: { sockets: [0, 1], devices: [0, 1] },
  unknown: { sockets: [0, 1], devices: [null, null] },
} as const;
const all = Object.keys(hosts);

beforeAll(async () => {
  for (const [name, { sockets, devices }] of Object.entries(hosts)) {
    await reportComputeNode(scope(), {
      ...reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 10 }),
      traits: ['COMPUTE_SOCKET_PCI_NUMA_AFFINITY'],
      numaCells: sockets.map((socket, id) => ({ id, cores: 4, threads: 4, memoryMb: 4096, socket })),
      pciDevices: devices.map((numaNode, place) => ({
        device: { fields: { address: `0000:9${place}:00.0`, vendorId: '10de', productId: '1eb8', numaNode } },
      })),
    });
  }
});

/** The hosts that serve a request. */
async function served(request: Parameters<typeof prepareSearch>[1]['request']): Promise<string[]> {
  const { guidance } = await prepareSearch(scope(), { request, instances: [{ instance: uuidOf('vm'), project: 'p', user: 'u' }] });
  const rule = guidance.rootRules.find(({ words }) => words === 'able to serve the PCI devices');
  return all.filter((name) => rule?.only?.has(uuidOf(name)));
}

const gpu = { name: 'gpu', vendorId: '10de', productId: '1eb8', deviceType: 'type-PCI' };
const ask = (specs: Readonly<Record<string, string>>, alias: Partial<PciAlias> = {}, inPlacement = false) => {
  const extraSpecs = Object.entries({ 'pci_passthrough:alias': 'gpu:2', ...specs }).map(([key, value]) => ({ key, value }));
  const fields = { vcpus: 2, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
  return served({ flavor: { flavor: { fields }, pci: { aliases: [{ ...gpu, ...alias }], inPlacement } } });
};
const one = { 'hw:numa_nodes': '1' };
const policy = (word: string) => ({ ...one, 'hw:pci_numa_affinity_policy': word });

describe('two devices for a guest', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['without cells may be anywhere', {}, all],
    ['without cells may be anywhere, whatever the policy', { 'hw:pci_numa_affinity_policy': 'required' }, all],
    ['of one cell are in it, or in none that is known', one, ['together', 'unknown']],
    ['of one cell are so by policy, too', policy('legacy'), ['together', 'unknown']],
    ['of one cell must be in it', policy('required'), ['together']],
    ['of one cell may be far', policy('preferred'), all],
    ['of one cell must be in its socket', policy('socket'), ['together', 'inSocket']],
    ['of two cells are in either', { ...policy('required'), 'hw:numa_nodes': '2' }, ['together', 'inSocket', 'apart']],
    ['of more cells than a host has are nowhere', { 'hw:numa_nodes': '3' }, []],
    ['with dedicated processors are near, as these are in one cell', { 'hw:cpu_policy': 'dedicated' }, ['together', 'unknown']],
    ['with large pages, too', { 'hw:mem_page_size': 'large' }, ['together', 'unknown']],
  ])('%s', async (_, specs, expected) => {
    expect(await ask(specs)).toEqual(expected);
  });

  test('are as near as their alias says, unless the flavor says it', async () => {
    expect(await ask(one, { numaPolicy: 'REQUIRED' })).toEqual(['together']);
    expect(await ask(policy('preferred'), { numaPolicy: 'REQUIRED' })).toEqual(all);
    const two = [gpu, { ...gpu, numaPolicy: 'REQUIRED' as const }];
    const fields = { ...{ vcpus: 2, memoryMb: 512 }, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'gpu:1' }] };
    const asked = () =>
      served({ flavor: { flavor: { fields: { rootGb: 0, ephemeralGb: 0, swapMb: 0, ...fields } }, pci: { aliases: two } } });
    expect(await refusalOf(database.db, asked)).toMatchObject([
      { code: 'INVALID_INPUT', path: ['request', 'flavor', 'pci', 'aliases', '1', 'numaPolicy'] },
    ]);
  });

  test('are near with PCI in Placement, too, which knows nothing of cells', async () => {
    expect(await ask(policy('required'), {}, true)).toEqual(['together']);
    const { guidance } = await prepareSearch(scope(), {
      request: {
        flavor: {
          flavor: { fields: { vcpus: 1, memoryMb: 1, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'gpu:2' }] } },
          pci: { aliases: [gpu], inPlacement: true },
        },
      },
      instances: [{ instance: uuidOf('vm'), project: 'p', user: 'u' }],
    });
    expect(guidance.rootRules).toEqual([]);
  });

  test('of a RequestSpec are as near as it says of each', async () => {
    const { 'nova_object.data': own } = smallRequestSpec as { 'nova_object.data': { flavor: { 'nova_object.data': object } } };
    const specOf = (numa_policy: string | null) => {
      const request = wireOf('InstancePCIRequest', '1.4', {
        ...{ request_id: uuidOf('request'), count: 2, alias_name: 'gpu', is_new: false, numa_policy },
        spec: [{ vendor_id: '10de', product_id: '1eb8', dev_type: 'type-PCI' }],
      });
      const flavor = { ...own.flavor, 'nova_object.data': { ...own.flavor['nova_object.data'], extra_specs: one } };
      const whole = { ...own, flavor, pci_requests: wireOf('InstancePCIRequests', '1.1', { requests: [request] }) };
      return served({ requestSpec: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } });
    };
    expect([await specOf('required'), await specOf(null)]).toEqual([['together'], ['together', 'unknown']]);
  });
});

test('a guest has the cells that it asks for, or one where things must be near each other', () => {
  const count = (flavor: Record<string, string>, image: Record<string, string> = {}) =>
    countGuestCells(4, { flavor, image, isImageKnown: true });
  expect([count({}), count({ 'hw:numa_nodes': '2' }), count({}, { hw_numa_nodes: '4' })]).toEqual([0, 2, 4]);
  expect([count({ 'hw:pmem': '4GB' }), count({ 'resources:PCPU': '4' }), count({}, { hw_mem_page_size: '2048' })]).toEqual([1, 1, 1]);
});

test('the cells of a host are combined, without trying for ever', () => {
  const host = new Map(Array.from({ length: 64 }, (_, cell) => [cell, 0] as const));
  expect(cellsOfGuest(2, new Map([0, 1, 2].map((cell) => [cell, 0]))).map(({ guest }) => guest)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  expect(cellsOfGuest(32, host).length).toBeLessThanOrEqual(512);
});
