// The owner-nova document, end to end: Nova and Cyborg both offer VGPU in one tree, and a request for one is never served by the other.
// The filter is activated only once the last compute service reports owners.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComputeNodeReportInput } from '../../../src/nova/compute-nodes/compute-node-report.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { ownerNova, withOwner } from '../../../src/nova/services/owners.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { minimumComputeVersion, removeService, reportService } from '../../../src/nova/services/services.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { type CandidatesInput, findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { countEvents, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
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

const scope = () => scopeOf(database.db);
const vgpu = { resourceClass: 'VGPU', amount: 1 };
const vcpu = { resourceClass: 'VCPU', amount: 1 };
const disk = { resourceClass: 'DISK_GB', amount: 10 };

/** Who serves each candidate of a request, by name; as the adapter sends it, filter included. */
async function served(request: CandidatesInput, flavorGroups?: readonly string[]): Promise<string[]> {
  const owned = withOwner(request, ownerNova, await minimumComputeVersion(scope()), flavorGroups);
  return servedAsIs(owned.request);
}

async function servedAsIs(request: CandidatesInput): Promise<string[]> {
  const { candidates } = await findCandidates(scope(), request);
  return candidates
    .map(({ allocations }) => [...new Set(allocations.map(({ resourceProvider }) => resourceProvider.name))].toSorted().join(' '))
    .toSorted();
}

const serve = async (host: string, version: number) =>
  (await reportService(scope(), { fields: { host, binary: 'nova-compute', version } })).changed;

/** cn1 with a GPU of Nova's and one of Cyborg's; on request the pool that nobody owns, for both. */
async function addHost({ pool = false, report = {} }: { pool?: boolean; report?: Partial<ComputeNodeReportInput> } = {}): Promise<void> {
  const size = { vcpus: 16, memoryMb: 32_768, localGb: pool ? 0 : 500 };
  const fields = { uuid: uuidOf('cn1'), serviceHost: 'host1', hypervisorHostname: 'cn1', ...size };
  await reportComputeNode(scope(), { computeNode: { fields }, vgpus: [{ address: '0000:84:00.0', total: 4 }], ...report });
  await seed.provider('cyborg_gpu', { parent: 'cn1', inventories: { VGPU: 4 }, traits: ['OWNER_CYBORG'] });
  if (!pool) return;
  await seed.aggregates('cn1', ['rack']);
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
}
const novaGpu = 'cn1_pci_0000_84_00_0';

describe('a service reports its version', () => {
  test('once: the same again is one statement and writes nothing', async () => {
    expect(await serve('host1', 72)).toBe(true);
    const events = await countEvents(database.db);
    database.statements.length = 0;
    expect(await serve('host1', 72)).toBe(false);
    expect(database.statements).toHaveLength(1);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('the lowest of all computes counts; other services and those taken away do not', async () => {
    expect(await minimumComputeVersion(scope())).toBeNull();
    await serve('host1', 73);
    await serve('host2', 71);
    await reportService(scope(), { fields: { host: 'host3', binary: 'nova-conductor', version: 60 } });
    expect(await minimumComputeVersion(scope())).toBe(71);
    expect((await removeService(scope(), { host: 'host2', binary: 'nova-compute' })).changed).toBe(true);
    expect((await removeService(scope(), { host: 'host2', binary: 'nova-compute' })).changed).toBe(false);
    expect(await minimumComputeVersion(scope())).toBe(73);
  });

  test('through GraphQL, as a versioned object too; what is missing is refused at its place', async () => {
    const data = { host: 'host1', binary: 'nova-compute', version: 73 };
    const object = JSON.stringify({
      'nova_object.name': 'Service',
      'nova_object.namespace': 'nova',
      'nova_object.version': '1.22',
      'nova_object.data': data,
    });
    const report =
      'mutation ($input: ReportServiceInput!) { reportService(input: $input) { changed minimumComputeVersion userErrors { code path } } }';
    expect(await query(database.db, report, { input: { service: { object } } })).toEqual({
      reportService: { changed: true, minimumComputeVersion: 73, userErrors: [] },
    });
    const short = object.replace('"binary":"nova-compute",', '');
    expect(await query(database.db, report, { input: { service: { object: short } } })).toMatchObject({
      reportService: { changed: false, userErrors: [{ code: 'INVALID_INPUT', path: ['service', 'object', 'nova_object.data', 'binary'] }] },
    });
    expect(await refusalOf(database.db, () => serve('host1', -1))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['service', 'fields', 'version'] },
    ]);
  });

  test('and is listed: filtered, in order, page by page, and found by its id', async () => {
    await serve('host2', 71);
    await serve('Host1', 73);
    await reportService(scope(), { fields: { host: 'host/3', binary: 'nova-conductor', version: 71 } });
    const hostsOf = async (args: string) => {
      const { services } = await query<{
        services: { nodes: { id: string; host: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean }; totalCount: number };
      }>(database.db, `{ services${args} { nodes { id host } pageInfo { endCursor hasNextPage } totalCount } }`);
      return { ...services, hosts: services.nodes.map(({ host }) => host) };
    };
    expect((await hostsOf('')).hosts.toSorted()).toEqual(['Host1', 'host/3', 'host2']);
    expect(await hostsOf('(filter: { binaries: "nova-compute", versionBelow: 73 })')).toMatchObject({ hosts: ['host2'], totalCount: 1 });
    expect(await hostsOf('(filter: { hostStartsWith: "host1" })')).toMatchObject({ hosts: ['Host1'] });
    expect(await hostsOf('(filter: { hostContains: "T/", hosts: ["host/3", "host2"] })')).toMatchObject({ hosts: ['host/3'] });
    expect(await hostsOf('(filter: { updatedBefore: "2001-01-01T00:00:00Z" })')).toMatchObject({ hosts: [], totalCount: 0 });
    for (const direction of ['ASC', 'DESC']) {
      // Those of one version in the order of their first reports, whichever end comes first.
      const expected = direction === 'ASC' ? ['host2', 'host/3', 'Host1'] : ['Host1', 'host2', 'host/3'];
      const order = `first: 2, orderBy: { field: VERSION, direction: ${direction} }`;
      const first = await hostsOf(`(${order})`);
      const second = await hostsOf(`(${order}, after: "${first.pageInfo.endCursor}")`);
      expect([...first.hosts, ...second.hosts]).toEqual(expected);
      expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage, second.totalCount]).toEqual([true, false, 3]);
    }
    expect((await hostsOf('(orderBy: { field: UPDATED_AT, direction: DESC })')).hosts[0]).toBe('host/3');
    const [{ id } = { id: '' }] = (await hostsOf('(filter: { hosts: "host/3" })')).nodes;
    expect(await query(database.db, `{ node(id: "${id}") { ... on Service { host binary version updatedAt } } }`)).toMatchObject({
      node: { host: 'host/3', binary: 'nova-conductor', version: 71, updatedAt: expect.stringMatching(/^20/) },
    });
  });

  test('under the name of a program, not its path', async () => {
    const report =
      'mutation { reportService(input: { service: { fields: { host: "host1", binary: "bin/nova", version: 1 } } }) { userErrors { code path } } }';
    expect(await query(database.db, report)).toEqual({
      reportService: { userErrors: [{ code: 'INVALID_INPUT', path: ['service', 'fields', 'binary'] }] },
    });
  });
});

