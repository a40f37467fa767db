// The compute-node-inventory document, end to end: nodes as old-style records, and how a cloud changes from these to
// inventories without downtime.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findComputeNode, listComputeNodes, reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { importComputeNodes } from '../../../src/nova/compute-nodes/old-records.ts';
import { encodeObject, makeObject } from '../../../src/nova/objects/codec.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
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
const find = (name: string) => findComputeNode(scopeOf(database.db), { name });
const treeOf = (root: string) => readTree(scopeOf(database.db), uuidOf(root));

describe('as an old-style record', () => {
  test('a node counts its reservations as used, and ignores ratios', async () => {
    await report({ reservedCpus: 2, reservedDiskMb: 10_240 });
    await seed.claim('vm1', { cn1: { VCPU: 4, MEMORY_MB: 2048, DISK_GB: 20 } });
    await seed.claim('vm2', { cn1: { VCPU: 1, MEMORY_MB: 512 } });
    await seed.claim('migration', { cn1: { VCPU: 1 } }, { type: 'MIGRATION' });
    expect(await find('cn1')).toEqual({
      uuid: uuidOf('cn1'),
      hypervisorHostname: 'cn1',
      facts: { host: 'host1', hypervisorType: 'QEMU', hypervisorVersion: null, hostIp: null, cpuInfo: null },
      hasInventories: true,
      pools: null,
      reportedAt: expect.any(String),
      vcpus: 16,
      memoryMb: 32_768,
      localGb: 1000,
      vcpusUsed: 8,
      memoryMbUsed: 3072,
      localGbUsed: 30,
      freeRamMb: 29_696,
      freeDiskGb: 970,
      runningVms: 2,
      cpuAllocationRatio: 4,
      ramAllocationRatio: 1,
      diskAllocationRatio: 1,
    });
  });

  test('nodes are listed by name with one statement per page, including those of other services and old records', async () => {
    await report();
    await seed.provider('cn3', { inventories: { VCPU: 8 }, traits: ['COMPUTE_NODE'] });
    await importComputeNodes(scopeOf(database.db), [
      { fields: { hypervisorHostname: 'cn2', serviceHost: 'host2', vcpus: 4, memoryMb: 1024, localGb: 10 } },
    ]);
    database.statements.length = 0;
    const page = await listComputeNodes(scopeOf(database.db), { first: 2 });
    expect(database.statements).toHaveLength(1);
    expect(page.rows.map(({ hypervisorHostname, vcpus, hasInventories }) => [hypervisorHostname, vcpus, hasInventories])).toEqual([
      ['cn1', 16, true],
      ['cn2', 4, false],
    ]);
    const next = await listComputeNodes(scopeOf(database.db), { first: 2, after: page.cursors[1] });
    expect(next.rows.map(({ hypervisorHostname, facts }) => [hypervisorHostname, facts])).toEqual([['cn3', null]]);
    expect(await page.countAll()).toBe(3);
  });
});

test('nodes are found by the time of their last report; those that never reported have none', async () => {
  for (const name of ['cn1', 'cn2']) await report({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name });
  await seed.provider('cn3', { inventories: { VCPU: 8 }, traits: ['COMPUTE_NODE'] });
  await database.db.writes`update records set updated_at = '2026-01-01T12:00:00Z' where uuid = ${uuidOf('cn1')}`;
  const named = async (filter: NonNullable<Parameters<typeof listComputeNodes>[1]['filter']>) =>
    (await listComputeNodes(scopeOf(database.db), { filter })).rows.map(({ hypervisorHostname }) => hypervisorHostname);
  const [at, later] = ['2026-01-01T12:00:00Z', '2026-01-01T12:00:01Z'];
  expect(await named({ reportedBefore: later })).toEqual(['cn1']);
  expect(await named({ reportedBefore: at })).toEqual([]);
  expect(await named({ reportedAfter: at })).toEqual(['cn2']);
  expect(await named({ reportedAfter: '2026-01-01T11:59:59Z' })).toEqual(['cn1', 'cn2']);
  expect(await named({ not: { reportedBefore: later } })).toEqual(['cn2', 'cn3']);
  // A report that changes nothing is a report.
  await report({ uuid: uuidOf('cn1'), serviceHost: 'cn1', hypervisorHostname: 'cn1' });
  expect(await named({ reportedBefore: later })).toEqual([]);
});

