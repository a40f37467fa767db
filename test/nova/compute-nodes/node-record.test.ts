// What is known of a node beside its tree: facts, and the free PCI devices as the pools that Nova's scheduler reads. It stays until a report says otherwise.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { findComputeNode, reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { importComputeNodes } from '../../../src/nova/compute-nodes/old-records.ts';
import { encodeObject, makeObject, type ObjectValues } from '../../../src/nova/objects/codec.ts';
import { replaceTraits } from '../../../src/operations/providers/provider-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { scopeOf } from '../../support/ledger.ts';
import { claim, createWriter } from '../../support/mutations.ts';
import { overtaken } from '../../support/overtaken.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  return () => gateway.close();
});

const scope = () => scopeOf(database.db);
const report = (name: string, change: Partial<FlatReport> = {}, db: Db = database.db) =>
  reportComputeNode(
    scopeOf(db),
    reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 100, ...change }),
  );
const poolOf = (product: string, type: string, count: number, tags: Record<string, string> = {}) =>
  makeObject('PciDevicePool', { vendor_id: '8086', product_id: product, numa_node: 0, tags: { dev_type: type, ...tags }, count });
const poolsOf = (...objects: ReturnType<typeof poolOf>[]) => makeObject('PciDevicePoolList', { objects });
const wire = (name: string, fields: ObjectValues<'ComputeNode'> = {}, version = '1.19') => {
  const numbers = { vcpus: 8, memory_mb: 8192, local_gb: 100, hypervisor_type: 'QEMU', hypervisor_version: 8_002_000 };
  const node = { uuid: uuidOf(name), host: name, hypervisor_hostname: name, ...numbers, ...fields };
  return JSON.stringify(encodeObject(makeObject('ComputeNode', node), { version }));
};
const send = (object: string, rest: object = {}) => write('reportComputeNode', { computeNodeRecord: { object }, ...rest }, 'changed');
const statsOf = async (name: string) => {
  const query = 'query ($name: String) { computeNode(name: $name) { pciStats object } }';
  const { computeNode } = await gateway.data<{ computeNode: { pciStats: string; object: string } }>(query, { name });
  const inObject = JSON.parse(computeNode.object)['nova_object.data'].pci_device_pools['nova_object.data'].objects;
  const stats: { product_id: string; count: number }[] = JSON.parse(computeNode.pciStats);
  expect(inObject).toHaveLength(stats.length);
  return stats.map(({ product_id, count }) => `${product_id} ${count}`);
};
const aliases = [
  { name: 'gpu', vendorId: '8086', productId: '10fb', deviceType: 'type-PCI' },
  { name: 'other', vendorId: '8086', productId: '10ee', deviceType: 'type-PCI' },
  { name: 'vf', vendorId: '8086', productId: '10ed', deviceType: 'type-VF' },
];
const inputFor = (alias: string, rest: object = {}) => {
  // Nova's filter of devices in Placement looks only at guests with cells.
  const cells = 'inPlacement' in rest ? [{ key: 'hw:numa_nodes', value: '1' }] : [];
  const extraSpecs = [{ key: 'pci_passthrough:alias', value: alias }, ...cells];
  const flavor = { fields: { vcpus: 1, memoryMb: 512, extraSpecs } };
  const instances = { instance: uuidOf('vm'), project: 'p1', user: 'u1' };
  return { instances, alternates: 0, requestFrom: { flavorToRequest: { flavor, pciPassthrough: { aliases, ...rest } } } };
};
const select = async (alias: string, rest: object = {}) => {
  const { userErrors, destinations } = await write(
    'selectDestinations',
    inputFor(alias, rest),
    'destinations { selected { candidate { root { name } } } }',
  );
  expect(userErrors).toEqual([]);
  const [chosen] = destinations as { selected: { candidate: { root: { name: string } } } }[];
  await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
  return chosen?.selected.candidate.root.name;
};
const supports = async (name: string, productId: string, count: number) => {
  const query = `query ($name: String, $requests: [PciRequestInput!]!) {
    computeNode(name: $name) { supportsPciRequests(requests: $requests) } }`;
  const requests = [{ count, alternatives: [{ vendorId: '8086', productId }] }];
  return (await gateway.data<{ computeNode: { supportsPciRequests: boolean } }>(query, { name, requests })).computeNode.supportsPciRequests;
};
const inventoriesOf = async (name: string) => (await readTree(scope(), uuidOf(name)))[0]?.inventories ?? {};

