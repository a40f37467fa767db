// The number of statements for a page of providers and for a search: the same for one provider and for hundreds, field by field.
import { beforeAll, expect, test } from 'vitest';
import { forestOf } from '../../src/operations/forest/forest.ts';
import { useDatabase } from '../support/database.ts';
import { query } from '../support/graphql.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
const many = 200;

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
  await seed.provider('host', { inventories: { VCPU: 4 }, traits: ['COMPUTE_NODE'], aggregates: ['rack'] });
  await seed.provider('host_cell', { parent: 'host', inventories: { VGPU: 4 } });
  await seed.provider('host_device', { parent: 'host_cell', inventories: { SRIOV_NET_VF: 4 } });
  await seed.claim('vm', { host: { VCPU: 1 }, pool: { DISK_GB: 10 } });
  // More of them, with the inventories of the first host.
  const { writes } = database.db;
  await writes`insert into resource_providers (id, uuid, name, root_provider_id) overriding system value
    select n, gen_random_uuid(), 'more' || n, n from generate_series(100000, ${100_000 + many}::int) n`;
  await writes`insert into resource_providers (id, uuid, name, parent_provider_id, root_provider_id) overriding system value
    select n + 100000, gen_random_uuid(), 'more' || n || '_cell', n, n from generate_series(100000, ${100_000 + many}::int) n`;
  await writes`insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
    select n, 0, 4, 0, 1, 4, 1, 1 from generate_series(100000, ${100_000 + many}::int) n`;
  await writes`insert into resource_provider_traits select t.id, n from traits t, generate_series(100000, ${100_000 + many}::int) n where t.name = 'COMPUTE_NODE'`;
  await writes`insert into resource_provider_aggregates select a.id, n from placement_aggregates a, generate_series(100000, ${100_000 + many}::int) n`;
  await writes`insert into services (host, program, version) select 'host' || n, 'nova-compute', 1 from generate_series(1, ${many}::int) n`;
  // Everything in memory has been read already, as in a gateway that has been running for a while.
  await forestOf(database.db).current();
});

/** Statements of a query of one page, with `first` providers; the query must find something. */
async function statementsOf(text: string, first: number): Promise<number> {
  database.statements.length = 0;
  const data = await query<Record<string, unknown>>(database.db, `query ($first: Int!) { ${text} }`, { first });
  expect(JSON.stringify(data)).toMatch(/"name":"|"uuid":"/);
  return database.statements.length;
}

const page = (fields: string, args = '') => `resourceProviders(first: $first ${args}) { nodes { name ${fields} } }`;
const aggregateUuid = () => database.db.sql<{ uuid: string }[]>`select uuid from placement_aggregates`;

/** `ofFew`: if fewer providers take more, because the parts of many come from the forest in memory. */
const budgets: [words: string, text: string, statements: number, ofFew?: number][] = [
  ['a page', page(''), 1],
  [
    'a page and its count',
    `resourceProviders(first: $first) { nodes { name } edges { node { uuid } } pageInfo { endCursor } totalCount }`,
    2,
  ],
  [
    'a page with parent, root, inventories, traits and aggregates',
    page(
      'parent { name } root { name } inventories { resourceClass { name } capacity used free utilization } traits { name } aggregates { uuid }',
      'filter: { traits: { noneOf: "CUSTOM_OFF" } }',
    ),
    3,
    6,
  ],
  ['the names of traits', page('traitNames'), 2],
  ['questions about traits', page('isSharing a: hasTrait(name: "COMPUTE_NODE") b: hasTrait(name: "HW_CPU_X86_AVX2")'), 2],
  // One more checks whether all custom names exist.
  ['questions about custom traits', page('a: hasTrait(name: "CUSTOM_OFF") b: hasTrait(name: "CUSTOM_ON")'), 3],
  ['single inventories', page('a: inventory(resourceClass: "VCPU") { used } b: inventory(resourceClass: "VGPU") { used }'), 2],
  ['inventories and their providers', page('inventories { id resourceProvider { name } }'), 2, 3],
  ['three levels of parents', page('parent { name parent { name parent { name } } }', 'filter: { isRoot: false }'), 2],
  ['depth and ancestors', page('depth ancestors { name }', 'filter: { isRoot: false }'), 2],
  ['children and theirs', page('children { name children { name } }', 'filter: { isRoot: true }'), 3],
  ['descendants', page('descendants { name }'), 2],
  ['descendants of several depths', page('a: descendants(maxDepth: 1) { name } b: descendants(maxDepth: 2) { name }'), 3],
  ['subtrees', page('treeInventories { resourceClass { name } used }'), 2],
  [
    'one class of subtrees',
    page('a: treeInventory(resourceClass: "VCPU") { used free } b: treeInventory(resourceClass: "VGPU") { used }'),
    2,
  ],
  ['numbers of consumers', page('consumerCount'), 2],
  ['numbers of consumers of trees, by type', page('a: consumerCount(scope: TREE) b: consumerCount(scope: TREE, consumerType: "PORT")'), 3],
  [
    'a page by what trees hold, with their inventories and totals',
    page(
      'treeInventory(resourceClass: "VCPU") { free } inventories { used } traits { name } aggregates { uuid }',
      'filter: { scope: TREE, resourceClasses: "VCPU" }, orderBy: { field: FREE, resourceClass: "VCPU", scope: TREE }',
    ),
    1,
  ],
  [
    'a page of groups of conditions and its count',
    'resourceProviders(first: $first, filter: { scope: TREE, or: [{ resourceClasses: "VCPU" }, { not: { hasConsumers: true } }] }) { nodes { name } totalCount }',
    3,
  ],
  ['services', 'services(first: $first, filter: { hostStartsWith: "h" }) { nodes { name: host } totalCount }', 2],
  ['compute nodes', page('computeNode { hypervisorHostname }', 'filter: { isRoot: true }'), 2],
  ['compute nodes of those below roots', page('computeNode { hypervisorHostname }', 'filter: { isRoot: false }'), 3],
  [
    'consumers by what they hold',
    'consumers(first: $first, filter: { or: [{ holds: { resourceClass: "VCPU", amount: 1 } }, {}] }, orderBy: { field: AMOUNT, resourceClass: "VCPU", direction: DESC }) { nodes { uuid } totalCount }',
    3,
  ],
  [
    'usages by place',
    'usages(first: $first, groupBy: [ROOT, RESOURCE_PROVIDER, AGGREGATE, CONSUMER]) { nodes { root { name } resourceProvider { name } aggregate { uuid } consumer { uuid } consumerCount } totalCount }',
    5,
  ],
  [
    'shared pools with their inventories',
    page('sharedPools { usedHere resourceProvider { name } inventory { used } }', 'filter: { isRoot: true }'),
    2,
  ],
  ['served roots', page('servesRoots(first: 2) { nodes { name } }'), 2],
  ['served roots and their counts', page('servesRoots(first: 2) { nodes { name } totalCount }'), 3],
  [
    'classes with inventories, counts and totals',
    'resourceClasses(first: $first) { nodes { name cloudTotal { used } cloudInventories(first: $first) { nodes { used } totalCount } } totalCount }',
    5,
  ],
  [
    'traits with providers',
    'traits(first: $first, filter: { inUse: true }, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { name resourceProviders(first: $first) { nodes { name } } } }',
    2,
  ],
  [
    'aggregates with providers, counts and totals',
    'aggregates(first: $first, filter: { nameContains: "" }) { nodes { uuid rootCount consumerCount resourceProviders(first: $first) { nodes { name } totalCount } totals { own { used } shared { used } } } }',
    5,
  ],
];

