// Bodies of callers that may not send them: the request is answered before its body is read, on every surface.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from '../support/fake-keystone.ts';

const database = useDatabase();
let keystone: FakeKeystone;
let server: RunningServer;
beforeAll(async () => {
  keystone = await startFakeKeystone();
  keystone.tokens.set('good', {});
  const { log } = createLogger({ level: 'silent', write: () => {} });
  server = await startServer({ settings: readSettings(settingsFor(keystone)).settings, db: database.db, log });
});
afterAll(async () => {
  await server.close();
  await keystone.close();
});

/** The answer to a head without its body, and then that to the rest. */
async function send(head: readonly string[], rest: string): Promise<readonly [first: string, whole: string]> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
  let said = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const headed = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      said += String(data);
      if (said.includes('\r\n\r\n')) resolve();
    });
  });
  socket.on('error', () => {});
  await Promise.race([headed, closed]);
  const first = said;
  socket.write(rest);
  await closed;
  return [first, said];
}

const large = 3 * 1024 * 1024;
const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe.each([
  ['POST /graphql', 401],
  ['GET /graphql', 401],
  ['POST /graphql/stream', 401],
  ['POST /placement/resource_providers', 401],
  ['PUT /placement/allocations/6a3e9ae4-8a52-4ba2-b3f3-6dd2a0a1ac07', 401],
  ['POST /placement/nothing', 401],
  ['OPTIONS /traits', 401],
  ...['PUT', 'PATCH', 'DELETE'].flatMap((method) => ['/graphql', '/graphql/stream'].map((path) => [`${method} ${path}`, 405] as const)),
  ...['/graphql', '/graphql/stream'].map((path) => [`OPTIONS ${path}`, 204] as const),
  ...[
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/metrics/openstack',
    '/schema.graphql',
    '/explorer',
    '/hosts',
    '/anything',
    '/any/thing',
  ].map((path) => [`POST ${path}`, path === '/' ? 405 : 404] as const),
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [`${method} /anything`, 404] as const),
  ['DELETE /session', 404],
] as const)('%s', (route, status) => {
  const headOf = (more: readonly string[]) => [`${route} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...more];

  test.each([
    ['no token', []],
    ['a wrong token', ['X-Auth-Token: wrong']],
  ])('with %s is answered before its body is read, and the connection stays usable after it', async (_what, token) => {
    const [first, whole] = await send(headOf([...token, `Content-Length: ${large}`]), ' '.repeat(large) + next);
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^www-authenticate: keystone uri=/im.test(first)).toBe(status === 401);
    expect(whole.match(/HTTP\/1.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 200');
  });

  test('longer than the largest allowed body is answered, and the connection is closed', async () => {
    const [first] = await send(headOf([`Content-Length: ${limits.requestSize + 1}`]), '');
    expect(first).toMatch(/^HTTP\/1.1 [24]\d\d /);
    expect(first).toMatch(/^connection: close/im);
  });

  test('in chunks of unknown length is answered before they are read', async () => {
    const [first] = await send(headOf(['Transfer-Encoding: chunked', 'Connection: close']), '5\r\n12345\r\n0\r\n\r\n');
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

test('a small body is read from any caller, because some fields are public', async () => {
  const query = `{ serviceInfo { version } } #${'x'.repeat(limits.anonymousRequestSize - 100)}`;
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${server.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  expect(await (await post({}, JSON.stringify({ query }))).json()).toHaveProperty('data.serviceInfo.version');
  const larger = JSON.stringify({ query: `${query}${'x'.repeat(200)}` });
  expect((await post({}, larger)).status).toBe(401);
  expect((await fetch(`${server.url}/graphql?query=${encodeURIComponent(query.replaceAll('x', ' '))}`)).status).toBe(401);
  expect(await (await post({ 'x-auth-token': 'good' }, larger)).json()).toHaveProperty('data.serviceInfo.version');
});

test('what is public is asked for a few times at once, not for a megabyte', async () => {
  const asked = (times: number) =>
    `{ ${Array.from({ length: times }, (_, index) => `a${index}: serviceInfo { limits { name value unit description } }`).join(' ')} }`;
  const post = (headers: Record<string, string>, query: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  expect((await post({}, asked(1))).status).toBe(200);
  expect((await post({}, asked(20))).status).toBe(401);
  expect((await post({ 'x-auth-token': 'good' }, asked(20))).status).toBe(200);
});
