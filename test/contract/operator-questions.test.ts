// The questions of an operator of many hosts. Each is one query, the example of the explorer, put to a cloud in which the right answer is known.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportComputeNode } from '../../src/nova/compute-nodes/compute-nodes.ts';
import { replaceAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import { keepRefusedClaims } from '../../src/operations/allocations/refused-claims.ts';
import { fill, type Json } from '../../src/ui/explorer/example.ts';
import { useDatabase } from '../support/database.ts';
import { exampleNamed } from '../support/examples.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { scopeOf } from '../support/graphql.ts';
import { reportOf } from '../support/reports.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let seed: ReturnType<typeof createSeed>;

/** Hosts with names that examples ask for. */
const [cells, plain, closed, other] = ['az1-rack09-node01', 'az1-rack09-node02', 'az1-rack05-node04', 'az2-rack01-node01'] as const;
const [video, payments] = [{ project: 'video' }, { project: 'payments' }];
const overcommitted = (total: number, allocationRatio = 4) => ({ total, allocationRatio });

const hour = 3_600_000;
/** Matches a moment so many hours ago, to within ten minutes. */
const about = (hours: number) => ({
  asymmetricMatch: (at: string) => Math.abs(Date.now() - hours * hour - Date.parse(at)) < hour / 6,
  toString: () => 'about',
  toAsymmetricMatcher: () => `about ${hours} hours ago`,
});

/** Moves into the past what was written since the last call. */
async function makeOlder(hours: number): Promise<void> {
  await database.db.writes`update events set at = at - make_interval(hours => ${hours}) where at > now() - interval '1 hour'`;
}

/** A consumer of a generation, with other allocations. */
const after = (generation: number, consumer: string, allocations: readonly object[]) => ({
  ...{ uuid: uuidOf(consumer), expect: { generation }, project: 'payments', user: 'u1', type: 'INSTANCE', keepType: false, allocations },
});

/** Two zones: a host with two cells, nearly full; a plain one; one that is closed and silent; one with another ratio; a pool. */
async function build(): Promise<void> {
  await seed.provider(cells, { inventories: { MEMORY_MB: 65_536 } });
  for (const cell of ['a', 'b']) await seed.provider(`cell ${cell}`, { parent: cells, inventories: { VCPU: overcommitted(8) } });
  for (const [name, trait] of [[plain, 'HW_CPU_X86_AVX512F'] as const, [closed, 'HW_CPU_X86_AVX2'] as const]) {
    const node = { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 32_768, localGb: 0 };
    await reportComputeNode(scopeOf(database.db), reportOf({ ...node, traits: [trait], reservedMemoryMb: 0 }));
  }
  await database.db.writes`update records set updated_at = now() - interval '2 hours' where uuid = ${uuidOf(closed)}`;
  await seed.provider(other, { inventories: { VCPU: overcommitted(16, 2), MEMORY_MB: 65_536 } });
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
  const members = { az1: [cells, plain, closed, 'pool'], 'az1-rack09': [cells, plain], az2: [other] };
  for (const provider of [cells, plain, closed, other, 'pool']) {
    const aggregates = Object.entries(members).flatMap(([name, names]) => ((names as string[]).includes(provider) ? [name] : []));
    await seed.aggregates(provider, aggregates);
  }
  for (const name of Object.keys(members)) await seed.write('name_aggregate', { aggregate: uuidOf(name), name });
}

/** Ten days ago, three days ago, and just now. */
async function live(): Promise<void> {
  await seed.claim('vm1', { 'cell a': { VCPU: 30 }, [cells]: { MEMORY_MB: 4096 }, pool: { DISK_GB: 20 } }, video);
  await seed.claim('vm2', { 'cell b': { VCPU: 27 } }, video);
  await seed.claim('vm3', { 'cell b': { VCPU: 1 } }, video);
  await seed.claim('vm4', { [plain]: { VCPU: 4, MEMORY_MB: 1024 } }, payments);
  await seed.claim('gone', { [plain]: { VCPU: 1 } }, payments);
  await seed.claim('vm5', { [other]: { VCPU: 2 } }, video);
  await seed.claim('migration', { [other]: { VCPU: 3, MEMORY_MB: 512 } }, { ...video, type: 'MIGRATION' });
  await makeOlder(10 * 24);
  const by = { user: 'ann', project: 'admin', roles: ['admin'], requestId: 'req-of-ann' };
  await seed.write('release_allocations', { consumers: [after(1, 'gone', [])], by });
  await seed.write('replace_traits', { provider: uuidOf(closed), expect: {}, traits: ['COMPUTE_NODE', 'COMPUTE_STATUS_DISABLED'], by });
  await makeOlder(3 * 24);
  await seed.claim('vm6', { [plain]: { VCPU: 2 } }, payments);
  await seed.write('replace_allocations', {
    consumers: [after(1, 'vm4', [{ provider: uuidOf(plain), resourceClass: 'VCPU', amount: 5 }])],
  });
  for (const [name, amount] of [['vm1', 1] as const, ['large', 5] as const]) {
    const hold = { allocations: [{ resourceProvider: uuidOf('cell b'), resources: [{ resourceClass: 'VCPU', amount }] }] };
    const consumers = [{ consumer: uuidOf(name), expect: { isNew: true }, project: 'video', user: 'u1', hold }];
    await expect(replaceAllocations(scopeOf(database.db), { consumers })).rejects.toMatchObject({ name: 'Refusal' });
  }
  await keepRefusedClaims(database.db);
}

/** The answer to an example, with its own values of variables unless others are given. */
async function answer(name: string, variables: Readonly<Record<string, Json>> = {}): Promise<unknown> {
  const example = exampleNamed(name);
  const filled = await fill(example, (query) => gateway.data<Record<string, Json>>(query));
  return gateway.data(example.text, { ...filled.variables, ...variables });
}

beforeAll(async () => {
  seed = createSeed(database.db);
  await build();
  await live();
  gateway = await startGateway(database, 'jit');
});
afterAll(() => gateway.close());

const ofClass = (name: string, capacity: number, used: number) => ({ resourceClass: { name }, capacity, used });
const full = (name: string, used: number, capacity: number) => ({ name, treeInventory: { capacity, used, utilization: used / capacity } });
const allocation = (provider: string, name: string, amount: number) => ({
  ...{ amount, resourceClass: { name }, resourceProvider: { name: provider } },
});

test('which hosts are the fullest, their cells included?', async () => {
  const nodes = [full(cells, 58, 64), full(plain, 7, 32), full(other, 5, 32), full(closed, 0, 32)];
  const withFree = nodes.map(({ name, treeInventory: { capacity, used, utilization } }) => ({
    ...{ name, treeInventory: { capacity, used, free: capacity - used, utilization } },
  }));
  expect(await answer('fullest')).toEqual({ resourceProviders: { nodes: withFree } });
});

test('which projects are the largest, and what is their share?', async () => {
  const found = await answer('top-projects');
  expect(found).toEqual({
    usages: {
      nodes: [
        { project: { externalId: 'video' }, consumerCount: 5, amount: 63 },
        { project: { externalId: 'payments' }, consumerCount: 2, amount: 7 },
      ],
    },
    totals: {
      own: [
        { resourceClass: { name: 'VCPU' }, used: 70 },
        { resourceClass: { name: 'MEMORY_MB' }, used: 4608 },
        { resourceClass: { name: 'DISK_GB' }, used: 20 },
      ],
    },
  });
});

test('what capacity do two zones have, and how much is used?', async () => {
  const withUtilization = (rows: ReturnType<typeof ofClass>[]) => rows.map((row) => ({ ...row, utilization: row.used / row.capacity }));
  const own1 = withUtilization([ofClass('VCPU', 128, 65), ofClass('MEMORY_MB', 131_072, 4096)]);
  const own2 = withUtilization([ofClass('VCPU', 32, 5), ofClass('MEMORY_MB', 65_536, 512)]);
  expect(await answer('two-zones')).toEqual({
    aggregates: {
      nodes: [
        { name: 'az1', rootCount: 3, consumerCount: 5, totals: { own: own1, shared: [ofClass('DISK_GB', 1000, 20)] } },
        { name: 'az2', rootCount: 1, consumerCount: 2, totals: { own: own2, shared: [] } },
      ],
    },
  });
});

test('what does a project use, by zone and type?', async () => {
  const row = (name: string, consumerType: string, consumerCount: number, vcpu: number, memoryMb: number) => ({
    ...{ aggregate: { name }, consumerType, consumerCount, vcpu, memoryMb },
  });
  const { project } = (await answer('project-by-zone', { project: 'video' })) as { project: { usages: { nodes: object[] } } };
  expect(new Set(project.usages.nodes)).toEqual(
    new Set([
      row('az1', 'INSTANCE', 3, 58, 4096),
      row('az1-rack09', 'INSTANCE', 3, 58, 4096),
      row('az2', 'INSTANCE', 1, 2, 0),
      row('az2', 'MIGRATION', 1, 3, 512),
    ]),
  );
});

test('why does a flavor not fit?', async () => {
  const step = (suffix: string, kind: string, filter: string, rootsBefore: number, rootsAfter: number) => ({
    ...{ suffix, kind, filter, rootsBefore, rootsAfter },
  });
  const none = 'No provider has an inventory of VGPU.';
  expect(await answer('no-valid-host')).toEqual({
    allocationCandidates: {
      candidates: [],
      explanation: {
        summary: `No candidates: of 5 trees, 4 have an inventory of VCPU for group _cpu, 3 of these have an inventory of MEMORY_MB for group _cpu, 1 of these has trait HW_CPU_X86_AVX512F for group _cpu, none of these has an inventory of VGPU for group _gpu. ${none}`,
        steps: [
          step('_cpu', 'INVENTORY', 'inventory of VCPU', 5, 4),
          step('_cpu', 'ROOM', 'room for 4 VCPU', 4, 4),
          step('_cpu', 'INVENTORY', 'inventory of MEMORY_MB', 4, 3),
          step('_cpu', 'ROOM', 'room for 8,192 MEMORY_MB', 3, 3),
          step('_cpu', 'TRAITS', 'required trait HW_CPU_X86_AVX512F', 3, 1),
          step('_gpu', 'INVENTORY', 'inventory of VGPU', 1, 0),
        ],
        nearestMisses: [
          {
            message: `1 tree lacks only an inventory of VGPU for group _gpu. ${none}`,
            rootCount: 1,
            sample: [{ name: plain }],
            lacks: [{ resourceClass: { name: 'VGPU' }, amount: 1 }],
            lacksTraitNames: [],
          },
        ],
      },
    },
  });
});

test('how many of a flavor fit in each of two zones?', async () => {
  const nodes = [
    { aggregate: { name: 'az2' }, count: 6 },
    { aggregate: { name: 'az1' }, count: 5 },
  ];
  expect(await answer('fit')).toEqual({ flavorToRequest: { fit: { total: 11, exact: true, byAggregate: { nodes } } } });
});

test('who is on the host with a name, its cells included?', async () => {
  const { consumers } = (await answer('instances-of-host')) as { consumers: { totalCount: number; nodes: object[] } };
  const instance = (name: string, allocations: object[]) => ({
    ...{ uuid: uuidOf(name), consumerType: 'INSTANCE', project: { externalId: 'video' }, allocations },
  });
  expect(consumers).toEqual({
    totalCount: 3,
    nodes: [
      instance('vm1', [allocation(cells, 'MEMORY_MB', 4096), allocation('cell a', 'VCPU', 30), allocation('pool', 'DISK_GB', 20)]),
      instance('vm2', [allocation('cell b', 'VCPU', 27)]),
      instance('vm3', [allocation('cell b', 'VCPU', 1)]),
    ],
  });
});

test('what became of an instance that is gone?', async () => {
  const [before, later] = [10 * 24, 3 * 24];
  const held = (from: number | null, to: number | null) => [
    { resourceProviderUuid: uuidOf(plain), resourceClassName: 'VCPU', before: from, after: to },
  ];
  const event = (hours: number, kind: string, user: string, requestId: string, action: string, allocations: object[]) => ({
    ...{ at: about(hours), kind, requestId, requestedBy: { externalId: user } },
    changes: { nodes: [{ action, consumerUuid: uuidOf('gone'), allocations }] },
  });
  expect(await answer('deleted-instance')).toEqual({
    events: {
      nodes: [
        event(later, 'RELEASE_ALLOCATIONS', 'ann', 'req-of-ann', 'DELETED', held(1, null)),
        event(before, 'REPLACE_ALLOCATIONS', 'admin', 'req-seed', 'CREATED', held(null, 1)),
      ],
    },
  });
});

test('who disabled a host?', async () => {
  const event = { at: about(3 * 24), kind: 'REPLACE_TRAITS', requestId: 'req-of-ann', requestedBy: { externalId: 'ann' } };
  expect(await answer('who-disabled')).toEqual({ resourceProvider: { hasTrait: true, events: { nodes: [event] } } });
});

test('which hosts are used by more than 90 %, and how many are these?', async () => {
  expect(await answer('over-90')).toEqual({ resourceProviders: { totalCount: 1, nodes: [full(cells, 58, 64)] } });
});

test('which hosts have a ratio other than 4?', async () => {
  const node = { name: other, root: { name: other }, inventory: { total: 16, allocationRatio: 2 } };
  expect(await answer('other-ratios')).toEqual({ resourceProviders: { totalCount: 1, nodes: [node] } });
});

test('how much of a rack was used in the last week, cells included?', async () => {
  const { usageHistory } = (await answer('rack-last-week')) as { usageHistory: { samples: { at: string; usages: object[] }[] } };
  const usages = (memory: number, vcpu: number) => [
    { resourceClassName: 'MEMORY_MB', used: memory, capacity: 98_304 },
    { resourceClassName: 'VCPU', used: vcpu, capacity: 96 },
  ];
  expect(usageHistory.samples).toEqual(
    Array.from({ length: 29 }, (_, index) => ({
      at: about(7 * 24 - 6 * index),
      usages: index < 16 ? usages(5120, 63) : index < 28 ? usages(5120, 62) : usages(4096, 65),
    })),
  );
});

test('who was on a host at a past moment?', async () => {
  const holder = (name: string, held: Readonly<Record<string, number>>) => ({
    ...{ consumerUuid: uuidOf(name), consumerType: 'INSTANCE', project: { externalId: 'payments' } },
    allocations: Object.entries(held).map(([resourceClassName, amount]) => ({
      resourceProviderUuid: uuidOf(plain),
      resourceClassName,
      amount,
    })),
  });
  const nodes = [holder('vm4', { MEMORY_MB: 1024, VCPU: 4 }), holder('gone', { VCPU: 1 })].toSorted((a, b) =>
    a.consumerUuid < b.consumerUuid ? -1 : 1,
  );
  const moment = new Date(Date.now() - 5 * 24 * hour).toISOString();
  expect(await answer('who-was-here', { moment, host: plain })).toEqual({
    asOf: { pastResourceProvider: { name: plain, holders: { totalCount: 2, nodes } } },
  });
});

test('how many claims and refusals are there in an hour?', async () => {
  const { claimHistory } = (await answer('claims-by-hour')) as { claimHistory: { periods: { at: string; refusedCount: number }[] } };
  const none = { claimedCount: 0, changedCount: 0, releasedCount: 0, refusedCount: 0, withoutRoom: 0 };
  const last = { claimedCount: 1, changedCount: 1, releasedCount: 0, refusedCount: 2, withoutRoom: 1 };
  expect(claimHistory.periods).toEqual(
    Array.from({ length: 25 }, (_, index) => ({ at: about(24 - index), ...(index === 23 ? last : none) })),
  );
});

test('which hosts have not reported for an hour?', async () => {
  expect(await answer('silent-hosts')).toEqual({
    computeNodes: { totalCount: 1, nodes: [{ hypervisorHostname: closed, reportedAt: about(2) }] },
  });
});

test('which hosts have the most instances?', async () => {
  const nodes = (
    [
      [cells, 3],
      [plain, 2],
      [other, 1],
      [closed, 0],
    ] as const
  ).map(([name, consumerCount]) => ({ name, consumerCount }));
  expect(await answer('busiest-hosts')).toEqual({ resourceProviders: { totalCount: 4, nodes } });
});
