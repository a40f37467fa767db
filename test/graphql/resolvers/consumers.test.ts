// Consumers, allocations, projects, usages, events and nodes through GraphQL: the values of fields, and the number of statements of lists.

import { type GraphQLInterfaceType, graphql } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderNodeId } from '../../../src/graphql/node-id.ts';
import { loadSchema } from '../../../src/graphql/resolvers/schema.ts';
import { reportService } from '../../../src/nova/services/services.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const schema = loadSchema();
const hosts = Array.from({ length: 100 }, (_, index) => `cn${String(index).padStart(3, '0')}`);

type Answer = Record<string, unknown>;

/** The data of a query, and how many statements it took. */
async function ask(source: string, variableValues: Answer = {}): Promise<{ data: Answer; statements: number }> {
  database.statements.length = 0;
  const { data, errors } = await graphql({ schema, source, variableValues, contextValue: scopeOf(database.db) });
  if (errors?.[0]) throw errors[0];
  return { data: JSON.parse(JSON.stringify(data)), statements: database.statements.length };
}

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('pool', { inventories: { DISK_GB: 100_000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
  for (const [index, host] of hosts.entries()) {
    await seed.provider(host, { inventories: { VCPU: 8, MEMORY_MB: 64 } });
    await seed.claim(
      `vm-${host}`,
      { [host]: { VCPU: 2, MEMORY_MB: 8 }, pool: { DISK_GB: 10 } },
      { project: `p${index % 10}`, user: `u${index}` },
    );
  }
});

describe('statements do not depend on the number of parents', () => {
  test.each<[words: string, budget: number, source: string]>([
    [
      'consumers with project, user, allocations, their providers and classes, roots and events',
      5,
      `query ($first: Int) { consumers(first: $first) { nodes {
        uuid project { externalId } user { externalId } allocations { amount consumer { uuid } resourceProvider { name } resourceClass { name } }
        roots { name } events(first: 3) { nodes { kind } } } } }`,
    ],
    [
      'allocations on providers with their consumers',
      2,
      `query ($first: Int) { resourceProviders(first: $first) { nodes { heldHere { nodes { amount consumer { uuid } resourceClass { name } } } } } }`,
    ],
    [
      'allocations on providers and their number',
      3,
      `query ($first: Int) { resourceProviders(first: $first) { nodes { heldHere { totalCount nodes { amount } } } } }`,
    ],
    [
      'events of providers with what they changed',
      4,
      `query ($first: Int) { resourceProviders(first: $first) { nodes { events { nodes { kind changes { nodes { action ... on ResourceProviderChange { resourceProvider { name } } } } } } } } }`,
    ],
    [
      'events with the providers that they touched',
      2,
      `query ($first: Int) { events(first: $first) { nodes { resourceProviderUuids { nodes totalCount } } } }`,
    ],
    [
      'usages of projects',
      2,
      `query ($first: Int) { projects(first: $first) { nodes { usages(groupBy: [USER]) { nodes { consumerCount user { externalId } } } } } }`,
    ],
    [
      'consumers of projects and their number',
      3,
      `query ($first: Int) { projects(first: $first) { nodes { consumers(first: 2) { totalCount nodes { uuid } } } } }`,
    ],
    [
      'usages and their number',
      2,
      `query ($first: Int) { usages(groupBy: [PROJECT, USER], first: $first) { totalCount nodes { amount(resourceClass: "VCPU") } } }`,
    ],
  ])('%s', async (_words, budget, source) => {
    expect((await ask(source, { first: 1 })).statements).toBe(budget);
    expect((await ask(source, { first: 100 })).statements).toBe(budget);
  });

  test('nodes cost one statement for each kind', async () => {
    const ids = hosts.flatMap((host) => [renderNodeId('ResourceProvider', uuidOf(host)), renderNodeId('Consumer', uuidOf(`vm-${host}`))]);
    const { data, statements } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids });
    expect(statements).toBe(2);
    expect(data.nodes).toEqual(ids.map((id, index) => ({ __typename: index % 2 === 0 ? 'ResourceProvider' : 'Consumer', id })));
  });
});

test('a consumer shows its allocations, by provider name and class, and its roots', async () => {
  const { data } = await ask(
    `query ($uuid: UUID!) { consumer(uuid: $uuid) {
      generation consumerType project { externalId } allocations { amount resourceClass { name } resourceProvider { name } } roots { name }
      events { nodes { kind consumerUuids { nodes } } pageInfo { hasNextPage } } } }`,
    { uuid: uuidOf('vm-cn007') },
  );
  const of = (resourceProvider: string, resourceClass: string, amount: number) => ({
    amount,
    resourceClass: { name: resourceClass },
    resourceProvider: { name: resourceProvider },
  });
  expect(data.consumer).toEqual({
    generation: 1,
    consumerType: 'INSTANCE',
    project: { externalId: 'p7' },
    allocations: [of('cn007', 'VCPU', 2), of('cn007', 'MEMORY_MB', 8), of('pool', 'DISK_GB', 10)],
    roots: [{ name: 'cn007' }, { name: 'pool' }],
    events: { nodes: [{ kind: 'REPLACE_ALLOCATIONS', consumerUuids: { nodes: [uuidOf('vm-cn007')] } }], pageInfo: { hasNextPage: false } },
  });
});

