// The host names and origins that the listener accepts: without authentication, every accepted caller is the administrator.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { call, database, jsonHeaders, log, portOf, refusal, schema, send, sendBytes, server, useListener } from '../support/listener.ts';

useListener();

const write = '{"query":"mutation { claim }"}';

describe('a request whose Host is a name', () => {
  test.each(['localhost', 'LOCALHOST:8778', '127.0.0.1', '127.9.9.9:1', '[::1]', '[::1]:8778'])(
    'of this machine, %s, is answered',
    async (host) => {
      expect((await send(write, { host })).json).toEqual({ data: { claim: 'claimed' } });
    },
  );

  test.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:8778',
    '0.0.0.0',
    '10.0.0.1',
    '[::2]',
    'localhost@evil.example',
  ])('of another machine, %j, is refused on every route, before anything is done or disclosed', async (host) => {
    expect(refusal(await send(write, { host }))).toEqual([421, 'MISDIRECTED_REQUEST']);
    for (const path of ['/session', '/', '/hosts', '/explorer', '/healthz', '/readyz', '/nothing']) {
      const answer = await call({ method: 'GET', path, headers: { host, accept: 'text/html' } });
      expect([path, ...refusal(answer)]).toEqual([path, 421, 'MISDIRECTED_REQUEST']);
      expect(answer.text).not.toContain('X-Auth-Token');
    }
    for (const path of ['/placement/traits', '/traits', '/']) {
      const { status, json } = await call({ method: 'GET', path, headers: { host, 'x-auth-token': 'admin' } });
      expect([path, status, json.errors]).toMatchObject([path, 421, [{ status: 421, title: 'Misdirected Request' }]]);
    }
  });

  test('is refused when there are two Host headers', async () => {
    const head =
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nX-Auth-Token: admin\r\nContent-Type: application/json\r\n';
    const said = await sendBytes(`${head}Connection: close\r\nContent-Length: ${write.length}\r\n\r\n${write}`, { port: portOf(server) });
    expect(said).toMatch(/^HTTP\/1.1 400 /);
    expect(said).not.toContain('claimed');
  });

  test('may be missing in HTTP/1.0', async () => {
    expect(await sendBytes('GET /healthz HTTP/1.0\r\n\r\n', { port: portOf(server) })).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a page', () => {
  test.each(['http://evil.example', 'null', 'https://localhost:1', 'nonsense'])('of the foreign origin %s cannot write', async (origin) => {
    expect(refusal(await send(write, { origin, host: 'localhost:8778' }))).toEqual([403, 'FORBIDDEN']);
    const headers = { origin, 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
    const answer = await call({ method: 'PUT', path: '/placement/traits/CUSTOM_FOREIGN', headers });
    expect([answer.status, answer.json.errors]).toMatchObject([403, [{ status: 403, title: 'Forbidden' }]]);
  });

  test('of our own origin can write', async () => {
    expect((await send(write, { origin: 'http://localhost:8778', host: 'localhost:8778' })).json.data).toEqual({ claim: 'claimed' });
  });
});

describe('by setting', () => {
  let open: RunningServer;
  beforeAll(async () => {
    const { settings } = readSettings({
      PLACEMENT_PORT: '0',
      PLACEMENT_ALLOWED_HOSTS: 'Cloud.example, [2001:db8::1]',
      PLACEMENT_CORS_ALLOWED_ORIGIN: 'https://dashboard.example',
    });
    open = await startServer({ settings, db: database.db, log, schema });
  });
  afterAll(() => open.close());

  test.each(['cloud.example', 'CLOUD.EXAMPLE:8778', '[2001:db8::1]:80', 'localhost'])('requests to %s are answered, too', async (host) => {
    expect((await call({ headers: { ...jsonHeaders, host }, body: write }, open.url)).status).toBe(200);
  });

  test('pages of another allowed origin can write', async () => {
    const headers = { ...jsonHeaders, origin: 'https://dashboard.example' };
    expect((await call({ headers, body: write }, open.url)).status).toBe(200);
  });

  test.each(['a b', 'cloud.example:80', 'https://cloud.example'])('%j is not a valid name', (names) => {
    expect(() => readSettings({ PLACEMENT_ALLOWED_HOSTS: names })).toThrow('PLACEMENT_ALLOWED_HOSTS');
  });
});

describe('where a proxy on this machine is trusted', () => {
  let behindProxy: RunningServer;
  beforeAll(async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_TRUSTED_PROXIES: '127.0.0.1' });
    behindProxy = await startServer({ settings, db: database.db, log, schema });
  });
  afterAll(() => behindProxy.close());
  const get = (headers: Record<string, string>) =>
    call({ method: 'GET', path: '/healthz', headers: { 'x-auth-token': 'admin', ...headers } }, behindProxy.url);

  test.each([{ 'x-forwarded-host': 'localhost' }, { forwarded: 'for=192.0.2.1;host=localhost' }])(
    'a page under a foreign name that resolves to this machine cannot claim another: %j',
    async (claim) => {
      expect(refusal(await get({ host: 'evil.example', ...claim }))).toEqual([421, 'MISDIRECTED_REQUEST']);
      expect((await get({ host: 'localhost', ...claim })).status).toBe(200);
    },
  );

  test('the name that the proxy passes on is checked as well', async () => {
    expect(refusal(await get({ host: 'localhost', 'x-forwarded-host': 'evil.example' }))).toEqual([421, 'MISDIRECTED_REQUEST']);
  });
});

test('a Content-Type that nearly fills the headers costs no more than others', async () => {
  // Parsed in quadratic time, these would take half a minute of processor time.
  for (let round = 0; round < 200; round++) {
    const answer = await send('{"query":"{ hello }"}', { 'content-type': `application/json;${' '.repeat(15_500)}x` });
    expect(refusal(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});