test('every provider that the adapter makes carries its owner', async () => {
  await reportPool(scope(), { uuid: uuidOf('share'), name: 'share', inventories: [{ resourceClass: 'DISK_GB', total: 100 }] });
  await addHost({
    report: {
      numaCells: [{ id: 0, cores: 8, threads: 16, memoryMb: 1024 }],
      pciDevices: [{ device: { fields: { address: '0000:85:00.0', vendorId: '8086', productId: '10fb' } } }],
      pciInPlacement: true,
    },
  });
  const made = [...(await readTree(scope(), uuidOf('cn1'))), ...(await readTree(scope(), uuidOf('share')))];
  const owners = made.map(({ name, traits }) => [name, ...traits.filter((trait) => trait.startsWith('OWNER_'))].join(' '));
  expect(owners.toSorted()).toEqual(
    [
      'cn1 OWNER_NOVA',
      'cn1_0000:85:00.0 OWNER_NOVA',
      'cn1_numa_0 OWNER_NOVA',
      'cyborg_gpu OWNER_CYBORG',
      `${novaGpu} OWNER_NOVA`,
      'share OWNER_NOVA',
    ].toSorted(),
  );
});

describe('when every compute reports owners', () => {
  beforeEach(async () => {
    await serve('host1', 73);
  });

  test('VGPU of a flavor comes from Nova, in the group without suffix and in one with', async () => {
    await addHost();
    const together = { groups: [{ resources: [vcpu, vgpu] }] };
    expect(await servedAsIs(together)).toEqual([`cn1 ${novaGpu}`, 'cn1 cyborg_gpu']);
    expect(await served(together)).toEqual([`cn1 ${novaGpu}`]);
    expect(await served({ groups: [{ resources: [vcpu] }, { suffix: '1', resources: [vgpu] }] })).toEqual([`cn1 ${novaGpu}`]);
  });

  test('the trait of the host does not cover for the device of another: forbidding is what keeps them apart', async () => {
    await addHost();
    const requiredOnly = { groups: [{ resources: [vcpu, vgpu], traits: [{ allOf: [ownerNova] }] }] };
    expect(await servedAsIs(requiredOnly)).toContain('cn1 cyborg_gpu');
  });

  test('one request may take a VGPU of each owner: the group of a device profile is left alone', async () => {
    await addHost();
    const profile = { suffix: '_device_profile_0', resources: [vgpu], traits: [{ allOf: ['OWNER_CYBORG'] }] };
    const request = { groups: [{ resources: [vcpu] }, { suffix: '1', resources: [vgpu] }, profile] };
    expect(await served(request, ['', '1'])).toEqual([`cn1 ${novaGpu} cyborg_gpu`]);
    expect(await served(request)).toEqual([`cn1 ${novaGpu} cyborg_gpu`]);
  });

  test('the group of a port is served by providers without an owner', async () => {
    await addHost();
    await seed.provider('agent', { parent: 'cn1', inventories: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 } });
    const port = { suffix: '_port', resources: [{ resourceClass: 'NET_BW_EGR_KILOBIT_PER_SEC', amount: 1 }] };
    expect(await served({ groups: [{ resources: [vcpu] }, port] }, [''])).toEqual(['agent cn1']);
  });

  test('a pool without an owner still serves: beside the host, alone, and in a group of its own', async () => {
    await addHost({ pool: true });
    expect(await served({ groups: [{ resources: [vcpu, disk] }] })).toEqual(['cn1 pool']);
    expect(await served({ groups: [{ resources: [disk] }] })).toEqual(['pool']);
    expect(await served({ groups: [{ resources: [vcpu] }, { suffix: '1', resources: [disk] }] })).toEqual(['cn1 pool']);
  });

  test('a pool of another owner does not', async () => {
    await addHost({ pool: true });
    await seed.traits('pool', ['MISC_SHARES_VIA_AGGREGATE', 'OWNER_CYBORG']);
    expect(await served({ groups: [{ resources: [vcpu, disk] }] })).toEqual([]);
  });

  test('a resize from a VGPU of Nova’s to one of Cyborg’s is a resize like any other', async () => {
    await addHost();
    const consumer = { project: 'p1', user: 'u1' };
    const take = async (request: CandidatesInput) => {
      const { candidates } = await findCandidates(scope(), withOwner(request, ownerNova, 73).request);
      return (candidates[0]?.allocations ?? []).map(({ resourceProvider: provider, resourceClass, amount }) => ({
        resourceProvider: provider.uuid,
        resources: [{ resourceClass: resourceClass.name, amount }],
      }));
    };
    const instance = { consumer: uuidOf('vm'), consumerType: 'INSTANCE', ...consumer };
    const migration = { consumer: uuidOf('move'), consumerType: 'MIGRATION', ...consumer };
    await replaceAllocations(scope(), {
      consumers: [{ ...instance, expect: { isNew: true }, hold: { allocations: await take({ groups: [{ resources: [vcpu, vgpu] }] }) } }],
    });
    const cyborgs = { suffix: '_device_profile_0', resources: [vgpu], traits: [{ allOf: ['OWNER_CYBORG'] }] };
    await replaceAllocations(scope(), {
      consumers: [
        { ...migration, expect: { isNew: true }, hold: { takeFrom: uuidOf('vm') } },
        { ...instance, expect: { generation: 1 }, hold: { allocations: await take({ groups: [{ resources: [vcpu] }, cyborgs] }) } },
      ],
    });
    const used = async () => {
      const tree = await readTree(scope(), uuidOf('cn1'));
      return Object.fromEntries(tree.map(({ name, used: amounts }) => [name, amounts.VGPU ?? amounts.VCPU]));
    };
    expect(await used()).toEqual({ cn1: 2, [novaGpu]: 1, cyborg_gpu: 1 });
    await replaceAllocations(scope(), { consumers: [{ consumer: uuidOf('move'), expect: { generation: 1 }, hold: { allocations: [] } }] });
    expect(await used()).toEqual({ cn1: 1, [novaGpu]: 0, cyborg_gpu: 1 });
  });
});

