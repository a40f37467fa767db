// The operations that dashboards, schedulers and operators need, on the demo cloud: one round trip each, a
// meaningful answer, and a number of statements that does not depend on the size of the cloud.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDemo } from '../support/demo.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { dumpTables } from '../support/ledger.ts';
import { operations } from '../support/operations.ts';

const database = useDemo();
const gateways: Gateway[] = [];

beforeAll(async () => {
  for (const executor of executors) gateways.push(await startGateway(database, executor));
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

/** The data of an operation, which must cost this many statements. */
async function ask<Data>(name: keyof typeof operations, variables: Record<string, unknown>, statements: number): Promise<Data> {
  const [gateway] = gateways as [Gateway];
  // Connections that were never used ask for types first.
  await gateway.ask(operations[name], variables);
  database.statements.length = 0;
  const data = await gateway.data<Data>(operations[name], variables);
  expect(database.statements.length).toBeLessThanOrEqual(statements);
  return data;
}

interface Amounts {
  readonly resourceClass: { readonly name: string };
  readonly capacity: number;
  readonly used: number;
}
interface Bar {
  readonly total: number;
  readonly capacity: number;
  readonly used: number;
  readonly free: number;
  readonly utilization: number;
}

const uuidOfProvider = async (name: string) => {
  const [row] = await database.db.sql<{ uuid: string; generation: number }[]>`
    select uuid, generation::int as generation from resource_providers where name = ${name}`;
  if (!row) throw new Error(`the demo has no ${name}`);
  return row;
};

const uuidOfAggregate = async (name: string) => {
  const [row] = await database.db.sql<{ uuid: string }[]>`select uuid from placement_aggregates where name = ${name}`;
  return row?.uuid;
};

test('D1, the overview: totals, the fullest hosts, the overcommitted ones and the largest projects, in at most 9 statements', async () => {
  const { totals, fullest, sick, usages } = await ask<{
    totals: { own: Amounts[]; shared: Amounts[] };
    fullest: { nodes: { inventory: Bar }[] };
    sick: { totalCount: number; nodes: { inventories: { overCapacity: boolean }[] }[] };
    usages: { nodes: { project: { externalId: string }; vcpu: number; memory: number }[] };
  }>('overview', {}, 9);
  const [held] = await database.db.sql<{ used: number }[]>`select sum(used)::int as used from allocations where resource_class_id = 0`;
  expect(totals.own.find(({ resourceClass }) => resourceClass.name === 'VCPU')?.used).toBe(held?.used);
  expect(totals.shared).toEqual([]);
  const utilizations = fullest.nodes.map(({ inventory }) => inventory.utilization);
  expect(utilizations).toHaveLength(10);
  expect(utilizations).toEqual(utilizations.toSorted((a, b) => b - a));
  expect(sick.totalCount).toBe(2);
  expect(sick.nodes.every(({ inventories }) => inventories.some(({ overCapacity }) => overCapacity))).toBe(true);
  expect(usages.nodes).toHaveLength(10);
  expect(usages.nodes.map(({ vcpu }) => vcpu)).toEqual(usages.nodes.map(({ vcpu }) => vcpu).toSorted((a, b) => b - a));
});

test('D2, the table of hosts with local and shared disk distinguished, in at most 8 statements', async () => {
  const { resourceProviders } = await ask<{
    resourceProviders: {
      totalCount: number;
      nodes: {
        name: string;
        disk: Bar | null;
        sharedPools: { resourceProvider: { name: string }; usedHere: number; inventory: Bar }[];
        treeInventories: Amounts[];
        aggregates: { name: string }[];
      }[];
    };
  }>('hypervisors', {}, 8);
  expect(resourceProviders.totalCount).toBe(200);
  expect(resourceProviders.nodes).toHaveLength(200);
  const host = (name: string) => resourceProviders.nodes.find((node) => node.name === name);
  expect(host('az1-rack01-node01')).toMatchObject({ disk: { total: 1000 }, sharedPools: [] });
  const diskless = host('az1-rack06-node01');
  expect(diskless).toMatchObject({ disk: null, sharedPools: [{ resourceProvider: { name: 'az1-hdd-pool' } }] });
  expect(diskless?.sharedPools[0]?.usedHere).toBeGreaterThan(0);
  // The usage of a pool is the sum over all hosts: each unit is counted at one host.
  const pools = resourceProviders.nodes
    .flatMap(({ sharedPools }) => sharedPools)
    .filter((pool) => pool.resourceProvider.name === 'az1-hdd-pool');
  expect(pools.reduce((sum, { usedHere }) => sum + usedHere, 0)).toBe(pools[0]?.inventory.used);
  const numa = host('az1-rack09-node01');
  expect(numa?.treeInventories.map(({ resourceClass }) => resourceClass.name)).toEqual(expect.arrayContaining(['VCPU', 'SRIOV_NET_VF']));
  expect(numa?.aggregates.map(({ name }) => name).toSorted()).toEqual(['az1', 'az1-rack09']);
});

test('D3, one provider with its tree, its consumers and its history, in at most 11 statements', async () => {
  const { uuid } = await uuidOfProvider('az1-rack09-node01');
  const { resourceProvider } = await ask<{
    resourceProvider: {
      name: string;
      ancestors: unknown[];
      descendants: { name: string; depth: number; parent: { uuid: string } }[];
      heldHere: { totalCount: number; nodes: unknown[] };
      events: { nodes: { kind: string; requestedBy: { externalId: string }; changes: { nodes: { action: string }[] } }[] };
    };
  }>('providerPage', { uuid }, 11);
  expect(resourceProvider).toMatchObject({ name: 'az1-rack09-node01', ancestors: [] });
  expect(resourceProvider.descendants.map(({ depth }) => depth)).toEqual([1, 2, 1, 2, 2]);
  expect(resourceProvider.descendants[0]).toMatchObject({ name: 'az1-rack09-node01_numa0', parent: { uuid } });
  expect(resourceProvider.heldHere.totalCount).toBeGreaterThan(0);
  expect(resourceProvider.events.nodes.at(-1)).toMatchObject({ kind: 'APPLY_PROVIDER_TREE', requestedBy: { externalId: 'nova' } });
  expect(resourceProvider.events.nodes.every(({ changes }) => changes.nodes.length > 0)).toBe(true);
});

test('D4, one project with its usage and its consumers, in at most 7 statements', async () => {
  const { project } = await ask<{
    project: {
      usages: {
        nodes: { consumerType: string | null; consumerCount: number; resources: { amount: number; resourceClass: { name: string } }[] }[];
      };
      consumers: {
        totalCount: number;
        nodes: { consumerType: string | null; roots: unknown[]; allocations: unknown[] }[];
        pageInfo: { hasNextPage: boolean };
      };
    };
  }>('projectPage', { id: 'web-shop' }, 7);
  expect(project.usages.nodes.map(({ consumerType }) => consumerType)).toEqual(expect.arrayContaining(['INSTANCE', 'PORT']));
  expect(project.usages.nodes.reduce((sum, { consumerCount }) => sum + consumerCount, 0)).toBe(project.consumers.totalCount);
  expect(project.consumers.nodes).toHaveLength(100);
  expect(project.consumers.pageInfo.hasNextPage).toBe(true);
  expect(project.consumers.nodes.every(({ roots, allocations }) => roots.length > 0 && allocations.length > 0)).toBe(true);
});

test('S3, a claim of a known candidate, in at most 2 statements; the same claim again is refused with the reason', async () => {
  const provider = await uuidOfProvider('az1-rack01-node01');
  const variables = { consumer: 'f0000000-0000-4000-8000-000000000001', provider: provider.uuid };
  const [gateway] = gateways as [Gateway];
  // The first claim of a project or user takes two statements more.
  await gateway.data(operations.claim, { ...variables, consumer: 'f0000000-0000-4000-8000-0000000000ff' });
  database.statements.length = 0;
  const { replaceAllocations } = await gateway.data<{
    replaceAllocations: { consumers: { generation: number }[]; resourceProviders: { generation: number }[] };
  }>(operations.claim, variables);
  expect(database.statements.length).toBeLessThanOrEqual(2);
  expect(replaceAllocations).toMatchObject({
    consumers: [{ uuid: variables.consumer, generation: 1, allocations: [{ amount: 2 }, { amount: 512 }] }],
    userErrors: [],
  });
  expect(await gateway.data(operations.claim, variables)).toEqual({
    replaceAllocations: {
      consumers: [],
      userErrors: [
        {
          code: 'CONSUMER_CONFLICT',
          message: expect.any(String),
          path: ['consumers', '0', 'expect'],
          retry: 'AFTER_READ',
          expected: null,
          actual: 1,
        },
      ],
    },
  });
});

const server = {
  resources: [
    { resourceClass: 'VCPU', amount: 2 },
    { resourceClass: 'MEMORY_MB', amount: 4096 },
    { resourceClass: 'DISK_GB', amount: 20 },
  ],
};

interface Found {
  readonly allocationCandidates: {
    readonly truncated: boolean;
    readonly candidates: readonly {
      readonly claimToken: string;
      readonly root: { readonly name: string; readonly aggregates: readonly unknown[] };
      readonly mappings: readonly { readonly suffix: string | null; readonly resourceProviders: readonly { readonly uuid: string }[] }[];
      readonly allocations: readonly {
        readonly amount: number;
        readonly resourceClass: { readonly name: string };
        readonly resourceProvider: { readonly name: string; readonly generation: number; readonly inventory: Bar | null };
      }[];
    }[];
  };
}

test('S1, candidates with all details of their providers, in one statement', async () => {
  const [vcpus, memory, disk] = server.resources;
  const host = { suffix: '_host', resources: [vcpus, memory], aggregates: [{ anyOf: [await uuidOfAggregate('az1-rack06')] }] };
  const input = { groups: [host, { resources: [disk] }], limit: 10 };
  const { allocationCandidates } = await ask<Found>('find', { input }, 1);
  expect(allocationCandidates.truncated).toBe(false);
  expect(allocationCandidates.candidates).not.toHaveLength(0);
  for (const { root, mappings, allocations } of allocationCandidates.candidates) {
    expect(root.name).toMatch(/^az1-rack06-node/);
    expect(root.aggregates).toHaveLength(3);
    // Processors and memory of the host, disk of a pool beside it.
    expect(mappings.map(({ suffix }) => suffix)).toEqual(['_host', null]);
    const taken = allocations.map(({ resourceProvider, resourceClass, amount }) => [resourceProvider.name, resourceClass.name, amount]);
    expect(taken).toEqual([
      [root.name, 'VCPU', 2],
      [root.name, 'MEMORY_MB', 4096],
      ['az1-hdd-pool', 'DISK_GB', 20],
    ]);
    const taker = allocations[0]?.resourceProvider;
    expect(taker?.inventory?.capacity).toBeGreaterThanOrEqual((taker?.inventory?.used ?? 0) + 2);
    expect(taker?.generation).toBe((await uuidOfProvider(root.name)).generation);
  }
});

interface ServerClaimed {
  readonly claim: {
    readonly claims: readonly {
      readonly consumer: { readonly generation: number };
      readonly candidate: {
        readonly root: { readonly uuid: string; readonly name: string };
        readonly mappings: readonly { suffix: string | null }[];
      };
      readonly alternateCandidates: readonly { readonly root: { readonly name: string }; readonly claimToken: string }[];
    }[];
    readonly userErrors: readonly unknown[];
  };
}

test('S2 and S3, search and claim in one call of at most 5 statements, and an alternate by its token in at most 2', async () => {
  const [gateway] = gateways as [Gateway];
  await gateway.data('mutation { createTrait(input: { name: "CUSTOM_FAST" }) { created } }');
  database.statements.length = 0;
  const { claim } = await gateway.data<ServerClaimed>(operations.findAndClaim, { consumer: 'f0000000-0000-4000-8000-00000000000a' });
  expect(database.statements.length).toBeLessThanOrEqual(5);
  expect(claim.userErrors).toEqual([]);
  const [landed] = claim.claims;
  expect(landed).toMatchObject({ consumer: { uuid: 'f0000000-0000-4000-8000-00000000000a', generation: 1 } });
  expect(landed?.candidate.root.name).toMatch(/^az\d-rack09-node/);
  expect(landed?.candidate.mappings.map(({ suffix }) => suffix)).toEqual([null, '_cpu', '_pf']);
  const alternates = landed?.alternateCandidates ?? [];
  expect(new Set([landed?.candidate.root.name, ...alternates.map(({ root }) => root.name)]).size).toBe(3);

  database.statements.length = 0;
  const { replaceAllocations } = await gateway.data<{
    replaceAllocations: { consumers: { allocations: unknown[] }[]; userErrors: unknown[] };
  }>(operations.claimAlternate, { consumer: 'f0000000-0000-4000-8000-00000000000b', token: alternates[0]?.claimToken });
  expect(database.statements.length).toBeLessThanOrEqual(2);
  expect(replaceAllocations.userErrors).toEqual([]);
  const [held] = await database.db.sql<{ roots: string[]; rows: number }[]>`
    select array_agg(distinct root.name) filter (where p.id <> root.id) as roots, count(*)::int as rows
    from allocations a join consumers c on c.id = a.consumer_id join resource_providers p on p.id = a.resource_provider_id
    join resource_providers root on root.id = p.root_provider_id where c.uuid = 'f0000000-0000-4000-8000-00000000000b'`;
  expect(held).toEqual({ roots: [alternates[0]?.root.name], rows: 4 });
});

test('S4, the start of a migration: the source to the migration, the target to the server, in one transaction and at most 2 statements', async () => {
  const [gateway] = gateways as [Gateway];
  const [source, target] = [await uuidOfProvider('az1-rack02-node01'), await uuidOfProvider('az1-rack02-node02')];
  const [instance, migration] = ['f0000000-0000-4000-8000-000000000002', 'f0000000-0000-4000-8000-000000000003'];
  await gateway.data(operations.claim, { consumer: instance, provider: source.uuid });
  database.statements.length = 0;
  const moved = await gateway.data<{ replaceAllocations: { resourceProviders: { uuid: string }[] } }>(operations.startMigration, {
    instance,
    migration,
    generation: 1,
    target: target.uuid,
  });
  expect(database.statements.length).toBeLessThanOrEqual(2);
  expect(moved.replaceAllocations).toMatchObject({
    consumers: [
      { uuid: migration, generation: 1 },
      { uuid: instance, generation: 2 },
    ],
    userErrors: [],
  });
  expect(moved.replaceAllocations.resourceProviders.map(({ uuid }) => uuid).toSorted()).toEqual([source.uuid, target.uuid].toSorted());
});

test('O1, who uses GPUs in a rack and what is left, in at most 8 statements', async () => {
  const rack = await uuidOfAggregate('az1-rack10');
  const { resourceClass, aggregate } = await ask<{
    resourceClass: { cloudTotal: { capacity: number } };
    aggregate: {
      totals: { own: { used: number }[] };
      resourceProviders: { nodes: { descendants: { inventory: Bar; heldHere: { nodes: { amount: number }[] } }[] }[] };
    };
  }>('gpusInRack', { rack }, 8);
  expect(resourceClass.cloudTotal.capacity).toBe(320);
  expect(aggregate.totals.own).toMatchObject([{ providerCount: 20, capacity: 160 }]);
  const gpus = aggregate.resourceProviders.nodes.flatMap(({ descendants }) => descendants);
  expect(gpus).toHaveLength(20);
  const held = gpus.flatMap(({ heldHere }) => heldHere.nodes).reduce((sum, { amount }) => sum + amount, 0);
  expect(held).toBeGreaterThan(0);
  expect(held).toBe(aggregate.totals.own[0]?.used);
});

test('O2, why there is no valid host: how many hosts each condition leaves, and what would help, in one statement', async () => {
  const large = {
    resources: [
      { resourceClass: 'VCPU', amount: 2 },
      { resourceClass: 'VGPU', amount: 9 },
    ],
  };
  const { allocationCandidates } = await ask<{
    allocationCandidates: {
      candidates: unknown[];
      explanation: {
        summary: string;
        steps: { rootsBefore: number; rootsAfter: number }[];
        nearestMisses: {
          message: string;
          rootCount: number;
          sample: unknown[];
          lacks: { resourceClass: { name: string }; amount: number }[];
        }[];
      };
    };
  }>('why', { input: { groups: [large] } }, 1);
  expect(allocationCandidates.candidates).toEqual([]);
  const { summary, steps, nearestMisses } = allocationCandidates.explanation;
  expect(summary).toMatch(/VGPU/);
  expect(steps[0]?.rootsBefore).toBe(206);
  expect(steps.at(-1)?.rootsAfter).toBe(0);
  expect(steps.slice(1).map(({ rootsBefore }) => rootsBefore)).toEqual(steps.slice(0, -1).map(({ rootsAfter }) => rootsAfter));
  expect(nearestMisses[0]).toMatchObject({ message: expect.stringMatching(/VGPU/), sample: [{}, {}, {}] });
});

test('O3, suspected orphans with their last events, in at most 6 statements', async () => {
  const { consumers } = await ask<{
    consumers: { totalCount: number; nodes: { roots: unknown[]; events: { nodes: { kind: string; requestId: string }[] } }[] };
  }>('orphans', { before: '2100-01-01T00:00:00Z' }, 6);
  expect(consumers.totalCount).toBe(6);
  for (const { roots, events } of consumers.nodes) {
    expect(roots).toHaveLength(2);
    expect(events.nodes[0]).toMatchObject({ kind: 'REPLACE_ALLOCATIONS', requestId: expect.stringMatching(/^req-/) });
  }
  expect(await ask('orphans', { before: '2001-01-01T00:00:00Z' }, 2)).toEqual({ consumers: { totalCount: 0, nodes: [] } });
});

test('O4, what a change of a tree would do, in at most 2 statements and without doing it', async () => {
  const { uuid, generation } = await uuidOfProvider('az2-rack01-node01');
  const before = await dumpTables(database.db);
  const { applyProviderTree } = await ask<{ applyProviderTree: { changes: unknown[]; userErrors: unknown[] } }>(
    'previewTree',
    { root: uuid, name: 'az2-rack01-node01', generation },
    2,
  );
  expect(await dumpTables(database.db)).toEqual(before);
  expect(applyProviderTree).toMatchObject({ applied: false });
  expect(applyProviderTree.userErrors).toEqual([]);
  expect(applyProviderTree.changes).toMatchObject([
    { action: 'CHANGED', name: null, traitNamesRemoved: expect.arrayContaining([expect.any(String)]), inventories: [] },
    {
      ...{ action: 'CREATED', name: { after: 'a new gpu' }, traitNamesRemoved: [] },
      inventories: [{ resourceClassName: 'VGPU', before: null, after: { total: 4 } }],
    },
  ]);
});

const variablesOf: Partial<Record<keyof typeof operations, () => Promise<Record<string, unknown>>>> = {
  providerPage: async () => ({ uuid: (await uuidOfProvider('az1-rack09-node02')).uuid }),
  projectPage: async () => ({ id: 'payments' }),
  gpusInRack: async () => ({ rack: await uuidOfAggregate('az2-rack10') }),
  orphans: async () => ({ before: '2100-01-01T00:00:00Z' }),
  find: async () => ({ input: { groups: [server], orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB', direction: 'DESC' }] } }),
  why: async () => ({ input: { groups: [{ ...server, traits: [{ allOf: ['HW_GPU_API_VULKAN', 'HW_NUMA_ROOT'] }] }] } }),
  previewTree: async () => {
    const { uuid, generation } = await uuidOfProvider('az2-rack01-node02');
    return { root: uuid, name: 'az2-rack01-node02', generation };
  },
};

test.each(['overview', 'hypervisors', 'providerPage', 'projectPage', 'find', 'why', 'gpusInRack', 'orphans', 'previewTree'] as const)(
  '%s gets the same answer from both executors, compiled or not',
  async (name) => {
    const variables = (await variablesOf[name]?.()) ?? {};
    const [compiling, plain] = gateways as [Gateway, Gateway];
    const expected = await plain.data(operations[name], variables);
    for (let hit = 0; hit <= hitsUntilCompiled; hit += 1) expect(await compiling.data(operations[name], variables)).toEqual(expected);
  },
);
