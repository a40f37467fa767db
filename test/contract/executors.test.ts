// Operations are compiled at their third run, without visible differences: the meaning of variables and literals, their
// refusals, and lazily computed fields are the same before and after, and without compilation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Variables } from '../../src/graphql/limits.ts';
import { useDatabase } from '../support/database.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let compiling: Gateway;
let plain: Gateway;
const bugs: string[] = [];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 16, MEMORY_MB: 4096 }, traits: ['CUSTOM_A', 'COMPUTE_NODE'], aggregates: ['rack1'] });
  await seed.provider('numa0', { parent: 'cn1', inventories: { PCPU: 8 } });
  await seed.provider('pool', { inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack1'] });
  await seed.claim('server', { cn1: { VCPU: 2 }, pool: { DISK_GB: 10 } });
  await seed.claim('port', { numa0: { PCPU: 1 } }, { type: null });
  [compiling, plain] = (await Promise.all(executors.map((name) => startGateway(database, name, (line) => bugs.push(line))))) as [
    Gateway,
    Gateway,
  ];
});
afterAll(() => Promise.all([compiling.close(), plain.close()]));

/** The answer to a query, which must be the same each time and with both executors. */
async function answerOf(query: string, variables: Variables = {}) {
  const shorten = ({ status, data, errors }: Awaited<ReturnType<Gateway['ask']>>) => ({
    ...{ status, data },
    errors: errors?.map(({ message, path, extensions }) => ({ message, path, code: extensions.code, problems: extensions.problems })),
  });
  const expected = shorten(await plain.ask(query, variables));
  for (let hit = 0; hit <= hitsUntilCompiled; hit += 1) expect(shorten(await compiling.ask(query, variables))).toEqual(expected);
  expect(bugs).toEqual([]);
  return expected;
}

const nodeId = (text: string) => Buffer.from(text).toString('base64url');
const everyKind = [
  ...[
    `ResourceProvider:${uuidOf('cn1')}`,
    `Inventory:${uuidOf('cn1')}/VCPU`,
    'ResourceClass:VCPU',
    'Trait:CUSTOM_A',
    'Project:p1',
    'User:u1',
  ],
  ...[`Aggregate:${uuidOf('rack1')}`, `Consumer:${uuidOf('server')}`, 'Event:1', 'Project:nobody', 'Nothing:1'],
].map(nodeId);

test('an input that was read from the API may be sent back with the __typename that clients add', async () => {
  const { data } = await answerOf(
    'query ($input: FlavorToRequestInput!) { flavorToRequest(input: $input) { request { __typename groupPolicy groups { __typename suffix resources { __typename resourceClass amount } traits { __typename allOf noneOf } } } } }',
    { input: { flavor: { fields: { name: 'small', vcpus: 1, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0 } } } },
  );
  const { request } = (data as { flavorToRequest: { request: Variables } }).flavorToRequest;
  const fit = 'query ($input: CandidatesInput!) { fit(input: $input) { total } }';
  expect(await answerOf(fit, { input: request })).toMatchObject({ status: 200, errors: undefined });
  expect(await answerOf(fit, { input: { ...request, _typename: 'x' } })).toMatchObject({
    status: 400,
    errors: [{ code: 'BAD_USER_INPUT' }],
  });
});

