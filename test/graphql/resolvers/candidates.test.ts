// Candidates, claims and counts through GraphQL: their answers, refused requests with their locations,
// and invalid tokens. The search itself is tested in test/domain/candidates.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { useDatabase } from '../../support/database.ts';
import { executors, type Gateway, startGateway } from '../../support/gateway.ts';
import { dumpTables } from '../../support/ledger.ts';
import { createWriter, isNew } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
const byFree = (resourceClass: string, direction = 'ASC') => ({ field: 'FREE', resourceClass, direction });
const gateways: Gateway[] = [];
const bugs: string[] = [];

beforeAll(async () => {
  await plantTrees(
    database.db,
    `
    cn1      VCPU 8 used 2, MEMORY_MB 4096    COMPUTE_NODE    @rack1
      numa0
        pf0  SRIOV_NET_VF 4                   NIC
    cn2      VCPU 4                           COMPUTE_NODE    @rack1
    cn3      VCPU 3 step 3                                    @rack2
    pool     DISK_GB 100                      SHARING         @rack1
    farm
      fpgas1 FPGA 16
      fpgas2 FPGA 16
    `,
  );
  for (const executor of executors) gateways.push(await startGateway(database, executor, (line) => bugs.push(line)));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  expect(bugs).toEqual([]);
});

const amounts = (resources: Readonly<Record<string, number>>) =>
  Object.entries(resources).map(([resourceClass, amount]) => ({ resourceClass, amount }));
const vcpus = (amount: number, rest: object = {}) => ({ groups: [{ resources: amounts({ VCPU: amount }), ...rest }] });
const one = vcpus(1);

async function find<Answer>(fields: string, input: Record<string, unknown>): Promise<Answer> {
  const [gateway] = gateways as [Gateway];
  const query = `query ($input: CandidatesInput!) { allocationCandidates(input: $input) { ${fields} } }`;
  return (await gateway.data<{ allocationCandidates: Answer }>(query, { input })).allocationCandidates;
}

