// All lists have the same form: filter with groups, orderBy and pages in both directions, at the root and below traits, aggregates, pools, providers and projects.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { importComputeNodes } from '../../src/nova/compute-nodes/old-records.ts';
import { reportService } from '../../src/nova/services/services.ts';
import { useDatabase } from '../support/database.ts';
import { execute, query, scopeOf } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();

/** Three hosts, one with a cell that has its processors; a pool that serves all but the last; three consumers of two projects. */
beforeAll(async () => {
  const seed = createSeed(database.db);
  const rack = { aggregates: ['rack'] };
  await seed.provider('cn1', { ...rack, inventories: { VCPU: 4, MEMORY_MB: 10 }, traits: ['CUSTOM_B', 'CUSTOM_A', 'COMPUTE_NODE'] });
  await seed.provider('cn2', { ...rack, inventories: { MEMORY_MB: 10 }, traits: ['CUSTOM_A', 'COMPUTE_NODE'] });
  await seed.provider('cell', { parent: 'cn2', inventories: { VCPU: 8 }, traits: ['CUSTOM_A'] });
  await seed.provider('cn3', { inventories: { VCPU: 4, MEMORY_MB: 20 }, traits: ['CUSTOM_A'], aggregates: ['row', 'zone'] });
  await seed.provider('pool', { ...rack, inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
  await seed.write('create_trait', { name: 'CUSTOM_FREE' });
  await seed.write('name_aggregate', { aggregate: uuidOf('zone'), name: 'alpha' });
  await seed.claim('a', { cn1: { VCPU: 1, MEMORY_MB: 3 } });
  await seed.claim('b', { cn1: { VCPU: 2 } }, { project: 'p2' });
  await seed.claim('c', { cn1: { VCPU: 1 } }, { project: 'p2' });
  await seed.claim('d', { cell: { VCPU: 1 } }, { project: 'gone' });
  await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('d'), expect: {}, allocations: [] }] });
  await importComputeNodes(scopeOf(database.db), [
    { fields: { hypervisorHostname: 'old', serviceHost: 'h9', vcpus: 4, memoryMb: 1024, localGb: 10 } },
  ]);
});

beforeAll(async () => {
  for (const [host, binary, version] of [
    ['h1', 'nova-compute', 60],
    ['h2', 'nova-compute', 66],
    ['c1', 'nova-conductor', 66],
  ] as const)
    await reportService(scopeOf(database.db), { fields: { host, binary, version } });
});

const name = 'name';
const below = (path: string, list: string) => (args: string) => `{ ${path} { list: ${list}(${args}) { ...Page } } }`;
const top = (list: string) => (args: string) => `{ list: ${list}(${args}) { ...Page } }`;