describe('from old records to inventories', () => {
  const old = {
    serviceHost: 'host1',
    hypervisorHostname: 'cn1',
    vcpus: 8,
    memoryMb: 4096,
    localGb: 100,
    vcpusUsed: 3,
    memoryMbUsed: 1536,
    localGbUsed: 40,
    runningVms: 2,
  };
  const importOld = (change: object = {}) => importComputeNodes(scopeOf(database.db), [{ fields: { ...old, ...change } }]);

  test('a node of Ironic, whose cpu_info is empty, is kept as it is', async () => {
    await importOld({ cpuInfo: '', vcpus: 0, memoryMb: 0, localGb: 0 });
    expect(await find('cn1')).toMatchObject({ facts: { cpuInfo: '' } });
  });

  test('a node is read from its record until it reports, and keeps the uuid of the record', async () => {
    await importOld({ uuid: uuidOf('of the record') });
    expect(await find('cn1')).toMatchObject({
      uuid: uuidOf('of the record'),
      hasInventories: false,
      vcpus: 8,
      freeRamMb: 2560,
      localGbUsed: 40,
      runningVms: 2,
    });
    await report({ uuid: null });
    expect(await find('cn1')).toMatchObject({ uuid: uuidOf('of the record'), hasInventories: true, vcpus: 16, vcpusUsed: 3 });
  });

  test('a node imported by its object keeps its statistics and its cells until a report has others', async () => {
    const kept = { stats: { failed_builds: '2' }, numa_topology: '{"cells": []}' };
    const node = makeObject('ComputeNode', { uuid: uuidOf('cn1'), host: 'host1', hypervisor_hostname: 'cn1', vcpus: 8, ...kept });
    await importComputeNodes(scopeOf(database.db), [{ object: JSON.stringify(encodeObject(node)) }]);
    expect(await find('cn1')).toMatchObject({ hasInventories: false, facts: { object: kept } });
    await report();
    expect(await find('cn1')).toMatchObject({ hasInventories: true, facts: { object: kept } });
    const failing = await database.db.sql`select body -> 'failedBuilds' as count from records`;
    expect(failing).toEqual([{ count: 2 }]);
  });

  test('a record without a uuid gets one when it is imported, and keeps it through the first report', async () => {
    await importOld();
    const { uuid } = (await find('cn1')) ?? {};
    expect(await importOld({ vcpus: 99 })).toBe(0);
    await report({ uuid: null });
    expect(await find('cn1')).toMatchObject({ uuid, hasInventories: true });
  });

  test('a record of a node whose provider already exists takes its uuid', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
    await importOld();
    expect(await find('cn1')).toMatchObject({ uuid: uuidOf('cn1'), hasInventories: true, facts: { host: 'host1' } });
  });

  test('another node cannot take the name of a node known from its record', async () => {
    await importOld({ uuid: uuidOf('of the record') });
    expect(await refused({})).toMatchObject([{ code: 'DUPLICATE', details: { existing: uuidOf('of the record') } }]);
  });

  test('a node whose provider is deleted loses its record, too', async () => {
    await importOld({ uuid: uuidOf('cn1'), vcpusUsed: 0, memoryMbUsed: 0, localGbUsed: 0 });
    await report();
    await seed.write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {} });
    expect(await find('cn1')).toBeNull();
    await report({ uuid: uuidOf('reinstalled') });
    expect(await find('cn1')).toMatchObject({ uuid: uuidOf('reinstalled') });
  });

  test('a node that changes its host keeps its uuid, even if it only knows its name', async () => {
    await report();
    await report({ serviceHost: 'host2' });
    expect(await find('cn1')).toMatchObject({ uuid: uuidOf('cn1'), facts: { host: 'host2' } });
    await report({ serviceHost: 'host3', uuid: null });
    expect(await find('cn1')).toMatchObject({ uuid: uuidOf('cn1'), facts: { host: 'host3' } });
  });

  test('a node that is renamed keeps its uuid and its children', async () => {
    const vgpus = [{ address: '0000:84:00.0', total: 4 }];
    await report({ vgpus });
    const before = await treeOf('cn1');
    await report({ vgpus, hypervisorHostname: 'cn1.example.org' });
    const after = await treeOf('cn1');
    expect(after.map(({ uuid }) => uuid)).toEqual(before.map(({ uuid }) => uuid));
    expect(after.map(({ name }) => name)).toEqual(['cn1.example.org', 'cn1.example.org_pci_0000_84_00_0']);
    expect(await find('cn1')).toBeNull();
  });
});