const newcomer = (name: string) => ({ consumer: uuidOf(name), expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE' });

describe('a search', () => {
  test('returns whole providers: their place, usage, traits and aggregates', async () => {
    const groups = [
      { resources: amounts({ VCPU: 1, DISK_GB: 10 }) },
      { suffix: '_nic', resources: amounts({ SRIOV_NET_VF: 1 }), traits: [{ allOf: ['CUSTOM_NIC'] }] },
    ];
    const provider =
      'name generation root { name } parent { name parent { name } } inventories { capacity used } traitNames aggregates { uuid }';
    const { candidates } = await find<{ candidates: unknown[] }>(
      `candidates {
        root { name }
        mappings { suffix resourceProviders { name } }
        allocations { amount resourceClass { name } resourceProvider { ${provider} } }
      }`,
      { groups },
    );
    expect(candidates).toMatchObject([
      {
        root: { name: 'cn1' },
        mappings: [
          { suffix: null, resourceProviders: [{ name: 'cn1' }, { name: 'pool' }] },
          { suffix: '_nic', resourceProviders: [{ name: 'pf0' }] },
        ],
        allocations: [
          {
            amount: 1,
            resourceClass: { name: 'VCPU' },
            resourceProvider: {
              ...{
                name: 'cn1',
                root: { name: 'cn1' },
                parent: null,
                traitNames: ['COMPUTE_NODE'],
                aggregates: [{ uuid: uuidOf('rack1') }],
              },
              inventories: [
                { capacity: 8, used: 2 },
                { capacity: 4096, used: 0 },
              ],
            },
          },
          { amount: 10, resourceProvider: { name: 'pool', parent: null } },
          { amount: 1, resourceProvider: { name: 'pf0', root: { name: 'cn1' }, parent: { name: 'numa0', parent: { name: 'cn1' } } } },
        ],
      },
    ]);
  });

  test('stops at the limit, which does not make it truncated', async () => {
    const answer = await find('truncated candidates { root { name } }', { ...one, limit: 1, orderBy: byFree('VCPU', 'DESC') });
    expect(answer).toEqual({ truncated: false, candidates: [{ root: { name: 'cn1' } }] });
  });

  test('ends when its candidates have 8,000 amounts, and says so', async () => {
    const groups = Array.from({ length: 16 }, (_, number) => ({ suffix: `_${number}`, resources: amounts({ FPGA: 1 }) }));
    const search = (limit: number) =>
      find<{ truncated: boolean; candidates: unknown[] }>('truncated candidates { claimToken }', { groups, limit });
    const [most, enough] = [await search(501), await search(500)];
    expect([most.truncated, most.candidates.length]).toEqual([true, 500]);
    expect([enough.truncated, enough.candidates.length]).toEqual([false, 500]);
  });

  test('in random order is the same for the same seed', async () => {
    const input = { ...one, orderBy: [{ field: 'RANDOM', seed: 7 }] };
    const fields = 'candidates { root { name } }';
    expect(await find(fields, input)).toEqual(await find(fields, input));
  });

  test('of unknown aggregates and trees finds nothing, without an error', async () => {
    for (const rest of [{ aggregates: [{ anyOf: [uuidOf('nowhere')] }] }, { inTrees: [uuidOf('nobody')] }]) {
      expect(await find('candidates { root { name } }', vcpus(1, rest))).toEqual({ candidates: [] });
    }
  });

  test('that finds nothing explains why, and which trees nearly match', async () => {
    const { candidates, explanation } = await find<{
      candidates: unknown[];
      explanation: { nearestMisses: unknown[]; steps: unknown[] };
    }>(
      'candidates { root { name } } explanation { summary truncated steps { suffix kind filter resourceClassName amount traitNames aggregateUuids resourceProviderUuids suffixes rootsBefore rootsAfter } nearestMisses { message rootCount sample { name } lacks { resourceClass { name } amount } } }',
      vcpus(7, { traits: [{ allOf: ['COMPUTE_NODE'] }] }),
    );
    expect(candidates).toEqual([]);
    expect(explanation).toMatchObject({ truncated: false, summary: expect.stringContaining('VCPU') });
    const room = { kind: 'ROOM', filter: 'room for 7 VCPU', resourceClassName: 'VCPU', amount: 7, traitNames: [], suffixes: [] };
    expect(explanation.steps).toContainEqual(expect.objectContaining(room));
    expect(explanation.nearestMisses).toContainEqual(
      expect.objectContaining({
        rootCount: 2,
        sample: [{ name: 'cn1' }, { name: 'cn2' }],
        lacks: [{ resourceClass: { name: 'VCPU' }, amount: 1 }],
      }),
    );
  });
});

describe('a count', () => {
  test('counts how many fit in all, by root and by aggregate', async () => {
    const [gateway] = gateways as [Gateway];
    const rowOf = (row: string) => ({ root: { name: row.split(' ')[0] }, count: Number(row.split(' ')[1]) });
    const query = `query ($input: CandidatesInput!) {
      fit(input: $input) { total exact truncated byRoot { nodes { root { name } count } totalCount } byAggregate { nodes { aggregate { uuid } count } }
        first: byRoot(first: 2) { nodes { count } pageInfo { hasNextPage endCursor } } }
    }`;
    const { fit } = await gateway.data<{ fit: { first: { pageInfo: { endCursor: string } } } }>(query, { input: vcpus(3) });
    expect(fit).toEqual({
      ...{ total: 4, exact: true, truncated: false },
      byRoot: { nodes: ['cn1 2', 'cn2 1', 'cn3 1'].map(rowOf), totalCount: 3 },
      byAggregate: { nodes: [3, 1].map((count, index) => ({ aggregate: { uuid: uuidOf(`rack${index + 1}`) }, count })) },
      first: { nodes: [{ count: 2 }, { count: 1 }], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } },
    });
    const next = `query ($input: CandidatesInput!, $after: String) {
      fit(input: $input) { byRoot(after: $after) { nodes { root { name } } pageInfo { hasNextPage } } } }`;
    expect(await gateway.data(next, { input: vcpus(3), after: fit.first.pageInfo.endCursor })).toEqual({
      fit: { byRoot: { nodes: [{ root: { name: 'cn3' } }], pageInfo: { hasNextPage: false } } },
    });
  });

  test.each([-1, 1001])('refuses lists of %i', async (first) => {
    for (const gateway of gateways) {
      const { status, errors } = await gateway.ask(
        'query ($input: CandidatesInput!, $first: Int) { fit(input: $input) { byRoot(first: $first) { nodes { count } } } }',
        { input: one, first },
      );
      expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    }
  });
});

const everywhere = 'x'.repeat(limits.bodyText);
const group = (suffix: string, rest: object = {}) => ({ suffix, resources: amounts({ VCPU: 1 }), ...rest });

/** Invalid requests, with the path of the fault, and the code if it is not INVALID_INPUT. */
const refusals: [words: string, input: Record<string, unknown>, path: string, code?: string][] = [
  ['no group', { groups: [] }, 'groups'],
  ['too many groups', { groups: Array.from({ length: 129 }, (_, index) => group(`_${index}`)) }, 'groups'],
  ['groups that ask for nothing', { groups: [{ suffix: '_a' }], sameSubtree: [{ suffixes: ['_a'] }] }, 'groups'],
  ['a suffixed group that asks for nothing and is in no subtree', { groups: [...one.groups, { suffix: '_a' }] }, 'groups 1 resources'],
  ['two groups without suffix', { groups: [...one.groups, ...one.groups] }, 'groups 1 suffix'],
  ['a suffix twice', { groups: [group('_a'), group('_a')] }, 'groups 1 suffix'],
  ['a suffix with a blank', { groups: [group('a b')] }, 'groups 0 suffix'],
  ['a suffix with a NUL', { groups: [group('a\0')] }, 'groups 0 suffix'],
  ['a suffix of 256 kibibytes that asks for nothing', { groups: [group(everywhere, { resources: [] }), ...one.groups] }, 'groups 0 suffix'],
  ['a class twice', { groups: [{ resources: [...amounts({ VCPU: 1 }), ...amounts({ VCPU: 2 })] }] }, 'groups 0 resources 1 resourceClass'],
  ['an amount of nothing', vcpus(0), 'groups 0 resources 0 amount'],
  ['a negative amount', vcpus(-1), 'groups 0 resources 0 amount'],
  ['an invalid class', { groups: [{ resources: amounts({ 'a\0': 1 }) }] }, 'groups 0 resources 0 resourceClass'],
  ['an unknown class', { groups: [{ resources: amounts({ CUSTOM_NONE: 1 }) }] }, 'groups 0 resources 0 resourceClass', 'NOT_FOUND'],
  ['too many classes', { groups: [{ resources: Array(1001).fill({ resourceClass: 'VCPU', amount: 1 }) }] }, 'groups 0 resources'],
  [
    'an unknown trait',
    vcpus(1, { traits: [{ allOf: ['COMPUTE_NODE'] }, { anyOf: ['COMPUTE_NODE', 'CUSTOM_NONE'] }] }),
    'groups 0 traits 1 anyOf 1',
    'NOT_FOUND',
  ],
  ['an invalid trait', vcpus(1, { traits: [{ noneOf: ['a\ud800'] }] }), 'groups 0 traits 0 noneOf 0'],
  ['a trait of 256 kibibytes', vcpus(1, { traits: [{ allOf: [everywhere] }] }), 'groups 0 traits 0 allOf 0'],
  ['too many traits', vcpus(1, { traits: [{ allOf: Array(1001).fill('COMPUTE_NODE') }] }), 'groups 0 traits 0 allOf'],
  ['too many traits in all', vcpus(1, { traits: Array(6).fill({ allOf: Array(900).fill('COMPUTE_NODE') }) }), 'groups'],
  ['no trait to choose from', vcpus(1, { traits: [{ anyOf: [] }] }), 'groups 0 traits 0'],
  [
    'a trait both required and forbidden',
    vcpus(1, { traits: [{ allOf: ['COMPUTE_NODE'] }, { noneOf: ['COMPUTE_NODE'] }] }),
    'groups 0 traits',
  ],
  [
    'an aggregate both required and forbidden',
    vcpus(1, { aggregates: [{ anyOf: [uuidOf('rack1')], noneOf: [uuidOf('rack1')] }] }),
    'groups 0 aggregates',
  ],
  ['an unknown root trait', { ...one, rootTraits: [{ allOf: ['CUSTOM_NONE'] }] }, 'rootTraits 0 allOf 0', 'NOT_FOUND'],
  [
    'a root trait both required and forbidden',
    { ...one, rootTraits: [{ allOf: ['COMPUTE_NODE'], noneOf: ['COMPUTE_NODE'] }] },
    'rootTraits',
  ],
  [
    'an aggregate of the root both required and forbidden',
    { ...one, rootAggregates: [{ allOf: [uuidOf('rack1')], noneOf: [uuidOf('rack1')] }] },
    'rootAggregates',
  ],
  ['a subtree of no groups', { ...one, sameSubtree: [{ suffixes: [] }] }, 'sameSubtree 0 suffixes'],
  ['a subtree of an unknown group', { ...one, sameSubtree: [{ suffixes: ['_a'] }] }, 'sameSubtree 0 suffixes 0'],
  ['a subtree of the group without suffix', { ...one, sameSubtree: [{ suffixes: [''] }] }, 'sameSubtree 0 suffixes 0'],
  ['a subtree of 256 kibibytes', { ...one, sameSubtree: [{ suffixes: [everywhere] }] }, 'sameSubtree 0 suffixes 0'],
  ['a limit of nothing', { ...one, limit: 0 }, 'limit'],
  ['a limit that is too large', { ...one, limit: 1001 }, 'limit'],
  ['a negative limit of roots', { ...one, perRootLimit: -1 }, 'perRootLimit'],
  ['an order by free amounts without a class', { ...one, orderBy: { field: 'FREE' } }, 'orderBy 0 resourceClass'],
  ['an order by an unknown class', { ...one, orderBy: byFree('CUSTOM_NONE') }, 'orderBy 0 resourceClass', 'NOT_FOUND'],
  ['an order by a class of 256 kibibytes', { ...one, orderBy: byFree(everywhere) }, 'orderBy 0 resourceClass'],
  ['a seed without a random order', { ...one, orderBy: { field: 'CREATED_AT', seed: 1 } }, 'orderBy 0 seed'],
  ['a random order with a direction', { ...one, orderBy: { field: 'RANDOM', direction: 'DESC' } }, 'orderBy 0 direction'],
  ['a key after a random order', { ...one, orderBy: [{ field: 'RANDOM' }, { field: 'CREATED_AT' }] }, 'orderBy 1'],
];

describe('an invalid request', () => {
  test.each(refusals)('is refused with its place, and briefly: %s', async (_, input, path, code = 'INVALID_INPUT') => {
    for (const gateway of gateways) {
      for (const field of ['allocationCandidates(input: $input) { truncated }', 'fit(input: $input) { total }']) {
        const { status, errors, text } = await gateway.ask(`query ($input: CandidatesInput!) { ${field} }`, { input });
        expect(errors?.[0]?.extensions).toMatchObject({
          code: code === 'INVALID_INPUT' ? 'BAD_USER_INPUT' : code,
          problems: [{ code, path: path.split(' ') }],
        });
        expect([status, text.length < 2000]).toEqual([400, true]);
      }
    }
  });

  test.each(refusals)('is refused by a claim, which does nothing: %s', async (_, request, path, code = 'INVALID_INPUT') => {
    const writer = createWriter(gateways[0] as Gateway, database);
    // A claim finds what it needs, so it checks the limits of its request but does not use them.
    const refusal = await writer.refusal('claim', { consumers: [newcomer('nobody')], request });
    expect(refusal).toMatchObject({ code, path: ['request', ...path.split(' ')], retry: 'NEVER' });
  });
});

describe('a claim', () => {
  const fields = `claims {
    consumer { uuid generation allocations { amount resourceProvider { name } } }
    candidate { claimToken allocations { resourceProvider { generation inventory(resourceClass: "VCPU") { used } } } }
    alternateCandidates { root { name } claimToken }
  } resourceProviders { name generation }`;

  test('shows the usage after it, and alternates whose tokens can be claimed', async () => {
    const writer = createWriter(gateways[0] as Gateway, database);
    const request = { ...vcpus(3), orderBy: byFree('VCPU', 'DESC') };
    const { claims, resourceProviders, userErrors } = (await writer.write(
      'claim',
      { consumers: [newcomer('first')], request, alternates: 20 },
      fields,
    )) as unknown as {
      claims: {
        candidate: { allocations: { resourceProvider: { generation: number } }[] };
        alternateCandidates: { claimToken: string }[];
      }[];
      resourceProviders: { generation: number }[];
      userErrors: unknown[];
    };
    expect(userErrors).toEqual([]);
    expect(claims).toMatchObject([
      {
        consumer: { uuid: uuidOf('first'), generation: 1, allocations: [{ amount: 3, resourceProvider: { name: 'cn1' } }] },
        candidate: { allocations: [{ resourceProvider: { inventory: { used: 5 }, generation: resourceProviders[0]?.generation } }] },
        alternateCandidates: [{ root: { name: 'cn2' } }, { root: { name: 'cn3' } }],
      },
    ]);
    for (const [index, { claimToken }] of (claims[0]?.alternateCandidates ?? []).entries()) {
      const written = await writer.write('replaceAllocations', {
        consumers: [{ ...newcomer(`alternate ${index}`), hold: { claimToken } }],
      });
      expect(written.userErrors).toEqual([]);
    }
    await writer.write('releaseAllocations', {
      consumers: ['first', 'alternate 0', 'alternate 1'].map((name) => ({ consumer: uuidOf(name), expect: { unchecked: true } })),
    });
  });

  test('without a candidate is refused with the reason and its path, and may be retried', async () => {
    const writer = createWriter(gateways[0] as Gateway, database);
    const refusal = await writer.refusal('claim', { consumers: [newcomer('a'), newcomer('b')], request: vcpus(5) });
    expect(refusal).toMatchObject({ __typename: 'NoCandidates', code: 'NO_CANDIDATES', path: ['consumers', '1'], retry: 'LATER' });
  });

  test.each<[string, object, string[]]>([
    ['no consumer', { consumers: [] }, ['consumers']],
    ['too many consumers', { consumers: Array.from({ length: 1001 }, (_, index) => newcomer(`many ${index}`)) }, ['consumers']],
    ['a consumer twice', { consumers: [newcomer('a'), newcomer('a')] }, ['consumers', '1', 'consumer']],
    [
      'a consumer that takes from an unknown one',
      { consumers: [newcomer('a'), { ...newcomer('b'), takeFrom: uuidOf('c') }] },
      ['consumers', '1', 'takeFrom'],
    ],
    ['a consumer that takes from itself', { consumers: [{ ...newcomer('a'), takeFrom: uuidOf('a') }] }, ['consumers', '0', 'takeFrom']],
    ['too many alternates', { alternates: 21 }, ['alternates']],
    ['a negative number of alternates', { alternates: -1 }, ['alternates']],
    ['a type in lower case', { consumers: [{ ...newcomer('a'), consumerType: 'server' }] }, ['consumers', '0', 'consumerType']],
    ['a project with a NUL', { consumers: [{ ...newcomer('a'), project: 'a\0' }] }, ['consumers', '0', 'project']],
  ])('is refused with its path: %s', async (_, wrong, path) => {
    const writer = createWriter(gateways[0] as Gateway, database);
    expect(await writer.refusal('claim', { consumers: [newcomer('a')], request: one, ...wrong })).toMatchObject({
      code: 'INVALID_INPUT',
      path,
    });
  });
});

describe('a token', () => {
  const tokenOf = (what: unknown, version = 'c1.') => version + Buffer.from(JSON.stringify(what)).toString('base64url');
  const good = [[uuidOf('cn1'), 'VCPU', 1]];

  const notTokens: [words: string, token: string][] = [
    ['nothing', ''],
    ['a version alone', 'c1.'],
    ['another version', tokenOf(good, 'c2.')],
    ['one that was cut', tokenOf(good).slice(0, -5)],
    ['one without allocations', tokenOf([])],
    ['one that is not a list', tokenOf({ length: 1, 0: good[0] })],
    ['one of null', tokenOf([null])],
    ['one with a malformed provider', tokenOf([['cn1', 'VCPU', 1]])],
    ['one without amounts', tokenOf([[uuidOf('cn1')]])],
    ['one with half an amount', tokenOf([[uuidOf('cn1'), 'VCPU']])],
    ['a provider twice', tokenOf([...good, ...good])],
    ['a class twice', tokenOf([[uuidOf('cn1'), 'VCPU', 1, 'VCPU', 1]])],
    ['an invalid class', tokenOf([[uuidOf('cn1'), 'a\0', 1]])],
    ['an amount of 0', tokenOf([[uuidOf('cn1'), 'VCPU', 0]])],
    ['an amount of -1', tokenOf([[uuidOf('cn1'), 'VCPU', -1]])],
    ['an amount of 1.5', tokenOf([[uuidOf('cn1'), 'VCPU', 1.5]])],
    ['an amount of 1e308', tokenOf([[uuidOf('cn1'), 'VCPU', 1e308]])],
    ['an infinite amount', `c1.${Buffer.from(`[["${uuidOf('cn1')}","VCPU",1e999]]`).toString('base64url')}`],
    ['an amount in words', tokenOf([[uuidOf('cn1'), 'VCPU', '1']])],
    [
      'a thousand classes and one',
      tokenOf([[uuidOf('cn1'), ...Array.from({ length: 1001 }, (_, index) => [`CUSTOM_${index}`, 1]).flat()]]),
    ],
    ['a NUL', 'c1.\0'],
    ['half a surrogate pair', `${tokenOf(good)}\ud800`],
    ['256 kibibytes', `c1.${'W'.repeat(limits.bodyText - 3)}`],
    ['lists in lists', `c1.${Buffer.from('['.repeat(50_000)).toString('base64url')}`],
  ];

  test.each(notTokens)('that is not one is refused with its place, and not quoted: %s', async (_, claimToken) => {
    const writer = createWriter(gateways[0] as Gateway, database);
    const refusal = await writer.refusal('replaceAllocations', { consumers: [{ ...newcomer('a'), hold: { claimToken } }] });
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', path: ['consumers', '0', 'hold', 'claimToken'] });
    expect(JSON.stringify(refusal).length).toBeLessThan(500);
  });

  test.each<[string, unknown, string]>([
    ['an unknown provider', [[uuidOf('nobody'), 'VCPU', 1]], 'NOT_FOUND'],
    ['an unknown class', [[uuidOf('cn1'), 'CUSTOM_NONE', 1]], 'NOT_FOUND'],
    ['a class that the provider lacks', [[uuidOf('cn1'), 'DISK_GB', 1]], 'NO_INVENTORY'],
    ['more than is free', [[uuidOf('cn1'), 'VCPU', 7]], 'CAPACITY_EXCEEDED'],
    ['more than fits 32 bits', [[uuidOf('cn1'), 'VCPU', 2 ** 40]], 'UNIT_VIOLATION'],
    ['an amount that is not a multiple of the step', [[uuidOf('cn3'), 'VCPU', 1]], 'UNIT_VIOLATION'],
  ])('is checked like the input of a caller: %s', async (_, what, code) => {
    const writer = createWriter(gateways[0] as Gateway, database);
    const hold = { claimToken: tokenOf(what) };
    expect((await writer.refusal('replaceAllocations', { consumers: [{ ...newcomer('a'), hold }] }))?.code).toBe(code);
  });
});

test('searches and counts have written nothing', async () => {
  const before = await dumpTables(database.db);
  await find('candidates { claimToken } explanation { summary }', { ...vcpus(3), limit: 1000 });
  expect(await dumpTables(database.db)).toEqual(before);
});