/** A list, the field that names its elements, and arguments with what they find. */
const lists: [list: string, shown: string, ask: (args: string) => string, expected: Record<string, string>][] = [
  [
    'traits',
    name,
    top('traits'),
    {
      'filter: { isStandard: false, or: [{ names: "CUSTOM_B" }, { inUse: false }] }': 'CUSTOM_B CUSTOM_FREE',
      'filter: { isStandard: false, and: [{ inUse: true }, { not: { nameContains: "_a" } }] }': 'CUSTOM_B',
      'filter: { or: [] }': '',
      'filter: { isStandard: false }': 'CUSTOM_A CUSTOM_B CUSTOM_FREE',
      'filter: { isStandard: false, inUse: true }, orderBy: { field: CREATED_AT }': 'CUSTOM_B CUSTOM_A',
      'filter: { isStandard: false, inUse: false }': 'CUSTOM_FREE',
      'filter: { isStandard: true, nameContains: "shares_via" }': 'MISC_SHARES_VIA_AGGREGATE',
      'filter: { nameStartsWith: "custom_", names: ["CUSTOM_B", "CUSTOM_FREE"] }, orderBy: { field: NAME, direction: DESC }':
        'CUSTOM_FREE CUSTOM_B',
    },
  ],
  [
    'resourceClasses',
    name,
    top('resourceClasses'),
    {
      'filter: { inUse: true }': 'VCPU MEMORY_MB DISK_GB',
      'filter: { inUse: true, not: { nameStartsWith: "mem" } }, orderBy: { field: NAME }': 'DISK_GB VCPU',
      'filter: { isStandard: false, inUse: false }': '',
    },
  ],
  [
    'aggregates',
    'name uuid',
    top('aggregates'),
    {
      'filter: { not: { nameContains: "alph" } }': 'rack row',
      '': 'rack zone row',
      'orderBy: { field: NAME }': 'zone rack row',
      'orderBy: { field: NAME, direction: DESC }': 'zone rack row',
      'orderBy: [{ field: NAME }, { field: CREATED_AT, direction: DESC }]': 'zone row rack',
    },
  ],
  [
    'projects',
    'externalId',
    top('projects'),
    {
      '': 'gone p1 p2',
      'filter: { hasConsumers: true }, orderBy: { field: EXTERNAL_ID, direction: DESC }': 'p2 p1',
      'filter: { hasConsumers: false }': 'gone',
      'filter: { externalIdStartsWith: "P", externalIdContains: "1" }': 'p1',
      'filter: { externalIds: ["p2", "nobody"] }': 'p2',
      'filter: { or: [{ hasConsumers: false }, { not: { externalIdContains: "2" } }] }': 'gone p1',
      'orderBy: { field: CREATED_AT, direction: DESC }': 'gone p2 p1',
    },
  ],
  [
    'computeNodes',
    'hypervisorHostname',
    top('computeNodes'),
    {
      '': 'cn1 cn2 old',
      'orderBy: [{ field: HOST }, { field: NAME, direction: DESC }]': 'old cn2 cn1',
      'filter: { hosts: ["h9"] }': 'old',
      'filter: { not: { hosts: ["h9"] } }': 'cn1 cn2',
      'filter: { or: [{ hosts: ["h9"] }, { names: ["cn2"] }] }': 'cn2 old',
      'filter: { nameStartsWith: "CN", nameContains: "2" }': 'cn2',
      'filter: { names: ["cn1", "old"] }, orderBy: { field: NAME, direction: DESC }': 'old cn1',
    },
  ],
  [
    'services',
    'host binary',
    top('services'),
    {
      '': 'c1 nova-conductor h1 nova-compute h2 nova-compute',
      'filter: { versionBelow: 66 }': 'h1 nova-compute',
      'filter: { and: [{ not: { binaries: "nova-conductor" } }, { not: { versionBelow: 66 } }] }': 'h2 nova-compute',
      'filter: { binaries: "nova-compute" }, orderBy: { field: VERSION, direction: DESC }': 'h2 nova-compute h1 nova-compute',
      'filter: { hostStartsWith: "H", hosts: ["h1", "c1"] }': 'h1 nova-compute',
    },
  ],
  [
    'resourceProviders of a trait',
    name,
    below('trait(name: "CUSTOM_A")', 'resourceProviders'),
    {
      '': 'cell cn1 cn2 cn3',
      'filter: { isRoot: true, resourceClasses: "VCPU" }': 'cn1 cn3',
      'orderBy: [{ field: FREE, resourceClass: "VCPU" }, { field: NAME }]': 'cn1 cn3 cell cn2',
      'filter: { isRoot: true }, orderBy: [{ field: FREE, resourceClass: "VCPU", scope: TREE, direction: DESC }]': 'cn2 cn3 cn1',
      'orderBy: [{ field: USED, resourceClass: "VCPU", scope: TREE }, { field: NAME, direction: DESC }]': 'cn3 cn2 cell cn1',
    },
  ],
  [
    'resourceProviders of an aggregate',
    name,
    below(`aggregate(uuid: "${uuidOf('rack')}")`, 'resourceProviders'),
    {
      '': 'cn1 cn2 pool',
      'orderBy: [{ field: FREE, resourceClass: "MEMORY_MB", direction: DESC }, { field: CREATED_AT }]': 'cn2 cn1 pool',
      'filter: { scope: TREE, resourceClasses: "VCPU" }, orderBy: { field: USED, scope: TREE, resourceClass: "VCPU" }': 'cn2 cn1',
    },
  ],
  [
    'servesRoots',
    name,
    below('resourceProvider(name: "pool")', 'servesRoots'),
    {
      '': 'cn1 cn2',
      'orderBy: { field: CREATED_AT, direction: DESC }': 'cn2 cn1',
      'filter: { resourceClasses: "VCPU" }': 'cn1',
      'orderBy: { field: FREE, scope: TREE, resourceClass: "VCPU", direction: DESC }': 'cn2 cn1',
    },
  ],
  [
    'cloudInventories',
    'resourceProvider { name } used',
    below('resourceClass(name: "VCPU")', 'cloudInventories'),
    { '': 'cell 0 cn1 4 cn3 0', 'orderBy: { field: USED, direction: DESC }': 'cn1 4 cell 0 cn3 0' },
  ],
  ['consumers', 'uuid', top('consumers'), { '': 'a b c', 'orderBy: { field: AMOUNT, resourceClass: "VCPU" }': 'a c b' }],
  [
    'usages',
    'project { externalId } consumerCount',
    top('usages'),
    {
      'groupBy: PROJECT': 'p1 1 p2 2',
      'groupBy: PROJECT, orderBy: { field: AMOUNT, resourceClass: "VCPU", direction: DESC }': 'p2 2 p1 1',
    },
  ],
  [
    'heldHere',
    'consumer { uuid } resourceClass { name }',
    below('resourceProvider(name: "cn1")', 'heldHere'),
    {
      '': 'a VCPU a MEMORY_MB b VCPU c VCPU',
      'orderBy: { field: CONSUMER_CREATED_AT, direction: DESC }': 'c VCPU b VCPU a VCPU a MEMORY_MB',
      'filter: { resourceClasses: "VCPU" }, orderBy: { field: AMOUNT, direction: DESC }': 'b VCPU a VCPU c VCPU',
      'filter: { or: [{ resourceClasses: "MEMORY_MB" }, { not: { projects: "p1" } }] }': 'a MEMORY_MB b VCPU c VCPU',
      'orderBy: [{ field: AMOUNT }, { field: CONSUMER_CREATED_AT, direction: DESC }]': 'c VCPU a VCPU b VCPU a MEMORY_MB',
    },
  ],
];

