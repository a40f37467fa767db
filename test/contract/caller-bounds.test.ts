// Examination. How much a caller may request, on both surfaces of one gateway.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Authentication } from '../../src/auth/callers/method.ts';
import { plainIdentity } from '../../src/domain/identity.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { database, log, schema, sendBytes, slow, useListener } from '../support/listener.ts';

useListener();

/** The token is `user:role`. */
const authentication: Authentication = {
  authenticate: ({ headers }) => {
    const [user = '', ...roles] = String(headers['x-auth-token']).split(':');
    return plainIdentity('static', user, 'p', roles);
  },
  challengesTo: () => [],
  unauthorizedBody: null,
  trouble: () => null,
  close() {},
};

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function gateway(environment: Record<string, string>, own = false): Promise<string> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', ...environment });
  const server = await startServer({ settings, db: database.db, log, authentication, ...(own && { schema }) });
  open.push(server);
  return server.url;
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    data?: unknown;
    errors?: { status?: number; title?: string; message?: string; extensions?: Record<string, unknown> }[];
    extensions?: Record<string, unknown>;
  };
}

async function ask(url: string, token: string, body: object, headers: Record<string, string> = {}): Promise<Answered> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as Answered['body'] };
}

async function get(url: string, token: string, path: string): Promise<Answered> {
  const answer = await fetch(`${url}/placement${path}`, { headers: { 'x-auth-token': token, 'openstack-api-version': 'placement 1.39' } });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as Answered['body'] };
}

const tenThousand = { query: '{ resourceProviders(first: 1000) { nodes { inventories { total } children { uuid } } } }' };

