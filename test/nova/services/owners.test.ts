// The owner-nova document, end to end: Nova and Cyborg both offer VGPU in one tree, and a request for one is never served by the other.
// The filter is activated only once every compute service reports owners.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComputeNodeReportInput } from '../../../src/nova/compute-nodes/compute-node-report.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { firstVersionWithOwner, ownerNova, requiresOwner, withOwner } from '../../../src/nova/services/owners.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { computeVersions, deleteService, minimumComputeVersion, reportService } from '../../../src/nova/services/services.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import type { CandidatesInput } from '../../../src/operations/candidates/requests.ts';
import { deleteResourceProvider } from '../../../src/operations/providers/provider-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
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

const versions = () => computeVersions(scope(), ownerNova, firstVersionWithOwner);
const versionsFor = (request: CandidatesInput) =>
  computeVersions(scope(), ownerNova, requiresOwner(request, ownerNova) ? 0 : firstVersionWithOwner);
const withOwnerNow = async (request: CandidatesInput) => withOwner(request, ownerNova, await versionsFor(request));

/** The providers of each candidate of a request, by name, including the filter that the adapter adds. */
async function served(request: CandidatesInput, flavorGroups = request.groups.map(({ suffix }) => suffix ?? '')): Promise<string[]> {
  const owned = withOwner(request, ownerNova, await versions(), { flavorGroups });
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

/** cn1 with a GPU of Nova's and one of Cyborg's; on request also a pool without an owner, for both. */
async function addHost({ pool = false, report = {} }: { pool?: boolean; report?: Partial<ComputeNodeReportInput> } = {}): Promise<void> {
  const size = { vcpus: 16, memoryMb: 32_768, localGb: pool ? 0 : 500 };
  const fields = { uuid: uuidOf('cn1'), serviceHost: 'host1', hypervisorHostname: 'cn1', ...size };
  await reportComputeNode(scope(), { computeNodeRecord: { fields }, vgpus: [{ address: '0000:84:00.0', total: 4 }], ...report });
  await seed.provider('cyborg_gpu', { parent: 'cn1', inventories: { VGPU: 4 }, traits: ['OWNER_CYBORG'] });
  if (!pool) return;
  await seed.aggregates('cn1', ['rack']);
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
}
const reportHost = (gateway: ReturnType<typeof scope>, serviceHost: string) =>
  reportComputeNode(gateway, {
    computeNodeRecord: {
      fields: { uuid: uuidOf('cn1'), serviceHost, hypervisorHostname: 'cn1', vcpus: 16, memoryMb: 32_768, localGb: 500 },
    },
  });
const novaGpu = 'cn1_pci_0000_84_00_0';

test('every provider that the adapter creates has the trait of its owner', async () => {
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

describe('if every compute service reports owners', () => {
  beforeEach(async () => {
    await serve('host1', 73);
  });

  test('VGPU of a flavor comes from Nova, with and without a suffix', async () => {
    await addHost();
    const together = { groups: [{ resources: [vcpu, vgpu] }] };
    expect(await servedAsIs(together)).toEqual([`cn1 ${novaGpu}`, 'cn1 cyborg_gpu']);
    expect(await served(together)).toEqual([`cn1 ${novaGpu}`]);
    expect(await served({ groups: [{ resources: [vcpu] }, { suffix: '1', resources: [vgpu] }] })).toEqual([`cn1 ${novaGpu}`]);
  });

  test('the trait of the host does not admit the device of another owner, because other owners are forbidden', async () => {
    await addHost();
    const requiredOnly = { groups: [{ resources: [vcpu, vgpu], traits: [{ allOf: [ownerNova] }] }] };
    expect(await servedAsIs(requiredOnly)).toContain('cn1 cyborg_gpu');
  });

  test('one request may take a VGPU of each owner, because the group of a device profile stays unchanged', async () => {
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

  test('a child without an owner, such as one that an operator has added, serves as in Placement', async () => {
    await addHost();
    await seed.provider('licenses', { parent: 'cn1', inventories: { CUSTOM_LICENSE: 5 } });
    const license = { resourceClass: 'CUSTOM_LICENSE', amount: 1 };
    for (const request of [
      { groups: [{ resources: [vcpu, license] }] },
      { groups: [{ resources: [vcpu] }, { suffix: '1', resources: [license] }] },
    ])
      expect(await served(request)).toEqual(['cn1 licenses']);
  });

  test('a pool without an owner still serves: beside the host, alone, and in a group of its own', async () => {
    await addHost({ pool: true });
    expect(await served({ groups: [{ resources: [vcpu, disk] }] })).toEqual(['cn1 pool']);
    expect(await served({ groups: [{ resources: [disk] }] })).toEqual(['pool']);
    expect(await served({ groups: [{ resources: [vcpu] }, { suffix: '1', resources: [disk] }] })).toEqual(['cn1 pool']);
  });

  test('a pool of another owner does not serve', async () => {
    await addHost({ pool: true });
    await seed.traits('pool', ['MISC_SHARES_VIA_AGGREGATE', 'OWNER_CYBORG']);
    expect(await served({ groups: [{ resources: [vcpu, disk] }] })).toEqual([]);
  });

  test('a resize from a VGPU of Nova’s to one of Cyborg’s is a resize like any other', async () => {
    await addHost();
    const consumer = { project: 'p1', user: 'u1' };
    const take = async (request: CandidatesInput) => {
      const { candidates } = await findCandidates(scope(), withOwner(request, ownerNova, await versions()).request);
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

/** The hosts that serve a request, and the codes of its warnings with the nodes that they name. */
async function asked(request: CandidatesInput): Promise<{ hosts: string[]; warnings: string[] }> {
  const { request: owned, warnings } = await withOwnerNow(request);
  const hosts = (await servedAsIs(owned)).map((names) => names.split(' ')[0] ?? '');
  return { hosts, warnings: warnings.map(({ code, message }) => `${code} ${(message.match(/cn[0-9]+/g) ?? []).join(' ')}`.trim()) };
}

describe('the gate', () => {
  const onlyVcpu = { groups: [{ resources: [vcpu] }] };
  const node = (name: string, traits: readonly string[] = []) =>
    seed.provider(name, { inventories: { VCPU: 16 }, traits: ['COMPUTE_NODE', ...traits] });

  test('stays closed while the version of some node is unknown, and names the nodes', async () => {
    for (const name of ['cn1', 'cn2', 'cn3', 'cn4', 'cn5', 'cn6']) await node(name, name < 'cn3' ? [ownerNova] : []);
    await serve('cn1', 73);
    await serve('cn2', 73);
    const all = ['cn1', 'cn2', 'cn3', 'cn4', 'cn5', 'cn6'];
    expect(await asked(onlyVcpu)).toEqual({ hosts: all, warnings: ['OWNERS_NOT_CHECKED cn3 cn4 cn5'] });
    expect((await withOwnerNow(onlyVcpu)).warnings[0]?.message).toMatch(/4 compute nodes: cn3, cn4, cn5 and 1 more is unknown/);
    for (const name of all.slice(2)) await serve(name, 73);
    // All of them are new, but some have not reported their owner yet: they are excluded, with a warning.
    expect(await asked(onlyVcpu)).toEqual({ hosts: ['cn1', 'cn2'], warnings: ['HOSTS_WITHOUT_OWNER cn3 cn4 cn5'] });
  });

  test('does not wait for a service that is forced down, nor for one that has not reported its version', async () => {
    await node('cn1', [ownerNova]);
    await node('cn2');
    await serve('cn1', 73);
    await serve('cn2', 60);
    await serve('cn3', 0);
    expect(await asked(onlyVcpu)).toEqual({ hosts: ['cn1', 'cn2'], warnings: ['OWNERS_NOT_CHECKED'] });
    await reportService(scope(), { fields: { host: 'cn2', binary: 'nova-compute', forcedDown: true } });
    expect(await minimumComputeVersion(scope())).toBe(73);
    // Excluding a dead host needs no warning.
    expect(await asked(onlyVcpu)).toEqual({ hosts: ['cn1'], warnings: [] });
    await reportService(scope(), { fields: { host: 'cn2', binary: 'nova-compute', forcedDown: false } });
    expect(await asked(onlyVcpu)).toEqual({ hosts: ['cn1', 'cn2'], warnings: ['OWNERS_NOT_CHECKED'] });
  });

  test('knows the service of a node by the host of its report, which may have another name', async () => {
    await addHost();
    await serve('cn1', 73);
    expect((await asked(onlyVcpu)).warnings).toEqual(['OWNERS_NOT_CHECKED cn1']);
    await serve('host1', 73);
    expect((await asked(onlyVcpu)).warnings).toEqual([]);
  });

  test('a request that names the owner itself is always restricted, and warns of the excluded nodes', async () => {
    await node('cn1', [ownerNova]);
    await node('cn2');
    const named = { ...onlyVcpu, rootTraits: [{ allOf: [ownerNova] }] };
    expect(await asked(named)).toEqual({ hosts: ['cn1'], warnings: ['HOSTS_WITHOUT_OWNER cn2'] });
  });

  test('in GraphQL the warning is typed, and one statement reads everything', async () => {
    await node('cn1', [ownerNova]);
    await node('cn2');
    for (const name of ['cn1', 'cn2']) await serve(name, 73);
    const translate = 'query ($flavor: FlavorInput!) { flavorToRequest(input: { flavor: $flavor }) { warnings { code message subject } } }';
    const flavor = { fields: { vcpus: 1, memoryMb: 1, rootGb: 0 } };
    const message = 'Excluded because they lack the trait OWNER_NOVA, which they should report: the compute node cn2.';
    database.statements.length = 0;
    expect(await query(database.db, translate, { flavor })).toEqual({
      flavorToRequest: { warnings: [{ code: 'HOSTS_WITHOUT_OWNER', message, subject: null }] },
    });
    expect(database.statements).toHaveLength(1);
  });
});

describe('what is known of the versions', () => {
  beforeEach(async () => {
    await addHost();
    await serve('host1', 73);
    expect(await versions()).toMatchObject({ minimum: 73, unknown: { count: 0 }, unowned: { count: 0 } });
  });
  /** What another gateway knows, and what this one has read. */
  const elsewhere = () => scopeOf({ ...database.db });

  test.each<[string, () => Promise<unknown>, object]>([
    ['a node without a service', () => seed.provider('old', { traits: ['COMPUTE_NODE'] }), { unknown: { count: 1, names: ['old'] } }],
    ['a root that becomes a node', () => seed.traits('pool', ['COMPUTE_NODE', ownerNova]), { unknown: { count: 1, names: ['pool'] } }],
    [
      'a node that lost the trait of its owner',
      () => seed.traits('cn1', ['COMPUTE_NODE']),
      { unowned: { count: 2, names: ['cn1', 'gone'] } },
    ],
    [
      'a node that is gone',
      () => deleteResourceProvider(elsewhere(), { resourceProvider: uuidOf('gone'), expect: { unchecked: true } }),
      { unowned: { count: 0, names: [] } },
    ],
    [
      'an old service that reported to another gateway',
      () => reportService(elsewhere(), { fields: { host: 'host2', binary: 'nova-compute', version: 60 } }),
      { minimum: 60 },
    ],
    [
      'a service that was deleted through another gateway',
      () => deleteService(elsewhere(), { host: 'host1', binary: 'nova-compute' }),
      { unknown: { count: 1, names: ['cn1'] } },
    ],
    ['a node whose service host changed', () => reportHost(elsewhere(), 'host3'), { unknown: { count: 1, names: ['cn1'] } }],
  ])('includes %s at once', async (_, change, expected) => {
    await seed.provider('pool', {});
    await seed.provider('gone', { traits: ['COMPUTE_NODE'] });
    await serve('gone', 73);
    expect(await versions()).toMatchObject({ minimum: 73, unknown: { count: 0 }, unowned: { count: 1 } });
    await change();
    expect(await versions()).toMatchObject(expected);
  });

  test('is read once for many requests, whatever is claimed meanwhile: one small statement looks for changes', async () => {
    await seed.claim('vm', { cn1: { VCPU: 1 } });
    database.statements.length = 0;
    await Promise.all(Array.from({ length: 20 }, versions));
    expect(database.statements).toEqual([expect.stringContaining('join events')]);
  });

  test('is looked up in the events since the last question, so that a search reads no event twice', async () => {
    const { sql } = database.db;
    const since: string[] = [];
    const noted = new Proxy(sql, {
      apply(target, self, args: [readonly string[], string]) {
        if (args[0].join().includes('join events')) since.push(args[1]);
        return Reflect.apply(target, self, args);
      },
    });
    const gateway = scopeOf({ ...database.db, sql: noted });
    const ask = () => computeVersions(gateway, ownerNova, firstVersionWithOwner);
    await ask();
    await seed.claim('vm', { cn1: { VCPU: 1 } });
    const answers = [await ask(), await ask()];
    expect(new Set(answers).size).toBe(1);
    const last = sql`(select xid from events order by id desc limit 1)`;
    const wasRead = await Promise.all(
      since.map(async (snapshot) => (await sql`select pg_visible_in_snapshot(${last}, ${snapshot}::pg_snapshot) as was_read`)[0]),
    );
    expect(wasRead).toEqual([{ was_read: false }, { was_read: true }]);
  });
});

test('a rolling upgrade: from old through mixed to new and back, with every request served on the way', async () => {
  const request = { groups: [{ resources: [vcpu, vgpu] }] };
  const warned = async () => (await withOwnerNow(request)).warnings.map(({ code }) => code);
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
    await reportComputeNode(scope(), { computeNodeRecord: { fields }, vgpus: [{ address: '0000:84:00.0', total: 4 }] });
    await serve(host, 73);
  };
  expect([await served(request), await warned()]).toEqual([all, ['OWNERS_NOT_CHECKED']]);
  await upgrade('cn1');
  // Only cn1 has owners: filtering now would exclude cn2.
  expect([await served(request), await warned()]).toEqual([all, ['OWNERS_NOT_CHECKED']]);
  await upgrade('cn2');
  expect([await served(request), await warned()]).toEqual([[all[0], all[2]], []]);
  // cn2 is downgraded: an old compute service drops the trait of its root, as it drops everything it does not know.
  await serve('cn2', 72);
  await seed.traits('cn2', ['COMPUTE_NODE']);
  expect([await served(request), await warned()]).toEqual([all, ['OWNERS_NOT_CHECKED']]);
  await upgrade('cn2');
  expect([await served(request), await warned()]).toEqual([[all[0], all[2]], []]);
});
