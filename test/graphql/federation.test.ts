// The gateway as a subgraph: composed with a small subgraph of rack positions, and queried through a router.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { assertCompositionSuccess, composeServices } from '@theguild/federation-composition';
import { type ExecutionResult, type GraphQLSchema, graphql, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'error', write: () => {} });
const start = (environment: Record<string, string>) =>
  startServer({ settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings, db: database.db, log });

let server: RunningServer;
let uuids: string[] = [];

beforeAll(async () => {
  const seed = createSeed(database.db);
  for (let n = 0; n < 100; n++)
    await seed.provider(`host${n}`, { inventories: { VCPU: 4 }, traits: ['COMPUTE_NODE'], aggregates: ['rack'] });
  await seed.claim('vm', { host0: { VCPU: 1 } });
  uuids = (await database.db.sql<{ uuid: string }[]>`select uuid from resource_providers order by id`).map(({ uuid }) => uuid);
  server = await start({ PLACEMENT_FEDERATION: 'on' });
});
afterAll(() => server.close());

async function ask<Data = Record<string, unknown>>(query: string, variables: Record<string, unknown> = {}, url = server.url) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin', 'x-graphql-cost': '1' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as ExecutionResult<Data> & { extensions: { cost: { objects: number } } };
}

const entities = `query ($of: [_Any!]!) { _entities(representations: $of) {
  __typename
  ... on ResourceProvider { label: name inventories { total } }
  ... on ResourceClass { label: name } ... on Trait { label: name }
  ... on ComputeNode { label: hypervisorHostname }
  ... on Consumer { uuid project { externalId } } ... on Project { externalId } ... on Aggregate { uuid }
} }`;

describe.each(['jit', 'graphql-js'])('entities, with %s', (executor) => {
  let other: RunningServer;
  beforeAll(async () => {
    other = await start({ PLACEMENT_FEDERATION: 'on', PLACEMENT_EXECUTOR: executor });
  });
  afterAll(() => other.close());

  test('are found by each of their keys, in the requested order; unknown ones are null', async () => {
    const rows = await database.db.sql<{ consumer: string; project: string; aggregate: string }[]>`
      select c.uuid as consumer, p.external_id as project, (select uuid from placement_aggregates limit 1) as aggregate
      from consumers c join projects p on p.id = c.project_id`;
    const [{ consumer, project, aggregate } = { consumer: '', project: '', aggregate: '' }] = rows;
    const of = [
      { __typename: 'ResourceProvider', uuid: uuids[0]?.toUpperCase() },
      { __typename: 'ComputeNode', uuid: uuids[0] },
      { __typename: 'ResourceProvider', name: 'host1' },
      { __typename: 'Trait', name: 'CUSTOM_UNKNOWN' },
      { __typename: 'ResourceClass', name: 'VCPU' },
      { __typename: 'Trait', name: 'COMPUTE_NODE' },
      { __typename: 'Aggregate', uuid: aggregate },
      { __typename: 'Consumer', uuid: consumer },
      { __typename: 'Project', externalId: project },
      { __typename: 'ResourceProvider', uuid: consumer },
    ];
    for (let time = 0; time < 4; time++) {
      const { data, errors } = await ask(entities, { of }, other.url);
      expect(errors).toBeUndefined();
      expect(data).toEqual({
        _entities: [
          { __typename: 'ResourceProvider', label: 'host0', inventories: [{ total: 4 }] },
          { __typename: 'ComputeNode', label: 'host0' },
          { __typename: 'ResourceProvider', label: 'host1', inventories: [{ total: 4 }] },
          null,
          { __typename: 'ResourceClass', label: 'VCPU' },
          { __typename: 'Trait', label: 'COMPUTE_NODE' },
          { __typename: 'Aggregate', uuid: aggregate },
          { __typename: 'Consumer', uuid: consumer, project: { externalId: project } },
          { __typename: 'Project', externalId: project },
          null,
        ],
      });
    }
  });

  test('cost as many statements for a hundred as for one', async () => {
    const statementsOf = async (some: string[]) => {
      const of = some.flatMap((uuid) => [
        { __typename: 'ResourceProvider', uuid },
        { __typename: 'ComputeNode', uuid },
      ]);
      database.statements.length = 0;
      await ask(entities, { of }, other.url);
      return database.statements.length;
    };
    const one = await statementsOf(uuids.slice(0, 1));
    expect(one).toBeLessThanOrEqual(3);
    expect(await statementsOf(uuids)).toBe(one);
  });

  test('are listed as features', async () => {
    const { data } = await ask('{ serviceInfo { features } }', {}, other.url);
    expect(data).toEqual({ serviceInfo: { features: expect.arrayContaining(['federation']) } });
  });
});

