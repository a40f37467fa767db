// Hosts are chosen by the NUMA cells that they report, as Nova's NUMATopologyFilter does: processors to pin, pages and memory of single cells, and devices near
// them. As a client sends it, on a real database.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { selectDestinations } from '../../../src/nova/instances/destinations.ts';
import { drainPlan } from '../../../src/nova/plans/drain-plan.ts';
import { whatIf } from '../../../src/nova/plans/what-if.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/ledger.ts';
import { release } from '../../support/release.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);

interface Cell {
  readonly shared: readonly number[];
  readonly dedicated: readonly number[];
  readonly pinned?: readonly number[];
  readonly sharedUsed?: number;
  readonly memoryUsed?: number;
  /** Of 2 MiB each. */
  readonly largePages?: number;
  readonly near?: { readonly physnets: string[]; readonly tunneled: boolean };
}

/** Cells of 8 GiB with four cores of one thread. */
const topologyOf = (cells: readonly Cell[]) => {
  const objects = cells.map(({ shared, dedicated, pinned = [], sharedUsed = 0, memoryUsed = 0, largePages = 0, near }, id) =>
    wireOf('NUMACell', '1.5', {
      ...{ id, cpuset: [...shared], pcpuset: [...dedicated], pinned_cpus: [...pinned], cpu_usage: sharedUsed, socket: id },
      ...{ memory: 8192, memory_usage: memoryUsed, siblings: [...shared, ...dedicated].map((each) => [each]) },
      mempages: [
        wireOf('NUMAPagesTopology', '1.1', { size_kb: 4, total: (8192 - largePages * 2) * 256, used: 0, reserved: 0 }),
        wireOf('NUMAPagesTopology', '1.1', { size_kb: 2048, total: largePages, used: 0, reserved: 0 }),
      ],
      ...(near && { network_metadata: wireOf('NetworkMetadata', '1.0', near) }),
    }),
  );
  return JSON.stringify(wireOf('NUMATopology', '1.2', { cells: objects }));
};

const report = (name: string, cells: readonly Cell[] | null, rest: object = {}) => {
  const object = wireOf('ComputeNode', '1.19', {
    ...{ uuid: uuidOf(name), host: name, hypervisor_hostname: name, vcpus: 8, memory_mb: 16384, local_gb: 100 },
    ...{ cpu_allocation_ratio: 2, ram_allocation_ratio: 1, numa_topology: cells && topologyOf(cells) },
  });
  const dedicatedCpus = cells?.reduce((sum, { dedicated }) => sum + dedicated.length, 0);
  return reportComputeNode(scope(), { computeNodeRecord: { object: JSON.stringify(object) }, dedicatedCpus, ...rest });
};

/** The hosts of instances of a flavor, and what was not checked; no hosts if there is no room for all. */
const choose = async (specs: Readonly<Record<string, string>>, sizes: object = {}, instances = 1, choice: object = {}) => {
  const extraSpecs = Object.entries(specs).map(([key, value]) => ({ key, value }));
  const fields = { vcpus: 2, memoryMb: 1024, rootGb: 0, ephemeralGb: 0, swapMb: 0, ...sizes, extraSpecs };
  const seekers = Array.from({ length: instances }, (_, at) => ({ instance: uuidOf(`seeker${at}`), project: 'p', user: 'u' }));
  const pci = { aliases: [{ name: 'gpu', vendorId: '10de', productId: '1eb8', deviceType: 'type-PCI' }] };
  const requestFrom = { flavorToRequest: { flavor: { fields }, pciPassthrough: pci } };
  try {
    const { destinations, warnings } = await selectDestinations(scope(), { requestFrom, instances: seekers, alternates: 0, ...choice });
    await release(scope(), ...seekers.map(({ instance }) => instance));
    const hosts = destinations.map(({ selected }) => selected.candidate.root.name).toSorted();
    return { hosts, unchecked: warnings.filter(({ code }) => code === 'EXTRA_SPEC_NOT_CHECKED').map(({ subject }) => subject) };
  } catch (error) {
    if (error instanceof Refusal && error.problems.every(({ code }) => code === 'NO_CANDIDATES')) return { hosts: [], unchecked: [] };
    throw error;
  }
};

/** The host of an instance that is connected to networks, and whether their cells were not checked. */
const chooseConnected = async (extra_specs: Record<string, string>, physnets: string[], tunneled = false, choice: object = {}) => {
  const flavor = wireOf('Flavor', '1.2', { vcpus: 2, memory_mb: 512, root_gb: 0, ephemeral_gb: 0, swap: 0, extra_specs });
  const network_metadata = wireOf('NetworkMetadata', '1.0', { physnets, tunneled });
  const about = { instance_uuid: uuidOf('connected'), project_id: 'p', user_id: 'u', num_instances: 1 };
  const requestSpec = JSON.stringify(wireOf('RequestSpec', '1.15', { ...about, flavor, network_metadata }));
  try {
    const found = await selectDestinations(scope(), { requestFrom: { requestSpecToRequest: { requestSpec } }, alternates: 0, ...choice });
    await release(scope(), uuidOf('connected'));
    const isUnchecked = found.warnings.some(({ subject }) => subject === 'network_metadata');
    return [found.destinations[0]?.selected.candidate.root.name, isUnchecked];
  } catch (error) {
    if (error instanceof Refusal && error.problems.every(({ code }) => code === 'NO_CANDIDATES')) return [null, false];
    throw error;
  }
};