const everything = `uuid name generation inventories { capacity used resourceClass { name } } traits { name } traitNames
  aggregates { uuid name } root { name } parent { name root { name } }`;
const search = (classes: string, fields: string) =>
  `allocationCandidates(input: { groups: [${classes.split(' ').map((name) => `{ suffix: "_${name}", resources: { resourceClass: "${name}", amount: 1 } }`)}], limit: $first }) { ${fields} }`;

/** Searches read only what has changed since the previous one. */
const searches: [words: string, text: string, statements: number][] = [
  [
    'candidates with everything of their providers',
    search(
      'VCPU',
      `truncated candidates {
      claimToken root { ${everything} } mappings { suffix resourceProviders { ${everything} } }
      allocations { amount resourceClass { name } resourceProvider { ${everything} } }
    }`,
    ),
    1,
  ],
  [
    'candidates in nested and sharing providers, with everything of them',
    search('SRIOV_NET_VF DISK_GB', `candidates { allocations { resourceProvider { ${everything} } } }`),
    1,
  ],
  [
    'candidates and why there are no more, which takes a second search after a long answer',
    search('VCPU', 'candidates { root { name } } explanation { summary nearestMisses { sample { name } } }'),
    2,
  ],
  [
    'a count by root and by aggregate',
    'fit(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }) { total byRoot(first: $first) { nodes { count root { name uuid } } } byAggregate { nodes { count aggregate { uuid } } } }',
    1,
  ],
];

beforeAll(async () => {
  for (const name of ['CUSTOM_OFF', 'CUSTOM_ON']) await createSeed(database.db).write('create_trait', { name });
  expect((await aggregateUuid()).length).toBe(1);
});

test.each(budgets)('%s: no more statements for hundreds than for one', async (_words, text, statements, ofFew = statements) => {
  expect(await statementsOf(text, many)).toBe(statements);
  expect(await statementsOf(text, 1)).toBeLessThanOrEqual(ofFew);
});

test.each(searches)('%s: no more statements for hundreds than for one, if nothing has changed', async (_words, text, statements) => {
  await statementsOf(text, 1);
  expect(await statementsOf(text, many)).toBe(statements);
  expect(await statementsOf(text, 1)).toBe(1);
});

test('concurrent searches read changes once', async () => {
  const text = `first: ${search('VCPU', 'candidates { root { name } }')} second: ${search('VGPU', 'candidates { root { name } }')}`;
  await statementsOf(text, 1);
  expect(await statementsOf(text, many)).toBe(1);
});

test('counts within the quotas of several projects read these once', async () => {
  const within = (project: string) =>
    `${project}: fit(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }, within: { project: "${project}" }) {
      total allowed limitedBy { used quota { amount } } byRoot(first: $first) { nodes { root { name } } }
    }`;
  const text = ['p1', 'p2', 'unknown'].map(within).join(' ');
  await statementsOf(text, 1);
  expect(await statementsOf(text, many)).toBe(2);
});