describe('a caller who has spent its budget', () => {
  const environment = { PLACEMENT_CALLER_COST: 'service=none,*=12000' };

  test('has a line in the audit log for each refusal', async () => {
    const home = await mkdtemp(join(tmpdir(), 'placement-bounds-'));
    const path = join(home, 'audit.log');
    const lines = async () =>
      (await readFile(path, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as object);
    const url = await gateway({ ...environment, PLACEMENT_CALLER_REQUESTS: 'none=1,*=1', PLACEMENT_AUDIT_LOG: path });
    await ask(url, 'ann:admin', tenThousand);
    expect((await ask(url, 'ann:admin', tenThousand)).status).toBe(429);
    await ask(url, 'ben:admin', { query: tenThousand.query.replace('first: 1000', 'first: 999') });
    while ((await get(url, 'ben:admin', '/allocation_candidates?resources=VCPU:1')).status !== 429);
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => ask(url, 'cem:admin', { query: '{ totals { own { total } } }' })));
    const refused = atOnce.filter(({ status }) => status === 429).length;
    await expect.poll(async () => (await lines()).length).toBe(2 + refused);
    expect(await lines()).toMatchObject([
      { outcome: 'limited', code: 'RATE_LIMITED', user: 'ann', operation: null, fields: ['resourceProviders'] },
      { outcome: 'limited', status: 429, user: 'ben', request: 'GET /placement/allocation_candidates' },
      ...Array.from({ length: refused }, () => ({ outcome: 'limited', user: 'cem', request: 'POST /graphql' })),
    ]);
    await rm(home, { recursive: true });
  });

  test('is refused immediately ten times a second, then slowly, so that refusals alone do not occupy the gateway', async () => {
    const url = await gateway({ PLACEMENT_CALLER_COST: 'service=none,*=600' });
    const refusals = [() => ask(url, 'ann:admin', tenThousand), () => get(url, 'ann:admin', '/allocation_candidates?resources=VCPU:1')];
    for (const refuse of refusals) {
      while ((await refuse()).status !== 429);
      // On a machine that is busy for a second no answer is immediate: then they are asked for again.
      for (let isImmediate = false; !isImmediate; ) {
        await setTimeout(1100);
        const begun = performance.now();
        const asked = Array.from({ length: 15 }, async () => {
          const { status } = await refuse();
          return { status, after: performance.now() - begun };
        });
        const answers = await Promise.all(asked);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
        expect(answers.filter(({ after }) => after >= 990).length).toBeGreaterThanOrEqual(5);
        isImmediate = answers.some(({ after }) => after < 990);
      }
    }
  });

  test('is told when to retry, and others are served', async () => {
    const url = await gateway(environment);
    expect((await ask(url, 'ann:admin', tenThousand)).status).toBe(200);
    const refused = await ask(url, 'ann:admin', tenThousand);
    expect(refused).toMatchObject({
      status: 429,
      body: { errors: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER', budget: { limit: 12_000 } } }] },
    });
    expect(refused.body.data).toBeUndefined();
    expect(Number(refused.retryAfter)).toBe(refused.body.errors?.[0]?.extensions?.retryAfter);
    expect(Number(refused.retryAfter)).toBeGreaterThan(40);

    expect((await ask(url, 'ben:admin', tenThousand)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) expect((await ask(url, 'nova:service', tenThousand)).status).toBe(200);
  });

  test('is refused by REST, too, in the form of its errors', async () => {
    const url = await gateway({ PLACEMENT_CALLER_COST: '*=101' });
    expect((await get(url, 'ann:admin', '/allocation_candidates?resources=VCPU:1')).status).toBe(200);
    const refused = await get(url, 'ann:admin', '/allocation_candidates?resources=VCPU:1');
    expect(refused).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) });
    expect(refused.body).toMatchObject({ errors: [{ status: 429, title: 'Too Many Requests' }] });
    const search = { query: '{ fit(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }) { total } }' };
    expect((await ask(url, 'ann:admin', search)).status).toBe(429);
  });

  test('sees its remaining budget in the extensions, if it requests the cost', async () => {
    const url = await gateway(environment);
    const { body } = await ask(url, 'ann:admin', tenThousand, { 'x-graphql-cost': '1' });
    expect(body.extensions).toMatchObject({ cost: { objects: 11_001 }, budget: { limit: 12_000 } });
    expect(body.extensions).toMatchObject({ budget: { remaining: expect.any(Number), restoredIn: expect.any(Number) } });
    expect((await ask(url, 'nova:service', tenThousand, { 'x-graphql-cost': '1' })).body.extensions).not.toHaveProperty('budget');
  });

  test('is charged for long answers of REST by their length', async () => {
    const url = await gateway({ PLACEMENT_CALLER_COST: '*=100' });
    // All standard traits: more than ten kilobytes.
    const answers = [];
    for (let times = 0; times < 6; times += 1) answers.push((await get(url, 'ann:admin', '/traits')).status);
    expect(answers[0]).toBe(200);
    expect(answers).toContain(429);
  });

  test('is refused before anything is written', async () => {
    const url = await gateway({ PLACEMENT_CALLER_COST: '*=100' });
    await ask(url, 'ann:admin', { query: '{ resourceProviders(first: 99) { nodes { uuid } } }' });
    const claim = 'mutation { createTrait(input: { name: "CUSTOM_NEVER" }) { trait { resourceProviders(first: 90) { nodes { uuid } } } } }';
    expect((await ask(url, 'ann:admin', { query: claim })).status).toBe(429);
    expect((await get(url, 'ben:admin', '/traits?name=in:CUSTOM_NEVER')).body).toMatchObject({ traits: [] });
  });
});

