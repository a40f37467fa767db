// Attacks on rights (cases 14 to 16, 45, 50 to 54, 63 and 64 of docs/security-cases.md; 25 is in project-readers.test.ts), each with its expected answer,
// through the listener with static tokens.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { type Answer, call, database, log, refusal, useListener } from '../support/listener.ts';
import { tokenFor, useTokensFile } from '../support/tokens-file.ts';

useListener();

const tokensFile = useTokensFile();
let gateway: RunningServer;
let tokens: Record<'reader' | 'other' | 'admin' | 'nova', string>;
const mine = '22222222-0000-4000-8000-000000000001';
const theirs = '33333333-0000-4000-8000-000000000001';
const host = '11111111-0000-4000-8000-000000000001';

beforeAll(async () => {
  tokens = {
    reader: await tokenFor(tokensFile, 'ann', ['reader'], { project: 'blue' }),
    other: await tokenFor(tokensFile, 'eve', ['reader'], { project: 'red' }),
    admin: await tokenFor(tokensFile, 'root', ['admin']),
    nova: await tokenFor(tokensFile, 'nova', ['service']),
  };
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });
  gateway = await startServer({ settings, db: database.db, log });
  const written = await ask(
    'nova',
    `mutation ($u: UUID!, $c: [ConsumerAllocationsInput!]!) {
      createResourceProvider(input: {uuid: $u, name: "host"}) { userErrors { message } }
      replaceInventories(input: {resourceProvider: $u, expect: {unchecked: true}, inventories: [{resourceClass: "VCPU", total: 64}]}) { userErrors { message } }
      replaceAllocations(input: {consumers: $c}) { userErrors { message } }
    }`,
    {
      u: host,
      c: [
        [mine, 'blue'],
        [theirs, 'red'],
      ].map(([consumer, project]) => ({
        consumer,
        project,
        user: 'u',
        expect: { isNew: true },
        hold: { allocations: [{ resourceProvider: host, resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
      })),
    },
  );
  expect(written.text.match(/"userErrors":\[\]/g)).toHaveLength(3);
});
afterAll(() => gateway.close());

type Who = keyof typeof tokens | 'nobody';

function ask(who: Who, query: string, variables: object = {}, more: object = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(who !== 'nobody' && { authorization: `Bearer ${tokens[who]}` }) };
  return call({ headers, body: JSON.stringify({ query, variables, ...more }) }, gateway.url);
}

const introspection = '{ __schema { types { name fields { name } } } }';

describe('the schema', () => {
  test('is not shown without a token (14)', async () => {
    expect(refusal(await ask('nobody', introspection))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is not shown to readers of a project, but is shown to operators (14)', async () => {
    expect(refusal(await ask('reader', introspection))).toEqual([403, 'FORBIDDEN']);
    expect((await ask('admin', '{ __schema { queryType { name } } }')).json.errors).toBeUndefined();
  });

  test.each([
    ['nobody', 401, 'UNAUTHENTICATED'],
    ['reader', 403, 'FORBIDDEN'],
  ] as const)('is not suggested to %s by errors about misspelt names (15)', async (who, status, code) => {
    for (const query of [
      '{ consumer { uid } }',
      '{ consumerz { totalCount } }',
      'query ($f: ConsumerFilter) { serviceInfo { version } }',
    ]) {
      const answer = await ask(who, query);
      expect(refusal(answer)).toEqual([status, code]);
      expect(answer.text).not.toMatch(/Did you mean|Cannot query|Unknown|ConsumerFilterInput|consumers/);
    }
  });

  test('is not found word by word: a name that is not public gets the same answer as an unknown one (16)', async () => {
    const contract = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const words = Object.values(contract.getTypeMap()).flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()) : []));
    const bodies = new Set<string>();
    // Twenty names in a document, like the tools of attackers.
    for (let from = 0; from < words.length; from += 20) {
      const document = `{ nothing ${words.slice(from, from + 20).join(' ')} }`;
      for (const query of [document, document.replace('{', '{ serviceInfo {').concat(' }')]) {
        bodies.add((await ask('nobody', query)).text.replace(/req-[0-9a-f-]{36}/, ''));
        bodies.add((await ask('reader', query)).text.replace(/req-[0-9a-f-]{36}/, ''));
      }
    }
    expect(bodies.size).toBe(2);
  });
});

