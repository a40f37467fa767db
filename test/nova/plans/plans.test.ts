// Plans as a client requests them, on a real database: they can be executed, see the latest commits, refuse invalid input, and are only for callers who may see
// everything.
import { type OperationDefinitionNode, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { createLimits } from '../../../src/graphql/limits.ts';
import { loadSchema } from '../../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldOf } from '../../support/held.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    a1    VCPU 8, MEMORY_MB 8192    COMPUTE_NODE                            @za @disks
    a2    VCPU 8, MEMORY_MB 8192    COMPUTE_NODE                            @za @disks
    a3    VCPU 64, MEMORY_MB 65536  COMPUTE_NODE COMPUTE_STATUS_DISABLED    @za
    b1    VCPU 8, MEMORY_MB 8192    COMPUTE_NODE                            @zb
    b2    VCPU 8, MEMORY_MB 8192    COMPUTE_NODE                            @zb
    nfs   DISK_GB 100               SHARING                                 @disks
    `,
  );
  const seed = createSeed(database.db);
  await seed.claim('one', { a1: { VCPU: 2, MEMORY_MB: 1024 }, nfs: { DISK_GB: 10 } });
  await seed.claim('two', { a1: { VCPU: 1, MEMORY_MB: 2048 } });
  await seed.claim('three', { b1: { VCPU: 6, MEMORY_MB: 512 } });
});
afterAll(() => gateway.close());

type Move = {
  consumerUuid: string;
  consumerGeneration: number;
  selection: { object: string; candidate: { root: { name: string }; claimToken: string } };
};
const move = 'consumerUuid consumerGeneration selection { object candidate { root { name } claimToken } }';
const drain = async (rest: object = {}) =>
  (
    await gateway.data<{ drainPlan: { moves: Move[]; stuck: { consumerUuid: string; obstacle: string }[]; stuckCount: number } }>(
      `query ($input: DrainPlanInput!) { drainPlan(input: $input) { moves { ${move} } stuck { consumerUuid obstacle } stuckCount } }`,
      { input: { computeNodes: [uuidOf('a1')], ...rest } },
    )
  ).drainPlan;
const destinations = ({ moves }: { moves: Move[] }) =>
  Object.fromEntries(moves.map(({ consumerUuid, selection }) => [consumerUuid, selection.candidate.root.name]));

describe('draining a host', () => {
  test('never uses a disabled host, and leaves a zone only if allowed', async () => {
    expect(destinations(await drain())).toEqual({ [uuidOf('one')]: 'a2', [uuidOf('two')]: 'b2' });
    const inZone = await drain({ sameAggregates: [uuidOf('za'), uuidOf('zb')] });
    expect(destinations(inZone)).toEqual({ [uuidOf('one')]: 'a2', [uuidOf('two')]: 'a2' });
    const group = { uuid: uuidOf('group'), policy: 'ANTI_AFFINITY', members: ['one', 'two'].map(uuidOf) };
    const apart = await drain({ sameAggregates: [uuidOf('za'), uuidOf('zb')], serverGroups: [{ fields: group }] });
    expect([destinations(apart), apart.stuckCount]).toEqual([{ [uuidOf('one')]: 'a2' }, 1]);
    const without = await drain({ sameAggregates: [uuidOf('za'), uuidOf('zb')], excludedComputeNodes: [uuidOf('a2')] });
    expect([without.moves, without.stuckCount]).toEqual([[], 2]);
  });

  test('can be executed with its tokens or its selections, and then there is nothing left to plan', async () => {
    for (const [index, { consumerUuid, consumerGeneration, selection }] of (await drain()).moves.entries()) {
      const migrationRecord = { fields: { uuid: uuidOf(`move ${index}`), instance: consumerUuid } };
      expect(JSON.parse(selection.object)['nova_object.name']).toBe('Selection');
      const started = await write('startMigration', {
        ...{ migrationRecord, expect: { generation: consumerGeneration } },
        selection: index === 0 ? { claimToken: selection.candidate.claimToken } : { object: selection.object },
      });
      expect(started.userErrors).toEqual([]);
      expect((await drain()).stuck).toContainEqual({ consumerUuid: uuidOf(`move ${index}`), obstacle: 'MOVING' });
      expect((await write('endMigration', { migrationRecord, outcome: 'CONFIRMED' })).userErrors).toEqual([]);
    }
    expect(await heldOf(database.db, 'VCPU')).toEqual({ a2: 2, b1: 6, b2: 1 });
    expect(await heldOf(database.db, 'DISK_GB')).toEqual({ nfs: 10 });
    expect(await drain()).toEqual({ moves: [], stuck: [], stuckCount: 0 });
    await expectSoundLedger(database.db);
  });
});

test('untracked usage is not moved', async () => {
  await createSeed(database.db).claim('old use', { b2: { VCPU: 1 } }, { type: 'UNTRACKED' });
  const { moves, stuck } = await drain({ computeNodes: [uuidOf('b2')], stayingConsumers: [uuidOf('two')] });
  expect([moves, stuck]).toEqual([
    [],
    expect.arrayContaining([
      { consumerUuid: uuidOf('old use'), obstacle: 'UNTRACKED' },
      { consumerUuid: uuidOf('two'), obstacle: 'STAYING' },
    ]),
  ]);
  await write('releaseAllocations', { consumers: [{ consumer: uuidOf('old use'), expect: { unchecked: true } }] });
});

test('rebalancing moves only among the named hosts, and says what every move gains', async () => {
  const { rebalancePlan } = await gateway.data<{ rebalancePlan: unknown }>(
    `query ($input: RebalancePlanInput!) { rebalancePlan(input: $input) {
      moves { gain consumerUuid basis selection { candidate { root { name } } } } before { highest } after { highest } emptied { name } truncated
    } }`,
    { input: { computeNodes: [uuidOf('b1'), uuidOf('b2')], goal: 'PACK' } },
  );
  expect(rebalancePlan).toEqual({
    moves: [{ gain: 1, consumerUuid: uuidOf('two'), basis: 'HELD', selection: { candidate: { root: { name: 'b1' } } } }],
    ...{ before: { highest: 0.75 }, after: { highest: 0.875 }, emptied: [{ name: 'b2' }], truncated: false },
  });
});

test('what-if counts what fits of a flavor, with hosts added by sizes, changed and lost', async () => {
  const flavor = { flavor: { fields: { vcpus: 4, memoryMb: 1024 } } };
  const ask = async (changes: object) => {
    const { whatIf } = await gateway.data<{ whatIf: { before: { total: number }; after: { total: number } } }>(
      `query ($input: WhatIfInput!) { whatIf(input: $input) { before { total } after { total } onAddedHosts { count } explanation { summary } warnings { code } } }`,
      { input: { asks: { flavorToRequest: flavor }, ...changes } },
    );
    return [whatIf.before.total, whatIf.after.total];
  };
  expect(await ask({})).toEqual([4, 4]);
  const inventories = [
    { resourceClass: 'VCPU', total: 12 },
    { resourceClass: 'MEMORY_MB', total: 65_536 },
  ];
  expect(await ask({ added: [{ count: 2, inventories }] })).toEqual([4, 10]);
  expect(await ask({ added: [{ count: 2, like: uuidOf('a1') }] })).toEqual([4, 8]);
  expect(await ask({ added: [{ count: 2, like: uuidOf('a1'), inventories: inventories.slice(0, 1) }] })).toEqual([4, 10]);
  expect(await ask({ lost: [uuidOf('a1')] })).toEqual([4, 2]);
  expect(await ask({ changed: [{ resourceProvider: uuidOf('a3'), removedTraits: ['COMPUTE_STATUS_DISABLED'] }] })).toEqual([4, 20]);
  expect(await ask({ changed: [{ resourceProvider: uuidOf('a1'), inventories: [{ resourceClass: 'VCPU', total: 3 }] }] })).toEqual([4, 2]);
});

test('what-if explains with hosts that exist, not with the added ones', async () => {
  const inventories = [
    { resourceClass: 'VCPU', total: 99 },
    { resourceClass: 'MEMORY_MB', total: 65_536 },
  ];
  const added = [{ count: 1, inventories }];
  const { whatIf } = await gateway.data(
    'query ($input: WhatIfInput!) { whatIf(input: $input) { explanation { nearestMisses { rootCount sample { name } } } } }',
    { input: { asks: { flavorToRequest: { flavor: { fields: { vcpus: 100, memoryMb: 1024 } } } }, added } },
  );
  const names = JSON.stringify(whatIf).match(/(?<="name":")[^"]*/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !/^[ab]\d$/.test(name))).toEqual([]);
});

test('a plan is always a heavy operation, however small', () => {
  const schema = loadSchema();
  const check = createLimits(schema);
  const costOf = (query: string) => {
    const document = parse(query);
    return check(document, document.definitions[0] as OperationDefinitionNode, {}).cost;
  };
  for (const plan of [
    `drainPlan(input: { computeNodes: [], maxMoves: 1 }) { truncated }`,
    `rebalancePlan(input: { computeNodes: [], maxMoves: 1 }) { truncated }`,
    `whatIf(input: { asks: { request: { groups: [] } } }) { before { total } }`,
  ]) {
    expect(costOf(`{ ${plan} }`)).toBeGreaterThan(limits.lightOperationCost);
  }
  const moves = (maxMoves: number) =>
    costOf(`{ drainPlan(input: { computeNodes: [], maxMoves: ${maxMoves} }) { moves { consumer { uuid } } } }`);
  expect(moves(1000) - moves(10)).toBe(2 * 990);
});

describe('a plan is refused', () => {
  const plan = (field: string, type: string, input: object) =>
    gateway.ask(`query ($input: ${type}!) { ${field}(input: $input) { __typename } }`, { input });
  const asks = { request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] } };

  test.each([
    ['no host', 'drainPlan', 'DrainPlanInput', { computeNodes: [] }, 'computeNodes'],
    ['an unknown host', 'drainPlan', 'DrainPlanInput', { computeNodes: [uuidOf('nowhere')] }, 'computeNodes,0'],
    ['a host given twice', 'rebalancePlan', 'RebalancePlanInput', { computeNodes: [uuidOf('a1'), uuidOf('a1')] }, 'computeNodes,1'],
    ['too many moves', 'drainPlan', 'DrainPlanInput', { computeNodes: [uuidOf('a1')], maxMoves: 1001 }, 'maxMoves'],
    ['a gain of 0', 'rebalancePlan', 'RebalancePlanInput', { computeNodes: [uuidOf('a1')], minGain: 0 }, 'minGain'],
    [
      'an unknown class',
      'rebalancePlan',
      'RebalancePlanInput',
      { computeNodes: [uuidOf('a1')], resourceClasses: ['CUSTOM_NONE'] },
      'resourceClasses,0',
    ],
    [
      'a consumer with two requests',
      'drainPlan',
      'DrainPlanInput',
      {
        computeNodes: [uuidOf('a1')],
        requests: [
          { consumers: [uuidOf('one')], asks },
          { consumers: [uuidOf('one')], asks },
        ],
      },
      'requests,1,consumers,0',
    ],
    ['a count of 0 hosts', 'whatIf', 'WhatIfInput', { asks, added: [{ count: 0, like: uuidOf('a1') }] }, 'added,0,count'],
    ['hosts of which nothing is said', 'whatIf', 'WhatIfInput', { asks, added: [{ count: 1, traits: [] }] }, 'added,0'],
    ['too many hosts', 'whatIf', 'WhatIfInput', { asks, added: [{ count: 10_001, like: uuidOf('a1') }] }, 'added'],
    ['a host like an unknown one', 'whatIf', 'WhatIfInput', { asks, added: [{ count: 1, like: uuidOf('nowhere') }] }, 'added,0,like'],
    [
      'an unknown trait',
      'whatIf',
      'WhatIfInput',
      { asks, changed: [{ resourceProvider: uuidOf('a1'), addedTraits: ['CUSTOM_NONE'] }] },
      'changed,0,addedTraits,0',
    ],
    ['an unknown provider', 'whatIf', 'WhatIfInput', { asks, changed: [{ resourceProvider: uuidOf('x') }] }, 'changed,0,resourceProvider'],
    ['an unknown lost host', 'whatIf', 'WhatIfInput', { asks, lost: [uuidOf('x')] }, 'lost,0'],
    [
      'a contradictory request',
      'whatIf',
      'WhatIfInput',
      { asks: { request: { groups: [{ resources: [{ resourceClass: 'CUSTOM_NONE', amount: 1 }] }] } } },
      'asks,request,groups,0,resources,0,resourceClass',
    ],
  ])('for %s', async (_what, field, type, input, path) => {
    const { errors } = await plan(field, type, input);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions).toMatchObject({ path: path.split(',') });
  });
});
