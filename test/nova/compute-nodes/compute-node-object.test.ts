// Versioned objects instead of plain fields, according to the document "make resource tracker use objects": services of different releases
// call the same mutations, and their objects mean the same as plain fields.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeText, encodeObject, makeObject, type ObjectValues } from '../../../src/nova/objects/codec.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { query } from '../../support/graphql.ts';
import { heldBy } from '../../support/held.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';
import { read, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(database.db, 'cn1  VCPU 16, MEMORY_MB 32768, DISK_GB 500, PCI_DEVICE 4');
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  for (const name of ['vm', 'move'])
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf(name), expect: { unchecked: true } }] });
});
afterAll(() => gateway.close());

const vm = uuidOf('vm');
const computeNode = uuidOf('cn1');
const device = (status: string, dev_type: string) => makeObject('PciDevice', { address: '0000:01:00.0', status, dev_type });

/** An instance as a current service sends it. */
const values: ObjectValues<'Instance'> = {
  uuid: vm,
  project_id: 'p1',
  user_id: 'u1',
  host: null,
  flavor: makeObject('Flavor', { name: 'small', vcpus: 2, memory_mb: 2048, root_gb: 10, ephemeral_gb: 5, swap: 1, description: 'ours' }),
  pci_devices: makeObject('PciDeviceList', {
    objects: [
      device('allocated', 'type-PCI'),
      device('allocated', 'type-PCI'),
      device('allocated', 'type-VF'),
      device('claimed', 'type-PCI'),
    ],
  }),
};
const held = { cn1: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 16, PCI_DEVICE: 2 } };
const json = (...args: Parameters<typeof encodeObject>) => JSON.stringify(encodeObject(...args));
const instance = makeObject('Instance', values);
const dataOf = (...args: Parameters<typeof encodeObject>) => read(encodeObject(...args)).data;