describe('a persisted document', () => {
  const query = '{ resourceProviders { nodes { uuid } } }';
  const byHash = (text: string) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } },
  });

  test('with a wrong hash is refused (45)', async () => {
    expect((await ask('admin', query, {}, byHash('{ serviceInfo { version } }'))).status).toBe(400);
  });

  test('that an unauthenticated client registers is not kept (45)', async () => {
    const strange = '{ consumers { nodes { roots { uuid } } } }';
    expect(refusal(await ask('nobody', strange, {}, byHash(strange)))).toEqual([401, 'UNAUTHENTICATED']);
    expect(refusal(await ask('reader', strange, {}, byHash(strange)))).toEqual([403, 'FORBIDDEN']);
    const asked = await call(
      { headers: { 'content-type': 'application/json', 'x-auth-token': tokens.admin }, body: JSON.stringify(byHash(strange)) },
      gateway.url,
    );
    expect(asked.json.errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('of an administrator is checked for the caller that uses it (45)', async () => {
    expect((await ask('admin', query, {}, byHash(query))).status).toBe(200);
    const headers = { 'content-type': 'application/json', 'x-auth-token': tokens.reader };
    expect(refusal(await call({ headers, body: JSON.stringify(byHash(query)) }, gateway.url))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an object of another project', () => {
  test.each([
    [
      'usages',
      '{ usages(filter: {projects: ["red"]}) { nodes { consumerCount resources { amount } } } }',
      { usages: { nodes: [{ consumerCount: 0, resources: [] }] } },
    ],
    ['usages by an alias', '{ a: usages(filter: {projects: ["red"]}, groupBy: [PROJECT]) { totalCount } }', { a: { totalCount: 0 } }],
    ['usages of the project', '{ project(externalId: "red") { usages { totalCount } } }', { project: null }],
    ['a consumer', `{ consumer(uuid: "${theirs}") { uuid allocations { amount } } }`, { consumer: null }],
    [
      'consumers',
      '{ consumers { totalCount pageInfo { hasNextPage } nodes { uuid } } }',
      { consumers: { totalCount: 1, pageInfo: { hasNextPage: false }, nodes: [{ uuid: mine }] } },
    ],
  ])('is not revealed by %s (50)', async (_, query, data) => {
    expect((await ask('reader', query)).json).toEqual({ data });
  });

  test.each([
    ['providers', '{ resourceProviders { nodes { heldHere { totalCount } } } }'],
    ['the totals of the cloud', '{ totals { own { used } } }'],
    ['events of others', '{ events(filter: {projects: ["red"]}) { nodes { at } } }'],
    ['the feed', '{ eventFeed { nodes { at } } }'],
  ])('is refused by way of %s (50)', async (_, query) => {
    expect(refusal(await ask('reader', query))).toEqual([403, 'FORBIDDEN']);
  });

  test('is refused in REST (50)', async () => {
    const status = async (path: string) =>
      (
        await call(
          {
            method: 'GET',
            path: `/placement${path}`,
            headers: { 'x-auth-token': tokens.reader, 'openstack-api-version': 'placement 1.39' },
          },
          gateway.url,
        )
      ).status;
    expect(await status('/usages?project_id=blue')).toBe(200);
    for (const path of ['/usages?project_id=red', `/allocations/${theirs}`, `/allocations/${mine}`, '/resource_providers'])
      expect(await status(path)).toBe(403);
  });
});

describe('a write', () => {
  const events = async () => (await database.own`select count(*)::int as count from events`)[0]?.count;
  const contract = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const mutations = Object.keys(contract.getMutationType()?.getFields() ?? {});

  test('of any kind is refused to a reader, and nothing runs (51)', async () => {
    const before = await events();
    for (const name of mutations) {
      const input = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      expect(refusal(await ask('reader', `mutation ($i: ${input}!) { ${name}(input: $i) { __typename } }`)), name).toEqual([
        403,
        'FORBIDDEN',
      ]);
    }
    expect(await events()).toBe(before);
  });

  test('that reshapes is refused to an administrator, and allowed to a service (51)', async () => {
    const reshape = 'mutation { reshape(input: {resourceProviders: []}) { userErrors { code } } }';
    expect(refusal(await ask('admin', reshape))).toEqual([403, 'FORBIDDEN']);
    expect((await ask('nova', reshape)).json).toHaveProperty('data.reshape.userErrors');
  });

  test('beside one that is not allowed is not done (52)', async () => {
    const before = await events();
    const both = 'mutation { createTrait(input: {name: "CUSTOM_MIXED"}) { created } reshape(input: {resourceProviders: []}) { replayed } }';
    expect(refusal(await ask('admin', both))).toEqual([403, 'FORBIDDEN']);
    expect(await events()).toBe(before);
  });
});

test('a document with one forbidden field is refused as a whole (52)', async () => {
  const answer = await ask('reader', '{ consumers { totalCount } resourceProviders { totalCount } }');
  expect(refusal(answer)).toEqual([403, 'FORBIDDEN']);
  expect(answer.json).not.toHaveProperty('data.consumers');
  expect(answer.json.errors?.[0]?.extensions).toMatchObject({
    element: 'Query.resourceProviders',
    rule: 'placement:graphql:resource_providers:read',
  });
});

test('the rules decide the first 200 requests of a gateway, all sent at once (53)', async () => {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });
  const fresh = await startServer({ settings, db: database.db, log });
  try {
    const first = (who: keyof typeof tokens) =>
      call(
        {
          headers: { 'content-type': 'application/json', 'x-auth-token': tokens[who] },
          body: '{"query":"{ resourceProviders { totalCount } }"}',
        },
        fresh.url,
      );
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => (await first(index % 2 === 0 ? 'reader' : 'nova')).status),
    );
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 403 : 200)));
  } finally {
    await fresh.close();
  }
});

