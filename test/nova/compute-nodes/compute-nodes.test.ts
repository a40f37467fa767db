// The compute-node-inventory document, end to end: reports of nodes become inventories.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capacityOf } from '../../../src/domain/inventory.ts';
import { findComputeNode, reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { replaceReservation } from '../../../src/operations/candidates/reservations.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { heldBy } from '../../support/held.ts';
import { countEvents, dumpTables, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const cn1: FlatReport = {
  uuid: uuidOf('cn1'),
  serviceHost: 'host1',
  hypervisorHostname: 'cn1',
  hypervisorType: 'QEMU',
  vcpus: 16,
  memoryMb: 32_768,
  localGb: 1000,
  traits: ['HW_CPU_X86_AVX2'],
};
const report = (change: Partial<FlatReport> = {}) => reportComputeNode(scopeOf(database.db), reportOf({ ...cn1, ...change }));
const refused = (change: Partial<FlatReport>) => refusalOf(database.db, () => report(change));
const treeOf = (root: string) => readTree(scopeOf(database.db), uuidOf(root));
const inventoriesOf = async (root: string) => (await treeOf(root))[0]?.inventories ?? {};

describe('a report becomes inventories', () => {
  test('as in the document: reservations, totals as the largest allocation, no classes with a total of 0', async () => {
    await report({ dedicatedCpus: 0, reservedCpus: 2, reservedDiskMb: 1025 });
    expect(await inventoriesOf('cn1')).toEqual({
      VCPU: { total: 16, reserved: 2, minUnit: 1, maxUnit: 16, stepSize: 1, allocationRatio: 4 },
      MEMORY_MB: { total: 32_768, reserved: 512, minUnit: 1, maxUnit: 32_768, stepSize: 1, allocationRatio: 1 },
      DISK_GB: { total: 1000, reserved: 2, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 },
    });
    expect((await treeOf('cn1'))[0]?.traits).toEqual(['COMPUTE_NODE', 'HW_CPU_X86_AVX2', 'OWNER_NOVA']);
  });

  test('a node of Ironic, whose cpu_info is empty, is reported and kept as it is', async () => {
    await report({ cpuInfo: '', vcpus: 0, memoryMb: 0, localGb: 0, otherInventories: [{ resourceClass: 'CUSTOM_BAREMETAL', total: 1 }] });
    expect(await inventoriesOf('cn1')).toMatchObject({ CUSTOM_BAREMETAL: { total: 1 } });
    expect(await findComputeNode(scopeOf(database.db), { name: 'cn1' })).toMatchObject({ facts: { cpuInfo: '' } });
    expect(await report({ cpuInfo: '', vcpus: 0, memoryMb: 0, localGb: 0 })).toMatchObject({ changed: false });
  });

  test('the ratio that the host configures takes precedence, then the one in the inventory, then the initial one', async () => {
    await report({ initialRatios: { cpu: 16, ram: 1.5 } });
    const ratios = async () => Object.values(await inventoriesOf('cn1')).map(({ allocationRatio }) => allocationRatio);
    const byClass = async () => {
      const { VCPU, MEMORY_MB, DISK_GB } = await inventoriesOf('cn1');
      return [VCPU, MEMORY_MB, DISK_GB].map((inventory) => inventory?.allocationRatio);
    };
    expect(await byClass()).toEqual([16, 1.5, 1]);
    await seed.inventories('cn1', { VCPU: { total: 16, allocationRatio: 8 } });
    await report({ ratios: { ram: 2, disk: 0 } });
    expect(await byClass()).toEqual([8, 2, 1]);
    expect(await ratios()).toHaveLength(3);
  });

  test('the same report again costs one statement, writes nothing and makes no event', async () => {
    await report();
    const before = await dumpTables(database.db);
    database.statements.length = 0;
    expect(await report()).toMatchObject({ changed: false, changes: [] });
    expect(database.statements).toHaveLength(1);
    expect(await dumpTables(database.db)).toEqual(before);
  });

  test('a changed report writes the changes in one write', async () => {
    await report();
    const events = await countEvents(database.db);
    database.statements.length = 0;
    const { changes } = await report({ vcpus: 32 });
    expect(changes).toMatchObject([
      { inventories: [{ resourceClassName: 'VCPU', before: { total: 16 }, after: { total: 32 } }], traitNamesAdded: [] },
    ]);
    expect(database.statements.length).toBeLessThanOrEqual(4);
    expect(await countEvents(database.db)).toBe(events + 1);
  });

  test('providers, classes and traits of other services in the tree stay', async () => {
    await report();
    await seed.provider('agent', { parent: 'cn1', inventories: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 }, traits: ['CUSTOM_PHYSNET_A'] });
    await seed.traits('cn1', ['COMPUTE_NODE', 'HW_CPU_X86_AVX2', 'OWNER_NOVA', 'CUSTOM_GOLD']);
    const inventories = await inventoriesOf('cn1');
    await seed.inventories('cn1', { ...inventories, CUSTOM_LICENCE: 5 });
    await report({ traits: ['HW_CPU_X86_SSE'], vcpus: 32 });
    const [root, agent] = await treeOf('cn1');
    expect(root?.traits).toEqual(['COMPUTE_NODE', 'CUSTOM_GOLD', 'HW_CPU_X86_SSE', 'OWNER_NOVA']);
    expect(root?.inventories).toMatchObject({ VCPU: { total: 32 }, CUSTOM_LICENCE: { total: 5 } });
    expect(agent).toMatchObject({ name: 'agent', inventories: { NET_BW_EGR_KILOBIT_PER_SEC: { total: 1000 } } });
  });

  test('cells, GPUs and cards are children owned by Nova, and are removed by a report without them', async () => {
    const cells = [0, 1].map((id) => ({ id, cores: 8, threads: 16, memoryMb: 16_384 }));
    const vgpus = [{ address: '0000:84:00.0', total: 4, numaNode: 1, traits: ['CUSTOM_NVIDIA_11'] }];
    const card = { vendorId: '8086', productId: '10ed', numaNode: 0 };
    const pciDevices = [
      { ...card, address: '0000:85:00.1', devType: 'type-VF', parentAddress: '0000:85:00.0' },
      { ...card, address: '0000:85:00.2', devType: 'type-VF', parentAddress: '0000:85:00.0' },
    ].map((fields) => ({ device: { fields } }));
    await report({ numaCells: cells, vgpus, pciDevices, pciInPlacement: true });
    const lines = async () => {
      const tree = await treeOf('cn1');
      const nameOf = (uuid: string | null) => tree.find((state) => state.uuid === uuid)?.name ?? '-';
      return tree
        .map(
          ({ name, parent, inventories }) =>
            `${name} < ${nameOf(parent)}: ${Object.entries(inventories).map(([key, { total }]) => `${key} ${total}`)}`,
        )
        .slice(1)
        .toSorted();
    };
    expect(await lines()).toEqual(
      [
        'cn1_0000:85:00.0 < cn1_numa_0: CUSTOM_PCI_8086_10ED 2',
        'cn1_numa_0 < cn1: NUMA_CORE 8,NUMA_THREAD 16,NUMA_MEMORY_MB 16384',
        'cn1_numa_1 < cn1: NUMA_CORE 8,NUMA_THREAD 16,NUMA_MEMORY_MB 16384',
        'cn1_pci_0000_84_00_0 < cn1_numa_1: VGPU 4',
      ].toSorted(),
    );
    expect((await treeOf('cn1')).every(({ traits }) => traits.includes('OWNER_NOVA'))).toBe(true);
    await report({ numaCells: [], vgpus, pciDevices: [], pciInPlacement: true });
    expect(await lines()).toEqual(['cn1_pci_0000_84_00_0 < cn1: VGPU 4']);
    // Parts that a report does not mention stay.
    await report({ vcpus: 8 });
    expect(await lines()).toEqual(['cn1_pci_0000_84_00_0 < cn1: VGPU 4']);
  });

  test('a one-time-use card that was used stays reserved until an operator releases it', async () => {
    const device = (status: string) => ({
      device: { fields: { address: '0000:86:00.0', vendorId: '144d', productId: 'a80a', status } },
      tags: [
        { key: 'one_time_use', value: 'true' },
        { key: 'resource_class', value: 'nvme' },
      ],
    });
    const reserved = async () => (await treeOf('cn1'))[1]?.inventories.CUSTOM_NVME?.reserved;
    await report({ pciDevices: [device('available')], pciInPlacement: true });
    expect(await reserved()).toBe(0);
    await report({ pciDevices: [device('allocated')], pciInPlacement: true });
    expect(await reserved()).toBe(1);
    await report({ pciDevices: [device('available')], pciInPlacement: true });
    expect(await reserved()).toBe(1);
  });

  test('functions of a card that is not reported are offered by a provider of the card', async () => {
    const virtual = { vendorId: '8086', productId: '10ed', devType: 'type-VF', parentAddress: '0000:85:00.0' };
    const pciDevices = ['0000:85:00.1', '0000:85:00.2'].map((address) => ({ device: { fields: { ...virtual, address } } }));
    await report({ pciDevices, pciInPlacement: true });
    expect((await treeOf('cn1'))[1]).toMatchObject({
      name: 'cn1_0000:85:00.0',
      inventories: { CUSTOM_PCI_8086_10ED: { total: 2 } },
      traits: ['COMPUTE_MANAGED_PCI_DEVICE', 'OWNER_NOVA'],
    });
  });

  test('a new node without a uuid that sends two concurrent reports becomes one node', async () => {
    const [first, second] = await Promise.all([report({ uuid: null }), report({ uuid: null })]);
    expect(first.computeNode.uuid).toBe(second.computeNode.uuid);
  });

  test('concurrent reports and claims: conflicts are retried, and everything reported and claimed is present', async () => {
    await report();
    await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => seed.claim(`vm${index}`, { cn1: { VCPU: 1, MEMORY_MB: 64 } })),
      report({ vcpus: 32 }),
      report({ traits: ['HW_CPU_X86_SSE'], vcpus: 32 }),
    ]);
    expect((await treeOf('cn1'))[0]).toMatchObject({ inventories: { VCPU: { total: 32 } }, used: { VCPU: 4, MEMORY_MB: 256 } });
  });

  test('through GraphQL the same report again also costs one statement, and an invalid one is refused with its path', async () => {
    const mutation = `mutation ($input: ReportComputeNodeInput!) { reportComputeNode(input: $input) {
      changed changes { action } computeNode { uuid hypervisorHostname serviceHost vcpus freeRamMb runningVms } userErrors { code path }
    } }`;
    const send = (input: object) => query<{ reportComputeNode: object }>(database.db, mutation, { input: reportOf({ ...cn1, ...input }) });
    const computeNode = {
      uuid: uuidOf('cn1'),
      hypervisorHostname: 'cn1',
      serviceHost: 'host1',
      vcpus: 16,
      freeRamMb: 32_256,
      runningVms: 0,
    };
    expect(await send({})).toMatchObject({ reportComputeNode: { changed: true, computeNode, userErrors: [] } });
    database.statements.length = 0;
    expect(await send({})).toEqual({ reportComputeNode: { changed: false, changes: [], computeNode, userErrors: [] } });
    expect(database.statements).toHaveLength(1);
    expect(await send({ traits: ['HW_NO_SUCH_TRAIT'] })).toEqual({
      reportComputeNode: { changed: false, changes: [], computeNode: null, userErrors: [{ code: 'NOT_FOUND', path: ['traits', '0'] }] },
    });
  });
});