describe('a malformed representation is refused with its place', () => {
  test.each([
    ['something else than an object', 'host0', 'must be an object'],
    ['no type', { uuid: 'x' }, 'must have the __typename of an entity'],
    ['a type that is not an entity', { __typename: '__proto__' }, 'must have the __typename of an entity'],
    ['no key', { __typename: 'ResourceProvider', uuid: null }, 'must have uuid or name'],
    ['a malformed uuid', { __typename: 'ResourceProvider', uuid: 'x' }, 'has a malformed uuid'],
    ['a name that is not a text', { __typename: 'Trait', name: ['COMPUTE_NODE'] }, 'has a malformed name'],
    ['a name that cannot be stored', { __typename: 'Trait', name: 'A\0' }, 'has a malformed name'],
  ])('%s', async (_words, representation, message) => {
    const { errors } = await ask(entities, { of: [{ __typename: 'Trait', name: 'COMPUTE_NODE' }, representation] });
    expect(errors).toMatchObject([{ message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('one of more than a thousand', async () => {
    const { errors } = await ask('query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }', {
      of: Array(1001).fill({ __typename: 'Trait', name: 'COMPUTE_NODE' }),
    });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

test('each representation counts toward the cost', async () => {
  const of = uuids.map((uuid) => ({ __typename: 'ResourceProvider', uuid }));
  const { extensions } = await ask(entities, { of });
  expect(extensions.cost.objects).toBeGreaterThan(100 * 5);
});

test('is absent without the setting', async () => {
  const plain = await start({});
  try {
    const { errors } = await ask('{ _service { sdl } }', {}, plain.url);
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  } finally {
    await plain.close();
  }
  expect(await (await fetch(`${server.url}/schema.graphql`)).text()).not.toContain('_entities');
});

/** The smallest possible subgraph, over HTTP: it knows the position of each provider in its rack. */
async function startRacks(typeDefs: string) {
  const schema = makeExecutableSchema({
    typeDefs: `directive @key(fields: String!) repeatable on OBJECT ${typeDefs}
      scalar _Any union _Entity = ResourceProvider extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`,
    resolvers: {
      Query: {
        racked: () => uuids.slice(0, 2).map((uuid) => ({ uuid })),
        _entities: (_: unknown, { representations }: { representations: object[] }) => representations,
      },
      _Entity: { __resolveType: () => 'ResourceProvider' },
      ResourceProvider: { position: ({ uuid }: { uuid: string }) => uuids.indexOf(uuid) + 1 },
    },
  });
  const listener = createServer(async (request, response) => {
    const { query, variables } = (await new Response(Readable.toWeb(request) as ReadableStream).json()) as {
      query: string;
      variables?: Record<string, unknown>;
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await graphql({ schema, source: query, variableValues: variables })));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/graphql`, close: () => listener.close() };
}

describe('composed with a subgraph of rack positions', () => {
  const typeDefs = `
    type Query { racked: [ResourceProvider!]! }
    type ResourceProvider @key(fields: "uuid") { uuid: UUID! position: Int! }
    scalar UUID`;
  let racks: Awaited<ReturnType<typeof startRacks>>;
  let supergraph: GraphQLSchema;

  beforeAll(async () => {
    racks = await startRacks(typeDefs);
    const { data } = await ask<{ _service: { sdl: string } }>('{ _service { sdl } }');
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
    const composed = composeServices([
      { name: 'placement', typeDefs: parse(data?._service.sdl ?? ''), url: `${server.url}/graphql` },
      { name: 'racks', typeDefs: parse(`${link} ${typeDefs}`), url: racks.url },
    ]);
    assertCompositionSuccess(composed);
    supergraph = getStitchedSchemaFromSupergraphSdl({
      supergraphSdl: composed.supergraphSdl,
      httpExecutorOpts: { headers: { 'x-auth-token': 'admin' } },
    });
  });
  afterAll(() => racks.close());

  test('the capacity of a host and its position are one query', async () => {
    const answer = await graphql({
      schema: supergraph,
      source: '{ resourceProvider(name: "host1") { name position inventories { total } } racked { position name traitNames } }',
    });
    expect(answer).toEqual({
      data: {
        resourceProvider: { name: 'host1', position: 2, inventories: [{ total: 4 }] },
        racked: [
          { position: 1, name: 'host0', traitNames: ['COMPUTE_NODE'] },
          { position: 2, name: 'host1', traitNames: ['COMPUTE_NODE'] },
        ],
      },
    });
  });
});