describe('an instance', () => {
  test.each([
    ['of today', {}],
    ['of a release without the newer fields', { manifest: { Instance: '2.0', Flavor: '1.0', PciDeviceList: '1.0', PciDevice: '1.0' } }],
    ['of a release with an older version of a nested object', { manifest: { Flavor: '1.1' } }],
  ])('%s holds the amounts of its flavor and devices', async (_what, options) => {
    const payload = await write(
      'claimInstance',
      { computeNode, hostedInstance: { instanceRecord: { object: json(instance, options) } } },
      'changed instance { uuid }',
    );
    expect(payload).toEqual({ changed: true, instance: { uuid: vm }, userErrors: [] });
    expect(await heldBy(database.db, 'vm')).toEqual(held);
  });

  test('means the same as plain fields: whichever comes second changes nothing', async () => {
    await write('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: json(instance) } } });
    const fields = {
      uuid: vm,
      project: 'p1',
      user: 'u1',
      flavor: { fields: { vcpus: 2, memoryMb: 2048, rootGb: 10, ephemeralGb: 5, swapMb: 1 } },
      pciDeviceCount: 2,
    };
    expect(await write('claimInstance', { computeNode, hostedInstance: { instanceRecord: { fields } } }, 'changed')).toEqual({
      changed: false,
      userErrors: [],
    });
  });

  test('may leave missing fields unset', async () => {
    const { pci_devices: _, ...rest } = values;
    await write('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: json(makeObject('Instance', rest)) } } });
    expect(await heldBy(database.db, 'vm')).toEqual({ cn1: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 16 } });
  });

  test.each([
    ['of a newer major version', wireOf('Instance', '3.0', {}), ['nova_object.version'], 'Instance 3.0 is too new to be read'],
    ['that is a flavor', wireOf('Flavor', '1.2', {}), ['nova_object.name'], 'must be Instance'],
    [
      'with a fault deep inside',
      wireOf('Instance', '2.8', { flavor: wireOf('Flavor', '1.2', { vcpus: '2' }) }),
      undefined,
      'must be a whole number',
    ],
    [
      'whose project is null',
      encodeObject(makeObject('Instance', { ...values, project_id: null })),
      ['nova_object.data', 'project_id'],
      'is missing',
    ],
    [
      'without a flavor',
      wireOf('Instance', '2.8', { uuid: vm, project_id: 'p', user_id: 'u' }),
      ['nova_object.data', 'flavor'],
      'is missing',
    ],
  ])('%s is refused, and nothing changes', async (_what, wire, path, message) => {
    const problem = await refusal('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: JSON.stringify(wire) } } });
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
    if (path) expect(problem?.path).toEqual(['hostedInstance', 'instanceRecord', 'object', ...path]);
  });

  test('is claimed even if its PCI requests cannot be read, because they are not used', async () => {
    const object = wireOf('Instance', '2.8', { ...dataOf(instance), pci_requests: { requests: [] } });
    const hostedInstance = { instanceRecord: { object: JSON.stringify(object) } };
    expect(await write('claimInstance', { computeNode, hostedInstance }, 'changed')).toEqual({ changed: true, userErrors: [] });
  });

  test('that is not JSON is refused', async () => {
    expect(await refusal('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: '{' } } })).toMatchObject({
      path: ['hostedInstance', 'instanceRecord', 'object'],
    });
  });
});

describe('a migration', () => {
  const move = { uuid: uuidOf('move'), instance_uuid: vm, migration_type: 'migration', dest_compute_id: 3, user_id: 'u1' };
  const object = (version: string) => json(makeObject('Migration', move), { version });

  test('is started and reverted by services of different releases', async () => {
    await write('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: json(instance) } } });
    await write('startMigration', { migrationRecord: { object: object('1.8') }, expect: { generation: 1 } });
    expect([await heldBy(database.db, 'vm'), await heldBy(database.db, 'move')]).toEqual([{}, held]);
    await write('endMigration', { migrationRecord: { object: object('1.5') }, outcome: 'REVERTED' });
    expect([await heldBy(database.db, 'vm'), await heldBy(database.db, 'move')]).toEqual([held, {}]);
  });

  test('of a release without uuids of migrations is refused, because it cannot hold allocations', async () => {
    await write('claimInstance', { computeNode, hostedInstance: { instanceRecord: { object: json(instance) } } });
    expect(await refusal('startMigration', { migrationRecord: { object: object('1.4') }, expect: { generation: 1 } })).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['migrationRecord', 'object', 'nova_object.data', 'uuid'],
    });
  });
});

describe('a compute node', () => {
  const node = makeObject('ComputeNode', {
    uuid: uuidOf('cn2'),
    service_id: null,
    host: 'cn2',
    hypervisor_hostname: 'cn2',
    hypervisor_type: 'QEMU',
    hypervisor_version: 8_002_000,
    vcpus: 8,
    memory_mb: 8192,
    local_gb: 100,
    cpu_allocation_ratio: 2,
    ram_allocation_ratio: 0,
    disk_allocation_ratio: 0,
    mapped: 1,
  });
  const report = (input: object, fields = '') => write('reportComputeNode', input, `changed ${fields}`);
  const ratioOf = async (name: string) => {
    const { resourceProvider } = await gateway.data<{
      resourceProvider: { inventories: { resourceClass: { name: string }; allocationRatio: number }[] };
    }>('query ($name: String) { resourceProvider(name: $name) { inventories { resourceClass { name } allocationRatio } } }', { name });
    return resourceProvider.inventories.find(({ resourceClass }) => resourceClass.name === 'VCPU')?.allocationRatio;
  };

  beforeAll(() => report({ computeNodeRecord: { object: json(node) } }));

  test('reports with objects of any release, and the same in plain fields changes nothing', async () => {
    expect(await ratioOf('cn2')).toBe(2);
    expect(await report({ computeNodeRecord: { object: json(node, { version: '1.16' }) } })).toMatchObject({
      changed: false,
      userErrors: [],
    });
    const fields = {
      serviceHost: 'cn2',
      hypervisorHostname: 'cn2',
      hypervisorType: 'QEMU',
      hypervisorVersion: 8_002_000,
      vcpus: 8,
      memoryMb: 8192,
      localGb: 100,
      ratios: { cpu: 2 },
    };
    expect(await report({ computeNodeRecord: { fields } })).toMatchObject({ changed: false, userErrors: [] });
  });

  test('of a release without uuids and ratios keeps its uuid and its ratio', async () => {
    const answer = await report({ computeNodeRecord: { object: json(node, { version: '1.13' }) } }, 'computeNode { uuid }');
    expect(answer).toMatchObject({ changed: false, computeNode: { uuid: uuidOf('cn2') }, userErrors: [] });
    expect(await ratioOf('cn2')).toBe(2);
  });

  test('is written in the version that its reader understands', async () => {
    const { computeNode: told } = await gateway.data<{ computeNode: { now: string; before: string } }>(
      'query ($uuid: UUID) { computeNode(uuid: $uuid) { now: object before: object(version: "1.14") } }',
      { uuid: uuidOf('cn2') },
    );
    const [now, before] = [told.now, told.before].map((text) => decodeText('ComputeNode', text));
    expect(now).toMatchObject({ version: '1.19', fields: { uuid: uuidOf('cn2'), vcpus: 8, memory_mb: 8192 } });
    expect(before).toMatchObject({ version: '1.14', fields: { vcpus: 8, memory_mb: 8192 } });
    expect(before?.fields).not.toHaveProperty('uuid');
  });

  test('has devices as objects, whose pools have their type among the tags', async () => {
    const pf = { address: '0000:01:00.0', vendor_id: '8086', product_id: '1572', dev_type: 'type-PF', status: 'available', numa_node: 0 };
    const vf = { ...pf, address: '0000:01:02.0', product_id: '154c', dev_type: 'type-VF', parent_addr: pf.address };
    const pciDevices = [
      { device: { object: json(makeObject('PciDevice', pf)) } },
      { device: { object: json(makeObject('PciDevice', vf), { version: '1.3' }) }, tags: [{ key: 'physical_network', value: 'net1' }] },
      { device: { object: json(makeObject('PciDevice', { ...vf, address: '0000:01:02.1', status: 'allocated' })) } },
    ];
    await report({ computeNodeRecord: { object: json(node) }, pciDevices });
    const { computeNode: told } = await gateway.data<{ computeNode: { pciStats: string; object: string } }>(
      'query ($uuid: UUID) { computeNode(uuid: $uuid) { pciStats object } }',
      { uuid: uuidOf('cn2') },
    );
    const pool = { vendor_id: '8086', product_id: '154c', numa_node: 0, count: 1 };
    expect(JSON.parse(told.pciStats)).toEqual([{ ...pool, dev_type: 'type-VF', physical_network: 'net1' }]);
    const [inObject] = decodeText('ComputeNode', told.object).fields.pci_device_pools?.fields.objects ?? [];
    expect(inObject?.fields).toEqual({ ...pool, tags: { dev_type: 'type-VF', physical_network: 'net1' } });
  });

  test('of a newer major version is refused, and nothing changes', async () => {
    expect(
      await refusal('reportComputeNode', { computeNodeRecord: { object: JSON.stringify(wireOf('ComputeNode', '2.0', {})) } }),
    ).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['computeNodeRecord', 'object', 'nova_object.version'],
    });
  });
});