describe('a walk over the uuids of consumers (54)', () => {
  const uuids = Array.from({ length: 10_000 }, (_, index) =>
    index === 4711 ? theirs : `44444444-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );

  test('finds nothing of other projects', async () => {
    for (let from = 0; from < uuids.length; from += 1000) {
      const asked = uuids.slice(from, from + 1000);
      const ids = asked.map((uuid) => Buffer.from(`Consumer:${uuid}`).toString('base64url'));
      const { json } = await ask(
        'reader',
        'query ($i: [ID!]!, $u: [UUID!]) { nodes(ids: $i) { id } consumers(filter: {uuids: $u}) { totalCount } }',
        { i: ids, u: asked },
      );
      expect(json.data).toEqual({ nodes: asked.map(() => null), consumers: { totalCount: 0 } });
    }
  });

  test('is bounded by objects in a request, not by requests', async () => {
    const ids = uuids.slice(0, 1001).map((uuid) => Buffer.from(`Consumer:${uuid}`).toString('base64url'));
    expect(refusal(await ask('reader', 'query ($i: [ID!]!) { nodes(ids: $i) { id } }', { i: ids }))).toEqual([400, 'BAD_USER_INPUT']);
    const aliases = uuids.slice(0, 101).map((uuid, index) => `a${index}: consumer(uuid: "${uuid}") { uuid }`);
    expect(refusal(await ask('reader', `{ ${aliases.join(' ')} }`))).toEqual([400, 'TOO_COMPLEX']);
  });
});

describe('an idempotency key', () => {
  const create =
    'mutation ($k: String, $n: String!) { createTrait(input: {name: $n, idempotencyKey: $k}) { created replayed userErrors { code } } }';

  test.each(['', 'k'.repeat(256)])('of %j is refused (63)', async (k) => {
    const { json } = await ask('admin', create, { k, n: 'CUSTOM_KEYED' });
    expect(json.data).toMatchObject({ createTrait: { userErrors: [{ code: 'INVALID_INPUT' }] } });
  });

  test('belongs to its caller, and to its input (63)', async () => {
    const outcome = async (who: Who, n: string) =>
      ((await ask(who, create, { k: 'one', n })).json.data as { createTrait: unknown } | undefined)?.createTrait;
    expect(await outcome('admin', 'CUSTOM_ONE')).toMatchObject({ created: true, replayed: false });
    expect(await outcome('admin', 'CUSTOM_ONE')).toMatchObject({ created: true, replayed: true });
    expect(await outcome('nova', 'CUSTOM_ONE')).toMatchObject({ created: false, replayed: false });
    expect(await outcome('admin', 'CUSTOM_TWO')).toMatchObject({ userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] });
  });

  test('returns no stored answer to a caller that may not write (63)', async () => {
    expect(refusal(await ask('reader', create, { k: 'one', n: 'CUSTOM_ONE' }))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a request of sixteen groups (64)', () => {
  const groups = Array.from({ length: 16 }, (_, index) => ({ suffix: `_${index}`, resources: [{ resourceClass: 'VCPU', amount: 1 }] }));

  test('is not explained to readers of a project', async () => {
    const explained = 'query ($i: CandidatesInput!) { allocationCandidates(input: $i) { explanation { summary } } }';
    expect(refusal(await ask('reader', explained, { i: { groups } }))).toEqual([403, 'FORBIDDEN']);
  });

  test('is counted for them only up to one', async () => {
    const fit = 'query ($i: CandidatesInput!) { fit(input: $i) { total exact truncated } }';
    expect((await ask('reader', fit, { i: { groups } })).json).toEqual({ data: { fit: { total: 1, exact: false, truncated: true } } });
    expect((await ask('reader', fit, { i: { groups: groups.slice(0, 1) } })).json.data).toEqual({
      fit: { total: 1, exact: false, truncated: true },
    });
  });
});
