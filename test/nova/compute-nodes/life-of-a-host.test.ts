// A host from its import to its deletion: nothing is ever allocated twice, and at the end nothing of it is left.
import { describe, expect, test } from 'vitest';
import { renderNodeId } from '../../../src/graphql/node-id.ts';
import { auditComputeNode } from '../../../src/nova/audits/compute-node-audits.ts';
import { findComputeNode, listComputeNodes, reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { deleteComputeNode } from '../../../src/nova/compute-nodes/deletion.ts';
import { importComputeNodes } from '../../../src/nova/compute-nodes/old-records.ts';
import { minimumComputeVersion, reportService } from '../../../src/nova/services/services.ts';
import { releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { deleteResourceProvider, replaceTraits } from '../../../src/operations/providers/provider-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const seed = () => createSeed(database.db);

const report = (name: string, change: Partial<FlatReport> = {}) =>
  reportComputeNode(
    scope(),
    reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 100, ...change }),
  );
const find = (name: string) => findComputeNode(scope(), { name });
/** Each provider of a tree with its inventories, as `CLASS total used`. */
const tree = async (name: string) =>
  (await readTree(scope(), uuidOf(name))).map(({ name: own, inventories, used }) =>
    [own, ...Object.keys(inventories).map((key) => `${key} ${inventories[key]?.total} ${used[key] ?? 0}`)].join(' '),
  );
const hold = (consumer: string, name: string, resources: Readonly<Record<string, number>>) => seed().claim(consumer, { [name]: resources });
const release = (...names: string[]) =>
  releaseAllocations(scope(), { consumers: names.map((name) => ({ consumer: uuidOf(name), expect: { unchecked: true } })) });
const fits = async (name: string, resourceClass: string, amount: number) => {
  const { candidates } = await findCandidates(scope(), { groups: [{ resources: [{ resourceClass, amount }], inTrees: [uuidOf(name)] }] });
  return candidates.length > 0;
};

describe('a host known from an old record', () => {
  const old = (name: string, change: object = {}) =>
    importComputeNodes(scope(), [
      {
        fields: {
          ...{
            uuid: uuidOf(name),
            serviceHost: name,
            hypervisorHostname: name,
            hypervisorType: 'QEMU',
            hostIp: '192.0.2.7',
            cpuInfo: '{"a":1}',
          },
          ...{ vcpus: 8, memoryMb: 8192, localGb: 100, vcpusUsed: 3, memoryMbUsed: 2560, localGbUsed: 40, runningVms: 2 },
          ...{ cpuAllocationRatio: 2, ramAllocationRatio: 1.5 },
          ...change,
        },
      },
    ]);
  const vm = (name: string, host: string, vcpus: number, memoryMb: number) => ({
    instanceRecord: { fields: { uuid: uuidOf(name), project: 'p', user: 'u', flavor: { fields: { vcpus, memoryMb, rootGb: 20 } } } },
    host,
  });

  test('keeps its ratios and its usage in the first report, so that nothing is allocated twice before the audit', async () => {
    await old('old1');
    await report('old1');
    expect(await find('old1')).toMatchObject({
      ...{ vcpusUsed: 3, memoryMbUsed: 2560, localGbUsed: 40, runningVms: 0, cpuAllocationRatio: 2, ramAllocationRatio: 1.5 },
    });
    // 16 processors less 3, and (8192 - 512) * 1.5 MiB less 2048.
    expect([await fits('old1', 'VCPU', 9), await fits('old1', 'MEMORY_MB', 8193)]).toEqual([false, false]);
    const groups = [{ resources: [{ resourceClass: 'VCPU', amount: 8 }], inTrees: [uuidOf('old1')] }];
    expect((await findCandidates(scope(), { groups })).candidates).toHaveLength(1);
    expect(await report('old1')).toMatchObject({ changed: false });
  });

  test('an audit transfers the untracked usage to the instances of the host, one by one, and releases the rest', async () => {
    await old('old2', { vcpusUsed: 16, memoryMbUsed: 8192 });
    await report('old2');
    // The host is full, but each instance gets its allocations from the untracked usage.
    expect(await fits('old2', 'VCPU', 1)).toBe(false);
    const instances = [vm('vm-a', 'old2', 6, 2048), vm('vm-b', 'old2', 6, 2048)].map(({ instanceRecord }) => ({ instanceRecord }));
    const audit = () =>
      auditComputeNode(scope(), { computeNode: uuidOf('old2'), host: 'old2', instances, removeStale: true, repair: true });
    expect((await audit()).instances.map(({ repaired }) => repaired)).toEqual([true, true]);
    expect((await audit()).allocations.map(({ reason }) => reason)).toEqual(['TRACKED', 'TRACKED']);
    expect(await find('old2')).toMatchObject({ vcpusUsed: 12, memoryMbUsed: 4608, localGbUsed: 40, runningVms: 2 });
    expect(await fits('old2', 'VCPU', 4)).toBe(true);
  });

  test('more usage than one unit allows is held by several consumers, and more than the capacity is cut to the capacity', async () => {
    await old('old3', { vcpusUsed: 15, memoryMbUsed: 99_999, localGbUsed: 0 });
    await report('old3');
    expect(await find('old3')).toMatchObject({ vcpusUsed: 15, memoryMbUsed: 512 + 11_520, localGbUsed: 0 });
    const [row] = await database.db.sql`select count(*)::int as count from consumers c join consumer_types t on t.id = c.consumer_type_id
      where t.name = 'UNTRACKED' and c.id in (select a.consumer_id from allocations a join resource_providers p
        on p.id = a.resource_provider_id and p.name = 'old3')`;
    expect(row).toEqual({ count: 2 });
  });

  test.each<[form: string, stored: (dict: object) => unknown]>([
    ['a dict', (dict) => dict],
    ['a list of dicts', (dict) => [dict]],
    [
      'a versioned object',
      ({ dev_type, ...fields }: { dev_type?: string }) => {
        const wire = (name: string, version: string, data: object) => ({
          ...{ 'nova_object.name': name, 'nova_object.namespace': 'nova', 'nova_object.version': version, 'nova_object.data': data },
        });
        return wire('PciDevicePoolList', '1.1', { objects: [wire('PciDevicePool', '1.1', { ...fields, tags: { dev_type } })] });
      },
    ],
  ])('shows pools stored as %s until it reports its devices', async (form, stored) => {
    const name = `pools as ${form}`;
    const dict = { vendor_id: '8086', product_id: '10ed', numa_node: 0, dev_type: 'type-VF', count: 4 };
    await old(name, { pciStats: JSON.stringify(stored(dict)) });
    const shown = await query<{ computeNode: { pciStats: string; pciDevicePools: object[]; object: string } }>(
      database.db,
      'query ($name: String) { computeNode(name: $name) { pciStats pciDevicePools { vendorId numaNode count tags { key value } } object } }',
      { name },
    );
    expect(JSON.parse(shown.computeNode.pciStats)).toEqual([dict]);
    expect(shown.computeNode.pciDevicePools).toEqual([
      { vendorId: '8086', numaNode: 0, count: 4, tags: [{ key: 'dev_type', value: 'type-VF' }] },
    ]);
    expect(shown.computeNode.object).toContain('"host_ip":"192.0.2.7"');
    const stats = async () => {
      const document = 'query ($name: String) { computeNode(name: $name) { pciStats } }';
      return JSON.parse((await query<{ computeNode: { pciStats: string } }>(database.db, document, { name })).computeNode.pciStats);
    };
    await report(name);
    expect(await stats()).toEqual([dict]);
    await report(name, { pciDevices: [] });
    expect(await stats()).toEqual([]);
  });
});