describe('the pools in the object of a node', () => {
  const two = poolsOf(poolOf('10fb', 'type-PCI', 2), poolOf('10ed', 'type-VF', 3, { address: '0000:81:00.0' }));

  beforeAll(async () => {
    await report('bare');
    expect((await send(wire('pooled', { pci_device_pools: two }))).userErrors).toEqual([]);
  });

  test('are served, and a host is chosen for the devices in them', async () => {
    expect(await statsOf('pooled')).toEqual(['10fb 2', '10ed 3']);
    expect([await select('gpu:2'), await select('vf:3'), await select('gpu:1,vf:1')]).toEqual(['pooled', 'pooled', 'pooled']);
    for (const alias of ['gpu:3', 'vf:4'])
      expect(await refusal('selectDestinations', inputFor(alias))).toMatchObject({ code: 'NO_CANDIDATES' });
    expect([await supports('pooled', '10ed', 3), await supports('pooled', '10ed', 4)]).toEqual([true, false]);
  });

  test('stay while a report leaves them unset, are replaced by the next ones, and go with null', async () => {
    const sent = (fields: ObjectValues<'ComputeNode'>, version?: string) => send(wire('pooled', fields, version));
    expect(await sent({ pci_device_pools: two })).toMatchObject({ changed: false });
    await sent({});
    await sent({ pci_device_pools: two }, '1.8');
    await report('pooled', { hypervisorType: 'QEMU' });
    expect(await statsOf('pooled')).toEqual(['10fb 2', '10ed 3']);
    await sent({ pci_device_pools: poolsOf(poolOf('10fb', 'type-PCI', 1)) });
    expect(await statsOf('pooled')).toEqual(['10fb 1']);
    await sent({ pci_device_pools: null });
    expect(await statsOf('pooled')).toEqual([]);
    expect(await inventoriesOf('pooled')).not.toHaveProperty('PCI_DEVICE');
  });

  test('make room for several instances of one call, and a claim that the host has not seen makes none', async () => {
    const host = (whole: number) => send(wire('counted', { pci_device_pools: poolsOf(poolOf('10ee', 'type-PCI', whole)) }));
    const room = async () => (await inventoriesOf('counted')).PCI_DEVICE?.total;
    await host(2);
    await write('replaceAllocations', { consumers: [{ ...claim('guest', 'counted', 1, 'PCI_DEVICE') }] });
    await host(2);
    expect(await room()).toBe(2);
    await host(1);
    expect(await room()).toBe(2);
    const instances = ['vm1', 'vm2'].map((name) => ({ instance: uuidOf(name), project: 'p1', user: 'u1' }));
    expect(await refusal('selectDestinations', { ...inputFor('other:1'), instances })).toMatchObject({ code: 'NO_CANDIDATES' });
    expect(await select('other:1')).toBe('counted');
  });

  test('make room for devices that are added while others are held', async () => {
    const host = (...pools: ReturnType<typeof poolOf>[]) => send(wire('grown', { pci_device_pools: poolsOf(...pools) }));
    const room = async () => (await inventoriesOf('grown')).PCI_DEVICE?.total;
    const free = (count: number) => poolOf('10ee', 'type-PCI', count);
    await host(free(2));
    await write('replaceAllocations', { consumers: [{ ...claim('holder', 'grown', 1, 'PCI_DEVICE') }] });
    for (const [pools, total] of [
      [[free(1)], 2],
      [[free(3)], 4],
      [[free(3)], 4],
      [[], 1],
      [[free(3)], 4],
    ] as const) {
      await host(...pools);
      expect(await room()).toBe(total);
    }
  });

  test('give way to devices that are reported one by one', async () => {
    const fields = { address: '0000:90:00.0', vendorId: '8086', productId: '10fb' };
    await send(wire('both', { pci_device_pools: two }), { pciDevices: [{ device: { fields } }] });
    expect(await statsOf('both')).toEqual(['10fb 1']);
    await send(wire('both', { pci_device_pools: two }));
    expect(await statsOf('both')).toEqual(['10fb 2', '10ed 3']);
    for (const pools of [poolsOf(), undefined]) await send(wire('both', pools && { pci_device_pools: pools }));
    expect(await statsOf('both')).toEqual([]);
    await report('both', { pciDevices: [{ device: { fields } }] });
    expect(await statsOf('both')).toEqual(['10fb 1']);
  });

  test('leave a node with cards its devices, because pools may not say which card they are on', async () => {
    const address = '0000:91:00.0';
    const fields = { address, vendorId: '10de', productId: '1eb8', numaNode: 0 };
    const pciDevices = [{ device: { fields }, tags: [{ key: 'resource_class', value: 'CUSTOM_GPU' }] }];
    await report('carded', { pciDevices, pciInPlacement: true });
    const inPlacement = {
      inPlacement: true,
      aliases: [{ name: 'card', resourceClass: 'CUSTOM_GPU', vendorId: '10de', productId: '1eb8' }],
    };
    expect(await select('card:1', inPlacement)).toBe('carded');
    // As Nova 26 has them.
    const pool = { vendor_id: '10de', product_id: '1eb8', numa_node: 0, count: 1, tags: { dev_type: 'type-PCI' } };
    const pools = makeObject('PciDevicePoolList', { objects: [makeObject('PciDevicePool', pool)] });
    for (const pciInPlacement of [true, false]) {
      await send(wire('carded', { pci_device_pools: pools }), { pciInPlacement });
      expect(await inventoriesOf('carded')).not.toHaveProperty('PCI_DEVICE');
      expect(await select('card:1', inPlacement)).toBe('carded');
    }
    await send(wire('carded', { pci_device_pools: null }), { pciInPlacement: true });
    expect(await statsOf('carded')).toEqual(['1eb8 1']);
  });

  test('serve cards of whose devices nothing else is known, by their address', async () => {
    await plantTrees(
      database.db,
      `
      foreign                VCPU 8, MEMORY_MB 8192, DISK_GB 100
        foreign_0000:92:00.0 GPU 1                                 COMPUTE_MANAGED_PCI_DEVICE
      `,
    );
    const pool = { vendor_id: '10de', product_id: '1eb9', numa_node: 0, count: 1, tags: { dev_type: 'type-PCI', address: '0000:92:00.0' } };
    const pools = makeObject('PciDevicePoolList', { objects: [makeObject('PciDevicePool', pool)] });
    await send(wire('foreign', { pci_device_pools: pools }), { pciInPlacement: true });
    expect(await inventoriesOf('foreign')).not.toHaveProperty('PCI_DEVICE');
    const inPlacement = {
      inPlacement: true,
      aliases: [{ name: 'card', resourceClass: 'CUSTOM_GPU', vendorId: '10de', productId: '1eb9' }],
    };
    expect(await select('card:1', inPlacement)).toBe('foreign');
    expect(await refusal('selectDestinations', inputFor('card:2', inPlacement))).toMatchObject({ code: 'NO_CANDIDATES' });
  });

  test('are refused at their path if they cannot be kept', async () => {
    for (const pools of [
      [poolOf('10ed', 'type-VF', 1, { odd: '\u0000' })],
      [poolOf('10ed', 'type-VF', -1), poolOf('10fb', 'type-PCI', 2)],
      [poolOf('10ed', 'type-VF', 6000), poolOf('10fb', 'type-PCI', 4001)],
    ]) {
      const object = wire('odd', { pci_device_pools: poolsOf(...pools) });
      for (const [field, input, place] of [
        ['reportComputeNode', { computeNodeRecord: { object } }, ['computeNodeRecord']],
        ['importComputeNodes', { records: [{ object }] }, ['records', '0']],
      ] as const)
        expect(await refusal(field, input)).toMatchObject({
          code: 'INVALID_INPUT',
          path: [...place, 'object', 'nova_object.data', 'pci_device_pools'],
        });
    }
  });
});