test('the number of requests in progress of one caller is limited', async () => {
  const url = await gateway({ PLACEMENT_CALLER_REQUESTS: 'service=none,*=2' }, true);
  const askSlow = (user: string) => ask(url, user, { query: '{ slow }' });
  const answer = async (inProgress: number) => {
    await expect.poll(() => slow.length).toBe(inProgress);
    for (const one of slow.splice(0)) one();
  };
  const asked = ['ann', 'ann', 'ann', 'ben'].map((user) => askSlow(`${user}:admin`));
  // Before the others are answered, one is refused.
  await Promise.race(asked);
  await answer(3);
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused).toMatchObject({ retryAfter: '1', body: { errors: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER' } }] } });
  expect(refused?.body.errors?.[0]?.extensions).not.toHaveProperty('budget');
  const many = ['ann:admin', ...Array.from({ length: 5 }, () => 'nova:admin:service')].map(askSlow);
  await answer(6);
  expect((await Promise.all(many)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

describe('where only trusted documents are served', () => {
  const trusted = '{ resourceClasses(first: 2) { nodes { name } } }';
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: hashOf(trusted), name: 'Classes', type: 'query', body: trusted }],
  };

  async function gatewayWith(list: unknown): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'trusted-'));
    const path = join(directory, 'documents.json');
    await writeFile(path, JSON.stringify(list));
    return gateway({ PLACEMENT_TRUSTED_DOCUMENTS: path }).finally(() => rm(directory, { recursive: true }));
  }

  test.each([
    ['Apollo', apollo],
    ['GraphQL Code Generator', { [hashOf(trusted)]: trusted }],
  ])('they are those in the list of %s, by hash or as text', async (_, list) => {
    const url = await gatewayWith(list);
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(trusted) } };
    for (const body of [{ query: trusted }, { extensions }, { query: trusted, extensions }]) {
      expect(await ask(url, 'ann:service', body)).toMatchObject({ status: 200, body: { data: { resourceClasses: {} } } });
    }
    for (const query of [`${trusted} `, '{ resourceClasses(first: 3) { nodes { name } } }', '{ __schema { queryType { name } } }']) {
      const refused = await ask(url, 'ann:service', { query });
      expect(refused).toMatchObject({
        status: 403,
        body: { errors: [{ extensions: { code: 'FORBIDDEN', rule: 'placement:graphql:documents:send' } }] },
      });
      const registered = await ask(url, 'ann:service', {
        query,
        extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } },
      });
      expect(registered.status).toBe(403);
      const later = await ask(url, 'ann:service', { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } } });
      expect(later.body.errors?.[0]?.extensions?.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
  });

  test('administrators and auditors may send others', async () => {
    const url = await gatewayWith(apollo);
    for (const role of ['admin', 'auditor']) {
      expect((await ask(url, `ann:${role}`, { query: '{ resourceClasses(first: 3) { nodes { name } } }' })).status).toBe(200);
    }
  });

  test.each([
    ['is not JSON', 'x', /cannot be read/],
    ['names a document by another hash', { [hashOf('a')]: 'b' }, /not the SHA-256 of its text/],
    ['has no text', { [hashOf('a')]: 1 }, /has no text/],
    ['has another form', { format: 'mine' }, /is not a list of documents/],
  ])('a list that %s is refused at startup', async (_, list, message) => {
    const directory = await mkdtemp(join(tmpdir(), 'trusted-'));
    const path = join(directory, 'documents.json');
    await writeFile(path, typeof list === 'string' ? list : JSON.stringify(list));
    await expect(gateway({ PLACEMENT_TRUSTED_DOCUMENTS: path })).rejects.toThrow(message);
    await rm(directory, { recursive: true });
  });
});

describe('a flood of invalid operations', () => {
  const environment = { PLACEMENT_CALLER_COST: 'service=none,*=12000' };
  const texts = {
    'no GraphQL': '{ serviceInfo',
    'not of the contract': '{ serviceInfo { vresion } }',
    'for want of a right': '{ resourceProviders { nodes { name } } }',
    'too complex': `{ ${Array.from({ length: 21 }, (_, index) => `a${index}: serviceInfo { version }`).join(' ')} }`,
  };

  test.each(Object.entries(texts))('ends in 429, which says when to retry: %s', async (_, query) => {
    const url = await gateway(environment);
    const statuses: number[] = [];
    for (let round = 0; round < 14; round++) statuses.push((await ask(url, 'ann:nobody', { query })).status);
    expect(statuses.slice(0, 12)).not.toContain(429);
    const refused = await ask(url, 'ann:nobody', { query });
    expect([refused.status, refused.body.errors?.[0]?.extensions?.code, Number(refused.retryAfter)]).toEqual([
      429,
      'RATE_LIMITED',
      expect.any(Number),
    ]);
    expect((await ask(url, 'ben:nobody', { query: '{ serviceInfo { version } }' })).status).toBe(200);
  });

  test('ends in 429 for subscriptions, too', async () => {
    const url = await gateway(environment);
    const subscribe = async () => {
      const headers = { 'content-type': 'application/json', 'x-auth-token': 'ann:admin' };
      return (await fetch(`${url}/graphql/stream`, { method: 'POST', headers, body: JSON.stringify({ query: 'subscription {' }) })).status;
    };
    const statuses: number[] = [];
    for (let round = 0; round < 14; round++) statuses.push(await subscribe());
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });

  test('does not count small requests for a stored document that is unknown', async () => {
    const url = await gateway(environment);
    for (let round = 0; round < 20; round++) expect((await ask(url, 'ann:admin', { extensions: unknownHash })).status).not.toBe(429);
  });
});

