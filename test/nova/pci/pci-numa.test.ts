// How near PCI devices must be to the cells of a guest, as in Nova's NUMATopologyFilter: its devices must be near enough to the cells of the host that it gets.
// Four hosts with two cells differ in the cells of their two devices.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { guestTopologyOf } from '../../../src/nova/flavors/guest-cells.ts';
import type { PciAlias } from '../../../src/nova/flavors/pci-requests.ts';
import { prepareSearch } from '../../../src/nova/instances/destination-search.ts';
import { selectDestinations } from '../../../src/nova/instances/destinations.ts';
import { cellsOfGuest } from '../../../src/nova/pci/pci-stats.ts';
import { drainPlan } from '../../../src/nova/plans/drain-plan.ts';
import { whatIf } from '../../../src/nova/plans/what-if.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, scopeOf } from '../../support/ledger.ts';
import { release } from '../../support/release.ts';
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
      numaCells: sockets.map((socket, id) => ({ id, cores: 8, threads: 8, memoryMb: 4096, socket })),
      pciDevices: devices.map((numaNode, place) => ({
        device: { fields: { address: `0000:9${place}:00.0`, vendorId: '10de', productId: '1eb8', numaNode } },
      })),
    });
  }
});

/** The hosts that serve a request. */
async function served(requestFrom: Parameters<typeof prepareSearch>[1]['requestFrom']): Promise<string[]> {
  const { guidance } = await prepareSearch(scope(), { requestFrom, instances: [{ instance: uuidOf('vm'), project: 'p', user: 'u' }] });
  const rule = guidance.rootRules.find(({ words }) => words === 'able to serve the PCI devices');
  return all.filter((name) => rule?.only?.has(uuidOf(name)));
}

const gpu = { name: 'gpu', vendorId: '10de', productId: '1eb8', deviceType: 'type-PCI' };
const ask = (specs: Readonly<Record<string, string>>, alias: Partial<PciAlias> = {}, inPlacement = false) => {
  const extraSpecs = Object.entries({ 'pci_passthrough:alias': 'gpu:2', ...specs }).map(([key, value]) => ({ key, value }));
  const fields = { vcpus: 6, memoryMb: 768, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
  return served({ flavorToRequest: { flavor: { fields }, pciPassthrough: { aliases: [{ ...gpu, ...alias }], inPlacement } } });
};
const one = { 'hw:numa_nodes': '1' };
const policy = (word: string) => ({ ...one, 'hw:pci_numa_affinity_policy': word });

describe('two devices for a guest', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['without cells may be anywhere', {}, all],
    ['without cells may be anywhere, whatever the policy', { 'hw:pci_numa_affinity_policy': 'required' }, all],
    ['of one cell are in it, or in no known cell', one, ['together', 'unknown']],
    ['of one cell are so by policy, too', policy('legacy'), ['together', 'unknown']],
    ['of one cell must be in it', policy('required'), ['together']],
    ['of one cell may be in another', policy('preferred'), all],
    ['of one cell must be in its socket', policy('socket'), ['together', 'inSocket']],
    ['of two cells are in either', { ...policy('required'), 'hw:numa_nodes': '2' }, ['together', 'inSocket', 'apart']],
    ['of more cells than any host has are on no host', { 'hw:numa_nodes': '3' }, []],
    ['with dedicated processors are near, because these are in one cell', { 'hw:cpu_policy': 'dedicated' }, ['together', 'unknown']],
    ['with large pages, too', { 'hw:mem_page_size': 'large' }, ['together', 'unknown']],
  ])('%s', async (_, specs, expected) => {
    expect(await ask(specs)).toEqual(expected);
  });

  test('are as near as their alias demands, unless the flavor decides', async () => {
    expect(await ask(one, { numaPolicy: 'REQUIRED' })).toEqual(['together']);
    expect(await ask(policy('preferred'), { numaPolicy: 'REQUIRED' })).toEqual(all);
    const two = [gpu, { ...gpu, numaPolicy: 'REQUIRED' as const }];
    const fields = { ...{ vcpus: 2, memoryMb: 512 }, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'gpu:1' }] };
    const asked = () =>
      served({
        flavorToRequest: { flavor: { fields: { rootGb: 0, ephemeralGb: 0, swapMb: 0, ...fields } }, pciPassthrough: { aliases: two } },
      });
    expect(await refusalOf(database.db, asked)).toMatchObject([
      { code: 'INVALID_INPUT', path: ['requestFrom', 'flavorToRequest', 'pciPassthrough', 'aliases', '1', 'numaPolicy'] },
    ]);
  });

  test('are also near with PCI in Placement, which does not model cells', async () => {
    expect(await ask(policy('required'), {}, true)).toEqual(['together']);
    const { guidance } = await prepareSearch(scope(), {
      requestFrom: {
        flavorToRequest: {
          flavor: { fields: { vcpus: 1, memoryMb: 1, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'gpu:2' }] } },
          pciPassthrough: { aliases: [gpu], inPlacement: true },
        },
      },
      instances: [{ instance: uuidOf('vm'), project: 'p', user: 'u' }],
    });
    expect(guidance.rootRules).toEqual([]);
  });

  test('of a RequestSpec are as near as it demands for each', async () => {
    const { 'nova_object.data': own } = smallRequestSpec as { 'nova_object.data': { flavor: { 'nova_object.data': object } } };
    const specOf = (numa_policy: string | null) => {
      const request = wireOf('InstancePCIRequest', '1.4', {
        ...{ request_id: uuidOf('request'), count: 2, alias_name: 'gpu', is_new: false, numa_policy },
        spec: [{ vendor_id: '10de', product_id: '1eb8', dev_type: 'type-PCI' }],
      });
      const flavor = { ...own.flavor, 'nova_object.data': { ...own.flavor['nova_object.data'], extra_specs: one } };
      const whole = { ...own, flavor, pci_requests: wireOf('InstancePCIRequests', '1.1', { requests: [request] }) };
      return served({ requestSpecToRequest: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } });
    };
    expect([await specOf('required'), await specOf(null)]).toEqual([['together'], ['together', 'unknown']]);
  });
});

