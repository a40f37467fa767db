// GraphQL over HTTP besides POST: reads with GET and HEAD, documents by their hash, other origins, trailing slashes, helpful refusals.
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeQueries } from '../../src/graphql/stored-queries.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import {
  type Answer,
  ask,
  call,
  database,
  jsonHeaders,
  lines,
  log,
  refusal,
  schema,
  send,
  server,
  useListener,
} from '../support/listener.ts';

useListener();

const token = { 'x-auth-token': 'admin' };
const get = (parameters: Record<string, string>, headers: Record<string, string> = token, method = 'GET') =>
  call({ method, path: `/graphql?${new URLSearchParams(parameters)}`, headers });
const codeOf = ({ json }: Answer) => json.errors?.[0]?.extensions.code;

describe('GET', () => {
  test('answers a query with its variables, and no cache keeps that', async () => {
    const answer = await get({ query: 'query ($name: String) { hello(name: $name) }', variables: '{"name":"you"}' });
    expect([answer.status, answer.json]).toEqual([200, { data: { hello: 'hello you' } }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('runs no mutation, be it sent or stored', async () => {
    const mutation = 'mutation { claim }';
    const refused = await get({ query: mutation });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'POST']);
    await ask(mutation, { extensions: byHash(mutation) });
    const stored = await get({ extensions: JSON.stringify(byHash(mutation)) });
    expect([stored.status, stored.json.data]).toEqual([405, undefined]);
    const named = await get({ query: `query A { hello } ${mutation.replace('mutation', 'mutation B')}`, operationName: 'B' });
    expect(named.status).toBe(405);
  });

  test('without a token is refused, and the answer names the header', async () => {
    const answer = await get({ query: '{ hello }' }, { 'apollo-require-preflight': '1' });
    expect(refusal(answer)).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="placement"');
  });

  test('without a header that needs a preflight, as from a page, is refused', async () => {
    expect((await get({ query: '{ serviceInfo { version } }' }, {})).status).toBe(400);
  });

  test.each([
    ['variables that are not JSON', { query: '{ hello }', variables: '{' }],
    ['variables that are a list', { query: '{ hello }', variables: '[]' }],
    ['extensions that are not JSON', { query: '{ hello }', extensions: 'x' }],
    ['nothing', {}],
    ['a malformed hash', { extensions: '{"persistedQuery":{"version":1,"sha256Hash":{}}}' }],
    [
      'the hash of another document',
      { query: '{ hello }', extensions: `{"persistedQuery":{"version":1,"sha256Hash":"${'0'.repeat(64)}"}}` },
    ],
    ['a hash without its name', { query: '{ hello }', extensions: '{"persistedQuery":7}' }],
    ['another version', { extensions: '{"persistedQuery":{"version":2,"sha256Hash":"x"}}' }],
  ])('with %s is refused', async (_, parameters) => {
    expect(refusal(await get(parameters))).toEqual([400, 'BAD_REQUEST']);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is within the limits', async () => {
    const nested = `{ ${'provider { parent { parent { '.repeat(20)}hello${' } } }'.repeat(20)} }`;
    expect((await get({ query: nested })).status).toBe(400);
  });
});

test('HEAD answers like GET, without a body', async () => {
  const answer = await get({ query: '{ hello }' }, token, 'HEAD');
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect((await get({ query: 'mutation { claim }' }, token, 'HEAD')).status).toBe(405);
  for (const path of ['/healthz', '/readyz']) expect((await call({ method: 'HEAD', path })).status).toBe(200);
});

test('a trailing slash changes nothing', async () => {
  expect((await call({ path: '/graphql/', headers: jsonHeaders, body: '{"query":"{ hello }"}' })).json.data).toEqual({
    hello: 'hello world',
  });
  for (const path of ['/healthz/', '/readyz/']) expect((await call({ method: 'GET', path })).status).toBe(200);
});

test('OPTIONS returns the methods', async () => {
  const answer = await call({ method: 'OPTIONS' });
  expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
});

const hashOf = (query: string) => createHash('sha256').update(query).digest('hex');
const byHash = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(query) } });