test.each<[literal: string, place: string, path: string[], said: string]>([
  ['(uuid: "x") { name }', 'uuid', ['uuid'], 'UUID must be'],
  ['s(filter: { names: ["a", 5] }) { totalCount }', 'filter.names[1]', ['filter', 'names', '1'], 'String cannot represent'],
  [
    's(filter: { or: [{}, { not: { uuids: "x" } }] }) { totalCount }',
    'filter.or[1].not.uuids',
    ['filter', 'or', '1', 'not', 'uuids'],
    'UUID',
  ],
  ['s(filter: { nmaes: "a" }) { totalCount }', 'filter.nmaes', ['filter', 'nmaes'], 'Field "nmaes" is not defined'],
  ['s(first: 1.5) { totalCount }', 'first', ['first'], 'Int cannot represent'],
  ['s(orderBy: [{ field: NAMEE }]) { totalCount }', 'orderBy[0].field', ['orderBy', '0', 'field'], 'Value "NAMEE" does not exist'],
])(
  'an invalid literal is reported with its place in words, as data, and with its line and column: %s',
  async (literal, place, path, said) => {
    const { errors } = await compiling.ask(`{ resourceProvider${literal} }`);
    const [error] = errors as { message: string; extensions: object; locations: object[] }[];
    expect(error?.message).toContain(`${place}: ${said}`);
    expect(error).toMatchObject({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED', path }, locations: [{ line: 1 }] });
  },
);

test('an invalid default is reported with its variable', async () => {
  const { errors } = await compiling.ask('query ($uuid: UUID = "x") { resourceProvider(uuid: $uuid) { name } }');
  expect(errors).toMatchObject([{ message: expect.stringMatching(/^uuid: UUID must be/), extensions: { path: ['uuid'] } }]);
});

test('a refused value is reported with its path, in words and as data', async () => {
  const filter = { names: ['a', ''] };
  const query = 'query ($filter: ResourceProviderFilterInput) { resourceProviders(filter: $filter) { totalCount } }';
  expect((await plain.ask(query, { filter })).errors).toMatchObject([
    { message: 'filter.names[1] must not be empty', extensions: { code: 'BAD_USER_INPUT', path: ['filter', 'names', '1'] } },
  ]);
  expect((await compiling.ask(query, { filter: { names: ['a', 5] } })).errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', path: ['filter', 'names', '1'] } },
  ]);
});

describe('both executors return the same data', () => {
  test.each<[string, string, Variables]>([
    [
      'for every kind of node, and null for none',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Event { kind resourceProviderUuids { nodes } } ... on Inventory { free resourceProvider { name } } } }',
      { ids: everyKind },
    ],
    [
      'of trees',
      '{ resourceProviders { nodes { name depth parent { name } root { name } ancestors { name } children { name } descendants { name } } } }',
      {},
    ],
    [
      'for pools and totals',
      '{ resourceProviders { nodes { name isSharing sharedPools { usedHere resourceProvider { name } inventory { utilization } } servesRoots { nodes { name } } treeInventories { used free } } } totals(filter: { isSharing: false }) { own { used } shared { used } } }',
      {},
    ],
    [
      'for consumers and usages',
      '{ consumers { totalCount edges { cursor node { consumerType user { externalId } roots { name } events(first: 3) { nodes { changes(first: 3) { nodes { action ... on ConsumerChange { allocations { resourceClassName after } } } } } } } } } usages(groupBy: [PROJECT, CONSUMER_TYPE]) { nodes { consumerType project { usages { nodes { resources { amount } } } } vcpu: amount(resourceClass: "VCPU") } } }',
      {},
    ],
    [
      'for omitted variables',
      'query ($first: Int, $filter: ResourceProviderFilterInput, $orderBy: [ResourceProviderOrderInput!]) { resourceProviders(first: $first, filter: $filter, orderBy: $orderBy) { totalCount nodes { name } } }',
      {},
    ],
    [
      'for variables that are null',
      'query ($first: Int, $filter: ResourceProviderFilterInput, $orderBy: [ResourceProviderOrderInput!]) { resourceProviders(first: $first, filter: $filter, orderBy: $orderBy) { totalCount nodes { name } } }',
      { first: null, filter: null, orderBy: null },
    ],
    [
      'for defaults of variables',
      'query ($first: Int = 1, $class: String = "VCPU") { resourceProviders(first: $first) { nodes { inventory(resourceClass: $class) { total } } } }',
      {},
    ],
    [
      'for defaults within inputs',
      'query ($orderBy: [ResourceProviderOrderInput!]!) { resourceProviders(orderBy: $orderBy) { nodes { name } } }',
      { orderBy: { field: 'NAME' } },
    ],
    [
      'for omitted parts of inputs',
      'query ($rack: [UUID!], $root: Boolean) { resourceProviders(filter: { aggregates: { anyOf: $rack }, isRoot: $root }) { nodes { name } } }',
      {},
    ],
    [
      'for single values in place of lists',
      'query ($traits: [TraitConditionInput!]) { resourceProviders(filter: { traits: $traits, resourceClasses: "VCPU" }) { nodes { name } } }',
      { traits: { allOf: 'COMPUTE_NODE' } },
    ],
    [
      'for uuids in any spelling',
      'query ($uuid: UUID!) { resourceProvider(uuid: $uuid) { uuid } }',
      { uuid: uuidOf('cn1').toUpperCase().replaceAll('-', '') },
    ],
    [
      'for aliases that every object has',
      '{ __proto__: serviceInfo { version } constructor: serviceInfo { version } toString: serviceInfo { version } }',
      {},
    ],
    [
      'for skipped fields',
      'query ($no: Boolean!) { resourceProviders { nodes { name traitNames @include(if: $no) ... @skip(if: $no) { uuid } } } }',
      { no: false },
    ],
    [
      'for a key that finds nothing',
      '{ trait(name: "CUSTOM_NONE") { name } consumer(uuid: "00000000-0000-0000-0000-000000000000") { uuid } }',
      {},
    ],
  ])('%s', async (_, query, variables) => {
    const { status, data, errors } = await answerOf(query, variables);
    expect(errors).toBeUndefined();
    expect(status).toBe(200);
    expect(data).toEqual(expect.anything());
  });
});