const shared = { 'hw:numa_nodes': '1' };
const dedicated = { 'hw:cpu_policy': 'dedicated' };

test('while no host reports its cells, requests for cells are not checked', async () => {
  await report('blind', null);
  expect(await choose({ ...shared, 'hw:mem_page_size': 'large' })).toEqual({
    hosts: ['blind'],
    unchecked: ['hw:numa_nodes', 'hw:mem_page_size'],
  });
});

test('networks near cells are not checked either, and matter only for guests with cells', async () => {
  expect(await chooseConnected(shared, ['foo'])).toEqual(['blind', true]);
  expect(await chooseConnected(shared, [])).toEqual(['blind', false]);
  expect(await chooseConnected({}, ['foo'])).toEqual(['blind', false]);
});

describe('once hosts report the usage of their cells', () => {
  beforeAll(async () => {
    // Each has two processors free to pin, in one cell or in two.
    await report('together', [
      { shared: [0, 1], dedicated: [2, 3], pinned: [2, 3] },
      { shared: [4, 5], dedicated: [6, 7] },
    ]);
    await report('apart', [
      { shared: [0, 1], dedicated: [2, 3], pinned: [2], largePages: 1024 },
      { shared: [4, 5], dedicated: [6, 7], pinned: [6] },
    ]);
  });

  test('guests with cells but without devices cost one more read of the hosts than others', async () => {
    const readsFor = async (specs: Readonly<Record<string, string>>) => {
      database.statements.length = 0;
      expect((await choose(specs)).hosts).toHaveLength(1);
      return database.statements.filter((statement) => statement.includes('provider_changes')).length;
    };
    const without = await readsFor({});
    expect(await readsFor(shared)).toBe(without + 1);
  });

  test.each<[string, Readonly<Record<string, string>>, object, readonly string[]]>([
    ['pinned processors are in one cell', dedicated, {}, ['together']],
    ['pinned processors are in as many cells as requested', { ...dedicated, 'hw:numa_nodes': '2' }, {}, ['apart']],
    ['pages are in the cell', { ...shared, 'hw:mem_page_size': '2MB' }, { memoryMb: 2048 }, ['apart']],
    ['pages are not added up over cells', { ...shared, 'hw:mem_page_size': '2MB' }, { memoryMb: 2050 }, []],
    ['memory of one cell is not added to that of another', shared, { memoryMb: 8194 }, []],
    ['a guest never has more processors than its cell', shared, { vcpus: 3 }, []],
    ['sibling threads need a host that has them', { ...dedicated, 'hw:cpu_thread_policy': 'require' }, {}, []],
    ['a guest has as many cells as requested', { 'hw:numa_nodes': '3' }, { vcpus: 3, memoryMb: 768 }, []],
  ])('%s', async (_, specs, sizes, hosts) => {
    expect(await choose(specs, sizes)).toEqual({ hosts, unchecked: [] });
  });

  test('a host without cells takes only guests without cells', async () => {
    const onlyBlind = { onHosts: { only: [{ host: 'blind' }] } };
    expect((await choose(shared, {}, 1, onlyBlind)).hosts).toEqual([]);
    expect((await choose({}, {}, 1, onlyBlind)).hosts).toEqual(['blind']);
  });

  test('processors and memory may be overcommitted within the ratios of the host', async () => {
    await report('promised', [{ shared: [0, 1, 2, 3], dedicated: [], sharedUsed: 5, memoryUsed: 6000 }]);
    expect((await choose(shared, { vcpus: 4, memoryMb: 512 })).hosts).toEqual([]);
    expect((await choose(shared, { vcpus: 3, memoryMb: 3000 })).hosts).toEqual([]);
    expect((await choose(shared, { vcpus: 3, memoryMb: 512 })).hosts).toEqual(['promised']);
  });

  test('instances of one call use what the previous ones leave', async () => {
    expect((await choose({ ...dedicated, 'hw:numa_nodes': '2' }, {}, 2)).hosts).toEqual([]);
    await report('wide', [
      { shared: [], dedicated: [0, 1, 2, 3] },
      { shared: [], dedicated: [4, 5, 6, 7] },
    ]);
    expect((await choose({ ...dedicated, 'hw:numa_nodes': '2' }, {}, 5)).hosts).toEqual(['apart', 'wide', 'wide', 'wide', 'wide']);
    expect((await choose({ ...dedicated, 'hw:numa_nodes': '2' }, {}, 6)).hosts).toEqual([]);
    // Three in a cell of four do not leave room for another three, nor do both cells together.
    expect((await choose(dedicated, { vcpus: 3 }, 2)).hosts).toEqual(['wide', 'wide']);
    expect((await choose(dedicated, { vcpus: 3 }, 3)).hosts).toEqual([]);
  });

  test('devices are near the cells that have room', async () => {
    const gpu = (numaNode: number) => ({ address: '0000:90:00.0', vendorId: '10de', productId: '1eb8', numaNode });
    const cells = [
      { shared: [0, 1], dedicated: [2, 3], pinned: [2, 3] },
      { shared: [4, 5], dedicated: [6, 7] },
    ];
    const near = { ...dedicated, 'pci_passthrough:alias': 'gpu:1', 'hw:pci_numa_affinity_policy': 'required' };
    await report('far', cells, { pciDevices: [{ device: { fields: gpu(0) } }] });
    expect((await choose(near)).hosts).toEqual([]);
    await report('near', cells, { pciDevices: [{ device: { fields: gpu(1) } }] });
    expect((await choose(near)).hosts).toEqual(['near']);
    expect((await choose({ ...near, 'hw:pci_numa_affinity_policy': 'preferred' })).hosts).not.toEqual([]);
  });

  test('plans and what-if counts consider cells, too', async () => {
    const extraSpecs = Object.entries({ ...dedicated, 'hw:numa_nodes': '2' }).map(([key, value]) => ({ key, value }));
    const fields = { vcpus: 2, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
    const asks = { flavorToRequest: { flavor: { fields } } };
    const added = [{ count: 1, like: uuidOf('apart') }];
    const isUnchecked = ({ code }: { readonly code: string }) => code === 'EXTRA_SPEC_NOT_CHECKED';
    const { before, onAdded, warnings } = await whatIf(scope(), { asks, added });
    expect([before.total, onAdded, warnings.filter(isUnchecked)]).toEqual([5, [{ hosts: 1, count: 2 }], []]);
    const leaving = Array.from({ length: 6 }, (_, at) => `leaving ${at}`);
    for (const name of leaving) await createSeed(database.db).claim(name, { blind: { VCPU: 1 } });
    const plan = await drainPlan(scope(), {
      ...{ computeNodes: [uuidOf('blind')], requests: [{ consumers: leaving.map(uuidOf), asks }] },
    });
    expect([plan.moves.length, plan.stuck.map(({ reason }) => reason), plan.warnings.filter(isUnchecked)]).toEqual([
      5,
      ['NO_DESTINATION'],
      [],
    ]);
  });

  test('cells of a guest are near its networks, if any cell of the host is', async () => {
    await report('connected', [
      { shared: [0, 1], dedicated: [2, 3], pinned: [2, 3], near: { physnets: ['foo'], tunneled: false } },
      { shared: [4, 5], dedicated: [6, 7], near: { physnets: ['bar'], tunneled: true } },
    ]);
    const here = { onHosts: { only: [{ host: 'connected' }] } };
    const choosePinned = (physnets: string[], tunneled = false) => chooseConnected(dedicated, physnets, tunneled, here);
    expect(await choosePinned(['bar'], true)).toEqual(['connected', false]);
    expect(await choosePinned(['elsewhere'])).toEqual(['connected', false]);
    expect(await choosePinned(['foo'])).toEqual([null, false]);
    expect(await chooseConnected(shared, ['foo'], true, here)).toEqual([null, false]);
  });

  test('cards in Placement are near the cells that previous instances of the call leave', async () => {
    const pciDevices = [0, 0, 1].map((numaNode, at) => ({
      device: { fields: { address: `0000:9${at}:00.0`, vendorId: '8086', productId: '1563', numaNode } },
      tags: [{ key: 'resource_class', value: 'FILLED' }],
    }));
    const cells = [
      { shared: [], dedicated: [0, 1] },
      { shared: [], dedicated: [2, 3] },
    ];
    await report('filled', cells, { pciDevices, pciInPlacement: true });
    const pci = { aliases: [{ name: 'nic', resourceClass: 'FILLED' }], inPlacement: true };
    const near = { ...dedicated, 'pci_passthrough:alias': 'nic:1', 'hw:pci_numa_affinity_policy': 'required' };
    const extraSpecs = Object.entries(near).map(([key, value]) => ({ key, value }));
    const fields = { vcpus: 2, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
    for (const choice of [{}, { orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB', direction: 'DESC' }] as const }]) {
      const instances = ['first', 'second'].map((name) => ({ instance: uuidOf(name), project: 'p', user: 'u' }));
      const requestFrom = { flavorToRequest: { flavor: { fields }, pciPassthrough: pci } };
      const { destinations } = await selectDestinations(scope(), { requestFrom, instances, alternates: 0, ...choice });
      await release(scope(), ...instances.map(({ instance }) => instance));
      const cards = destinations.flatMap(({ selected }) =>
        selected.candidate.allocations.map(({ resourceProvider }) => resourceProvider.name),
      );
      expect(cards.filter((name) => name.endsWith('0000:92:00.0')).length).toBe(1);
    }
  });
});