const unknownHash = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update('x').digest('hex') } };

/** Sends requests until one is refused for the budget; returns the statuses. */
async function sendUntilRefused(url: string, route: string, body: string | null, headers: Record<string, string> = {}): Promise<number[]> {
  const [method = '', path = ''] = route.split(' ');
  const statuses: number[] = [];
  while (statuses.length < 16 && statuses.at(-1) !== 429) {
    const given = { 'x-auth-token': 'ann:admin', ...(body !== null && { 'content-type': 'application/json' }), ...headers };
    statuses.push((await fetch(`${url}${path}`, { method, headers: given, body })).status);
  }
  return statuses;
}

describe('a request of a caller is charged once, whatever is wrong with it:', () => {
  const variables = { padding: Array.from({ length: 1000 }, () => 'x'.repeat(100)) };
  const subscription = JSON.stringify({ query: 'subscription { events { reset } }' });

  test.each<[string, number, string, string | null, Record<string, string>?]>([
    ['a body that is not JSON', 400, 'POST /graphql', '{'],
    ['a batch', 400, 'POST /graphql', '[{"query":"{ serviceInfo { version } }"}]'],
    ['a malformed hash', 400, 'POST /graphql', '{"extensions":{"persistedQuery":{"version":2}}}'],
    ['variables without a document', 400, 'POST /graphql', JSON.stringify({ variables })],
    ['large variables for an unknown document', 200, 'POST /graphql', JSON.stringify({ variables, extensions: unknownHash })],
    ['a form', 415, 'POST /graphql', 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a type of answer that there is not', 406, 'POST /graphql', '{"query":"{ serviceInfo { version } }"}', { accept: 'text/html' }],
    ['a query without a document', 400, 'GET /graphql?variables=%7B%7D', null],
    ['a stream of nothing', 400, 'POST /graphql/stream', '{}'],
    ['a stream in another type', 406, 'POST /graphql/stream', subscription, { accept: 'text/html' }],
  ])('in GraphQL, %s', async (_what, status, route, body, headers) => {
    const url = await gateway({ PLACEMENT_CALLER_COST: '*=3000' });
    expect(await sendUntilRefused(url, route, body, headers)).toEqual([status, status, status, status, 429]);
  });

  test.each<[string, number, string, string | null, Record<string, string>?]>([
    ['a query', 400, 'GET /placement/resource_providers?nothing=1', null],
    ['a body', 400, 'POST /placement/resource_providers', '{}'],
    ['a body that is not JSON', 400, 'POST /placement/resource_providers', '{'],
    ['a version', 406, 'GET /placement/traits', null, { 'openstack-api-version': 'placement 1.99' }],
    ['a path', 404, 'GET /placement/nothing', null],
    ['a method', 405, 'DELETE /placement/usages', null],
  ])('in REST, %s', async (_what, status, route, body, headers) => {
    const url = await gateway({ PLACEMENT_CALLER_COST: '*=3' });
    expect(await sendUntilRefused(url, route, body, headers)).toEqual([status, status, status, status, 429]);
  });
});

test('a caller who has overdrawn its budget is refused on every surface before its body is read', async () => {
  const url = await gateway({ PLACEMENT_CALLER_COST: '*=600' });
  expect((await ask(url, 'ann:admin', { query: '{' })).status).toBe(400);
  for (const path of ['/graphql', '/graphql/stream', '/placement/resource_providers']) {
    const head = ['X-Auth-Token: ann:admin', 'Content-Type: application/json', 'Content-Length: 1000000', 'Connection: close'];
    const said = await sendBytes(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${head.join('\r\n')}\r\n\r\n`, {
      port: Number(new URL(url).port),
    });
    expect(said).toMatch(/^HTTP\/1.1 429 [\s\S]*^retry-after: \d+\r$/im);
  }
});