describe('both executors return the same refusal', () => {
  const provider = uuidOf('cn1');
  const set = 'mutation ($input: SetInventoryInput!) { setInventory(input: $input) { userErrors { code path } } }';
  const inventory = { resourceClass: 'CUSTOM_NOWHERE', total: 1 };

  test.each<[string, string, Variables]>([
    ['for both fields of a oneOf input', set, { input: { provider, inventory, expect: { unchecked: true, generation: 1 } } }],
    ['for a field of a oneOf input beside a null', set, { input: { provider, inventory, expect: { unchecked: true, generation: null } } }],
    ['for no field of a oneOf input', set, { input: { provider, inventory, expect: {} } }],
    [
      'for null in place of a default',
      set,
      { input: { provider, inventory: { ...inventory, reserved: null }, expect: { unchecked: true } } },
    ],
    ['for a list in place of an object', set, { input: { provider, inventory: [], expect: { unchecked: true } } }],
    [
      'for a number that is not a SafeInt',
      set,
      { input: { provider, inventory: { ...inventory, total: 2 ** 53 }, expect: { unchecked: true } } },
    ],
    ['for a field that does not exist', set, { input: { provider, inventory: { ...inventory, size: 1 }, expect: { unchecked: true } } }],
    ['for a variable that is missing', set, {}],
    [
      'for many errors',
      'query ($uuids: [UUID!]) { aggregates(filter: { uuids: $uuids }) { nodes { uuid } } }',
      { uuids: Array(1000).fill('x') },
    ],
    [
      'for a null variable where null is not allowed',
      'query ($keys: [UsageKey!]) { usages(groupBy: $keys) { nodes { consumerCount } } }',
      { keys: null },
    ],
    [
      'for a null variable within an input',
      'query ($direction: OrderDirection) { resourceProviders(orderBy: { field: NAME, direction: $direction }) { nodes { name } } }',
      { direction: null },
    ],
    [
      'for an unknown trait',
      'query ($traits: [TraitConditionInput!]) { resourceProviders(filter: { traits: $traits }) { nodes { name } } }',
      { traits: [{ anyOf: ['CUSTOM_NONE'] }] },
    ],
    ['below the root', '{ resourceProviders { nodes { descendants(maxDepth: 0) { name } } } }', {}],
    ['for a page that is too large', 'query ($last: Int) { resourceProviders(last: $last) { nodes { name } } }', { last: 1001 }],
  ])('%s', async (_, query, variables) => {
    const { errors } = await answerOf(query, variables);
    expect(errors?.map(({ code }) => code)).toEqual(errors?.map(() => expect.stringMatching(/^(BAD_USER_INPUT|NOT_FOUND)$/)));
    expect(errors?.length).toBeGreaterThan(0);
    expect(errors?.length).toBeLessThanOrEqual(6);
  });
});

test.each([
  [
    'in variables',
    'mutation ($input: ReplaceInventoriesInput!) { replaceInventories(input: $input) { ...Set } }',
    { resourceProvider: uuidOf('numa0'), expect: { unchecked: true }, inventories: [{ resourceClass: 'PCPU', total: 8 }] },
  ],
  [
    'in literals',
    `mutation { replaceInventories(input: { resourceProvider: "${uuidOf('numa0')}", expect: { unchecked: true }, inventories: { resourceClass: "PCPU", total: 8 } }) { ...Set } }`,
    undefined,
  ],
])('defaults within lists of inputs %s are those of the contract', async (_, operation, input) => {
  const query = `${operation} fragment Set on ResourceProviderPayload {
    userErrors { code } resourceProvider { inventories { reserved minUnit maxUnit stepSize allocationRatio } }
  }`;
  const { data } = await answerOf(query, input && { input });
  const defaults = { reserved: 0, minUnit: 1, maxUnit: 2147483647, stepSize: 1, allocationRatio: 1 };
  expect(data).toEqual({ replaceInventories: { userErrors: [], resourceProvider: { inventories: [defaults] } } });
});

test('a default beside an omitted nullable variable is that of the contract', async () => {
  const query = `mutation ($provider: UUID!, $ratio: Float) {
    setInventory(input: { resourceProvider: $provider, expect: { unchecked: true }, inventory: { resourceClass: "PCPU", total: 8, allocationRatio: $ratio } }) {
      resourceProvider { inventory(resourceClass: "PCPU") { allocationRatio } }
    }
  }`;
  const variables = { provider: uuidOf('numa0') };
  expect((await answerOf(query, variables)).data).toEqual({ setInventory: { resourceProvider: { inventory: { allocationRatio: 1 } } } });
  expect((await answerOf(query, { ...variables, ratio: 2 })).data).toEqual({
    setInventory: { resourceProvider: { inventory: { allocationRatio: 2 } } },
  });
});