test('a consumer without allocations and an unknown project are null', async () => {
  const { data } = await ask('query ($uuid: UUID!) { consumer(uuid: $uuid) { uuid } project(externalId: "nobody") { id } }', {
    uuid: uuidOf('nobody'),
  });
  expect(data).toEqual({ consumer: null, project: null });
});

test('allocations on a provider are filtered, and paged by consumer and class', async () => {
  const source = `query ($after: String, $filter: AllocationFilterInput) { resourceProvider(name: "pool") {
    heldHere(first: 60, after: $after, filter: $filter) { totalCount nodes { consumer { uuid } } pageInfo { hasNextPage endCursor } } } }`;
  type Page = { totalCount: number; nodes: { consumer: { uuid: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const page = async (variables: Answer) => ((await ask(source, variables)).data.resourceProvider as { heldHere: Page }).heldHere;
  const first = await page({});
  const second = await page({ after: first.pageInfo.endCursor });
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage, first.totalCount]).toEqual([true, false, 100]);
  expect([...first.nodes, ...second.nodes].map(({ consumer }) => consumer.uuid)).toEqual(hosts.map((host) => uuidOf(`vm-${host}`)));
  expect((await page({ filter: { projects: ['p3'], consumerTypes: ['INSTANCE'] } })).totalCount).toBe(10);
  expect((await page({ filter: { resourceClasses: ['VCPU'] } })).totalCount).toBe(0);
});

test('the consumers of a project accept a filter, except by project', async () => {
  const source =
    'query ($filter: ConsumerFilterInput) { project(externalId: "p4") { consumers(filter: $filter) { totalCount nodes { user { externalId } } } } }';
  const { data } = await ask(source, { filter: { users: ['u14', 'u15'] } });
  expect(data.project).toEqual({ consumers: { totalCount: 1, nodes: [{ user: { externalId: 'u14' } }] } });
  await expect(ask(source, { filter: { projects: ['p4'] } })).rejects.toThrow('projects is not allowed here');
});

test('projects come by external id, page by page', async () => {
  const source = 'query ($after: String) { projects(first: 6, after: $after) { totalCount nodes { externalId } pageInfo { endCursor } } }';
  type Page = { totalCount: number; nodes: { externalId: string }[]; pageInfo: { endCursor: string } };
  const first = (await ask(source)).data.projects as Page;
  const second = (await ask(source, { after: first.pageInfo.endCursor })).data.projects as Page;
  expect(first.totalCount).toBe(10);
  expect([...first.nodes, ...second.nodes].map(({ externalId }) => externalId)).toEqual(
    Array.from({ length: 10 }, (_, index) => `p${index}`),
  );
});

describe('nodes', () => {
  test('every kind of object is found again by its own id', async () => {
    await createSeed(database.db).provider('node', { traits: ['COMPUTE_NODE'], aggregates: ['rack'] });
    await reportService(scopeOf(database.db), { fields: { host: 'node', binary: 'nova-compute', version: 66 } });
    const { data } = await ask(`{
      resourceProvider(name: "cn001") { id inventory(resourceClass: "VCPU") { id } }
      resourceClass(name: "VCPU") { id } trait(name: "HW_CPU_X86_AVX2") { id } aggregates(first: 1) { nodes { id } }
      consumers(first: 1) { nodes { id project { id } user { id } } } events(first: 1) { nodes { id } }
      computeNodes(first: 1) { nodes { id } } services(first: 1) { nodes { id } } }`);
    const ids = JSON.stringify(data).match(/(?<="id":")[^"]+/g) ?? [];
    const { data: again } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids });
    const nodes = again.nodes as { __typename: string; id: string }[];
    expect(nodes.map(({ id }) => id)).toEqual(ids);
    const kinds = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).map(({ name }) => name);
    expect(nodes.map(({ __typename }) => __typename).toSorted()).toEqual(kinds.toSorted());
  });

  test('unknown and malformed ids are null, in their places', async () => {
    const known = renderNodeId('Project', 'p1');
    const ids = ['', '%', 'x'.repeat(2000), renderNodeId('Consumer', uuidOf('nobody')), renderNodeId('Consumer', 'no uuid'), known];
    ids.push(renderNodeId('Event', '99999999999999999999'), renderNodeId('Inventory', uuidOf('cn001')), renderNodeId('User', 'nobody'));
    const { data } = await ask('query ($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { id } node(id: $id) { id } }', { ids, id: 'no id' });
    expect(data).toEqual({ nodes: [null, null, null, null, null, { id: known }, null, null, null], node: null });
  });

  test('more than 1,000 are refused', async () => {
    const ids = Array.from({ length: 1001 }, () => renderNodeId('Project', 'p1'));
    await expect(ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).rejects.toThrow('at most 1000');
  });
});
