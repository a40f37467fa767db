// Hosts are chosen by the NUMA cells that they report, as Nova's NUMATopologyFilter does: processors to pin, pages and memory of single cells, and devices near
// them. As a client sends it, on a real database.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { selectDestinations } from '../../../src/nova/instances/destinations.ts';
import { drainPlan } from '../../../src/nova/plans/drain-plan.ts';
import { whatIf } from '../../../src/nova/plans/what-if.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
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

test('a guest does not fit where its cells are larger than those of the host, even while no host reports their usage', async () => {
  const numaCells = [
    { id: 0, cores: 2, threads: 4, memoryMb: 8192 },
    { id: 1, cores: 4, threads: 8, memoryMb: 4096 },
  ];
  await report('sized', null, { numaCells, dedicatedCpus: 8, traits: ['HW_CPU_HYPERTHREADING'] });
  const here = { onHosts: { only: [{ host: 'sized' }] } };
  const fits = async (specs: Readonly<Record<string, string>>, sizes: object) =>
    (await choose({ ...shared, ...specs }, sizes, 1, here)).hosts.length > 0;
  expect(await fits({}, { memoryMb: 8192 })).toBe(true);
  expect(await fits({}, { memoryMb: 8193 })).toBe(false);
  expect(await fits({}, { vcpus: 8, memoryMb: 4096 })).toBe(true);
  expect(await fits({}, { vcpus: 8, memoryMb: 8192 })).toBe(false);
  expect(await fits({ 'hw:numa_nodes': '2' }, { memoryMb: 8192 })).toBe(true);
  expect(await fits({ 'hw:numa_nodes': '2' }, { memoryMb: 8196 })).toBe(false);
  expect(await fits({ 'hw:numa_nodes': '3' }, { vcpus: 3, memoryMb: 768 })).toBe(false);
  expect(await fits({ ...dedicated, 'hw:cpu_thread_policy': 'require', 'hw:mem_page_size': '2MB' }, { vcpus: 8 })).toBe(true);
  const unequal = { 'hw:numa_nodes': '2', 'hw:numa_cpus.0': '0', 'hw:numa_cpus.1': '1' };
  expect(await fits({ ...unequal, 'hw:numa_mem.0': '4096', 'hw:numa_mem.1': '5000' }, { memoryMb: 9096 })).toBe(true);
  // A host that is not known to have cells is not left out.
  expect((await choose(shared, { memoryMb: 10_000 })).hosts).toEqual(['blind']);
  const asks = (memoryMb: number) => {
    const extraSpecs = Object.entries(shared).map(([key, value]) => ({ key, value }));
    return { flavorToRequest: { flavor: { fields: { vcpus: 1, memoryMb, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs } } } };
  };
  await createSeed(database.db).claim('leaving', { blind: { VCPU: 1 } });
  const destinations = async (memoryMb: number) => {
    const requests = [{ consumers: [uuidOf('leaving')], asks: asks(memoryMb) }];
    const plan = await drainPlan(scope(), { computeNodes: [uuidOf('blind')], requests });
    return plan.moves.map(({ selection }) => selection.candidate.root.name);
  };
  expect([await destinations(8192), await destinations(8193)]).toEqual([['sized'], []]);
  await release(scope(), uuidOf('leaving'));
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

describe('what guests use of cells', () => {
  const numaCells = [
    { id: 0, cores: 2, threads: 4, memoryMb: 8192 },
    { id: 1, cores: 2, threads: 4, memoryMb: 8192 },
  ];
  const cellsOf = async (name: string) => {
    const tree = await readTree(scope(), uuidOf(name));
    return tree
      .slice(1)
      .map(({ inventories }) => Object.entries(inventories).map(([key, { total, reserved }]) => `${key} ${reserved}/${total}`));
  };

  test('is reserved in their inventories as the host last reported it, so that totals do not show them free', async () => {
    const idle = ['NUMA_CORE 0/2', 'NUMA_THREAD 0/4', 'NUMA_MEMORY_MB 0/8192'];
    await report('counting', null, { numaCells });
    expect(await cellsOf('counting')).toEqual([idle, idle]);
    const busy = { shared: [0, 1], dedicated: [2, 3], pinned: [2, 3], sharedUsed: 1, memoryUsed: 3000 };
    await report('counting', [busy, { shared: [4, 5], dedicated: [6, 7] }]);
    expect(await cellsOf('counting')).toEqual([['NUMA_CORE 2/2', 'NUMA_THREAD 3/4', 'NUMA_MEMORY_MB 3000/8192'], idle]);
    // With overcommit, guests use more than the cell has.
    await report(
      'counting',
      [
        { ...busy, sharedUsed: 5 },
        { shared: [4, 5], dedicated: [6, 7], sharedUsed: 1 },
      ],
      { numaCells },
    );
    const [first, second] = await cellsOf('counting');
    expect([first, second]).toEqual([
      ['NUMA_CORE 2/2', 'NUMA_THREAD 4/4', 'NUMA_MEMORY_MB 3000/8192'],
      ['NUMA_CORE 1/2', 'NUMA_THREAD 1/4', 'NUMA_MEMORY_MB 0/8192'],
    ]);
    const again = await report(
      'counting',
      [
        { ...busy, sharedUsed: 5 },
        { shared: [4, 5], dedicated: [6, 7], sharedUsed: 1 },
      ],
      { numaCells },
    );
    expect(again).toMatchObject({ changed: false });
    // A host that no longer reports its topology says nothing of its guests.
    await report('counting', null);
    expect(await cellsOf('counting')).toEqual([idle, idle]);
    await report('counting', [{ ...busy, sharedUsed: 0.5, memoryUsed: 0.5 }]);
    expect((await cellsOf('counting'))[0]).toEqual(['NUMA_CORE 2/2', 'NUMA_THREAD 3/4', 'NUMA_MEMORY_MB 1/8192']);
  });

  test('is not reserved again where a consumer holds it', async () => {
    const cells = [{ shared: [0, 1], dedicated: [2, 3], memoryUsed: 3000 }];
    await report('held', null, { numaCells: numaCells.slice(0, 1) });
    const [, cell] = await readTree(scope(), uuidOf('held'));
    const hold = { allocations: [{ resourceProvider: cell?.uuid ?? '', resources: [{ resourceClass: 'NUMA_MEMORY_MB', amount: 1000 }] }] };
    const holder = { consumer: uuidOf('holder'), expect: { isNew: true }, hold, project: 'p', user: 'u', consumerType: 'INSTANCE' };
    await replaceAllocations(scope(), { consumers: [holder] });
    await report('held', cells);
    expect(await cellsOf('held')).toEqual([['NUMA_CORE 0/2', 'NUMA_THREAD 0/4', 'NUMA_MEMORY_MB 2000/8192']]);
    await release(scope(), uuidOf('holder'));
  });
});