describe('a document by its hash', () => {
  test('is requested once, and then known', async () => {
    const query = '{ hello(name: "stored") }';
    const extensions = JSON.stringify(byHash(query));
    const unknown = await get({ extensions });
    expect([unknown.status, codeOf(unknown)]).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
    expect((await get({ query, extensions })).json.data).toEqual({ hello: 'hello stored' });
    expect((await get({ extensions })).json.data).toEqual({ hello: 'hello stored' });
    expect((await send(JSON.stringify({ extensions: byHash(query) }))).json.data).toEqual({ hello: 'hello stored' });
  });

  test('always matches its hash', async () => {
    const refused = await ask('{ hello(name: "mine") }', { extensions: byHash('{ hello(name: "yours") }') });
    expect(refused.status).toBe(400);
    expect(codeOf(await get({ extensions: JSON.stringify(byHash('{ hello(name: "yours") }')) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test.each([
    ['nobody', { 'x-auth-token': '', 'apollo-require-preflight': '1' }, '{ hello(name: "nobody") }'],
    ['a caller without rights', { 'x-auth-token': 'demo' }, '{ hello(name: "demo") }'],
    ['an administrator, but over the limits', token, `{ ${'provider { parent { parent { '.repeat(20)}__typename${' } } }'.repeat(20)} }`],
  ])('of %s is not kept', async (_, headers, query) => {
    expect((await get({ query, extensions: JSON.stringify(byHash(query)) }, headers)).status).toBeGreaterThanOrEqual(400);
    expect(codeOf(await get({ extensions: JSON.stringify(byHash(query)) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('is dropped if there are too many others', async () => {
    const store = storeQueries(new Map(), 100);
    for (let index = 0; index < 20; index++) {
      await store.set(`k${index}`, '1234567890');
      await store.get('k0');
    }
    expect(await store.get('k0')).toBe('1234567890');
    expect(await store.get('k1')).toBeUndefined();
    expect(await store.get('k19')).toBe('1234567890');
    await store.set('long', '12345678901');
    expect(await store.get('long')).toBeUndefined();
    expect(await store.delete('k0')).toBe(true);
    expect(await store.get('k0')).toBeUndefined();
  });
});

describe('scripts of other origins', () => {
  let open: RunningServer;
  beforeAll(async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_CORS_ALLOWED_ORIGIN: 'https://cloud.example' });
    open = await startServer({ settings, db: database.db, log, schema });
  });
  afterAll(() => open.close());

  test('may send requests if their origin is allowed, and read the answers', async () => {
    const headers = {
      origin: 'https://cloud.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, x-auth-token, x-graphql-cost',
    };
    const preflight = await call({ method: 'OPTIONS', headers }, open.url);
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://cloud.example',
      'access-control-allow-headers': 'content-type,x-auth-token,x-graphql-cost',
    });
    for (const more of [{}, { 'x-auth-token': '' }]) {
      const answer = await call({ headers: { ...jsonHeaders, ...more, origin: headers.origin }, body: '{"query":"{ hello }"}' }, open.url);
      expect(answer.headers['access-control-allow-origin']).toBe('https://cloud.example');
      expect(answer.headers.vary).toContain('origin');
    }
  });

  test('get no headers if it is not', async () => {
    const answer = await call({ method: 'OPTIONS', headers: { origin: 'https://evil.example' } }, open.url);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a long answer', () => {
  const name = 'x'.repeat(5000);
  const body = JSON.stringify({ query: 'query ($name: String) { hello(name: $name) }', variables: { name } });
  const raw = (headers: Record<string, string>) =>
    new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const request = httpRequest(`${server.url}/graphql`, { method: 'POST', headers: { ...jsonHeaders, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
      });
      request.on('error', reject);
      request.end(body);
    });
  const expected = { data: { hello: `hello ${name}` } };

  test.each([
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br;q=1.0', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
  ])('is compressed for clients that accept %s', async (accepted, encoding) => {
    const { headers, bytes } = await raw({ 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding', 'content-length': String(bytes.length) });
    expect(bytes.length).toBeLessThan(500);
    expect(JSON.parse((encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString())).toEqual(expected);
  });

  test.each(['identity', 'deflate', 'gzip;q=0', 'br;q=x', ', ;q', ';'.repeat(8000)])(
    'is not compressed for clients that accept %j',
    async (accepted) => {
      const { headers, bytes } = await raw({ 'accept-encoding': accepted });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(JSON.parse(bytes.toString())).toEqual(expected);
    },
  );

  test('a short answer stays as it is', async () => {
    const { headers } = await ask('{ hello }', {}, { 'accept-encoding': 'br' });
    expect(headers).not.toHaveProperty('content-encoding');
  });
});