describe('cards in Placement', () => {
  const addressOf = (place: number) => `0000:a${place}:00.0`;
  /** A host whose cards are in these cells, all of a class of its own. */
  const place = (
    name: string,
    numaNodes: readonly (number | null)[],
    tagsOf: (place: number) => Readonly<Record<string, string>> = () => ({}),
  ) =>
    reportComputeNode(scope(), {
      ...reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 10 }),
      numaCells: [0, 1].map((id) => ({ id, cores: 4, threads: 4, memoryMb: 4096, socket: id })),
      pciInPlacement: true,
      pciDevices: numaNodes.map((numaNode, place) => ({
        device: { fields: { address: addressOf(place), vendorId: '8086', productId: '1563', numaNode } },
        tags: Object.entries({ resource_class: name, ...tagsOf(place) }).map(([key, value]) => ({ key, value })),
      })),
    });
  /** The indexes of the cards of instances that request only devices of a class; null if an instance gets none. */
  const cardsFor = async (alias: Partial<PciAlias>, specs: Readonly<Record<string, string>>, instances = 1, choice: object = {}) => {
    const aliases = [{ name: 'nic', ...alias }];
    const extraSpecs = Object.entries({ 'pci_passthrough:alias': 'nic:1', ...specs }).map(([key, value]) => ({ key, value }));
    const flavor = { fields: { vcpus: 2, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs } };
    const seekers = Array.from({ length: instances }, (_, at) => ({ instance: uuidOf(`seeker${at}`), project: 'p', user: 'u' }));
    const requestFrom = { flavorToRequest: { flavor, pciPassthrough: { aliases, inPlacement: true } } };
    try {
      const { destinations } = await selectDestinations(scope(), { requestFrom, instances: seekers, alternates: 0, ...choice });
      await release(scope(), ...seekers.map(({ instance }) => instance));
      return destinations.map(({ selected }) =>
        selected.candidate.allocations.flatMap(({ resourceProvider: { name } }) => {
          const place = [0, 1, 2, 3].find((at) => name.endsWith(addressOf(at).toUpperCase()));
          return place ?? [];
        }),
      );
    } catch (error) {
      if (error instanceof Refusal && error.problems.every(({ code }) => code === 'NO_CANDIDATES')) return null;
      throw error;
    }
  };
  const order = { orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB', direction: 'DESC' }] } as const;
  const two = (word: string) => ({ 'pci_passthrough:alias': 'nic:2', ...policy(word) });

  const asksFor = (resourceClass: string, specs: Readonly<Record<string, string>>) => {
    const extraSpecs = Object.entries(specs).map(([key, value]) => ({ key, value }));
    const fields = { vcpus: 1, memoryMb: 1, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
    return { flavorToRequest: { flavor: { fields }, pciPassthrough: { aliases: [{ name: 'nic', resourceClass }], inPlacement: true } } };
  };

  beforeAll(async () => {
    await place('mixed', [0, 1, 1, null]);
    await place('spread', [0, 1]);
  });

  test.each([
    ['in an order', order],
    ['by weights', {}],
  ])('are excluded if they are not near each other and the guest, %s', async (_, choice) => {
    const sorted = async (word: string) => (await cardsFor({ resourceClass: 'mixed' }, two(word), 1, choice))?.map((all) => all.toSorted());
    expect(await sorted('required')).toEqual([[1, 2]]);
    expect((await sorted('legacy'))?.flat()).not.toEqual([0, 1]);
    expect(await cardsFor({ resourceClass: 'spread' }, two('required'), 1, choice)).toBeNull();
    expect(await cardsFor({ resourceClass: 'spread' }, { ...two('required'), 'hw:numa_nodes': '2' }, 1, choice)).toEqual([[0, 1]]);
  });

  test.each([
    ['in an order', order],
    ['by weights', {}],
  ])('are near for each of several instances, as long as there are any, %s', async (_, choice) => {
    const sorted = async (word: string, instances: number) =>
      (await cardsFor({ resourceClass: 'mixed' }, policy(word), instances, choice))?.flat().toSorted();
    expect(await sorted('required', 3)).toEqual([0, 1, 2]);
    expect(await sorted('required', 4)).toBeUndefined();
    expect(await sorted('preferred', 4)).toEqual([0, 1, 2, 3]);
  });

  test('that are already claimed do not count as near, even before their host reports it', async () => {
    await place('scarce', [0, 1, 1]);
    const first = await cardsFor({ resourceClass: 'scarce' }, two('required'));
    expect(first?.map((all) => all.toSorted())).toEqual([[1, 2]]);
    const card = await database.db.sql<{ uuid: string }[]>`
      select uuid from resource_providers where name = ${`scarce_${addressOf(1).toUpperCase()}`}`;
    const holding = [{ resourceProvider: card[0]?.uuid ?? '', resources: [{ resourceClass: 'CUSTOM_SCARCE', amount: 1 }] }];
    await replaceAllocations(scope(), {
      consumers: [{ consumer: uuidOf('holder'), expect: { isNew: true }, hold: { allocations: holding }, project: 'p', user: 'u' }],
    });
    expect(await cardsFor({ resourceClass: 'scarce' }, two('required'))).toBeNull();
    expect((await whatIf(scope(), { asks: asksFor('scarce', two('required')) })).before.total).toBe(0);
    expect((await cardsFor({ resourceClass: 'scarce' }, two('preferred')))?.flat().toSorted()).toEqual([0, 2]);
  });

  test('have the requested traits, which other near ones lack', async () => {
    await place('marked', [0, 1, 1, 0], (at) => (at < 2 ? {} : { traits: 'fast' }));
    const fast = { resourceClass: 'marked', traits: ['fast'] };
    expect(await cardsFor(fast, two('required'))).toBeNull();
    expect((await cardsFor(fast, two('preferred')))?.flat().toSorted()).toEqual([2, 3]);
  });

  test('are as near in the groups that Nova has made in a RequestSpec', async () => {
    const { 'nova_object.data': own } = smallRequestSpec as { 'nova_object.data': { flavor: { 'nova_object.data': object } } };
    const id = uuidOf('made');
    const request = wireOf('InstancePCIRequest', '1.4', {
      ...{
        request_id: id,
        count: 2,
        alias_name: 'nic',
        is_new: false,
        numa_policy: 'required',
        spec: [{ resource_class: 'CUSTOM_MIXED' }],
      },
    });
    const groups = [0, 1].map((at) => wireOf('RequestGroup', '1.4', { requester_id: `${id}-${at}`, resources: { CUSTOM_MIXED: 1 } }));
    const flavor = { ...own.flavor, 'nova_object.data': { ...own.flavor['nova_object.data'], extra_specs: one } };
    const whole = {
      ...own,
      flavor,
      pci_requests: wireOf('InstancePCIRequests', '1.1', { requests: [request] }),
      requested_resources: groups,
    };
    const spec = { requestSpecToRequest: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } };
    const seekers = [{ instance: uuidOf('seeker'), project: 'p', user: 'u' }];
    const { destinations } = await selectDestinations(scope(), { requestFrom: spec, instances: seekers, alternates: 0 });
    const names = destinations.flatMap(({ selected }) =>
      selected.candidate.allocations.map(({ resourceProvider }) => resourceProvider.name),
    );
    expect(names.filter((name) => name.includes('_')).toSorted()).toEqual([1, 2].map((at) => `mixed_${addressOf(at).toUpperCase()}`));
    await release(scope(), uuidOf('seeker'));
  });

  test('fit as often as there are near ones, and plans move consumers only to near ones', async () => {
    const asks = asksFor('mixed', two('required'));
    expect((await whatIf(scope(), { asks })).before).toMatchObject({ total: 1, exact: true });
    await reportComputeNode(
      scope(),
      reportOf({ uuid: uuidOf('source'), serviceHost: 'source', hypervisorHostname: 'source', vcpus: 8, memoryMb: 8192, localGb: 10 }),
    );
    const holding = [{ resourceProvider: uuidOf('source'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }];
    const leaving = ['first', 'second'].map(uuidOf);
    await replaceAllocations(scope(), {
      consumers: leaving.map((consumer) => ({
        ...{ consumer, expect: { isNew: true as const }, hold: { allocations: holding }, project: 'p', user: 'u' },
      })),
    });
    const { moves, stuck } = await drainPlan(scope(), { computeNodes: [uuidOf('source')], requests: [{ consumers: leaving, asks }] });
    const cards = moves.map(({ selection }) => selection.candidate.allocations.map(({ resourceProvider }) => resourceProvider.name));
    expect(cards.flat()).toEqual(expect.arrayContaining([1, 2].map((at) => `mixed_${addressOf(at).toUpperCase()}`)));
    expect([moves.length, stuck.map(({ reason }) => reason)]).toEqual([1, ['NO_DESTINATION']]);
  });
});

test('a guest has the cells that it requests, or one if its parts must be near each other', () => {
  const count = (flavor: Record<string, string>, image: Record<string, string> = {}) =>
    guestTopologyOf({ vcpus: 4, memoryMb: 1024 }, { flavor, image, isImageKnown: true })?.cells.length ?? 0;
  expect([count({}), count({ 'hw:numa_nodes': '2' }), count({}, { hw_numa_nodes: '4' })]).toEqual([0, 2, 4]);
  expect([
    count({ 'hw:pmem': '4GB' }),
    count({ 'resources:PCPU': '4' }),
    count({ 'hw:mem_page_size': 'any' }, { hw_mem_page_size: '2048' }),
  ]).toEqual([1, 1, 1]);
});

test('the cells of a host are combined with a bounded number of tries', () => {
  const host = new Map(Array.from({ length: 64 }, (_, cell) => [cell, 0] as const));
  expect(cellsOfGuest(2, new Map([0, 1, 2].map((cell) => [cell, 0]))).map(({ guest }) => guest)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  expect(cellsOfGuest(32, host).length).toBeLessThanOrEqual(512);
});