describe('a report', () => {
  test('may have other classes: persistent memory, the class of an Ironic node; former ones are removed, those of other services stay', async () => {
    const other = (...names: string[]) => names.map((resourceClass) => ({ resourceClass, total: 2, maxUnit: 1 }));
    await report('other', { otherInventories: other('CUSTOM_PMEM_NAMESPACE_4GB', 'CUSTOM_GOLD') });
    await seed().inventories('other', {
      ...{ VCPU: 8, MEMORY_MB: 8192, DISK_GB: 100, CUSTOM_PMEM_NAMESPACE_4GB: 2, CUSTOM_GOLD: 2 },
      CUSTOM_FOREIGN: 1,
    });
    await report('other', { otherInventories: other('CUSTOM_GOLD') });
    expect((await tree('other'))[0]?.match(/CUSTOM_\w+/g)?.toSorted()).toEqual(['CUSTOM_FOREIGN', 'CUSTOM_GOLD']);
    await report('other');
    expect((await tree('other'))[0]).toContain('CUSTOM_GOLD 2 0');
    const ironic = { vcpus: 0, memoryMb: 0, localGb: 0, otherInventories: [{ resourceClass: 'CUSTOM_BAREMETAL', total: 1, reserved: 1 }] };
    await report('ironic', ironic);
    expect(await tree('ironic')).toEqual(['ironic CUSTOM_BAREMETAL 1 0']);
    expect(await refusalOf(database.db, () => report('other', { otherInventories: [{ resourceClass: 'VCPU', total: 1 }] }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['otherInventories', '0', 'resourceClass'] },
    ]);
  });

  test('removes the traits of virtual GPUs that it omits, and leaves those of other services', async () => {
    const gpus = (...traits: string[]) => [{ address: '0000:8A:00.0', total: 2, traits }];
    await report('trained', { vgpus: gpus('HW_GPU_API_VULKAN', 'HW_GPU_API_DXVA') });
    const card = async () => (await readTree(scope(), uuidOf('trained')))[1];
    const { uuid = '', traits = [] } = (await card()) ?? {};
    await replaceTraits(scope(), { resourceProvider: uuid, expect: { unchecked: true }, traits: [...traits, 'HW_GPU_API_DIRECT3D_V10_0'] });
    await report('trained', { vgpus: gpus('HW_GPU_API_VULKAN') });
    expect((await card())?.traits.filter((trait) => trait.startsWith('HW_'))).toEqual(['HW_GPU_API_DIRECT3D_V10_0', 'HW_GPU_API_VULKAN']);
    // A report that does not mention them changes nothing, and the next report still knows the former traits.
    await report('trained');
    await report('trained', { vgpus: gpus() });
    expect((await card())?.traits.filter((trait) => trait.startsWith('HW_'))).toEqual(['HW_GPU_API_DIRECT3D_V10_0']);
  });
});