test('a service reports its version with an object; an object of a release without versions does not change it', async () => {
  const service = makeObject('Service', { uuid: uuidOf('service'), host: 'cn2', binary: 'nova-compute', version: 73 });
  expect(await write('reportService', { service: { object: json(service) } }, 'changed')).toEqual({ changed: true, userErrors: [] });
  expect(await write('reportService', { service: { fields: { host: 'cn2', binary: 'nova-compute', version: 73 } } }, 'changed')).toEqual({
    changed: false,
    userErrors: [],
  });
  expect(await write('reportService', { service: { object: json(service, { version: '1.15' }) } }, 'changed')).toEqual({
    changed: false,
    userErrors: [],
  });
});

test('the object of a node keeps every field of its report, and is converted for older readers with all nested objects', async () => {
  const kept = {
    ...{ id: 7, service_id: 3, current_workload: 2, disk_available_least: 80, metrics: '[]', mapped: 1 },
    ...{ stats: { failed_builds: '2' }, numa_topology: '{"cells": []}' },
    supported_hv_specs: [wireOf('HVSpec', '1.2', { arch: 'x86_64', hv_type: 'virtuozzo' }), wireOf('HVSpec', '2.0', {}), ['x86_64', 'kvm']],
  };
  const data = { uuid: uuidOf('kept'), host: 'kept', hypervisor_hostname: 'kept', hypervisor_type: 'QEMU', hypervisor_version: 1 };
  const sizes = { vcpus: 8, memory_mb: 8192, local_gb: 100 };
  await write(
    'reportComputeNode',
    { computeNodeRecord: { object: json(makeObject('ComputeNode', { ...data, ...sizes, ...kept })) } },
    'changed',
  );
  const device = { address: '0000:86:00.0', vendorId: '8086', productId: '10ed', numaNode: 1 };
  const fields = { uuid: uuidOf('plain'), serviceHost: 'plain', hypervisorHostname: 'plain', vcpus: 8, memoryMb: 8192, localGb: 100 };
  await write('reportComputeNode', { computeNodeRecord: { fields }, pciDevices: [{ device: { fields: device } }] }, 'changed');
  const objectOf = async (name: string, args = '') => {
    const { computeNode } = await query<{ computeNode: { object: string } }>(
      database.db,
      `query ($name: String) { computeNode(name: $name) { object${args} } }`,
      { name },
    );
    return JSON.parse(computeNode.object)['nova_object.data'];
  };
  expect(await objectOf('kept')).toMatchObject(kept);
  // As gateways of 0.1.0 read it.
  const [record] = await database.db.writes`select body -> 'object' -> 'supported_hv_specs' as specs from records where name = 'kept'`;
  expect(record?.specs).toEqual(kept.supported_hv_specs);
  const [, ...others] = kept.supported_hv_specs;
  expect((await objectOf('kept', '(manifest: [{ name: "HVSpec", version: "1.0" }])')).supported_hv_specs).toEqual([
    wireOf('HVSpec', '1.0', { arch: 'x86_64', hv_type: 'parallels' }),
    ...others,
  ]);
  expect(await objectOf('plain')).toMatchObject({ service_id: null, stats: {}, numa_topology: null, supported_hv_specs: [], mapped: 0 });
  expect(await objectOf('plain', '(version: "1.12")')).toMatchObject({ service_id: -1 });
  const poolIn = (object: { pci_device_pools: Record<string, { objects: Record<string, object>[] }> }) =>
    object.pci_device_pools['nova_object.data']?.objects[0]?.['nova_object.data'];
  expect(poolIn(await objectOf('plain'))).toMatchObject({ numa_node: 1 });
  const manifest =
    '(manifest: [{ name: "ComputeNode", version: "1.10" }, { name: "PciDevicePoolList", version: "1.0" }, { name: "PciDevicePool", version: "1.0" }])';
  const older = await objectOf('plain', manifest);
  expect([older.uuid, poolIn(older)]).toEqual([undefined, expect.not.objectContaining({ numa_node: 1 })]);
  const unreadable = { ...data, ...sizes, stats: { failed: '\u0000' } };
  expect(await refusal('reportComputeNode', { computeNodeRecord: { object: json(makeObject('ComputeNode', unreadable)) } })).toMatchObject({
    code: 'INVALID_INPUT',
    path: ['computeNodeRecord', 'object', 'nova_object.data', 'stats'],
  });
});

