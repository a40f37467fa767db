// The pci-generate-stats document, end to end: devices are reported one by one, and pools are computed on every read.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import type { PciDeviceInput } from '../../../src/nova/pci/pci-devices.ts';
import { deleteResourceProvider } from '../../../src/operations/providers/provider-writes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { countEvents, expectSoundLedger, newestEvent, scopeOf } from '../../support/ledger.ts';
import { uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const nic = { vendorId: '8086', productId: '10ed', numaNode: 0 };
const physicalIn = (status: string): PciDeviceInput => ({
  device: { fields: { ...nic, address: '0000:85:00.0', productId: '10fb', devType: 'type-PF', status } },
});
const physical = physicalIn('available');
const virtual = (index: number, status = 'available', tags: PciDeviceInput['tags'] = null): PciDeviceInput => ({
  device: { fields: { ...nic, address: `0000:85:00.${index}`, devType: 'type-VF', parentAddress: '0000:85:00.0', status } },
  tags,
});
const gpu = (address: string, status = 'available'): PciDeviceInput => ({
  device: { fields: { address, vendorId: '10de', productId: '1eb8', numaNode: 1, status } },
});

const report = (pciDevices: readonly PciDeviceInput[] | null, name = 'cn1') =>
  reportComputeNode(scopeOf(database.db), {
    computeNodeRecord: {
      fields: { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 4096, localGb: 100 },
    },
    pciDevices,
  });

interface Pool {
  readonly vendorId: string;
  readonly productId: string;
  readonly numaNode: number | null;
  readonly tags: { key: string; value: string }[];
  readonly count: number;
}
async function pools(name = 'cn1'): Promise<string[]> {
  const { computeNode } = await query<{ computeNode: { pciDevicePools: Pool[] } }>(
    database.db,
    'query ($name: String) { computeNode(name: $name) { pciDevicePools { vendorId productId numaNode tags { key value } count } } }',
    { name },
  );
  return computeNode.pciDevicePools.map(
    ({ vendorId, productId, numaNode, tags, count }) =>
      `${count} of ${vendorId}:${productId} on ${numaNode} ${tags.map(({ key, value }) => `${key}=${value}`).join(' ')}`,
  );
}

test('devices form pools by vendor, product, cell, type and tags', async () => {
  await report([
    virtual(1),
    virtual(2),
    gpu('0000:41:00.0'),
    gpu('0000:42:00.0'),
    virtual(3, 'available', [{ key: 'physical_network', value: 'a' }]),
  ]);
  expect(await pools()).toEqual([
    '2 of 10de:1eb8 on 1 dev_type=type-PCI',
    '2 of 8086:10ed on 0 dev_type=type-VF',
    '1 of 8086:10ed on 0 physical_network=a dev_type=type-VF',
  ]);
});

test('only free devices count, and a pool without any does not exist', async () => {
  await report([virtual(1, 'allocated'), virtual(2, 'claimed'), virtual(3, 'removed'), gpu('0000:41:00.0')]);
  expect(await pools()).toEqual(['1 of 10de:1eb8 on 1 dev_type=type-PCI']);
});

test('a card taken whole takes its functions with it, a function its card, and freeing brings them back', async () => {
  const whole = '1 of 8086:10fb on 0 dev_type=type-PF';
  const parts = (count: number) => `${count} of 8086:10ed on 0 dev_type=type-VF`;
  await report([physical, virtual(1), virtual(2)]);
  expect(await pools()).toEqual([parts(2), whole]);
  await report([physicalIn('allocated'), virtual(1), virtual(2)]);
  expect(await pools()).toEqual([]);
  await report([physical, virtual(1, 'allocated'), virtual(2)]);
  expect(await pools()).toEqual([parts(1)]);
  await report([physical, virtual(1), virtual(2)]);
  expect(await pools()).toEqual([parts(2), whole]);
});

test('pools are never stale: the next read shows the last report, and no pool is stored', async () => {
  await report([virtual(1), virtual(2)]);
  await report([virtual(1)]);
  expect(await pools()).toEqual(['1 of 8086:10ed on 0 dev_type=type-VF']);
  // A report that does not mention devices leaves them unchanged.
  await report(null);
  expect(await pools()).toEqual(['1 of 8086:10ed on 0 dev_type=type-VF']);
});

test('the node has PCI_DEVICE for whole devices only', async () => {
  await report([physical, virtual(1), gpu('0000:41:00.0'), gpu('0000:42:00.0'), gpu('0000:43:00.0', 'removed')]);
  const { resourceProvider } = await query<{ resourceProvider: object }>(
    database.db,
    '{ resourceProvider(name: "cn1") { inventory(resourceClass: "PCI_DEVICE") { total maxUnit allocationRatio } } }',
  );
  expect(resourceProvider).toEqual({ inventory: { total: 2, maxUnit: 2, allocationRatio: 1 } });
});

test('the same devices again cost one statement; a changed device makes one event about it', async () => {
  await report([virtual(1), virtual(2)]);
  database.statements.length = 0;
  expect(await report([virtual(2), virtual(1)])).toMatchObject({ changed: false });
  expect(database.statements).toHaveLength(1);
  const events = await countEvents(database.db);
  expect(await report([virtual(1), virtual(2, 'allocated')])).toMatchObject({ changed: true, changes: [] });
  expect(await countEvents(database.db)).toBe(events + 1);
  const { kind, changes } = await newestEvent(database.db);
  expect([kind, changes.devices]).toEqual([
    'APPLY_REPORT',
    { '0000:85:00.2': { before: { status: 'available' }, after: { status: 'allocated' } } },
  ]);
});

test('the pools of many nodes cost one statement in addition to the nodes', async () => {
  for (const name of ['cn1', 'cn2', 'cn3']) await report([virtual(1)], name);
  database.statements.length = 0;
  const { computeNodes } = await query<{ computeNodes: { nodes: { pciDevicePools: Pool[] }[] } }>(
    database.db,
    '{ computeNodes { nodes { hypervisorHostname pciDevicePools { count } } } }',
  );
  expect(computeNodes.nodes.map(({ pciDevicePools }) => pciDevicePools)).toEqual([[{ count: 1 }], [{ count: 1 }], [{ count: 1 }]]);
  expect(database.statements).toHaveLength(2);
});

test('readers of os-pci get the flat form, with the tags at the top', async () => {
  await report([virtual(1, 'available', [{ key: 'physical_network', value: 'a' }])]);
  const { computeNode } = await query<{ computeNode: { pciStats: string; object: string } }>(
    database.db,
    '{ computeNode(name: "cn1") { pciStats object(version: "1.9") } }',
  );
  expect(JSON.parse(computeNode.pciStats)).toEqual([
    { vendor_id: '8086', product_id: '10ed', numa_node: 0, dev_type: 'type-VF', physical_network: 'a', count: 1 },
  ]);
  const object = JSON.parse(computeNode.object) as Record<string, Record<string, unknown>>;
  expect(object['nova_object.version']).toBe('1.9');
  expect(object['nova_object.data']).not.toHaveProperty('uuid');
  expect(JSON.stringify(object['nova_object.data']?.pci_device_pools)).toContain('"product_id":"10ed"');
});

test('a device may be reported as a versioned object, with separate tags', async () => {
  const data = { address: '0000:85:00.1', vendor_id: '8086', product_id: '10ed', dev_type: 'type-VF', status: 'available', numa_node: 0 };
  const object = JSON.stringify({
    'nova_object.name': 'PciDevice',
    'nova_object.namespace': 'nova',
    'nova_object.version': '1.7',
    'nova_object.data': { ...data, parent_addr: '0000:85:00.0', extra_info: {} },
  });
  await report([{ device: { object }, tags: [{ key: 'physical_network', value: 'a' }] }]);
  expect(await pools()).toEqual(['1 of 8086:10ed on 0 physical_network=a dev_type=type-VF']);
});

test('devices are deleted with their node', async () => {
  await report([virtual(1)]);
  await deleteResourceProvider(scopeOf(database.db), { resourceProvider: uuidOf('cn1'), expect: { unchecked: true } });
  expect(await database.db.sql`select from devices`).toHaveLength(0);
  expect(await query(database.db, '{ computeNode(name: "cn1") { uuid } }')).toEqual({ computeNode: null });
});
