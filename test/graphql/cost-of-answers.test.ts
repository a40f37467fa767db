// Examination. Compares the cost of operations with their answers: goes through the contract from each field of Query, of some mutations and of
// subscriptions, on a typical cloud, and counts the objects. No answer may have more than five times the objects of its cost.
import { randomUUID } from 'node:crypto';
import {
  execute,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { beginning, renderFeedCursor } from '../../src/domain/event-feed.ts';
import { createLimits } from '../../src/graphql/limits.ts';
import { renderNodeId } from '../../src/graphql/node-id.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { importComputeNodes } from '../../src/nova/compute-nodes/old-records.ts';
import { reportService } from '../../src/nova/services/services.ts';
import { takeUsageSample } from '../../src/operations/ledger/usage-samples.ts';
import type { EventBatch } from '../../src/operations/live/event-batch.ts';
import { followEvents } from '../../src/operations/live/event-stream.ts';
import { useDatabase } from '../support/database.ts';
import { scopeOf } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { smallRequestSpec } from '../support/versioned-objects.ts';

const database = useDatabase();
const schema = loadSchema();
const limits = createLimits(schema);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const hosts = range(8).map((index) => `cn${index}`);
const traits = range(45).map((index) => `CUSTOM_T${index}`);
const consumers = range(40).map((index) => `vm${index}`);
const started = new Date(Date.now() - 3_600_000).toISOString();

/** Hosts with NUMA cells, many traits and a shared pool; instances on two providers and the pool; records of Nova. */
beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('nfs', { inventories: { DISK_GB: 100_000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['az', 'storage'] });
  for (const host of hosts) {
    await seed.provider(host, {
      inventories: { MEMORY_MB: 65_536, CUSTOM_BANDWIDTH: 1000, CUSTOM_LICENCE: 10, VGPU: 4, PCPU: 8 },
      traits: ['COMPUTE_NODE', ...traits],
      aggregates: ['az', 'storage', 'rack', 'ssd'],
    });
    for (const cell of range(3))
      await seed.provider(`${host}-${cell}`, { parent: host, inventories: { VCPU: 16 }, traits: ['HW_NUMA_ROOT'] });
  }
  for (const [index, consumer] of consumers.entries()) {
    const host = hosts[index % hosts.length] ?? '';
    await seed.claim(
      consumer,
      { [host]: { MEMORY_MB: 512 }, [`${host}-${index % 3}`]: { VCPU: 1 }, nfs: { DISK_GB: 1 } },
      { project: `p${index % 3}`, user: `u${index % 4}` },
    );
  }
  const scope = scopeOf(database.db);
  await importComputeNodes(
    scope,
    hosts.map((host) => ({
      fields: { uuid: uuidOf(host), hypervisorHostname: host, serviceHost: host, vcpus: 48, memoryMb: 65_536, localGb: 10 },
    })),
  );
  await takeUsageSample(database.db);
  for (const host of hosts) await reportService(scope, { fields: { host, binary: 'nova-compute', version: 66 } });
});

const uuid = (name: string) => JSON.stringify(uuidOf(name));
const request = '{ groups: [{ resources: [{ resourceClass: "MEMORY_MB", amount: 1 }, { resourceClass: "DISK_GB", amount: 1 }] }] }';
const flavor =
  '{ flavor: { fields: { vcpus: 1, memoryMb: 512, rootGb: 1, extraSpecs: [{ key: "trait:CUSTOM_T1", value: "required" }] } } }';
const past = `from: "${started}", stepSeconds: 60`;