describe('an invalid report is refused with its path, and changes nothing', () => {
  test.each<[place: string, change: Partial<FlatReport>]>([
    ['computeNodeRecord/fields/vcpus', { vcpus: -1 }],
    ['computeNodeRecord/fields/memoryMb', { memoryMb: 1.5 }],
    ['reservedCpus', { reservedCpus: 17 }],
    ['reservedDiskMb', { reservedDiskMb: 2_000_000 }],
    ['computeNodeRecord/fields/ratios/cpu', { ratios: { cpu: -1 } }],
    ['computeNodeRecord/fields/hypervisorHostname', { hypervisorHostname: '' }],
    ['traits/0', { traits: ['lower case'] }],
    ['numaCells/1/id', { numaCells: [0, 0].map((id) => ({ id, cores: 1, threads: 1, memoryMb: 1 })) }],
    ['vgpus/0/address', { vgpus: [{ address: 'here', total: 1 }] }],
    [
      'pciDevices/0/device/fields/status',
      { pciDevices: [{ device: { fields: { address: '0000:81:00.0', vendorId: '1', productId: '2', status: 'lost' } } }] },
    ],
  ])('%s', async (place, change) => {
    expect(await refused(change)).toEqual([expect.objectContaining({ code: 'INVALID_INPUT', path: place.split('/') })]);
  });

  test('a new uuid under an old name is a duplicate', async () => {
    await report();
    const [problem] = await refused({ uuid: uuidOf('reinstalled') });
    expect(problem).toMatchObject({
      code: 'DUPLICATE',
      path: ['computeNodeRecord', 'fields', 'hypervisorHostname'],
      details: { key: 'cn1', existing: uuidOf('cn1') },
    });
  });

  test('a card in use stays, reduced to its usage, and the rest of the report takes effect', async () => {
    await report({ vgpus: [{ address: '0000:84:00.0', total: 4 }] });
    const gpu = (await treeOf('cn1'))[1]?.uuid ?? '';
    const held = { uuid: uuidOf('vm'), expect: {}, project: 'p', user: 'u', type: 'INSTANCE', keepType: false };
    await seed.write('replace_allocations', {
      consumers: [{ ...held, allocations: [{ provider: gpu, resourceClass: 'VGPU', amount: 1 }] }],
    });
    await report({ vgpus: [], memoryMb: 65_536 });
    const [node, card] = await treeOf('cn1');
    expect([node?.inventories.MEMORY_MB?.total, card?.inventories]).toMatchObject([65_536, { VGPU: { total: 1, maxUnit: 4 } }]);
    await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('vm'), expect: {}, allocations: [] }] });
    await report({ vgpus: [], memoryMb: 65_536 });
    expect((await treeOf('cn1')).map(({ name }) => name)).toEqual(['cn1']);
  });

  test('another class in use stays at its usage, and goes with the first report after it is released', async () => {
    await seed.write('create_resource_class', { name: 'CUSTOM_LICENSE' });
    await report({ otherInventories: [{ resourceClass: 'CUSTOM_LICENSE', total: 3 }] });
    await seed.claim('vm', { cn1: { CUSTOM_LICENSE: 1 } });
    await report({ otherInventories: [] });
    expect(await inventoriesOf('cn1')).toMatchObject({ CUSTOM_LICENSE: { total: 1 } });
    expect(await report({ otherInventories: [] })).toMatchObject({ changed: false });
    await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('vm'), expect: {}, allocations: [] }] });
    await report({ otherInventories: [] });
    expect(await inventoriesOf('cn1')).not.toHaveProperty('CUSTOM_LICENSE');
  });
});