describe('a deleted host', () => {
  const serve = (host: string, version: number) => reportService(scope(), { fields: { host, binary: 'nova-compute', version } });
  const left = async (name: string) => {
    const [row] = await database.db.sql`select
      (select count(*)::int from resource_providers p where p.name like ${`${name}%`}) as providers,
      (select count(*)::int from records r where r.name = ${name}) as records,
      (select count(*)::int from services s where s.host = ${name}) as services`;
    return row;
  };

  test('is deleted with its tree, devices, record and service, if it has no allocations', async () => {
    await serve('going', 70);
    const pciDevices = [{ device: { fields: { address: '0000:86:00.0', vendorId: '8086', productId: '10ed' } } }];
    await report('going', { vgpus: [{ address: '0000:84:00.0', total: 2 }], pciDevices, pciInPlacement: true });
    await hold('last', 'going', { VCPU: 1 });
    const before = await tree('going');
    expect(await refusalOf(database.db, () => deleteComputeNode(scope(), { computeNode: uuidOf('going') }))).toMatchObject([
      { code: 'IN_USE', path: ['computeNode'], details: { by: [uuidOf('last')] } },
    ]);
    expect(await tree('going')).toEqual(before);
    await release('last');
    const mutation = `mutation ($input: DeleteComputeNodeInput!) {
      deleteComputeNode(input: $input) { deletedId event { kind } userErrors { code path } } }`;
    const input = { computeNode: uuidOf('going') };
    expect(await query(database.db, mutation, { input })).toEqual({
      deleteComputeNode: {
        deletedId: renderNodeId('ComputeNode', uuidOf('going')),
        event: { kind: 'DELETE_RESOURCE_PROVIDER' },
        userErrors: [],
      },
    });
    expect(await left('going')).toEqual({ providers: 0, records: 0, services: 0 });
    expect(await minimumComputeVersion(scope())).not.toBe(70);
    expect(await query(database.db, mutation, { input })).toMatchObject({
      deleteComputeNode: { event: null, userErrors: [{ code: 'NOT_FOUND', path: ['computeNode'] }] },
    });
    // A later report with that name is from another host.
    await report('going', { uuid: null });
    expect((await find('going'))?.uuid).not.toBe(uuidOf('going'));
  });

  test('is also removed with its record and service if deleted over REST; a host with another node keeps its service', async () => {
    await serve('shared', 66);
    await report('node1', { serviceHost: 'shared' });
    await report('node2', { serviceHost: 'shared' });
    const remove = (name: string) => deleteResourceProvider(scope(), { resourceProvider: uuidOf(name), expect: { unchecked: true } });
    await remove('node1');
    expect([await left('node1'), (await left('shared'))?.services]).toEqual([{ providers: 0, records: 0, services: 0 }, 1]);
    await remove('node2');
    expect((await left('shared'))?.services).toBe(0);
  });

  test('may be known only from a record', async () => {
    await importComputeNodes(scope(), [{ fields: { uuid: uuidOf('never'), hypervisorHostname: 'never' } }]);
    await deleteComputeNode(scope(), { computeNode: uuidOf('never') });
    expect((await listComputeNodes(scope(), { filter: { names: ['never'] } })).rows).toEqual([]);
  });

  test('is drained first: disabled it gets nothing new and keeps its allocations; under another name it is the same node', async () => {
    await serve('drained', 73);
    await report('drained');
    await hold('stayer', 'drained', { VCPU: 1 });
    await reportService(scope(), { fields: { host: 'drained', binary: 'nova-compute', disabled: true } });
    const root = async () => (await readTree(scope(), uuidOf('drained')))[0];
    expect(await root()).toMatchObject({ traits: expect.arrayContaining(['COMPUTE_STATUS_DISABLED']), used: { VCPU: 1 } });
    await report('drained', { hypervisorHostname: 'drained.example.org' });
    expect(await root()).toMatchObject({ name: 'drained.example.org', traits: expect.arrayContaining(['COMPUTE_STATUS_DISABLED']) });
    await replaceAllocations(scope(), {
      consumers: [{ consumer: uuidOf('stayer'), expect: { unchecked: true }, hold: { allocations: [] } }],
    });
    await deleteComputeNode(scope(), { computeNode: uuidOf('drained') });
    expect(await left('drained')).toEqual({ providers: 0, records: 0, services: 0 });
    await expectSoundLedger(database.db);
  });
});