describe('a fault in an object is reported at its path in Nova’s object', () => {
  const node = {
    uuid: uuidOf('cn3'),
    host: 'cn3',
    hypervisor_hostname: 'cn3',
    hypervisor_type: 'QEMU',
    vcpus: 8,
    memory_mb: 8192,
    local_gb: 100,
  };
  const nodeWith = (fields: ObjectValues<'ComputeNode'>) => json(makeObject('ComputeNode', { ...node, ...fields }));
  const pci = { address: '0000:01:00.0', vendor_id: '8086', product_id: '1572', dev_type: 'type-PF', status: 'available' };
  const reportWith = (fields: ObjectValues<'PciDevice'>) => ({
    computeNodeRecord: { object: nodeWith({}) },
    pciDevices: [{ device: { object: json(makeObject('PciDevice', { ...pci, ...fields })) } }],
  });
  const claimWith = (fields: ObjectValues<'Instance'>) => ({
    computeNode,
    hostedInstance: { instanceRecord: { object: json(makeObject('Instance', { ...values, ...fields })) } },
  });
  const devices = makeObject('PciDeviceList', { objects: [device('allocated', 'type-PCI'), device('lost', 'type-PCI')] });
  const flavor = makeObject('Flavor', { vcpus: 1, memory_mb: -1, root_gb: 0 });

  test.each<[mutation: string, input: object, inside: string, field: string]>([
    ['reportComputeNode', { computeNodeRecord: { object: nodeWith({ hypervisor_type: '\0' }) } }, 'computeNodeRecord', 'hypervisor_type'],
    [
      'reportComputeNode',
      { computeNodeRecord: { object: nodeWith({ ram_allocation_ratio: -1 }) } },
      'computeNodeRecord',
      'ram_allocation_ratio',
    ],
    ['reportComputeNode', reportWith({ address: '01:00' }), 'pciDevices 0 device', 'address'],
    ['reportComputeNode', reportWith({ vendor_id: '' }), 'pciDevices 0 device', 'vendor_id'],
    ['reportComputeNode', reportWith({ product_id: '\0' }), 'pciDevices 0 device', 'product_id'],
    ['reportComputeNode', reportWith({ parent_addr: 'above' }), 'pciDevices 0 device', 'parent_addr'],
    ['reportComputeNode', reportWith({ extra_info: { phys_function: 'above' } }), 'pciDevices 0 device', 'extra_info phys_function'],
    ['reportComputeNode', reportWith({ extra_info: { parent_ifname: '\0' } }), 'pciDevices 0 device', 'extra_info parent_ifname'],
    [
      'importComputeNodes',
      { records: [{ object: nodeWith({ hypervisor_hostname: null, host: null }) }] },
      'records 0',
      'hypervisor_hostname',
    ],
    ['importComputeNodes', { records: [{ object: nodeWith({ host: '\0' }) }] }, 'records 0', 'host'],
    ['importComputeNodes', { records: [{ object: nodeWith({ disk_allocation_ratio: -1 }) }] }, 'records 0', 'disk_allocation_ratio'],
    ['claimInstance', claimWith({ project_id: '\0' }), 'hostedInstance instanceRecord', 'project_id'],
    ['claimInstance', claimWith({ user_id: '\0' }), 'hostedInstance instanceRecord', 'user_id'],
    ['claimInstance', claimWith({ flavor }), 'hostedInstance instanceRecord', 'flavor nova_object.data memory_mb'],
    [
      'claimInstance',
      claimWith({ pci_devices: devices }),
      'hostedInstance instanceRecord',
      'pci_devices nova_object.data objects 1 nova_object.data status',
    ],
  ])('%s, %#', async (mutation, input, inside, field) => {
    const problem = await refusal(mutation, input);
    expect(problem).toMatchObject({
      code: 'INVALID_INPUT',
      path: [...inside.split(' '), 'object', 'nova_object.data', ...field.split(' ')],
    });
    expect(problem?.message).toMatch(/^[\w.[\]]+ must /);
  });
});