test('what is gone of a reserved host stays without room, and comes back as it was; the rest of the report takes effect', async () => {
  const whole = { vgpus: [{ address: '0000:84:00.0', total: 4 }], otherInventories: [{ resourceClass: 'CUSTOM_LICENSE', total: 3 }] };
  const rest = { vgpus: [], otherInventories: [], localGb: 0, memoryMb: 65_536 };
  const capacities = async () => {
    const states = (await treeOf('cn1')).map(({ inventories }) =>
      Object.entries(inventories).map(([name, one]) => [name, capacityOf(one)]),
    );
    return Object.fromEntries(states.flat());
  };
  await seed.write('create_resource_class', { name: 'CUSTOM_LICENSE' });
  await report(whole);
  const before = await treeOf('cn1');
  const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const hold = { hosts: [uuidOf('cn1')] };
  await replaceReservation(scopeOf(database.db), {
    ...{ reservation: uuidOf('r'), expect: { isNew: true }, project: 'p', startsAt, endsAt, hold },
  });
  const { warnings } = await report(rest);
  expect(await capacities()).toEqual({ VCPU: 64, MEMORY_MB: 65_024, DISK_GB: 0, CUSTOM_LICENSE: 0, VGPU: 0 });
  expect(warnings.map(({ resourceClass }) => resourceClass).toSorted()).toEqual(['CUSTOM_LICENSE', 'DISK_GB', 'VGPU']);
  expect(await report(rest)).toMatchObject({ changed: false });
  await report(whole);
  expect((await treeOf('cn1')).map(({ inventories }) => inventories)).toEqual(before.map(({ inventories }) => inventories));
  await report(rest);
  await seed.write('release_reservation', { reservation: uuidOf('r'), expect: {} });
  await report(rest);
  expect(await capacities()).toEqual({ VCPU: 64, MEMORY_MB: 65_024 });
});