test('a rolling upgrade: from old through mixed to new, with every request served on the way', async () => {
  const request = { groups: [{ resources: [vcpu, vgpu] }] };
  const warned = async () => withOwner(request, ownerNova, await minimumComputeVersion(scope())).warnings.length > 0;
  // Old computes report no owners, so their providers are seeded as such.
  for (const host of ['cn1', 'cn2']) {
    await serve(host, 72);
    await seed.provider(host, { inventories: { VCPU: 16 }, traits: ['COMPUTE_NODE'] });
    await seed.provider(`${host}_pci_0000_84_00_0`, { parent: host, inventories: { VGPU: 4 } });
  }
  await seed.provider('cyborg_gpu', { parent: 'cn1', inventories: { VGPU: 4 }, traits: ['OWNER_CYBORG'] });
  const all = ['cn1 cn1_pci_0000_84_00_0', 'cn1 cyborg_gpu', 'cn2 cn2_pci_0000_84_00_0'];
  const upgrade = async (host: string) => {
    const fields = { serviceHost: host, hypervisorHostname: host, vcpus: 16, memoryMb: 1024, localGb: 10 };
    await reportComputeNode(scope(), { computeNode: { fields }, vgpus: [{ address: '0000:84:00.0', total: 4 }] });
    await serve(host, 73);
  };
  expect([await served(request), await warned()]).toEqual([all, true]);
  await upgrade('cn1');
  // Only cn1 has owners: filtering now would take cn2 out of service.
  expect([await served(request), await warned()]).toEqual([all, true]);
  await upgrade('cn2');
  expect([await served(request), await warned()]).toEqual([[all[0], all[2]], false]);
});