/** The required arguments of fields; those of Query must all be here. */
const given: Readonly<Record<string, string>> = {
  'Query.node': `id: "${renderNodeId('ResourceProvider', uuidOf('cn1'))}"`,
  'Query.nodes': `ids: ["${renderNodeId('ResourceProvider', uuidOf('cn1'))}", "${renderNodeId('Consumer', uuidOf('vm1'))}"]`,
  'Query.resourceProvider': 'name: "cn0"',
  'Query.resourceClass': 'name: "VCPU"',
  'Query.trait': 'name: "CUSTOM_T1"',
  'Query.aggregate': `uuid: ${uuid('az')}`,
  'Query.consumer': `uuid: ${uuid('vm1')}`,
  'Query.project': 'externalId: "p1"',
  'Query.usages': 'groupBy: [PROJECT, USER]',
  'Query.cloudMap': 'resourceClasses: ["VCPU", "MEMORY_MB"]',
  'Query.search': 'text: "cn"',
  'Query.asOf': `moment: "${new Date(Date.now() + 3_600_000).toISOString()}"`,
  'Query.claimHistory': past,
  'Query.usageHistory': `of: { cloud: true }, ${past}`,
  'Query.usageSamples': past,
  'Query.allocationCandidates': `input: ${request}`,
  'Query.fit': `input: ${request}`,
  'Query.flavorToRequest': `input: ${flavor}`,
  'Query.requestSpecToRequest': `input: { requestSpec: ${JSON.stringify(JSON.stringify(smallRequestSpec))} }`,
  'Query.drainPlan': `input: { computeNodes: [${uuid('cn0')}] }`,
  'Query.rebalancePlan': `input: { computeNodes: [${hosts.map(uuid)}] }`,
  'Query.whatIf': `input: { asks: { request: ${request} }, lost: [${uuid('cn0')}] }`,
  'Query.computeNode': 'name: "cn0"',
  'ResourceProvider.inventory': 'resourceClass: "MEMORY_MB"',
  'ResourceProvider.treeInventory': 'resourceClass: "MEMORY_MB"',
  'PastState.pastResourceProvider': `uuid: ${uuid('cn0')}`,
  'PastState.pastConsumer': `uuid: ${uuid('vm1')}`,
  'PastState.projectUsage': 'externalId: "p1"',
};

type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (type: GraphQLNamedType): Field[] => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []);
const isList = ({ type }: Field) => isListType(isNonNullType(type) ? type.ofType : type);
const leavesOf = (type: GraphQLNamedType): Field[] =>
  fieldsOf(type).filter((field) => !isCompositeType(getNamedType(field.type)) && field.args.every(({ type }) => !isNonNullType(type)));

/** The selection of a field, with what is selected below it; null if its arguments are unknown. */
function selectionOf(owner: GraphQLNamedType, field: Field, below: string): string | null {
  const args = given[`${owner.name}.${field.name}`];
  if (args === undefined && field.args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)) return null;
  return `${field.name}${args ? `(${args})` : ''} { __typename ${below} }`;
}

/** Objects, and values of lists, as the cost counts them. */
function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + (typeof one === 'object' ? objectsIn(one) : 0.1), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + objectsIn(one), 1);
}

interface Found {
  readonly text: string;
  readonly cost: number;
  readonly objects: number;
}

/** The cost and the objects of an operation; null if it is refused for its cost. It must not fail. */
async function measure(text: string, variables: Record<string, unknown> = {}, message?: EventBatch): Promise<Found | null> {
  const document = parse(text);
  let cost: number;
  try {
    cost = limits(document, document.definitions[0] as OperationDefinitionNode, variables) * (message?.parts ?? 1);
  } catch (error) {
    if ((error as GraphQLError).extensions.code === 'COST_LIMIT_EXCEEDED') return null;
    throw error;
  }
  expect(validate(schema, document), text).toEqual([]);
  const contextValue = scopeOf(database.db);
  const { data, errors } = await execute({ schema, document, contextValue, variableValues: variables, rootValue: message });
  expect(errors, text).toBeUndefined();
  return { text, cost, objects: objectsIn(JSON.parse(JSON.stringify(data))) - 1 };
}

/** Paths down from a type over at most two lists, each with all plain values at its end. */
function* waysDown(type: GraphQLNamedType, levels = 3, lists = 2): Generator<string> {
  yield leavesOf(type)
    .map(({ name }) => name)
    .join(' ');
  if (levels === 0) return;
  const members = isUnionType(type) ? type.getTypes() : isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
  for (const member of members) {
    for (const way of waysDown(member, levels - 1, lists)) yield `... on ${member.name} { __typename ${way} }`;
  }
  for (const field of fieldsOf(type)) {
    const next = getNamedType(field.type);
    if (!isCompositeType(next) || field.name === 'edges' || field.name === 'pageInfo') continue;
    const left = isList(field) ? lists - 1 : lists;
    if (left < 0) continue;
    for (const way of waysDown(next, levels - 1, left)) {
      const selection = selectionOf(type, field, way);
      if (selection !== null) yield selection;
    }
  }
}