test('a versioned object is a report; other input is given separately, and missing fields are refused under their own names', async () => {
  const data = {
    uuid: uuidOf('cn1'),
    host: 'host1',
    hypervisor_hostname: 'cn1',
    hypervisor_type: 'QEMU',
    vcpus: 4,
    memory_mb: 2048,
    local_gb: 20,
  };
  const wire = { 'nova_object.name': 'ComputeNode', 'nova_object.namespace': 'nova', 'nova_object.version': '1.16' };
  const object = JSON.stringify({ ...wire, 'nova_object.data': { ...data, cpu_allocation_ratio: 0, ram_allocation_ratio: 1.5 } });
  await reportComputeNode(scopeOf(database.db), { computeNodeRecord: { object }, reservedCpus: 1, traits: ['HW_CPU_X86_AVX2'] });
  expect(await inventoriesOf('cn1')).toMatchObject({
    VCPU: { total: 4, reserved: 1, allocationRatio: 4 },
    MEMORY_MB: { allocationRatio: 1.5 },
  });
  const { local_gb: _, ...others } = data;
  const short = { computeNodeRecord: { object: JSON.stringify({ ...wire, 'nova_object.data': others }) } };
  expect(await refusalOf(database.db, () => reportComputeNode(scopeOf(database.db), short))).toMatchObject([
    { code: 'INVALID_INPUT', path: ['computeNodeRecord', 'object', 'nova_object.data', 'local_gb'] },
  ]);
  const other = { computeNodeRecord: { object: '{"nova_object.name":"Flavor"}' } };
  expect(await refusalOf(database.db, () => reportComputeNode(scopeOf(database.db), other))).toMatchObject([
    { code: 'INVALID_INPUT', path: ['computeNodeRecord', 'object', 'nova_object.name'] },
  ]);
});

test('a host on shared storage has an inventory of disk until a pool serves it, which then takes over the allocations', async () => {
  const onShared = { hasSharedStorage: true };
  await report(onShared);
  expect(await inventoriesOf('cn1')).toHaveProperty('DISK_GB');
  await seed.claim('vm', { cn1: { DISK_GB: 10 } });
  await reportPool(scopeOf(database.db), {
    name: 'nfs',
    inventories: [{ resourceClass: 'DISK_GB', total: 100_000 }],
    aggregates: [uuidOf('rack')],
  });
  expect(await inventoriesOf('cn1')).toHaveProperty('DISK_GB');
  await seed.aggregates('cn1', ['rack']);
  expect(await inventoriesOf('cn1')).not.toHaveProperty('DISK_GB');
  expect(await heldBy(database.db, 'vm')).toEqual({ nfs: { DISK_GB: 10 } });
  await report(onShared);
  expect(await inventoriesOf('cn1')).not.toHaveProperty('DISK_GB');
});