const known = ['rack', 'row', 'zone', 'a', 'b', 'c'];
const words = (node: object): string =>
  Object.values(node)
    .flatMap((value) => (typeof value === 'object' ? Object.values(value) : [value]))
    .map((value) => known.find((one) => uuidOf(one) === value) ?? value)
    .filter((value) => value !== 'alpha')
    .join(' ');

interface Answer {
  readonly totalCount: number;
  readonly nodes: readonly object[];
  readonly pageInfo: { readonly [Has in 'hasNextPage' | 'hasPreviousPage']: boolean } & {
    readonly [Cursor in 'startCursor' | 'endCursor']: string;
  };
}

async function pageOf(ask: (args: string) => string, shown: string, args: string): Promise<Answer> {
  const text = ask(args).replace('...Page', `totalCount nodes { ${shown} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`);
  const data = await query<Record<string, Answer | { readonly list: Answer }>>(database.db, text);
  const [found] = Object.values(data);
  if (!found) throw new Error('nothing was answered');
  return 'list' in found ? found.list : found;
}

describe.each(lists)('%s', (_list, shown, ask, expected) => {
  test.each(Object.entries(expected))('(%s)', async (args, names) => {
    const whole = await pageOf(ask, shown, `first: 1000 ${args}`);
    const all = whole.nodes.map(words);
    // An aggregate without a name is named by its uuid, which therefore occurs twice.
    expect(all.map((one) => [...new Set(one.split(' '))].join(' ')).join(' ')).toBe(names);
    expect([whole.totalCount, whole.pageInfo.hasNextPage]).toEqual([all.length, false]);
    const forward: string[] = [];
    for (let after = ''; ; ) {
      const page = await pageOf(ask, shown, `first: 1 ${after} ${args}`);
      forward.push(...page.nodes.map(words));
      if (!page.pageInfo.hasNextPage) break;
      after = `after: "${page.pageInfo.endCursor}"`;
    }
    expect(forward).toEqual(all);
    const backward: string[] = [];
    for (let before = ''; ; ) {
      const page = await pageOf(ask, shown, `last: 2 ${before} ${args}`);
      backward.unshift(...page.nodes.map(words));
      if (!page.pageInfo.hasPreviousPage) break;
      before = `before: "${page.pageInfo.startCursor}"`;
    }
    expect(backward).toEqual(all);
  });

  test('a cursor of another order is refused', async () => {
    const [first, second] = Object.keys(expected).filter((args) => !args.includes('filter'));
    if (first === undefined || second === undefined) return;
    const { pageInfo } = await pageOf(ask, shown, `first: 1 ${first}`);
    await expect(pageOf(ask, shown, `first: 1 after: "${pageInfo.endCursor}" ${second}`)).rejects.toThrow('in this order');
  });
});