/** Measures all paths down, and returns the worst of those that have too many objects. */
async function findTooCheap(ways: Iterable<string>, ask: (way: string) => Promise<Found | null>): Promise<Found[]> {
  const found: Found[] = [];
  for (const way of ways) {
    const one = await ask(way);
    if (one) found.push(one);
  }
  expect(Math.max(...found.map(({ objects }) => objects))).toBeGreaterThan(0);
  const share = ({ cost, objects }: Found) => objects / cost;
  return found
    .filter((one) => share(one) > 5)
    .toSorted((a, b) => share(b) - share(a))
    .slice(0, 5);
}

const query = schema.getQueryType() as GraphQLNamedType;
const roots = fieldsOf(query).filter(({ type }) => isCompositeType(getNamedType(type)));

test('the arguments of every field of Query are known here', () => {
  expect(roots.filter((field) => selectionOf(query, field, '') === null).map(({ name }) => name)).toEqual([]);
});

test.each(roots.map((field) => [field.name, field] as const))(
  '%s never has more than five times the objects of its cost',
  { timeout: 240_000 },
  async (_, field) => {
    const ask = (way: string) => measure(`{ ${selectionOf(query, field, way)} }`);
    expect(await findTooCheap(waysDown(getNamedType(field.type)), ask)).toEqual([]);
  },
);

const amounts = [{ resourceClass: 'MEMORY_MB', amount: 1 }];
const expectNew = { isNew: true };
const owner = { project: 'p1', user: 'u1', consumerType: 'INSTANCE' };
const newConsumers = (count: number) => range(count).map(() => ({ consumer: randomUUID(), expect: expectNew, ...owner }));
const filter = { filter: { nameStartsWith: 'cn' } };

/** Inputs that can be repeated. */
const mutations: Readonly<Record<string, () => object>> = {
  patchInventories: () => ({ select: filter, resourceClass: 'VCPU', patch: { reserved: 1 }, dryRun: true }),
  patchTraits: () => ({ select: filter, add: ['CUSTOM_T1', 'CUSTOM_T2'], dryRun: true }),
  replaceInventories: () => ({
    resourceProvider: uuidOf('nfs'),
    expect: { unchecked: true },
    inventories: [{ resourceClass: 'DISK_GB', total: 100_000 }],
  }),
  replaceAllocations: () => ({
    consumers: newConsumers(30).map((consumer, index) => ({
      ...consumer,
      hold: { allocations: [{ resourceProvider: uuidOf(hosts[index % hosts.length] ?? ''), resources: amounts }] },
    })),
  }),
  claim: () => ({ consumers: newConsumers(5), request: { groups: [{ resources: amounts }] }, alternates: 3 }),
  applyProviderTree: () => ({
    root: uuidOf('new'),
    resourceProviders: range(30).map((index) => ({
      ...(index === 0 ? { uuid: uuidOf('new') } : { parentName: 'new' }),
      name: index === 0 ? 'new' : `new-${index}`,
      inventories: [{ resourceClass: 'VCPU', total: 4 }],
      traits: ['CUSTOM_T1'],
      aggregates: [uuidOf('az')],
    })),
    dryRun: true,
  }),
};

test.each(Object.entries(mutations))(
  '%s never has more than five times the objects of its cost',
  { timeout: 240_000 },
  async (name, input) => {
    const field = schema.getMutationType()?.getFields()[name];
    const [argument] = field?.args ?? [];
    if (!field || !argument) throw new Error(`there is no mutation ${name}`);
    const ask = (way: string) =>
      measure(`mutation ($input: ${argument.type}) { ${name}(input: $input) { __typename userErrors { code message } ${way} } }`, {
        input: input(),
      });
    expect(await findTooCheap(waysDown(getNamedType(field.type), 2), ask)).toEqual([]);
  },
);

test('a message of a subscription to events never has more than five times the expected objects', { timeout: 240_000 }, async () => {
  const stream = followEvents(scopeOf(database.db), { after: renderFeedCursor(beginning) });
  let batch: EventBatch | undefined;
  for await (batch of stream) if (batch.parts > 0) break;
  const ask = (way: string) => measure(`subscription { events { __typename ${way} } }`, {}, batch);
  const type = schema.getType('EventBatch') as GraphQLNamedType;
  expect(await findTooCheap(waysDown(type, 4, 3), ask)).toEqual([]);
});