describe('the first report of an imported node', () => {
  const old = (name: string, fields: object = {}) =>
    importComputeNodes(scope(), [
      {
        fields: {
          ...{ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 100 },
          ...{ hypervisorType: 'QEMU', hypervisorVersion: 7, hostIp: '192.0.2.7', cpuInfo: '{"a":1}' },
          pciStats: JSON.stringify({ vendor_id: '8086', product_id: '10fb', dev_type: 'type-PCI', count: 2 }),
          ...fields,
        },
      },
    ]);
  const factsOf = async (name: string) => (await findComputeNode(scope(), { name }))?.facts;
  const had = { hypervisorType: 'QEMU', hypervisorVersion: 7, hostIp: '192.0.2.7', cpuInfo: '{"a":1}' };

  test('keeps what it does not mention, and answers with it', async () => {
    await old('kept');
    expect(await report('kept', { hypervisorVersion: 8 })).toMatchObject({
      computeNode: { facts: { ...had, hypervisorVersion: 8 }, pools: [{ count: 2 }] },
    });
    expect(await factsOf('kept')).toEqual({ host: 'kept', ...had, hypervisorVersion: 8 });
    expect(await statsOf('kept')).toEqual(['10fb 2']);
    expect(await inventoriesOf('kept')).toMatchObject({ PCI_DEVICE: { total: 2 } });
    expect(await report('kept')).toMatchObject({ changed: false });
  });

  test('clears with null', async () => {
    await old('cleared');
    await report('cleared', { hypervisorType: null, hypervisorVersion: null, hostIp: null, cpuInfo: null });
    const nothing = { hypervisorType: null, hypervisorVersion: null, hostIp: null, cpuInfo: null };
    expect(await factsOf('cleared')).toEqual({ host: 'cleared', ...nothing });
  });

  test('leaves the devices of a provider unchanged if the import had no pools, as a record of 0.1.0', async () => {
    await createSeed(database.db).provider('older', { inventories: { PCI_DEVICE: 4 } });
    await old('older', { pciStats: null });
    await database.db.writes`update records set body = body || '{"pools": []}' where uuid = ${uuidOf('older')}`;
    await report('older');
    expect(await inventoriesOf('older')).toMatchObject({ PCI_DEVICE: { total: 4 } });
  });
});