const problemsOf = (error: unknown) => (error instanceof Refusal ? error.problems : []);

test('invalid arguments of lists are refused with their place', async () => {
  const refusals: Record<string, string> = {
    'traits(orderBy: [{ field: NAME }, { field: NAME, direction: DESC }]) { totalCount }': 'orderBy 1',
    'services(filter: { not: { or: [{}, { binaries: ["\\u0000"] }] } }) { totalCount }': 'filter not or 1 binaries 0',
    'resourceProvider(name: "cn1") { heldHere(filter: { not: { resourceClasses: "CUSTOM_NONE" } }) { totalCount } }':
      'filter not resourceClasses 0',
    'traits(filter: { not: { not: { not: { not: { not: {} } } } } }) { totalCount }': 'filter not not not not not',
    'computeNodes(filter: { names: ["\\u0000"] }) { totalCount }': 'filter names 0',
    'projects(filter: { externalIdContains: "\\u0000" }) { totalCount }': 'filter externalIdContains',
    'trait(name: "CUSTOM_A") { resourceProviders(orderBy: { field: FREE }) { totalCount } }': 'orderBy 0 resourceClass',
    'trait(name: "CUSTOM_A") { resourceProviders(filter: { resourceClasses: "CUSTOM_NONE" }) { totalCount } }': 'filter resourceClasses 0',
    'trait(name: "CUSTOM_A") { resourceProviders(orderBy: { field: FREE, scope: TREE, resourceClass: "CUSTOM_NONE" }) { totalCount } }':
      'orderBy 0 resourceClass',
  };
  for (const [field, place] of Object.entries(refusals)) {
    const { errors } = await execute(database.db, `{ ${field} }`);
    expect(problemsOf(errors?.[0]?.originalError), field).toMatchObject([{ path: place.split(' ') }]);
  }
});

test('the providers of many traits cost one statement, plus one for the names in the filter and one for the count', async () => {
  const args = 'first: 2, filter: { resourceClasses: "VCPU" }, orderBy: { field: FREE, resourceClass: "VCPU" }';
  database.statements.length = 0;
  await query(
    database.db,
    `{ traits(filter: { isStandard: false }) { nodes { resourceProviders(${args}) { totalCount nodes { name } } } } }`,
  );
  expect(database.statements).toHaveLength(4);
});

test('an argument that is refused at once below one row, and later below another, is refused once', async () => {
  // The root of the first provider must be read, and the second one is its own. An error that nobody handles fails the run.
  const asked =
    '{ resourceProviders(filter: { names: ["cell", "cn1"] }, first: 2) { nodes { root { events(after: "none") { nodes { id } } } } } }';
  const { errors } = await execute(database.db, asked);
  expect(errors?.map(({ path }) => path?.slice(0, 2))).toEqual([['resourceProviders', 'nodes']]);
});