test('a report without traits leaves those of the last one, and does not bring back what others removed', async () => {
  const traitsOf = async () => (await readTree(scope(), uuidOf('trained')))[0]?.traits.filter((trait) => trait.startsWith('HW_'));
  await report('trained', { traits: ['HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2'] });
  await report('trained');
  expect(await traitsOf()).toEqual(['HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2']);
  await replaceTraits(scope(), { resourceProvider: uuidOf('trained'), expect: { unchecked: true }, traits: ['HW_CPU_X86_AVX'] });
  await report('trained');
  expect(await traitsOf()).toEqual(['HW_CPU_X86_AVX']);
  await report('trained', { traits: [] });
  expect(await traitsOf()).toEqual([]);
});

test.each<[string, Partial<FlatReport>]>([
  ['alone', {}],
  ['with the tree', { vcpus: 9 }],
])('a report that is overtaken by another leaves what that has changed, if it changes the record %s', async (way, change) => {
  const name = `overtaken ${way}`;
  await report(name, { hostIp: '192.0.2.7' });
  const db = overtaken(database.db, () => report(name, { cpuInfo: 'new' }));
  expect(await report(name, { hypervisorType: 'QEMU', ...change }, db)).toMatchObject({ changed: true });
  const facts = { host: name, hypervisorType: 'QEMU', hypervisorVersion: null, hostIp: '192.0.2.7', cpuInfo: 'new' };
  expect((await findComputeNode(scope(), { name }))?.facts).toEqual(facts);
});
