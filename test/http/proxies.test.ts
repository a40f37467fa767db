// Gateways behind a proxy, where all clients share one peer address: limits, the audit log, locations and links use the address of the client.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone, validations } from '../support/fake-keystone.ts';
import { floodWithSockets } from '../support/sockets.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'silent', write: () => {} });

let directory: string;
let keystone: FakeKeystone;
const running: RunningServer[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'proxies-'));
  keystone = await startFakeKeystone();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  await keystone.close();
  await rm(directory, { recursive: true });
});

async function start(environment: Record<string, string>): Promise<RunningServer> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', ...environment });
  const server = await startServer({ settings, db: database.db, log });
  running.push(server);
  return server;
}

const trusting = { PLACEMENT_TRUSTED_PROXIES: '127.0.0.1' };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: Record<string, unknown>;
}

function ask(server: RunningServer, route: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json: text === '' ? {} : JSON.parse(text) }),
      );
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

describe('clients of one proxy', () => {
  test('get their new tokens validated while one of them floods the gateway with forged ones', async () => {
    const good = Array.from({ length: 15 }, () => randomBytes(20).toString('hex'));
    for (const token of good) keystone.tokens.set(token, { roles: [{ name: 'admin' }] });
    const held: (() => void)[] = [];
    keystone.onValidate = (request, response) => {
      if (good.includes(String(request.headers['x-subject-token']))) return false;
      held.push(() => response.writeHead(404).end());
      return true;
    };
    const server = await start({ ...settingsFor(keystone), ...trusting });
    const get = (token: string, client: string) =>
      ask(server, 'GET /placement/traits', {
        'x-auth-token': token,
        'x-forwarded-for': client,
        'openstack-api-version': 'placement 1.39',
      }).then(({ status }) => status);
    const flood = Array.from({ length: 400 }, () => get(randomBytes(20).toString('hex'), '203.0.113.66').catch(() => 0));
    await expect.poll(() => held.length).toBeGreaterThan(3);
    const statuses = await Promise.all(good.map((token, index) => get(token, `203.0.113.${index}`)));
    expect(statuses).toEqual(good.map(() => 200));
    keystone.onValidate = () => false;
    for (const answer of held) answer();
    await Promise.all(flood);
  });

  test('can sign in while another one guesses passwords; its whole IPv6 network counts as one client', async () => {
    keystone.onLogIn = (_request, response) => {
      if (!keystone.logIns.at(-1)?.includes('"person-')) return false;
      response.writeHead(401).end('{}');
      return true;
    };
    const server = await start({ ...settingsFor(keystone), ...trusting });
    const signIn = async (client: string) => {
      const headers = {
        'content-type': 'application/json',
        host: 'cloud.example',
        origin: 'https://cloud.example',
        'x-forwarded-for': client,
        'x-forwarded-proto': 'https',
      };
      const form = { user: `person-${randomUUID()}`, domain: 'Default', password: 'wrong', projectDomain: 'Default' };
      return (await ask(server, 'POST /session', headers, form)).status;
    };
    for (let host = 1; host <= 5; host += 1) expect(await signIn(`2001:db8:0:1::${host}`)).toBe(401);
    expect(await signIn('2001:db8:0:1:ffff::1')).toBe(429);
    expect(await signIn('2001:db8:0:2::1')).toBe(401);
    expect(await signIn('203.0.113.1')).toBe(401);
  });

  test('keep their WebSockets while another one floods the gateway with sockets from its whole IPv6 network', async () => {
    const server = await start({ ...settingsFor(keystone), ...trusting });
    const flood = Array.from({ length: limits.unknownSockets }, (_, host) => `2001:db8:0:66::${host.toString(16)}`);
    const codes = await floodWithSockets(server.url, ['2001:db8:0:1::1', ...flood, '203.0.113.1']);
    expect(codes.flatMap((code, place) => (code === 4429 ? [place] : []))).toEqual([1, 2]);
  });

  test('may send passwords only if the proxy reports TLS', async () => {
    const server = await start({ ...settingsFor(keystone), ...trusting });
    const headers = {
      'content-type': 'application/json',
      host: 'cloud.example',
      origin: 'http://cloud.example',
      'x-forwarded-for': '203.0.113.1',
    };
    expect((await ask(server, 'POST /session', headers, {})).status).toBe(403);
    expect((await ask(server, 'POST /session', { ...headers, 'x-forwarded-proto': 'https' }, {})).status).toBe(400);
  });

  test('that the proxy does not name may be anywhere, so their passwords need TLS, too', async () => {
    const server = await start({ ...settingsFor(keystone), ...trusting });
    const headers = { 'content-type': 'application/json', host: 'cloud.example', origin: 'http://cloud.example' };
    for (const named of [{}, { 'x-forwarded-for': 'unknown' }, { forwarded: 'for=_hidden' }, { 'x-forwarded-for': 'unknown, 127.0.0.1' }]) {
      expect((await ask(server, 'POST /session', { ...headers, ...named }, {})).status).toBe(403);
      const scheme = 'forwarded' in named ? { forwarded: 'for=_hidden;proto=https' } : { ...named, 'x-forwarded-proto': 'https' };
      expect((await ask(server, 'POST /session', { ...headers, ...scheme }, {})).status).toBe(400);
    }
  });

  test('have a share each: of the connections by the PROXY protocol, otherwise of the requests in progress', async () => {
    const bound = { ...settingsFor(keystone, { PLACEMENT_KEYSTONE_TIMEOUT: '60' }), ...trusting, PLACEMENT_ADDRESS_CONNECTIONS: '2' };
    const sockets: Socket[] = [];
    const hold = async (server: RunningServer, begin: string): Promise<() => string> => {
      let said = '';
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(begin));
      sockets.push(socket);
      socket.on('data', (data) => {
        said += String(data);
      });
      await once(socket, 'connect');
      return () => said;
    };
    const tcp = await start({ ...bound, PLACEMENT_PROXY_PROTOCOL: 'on' });
    const statusOf = async (said: () => string) => {
      await expect.poll(said).toMatch(/^HTTP\/1.1 \d+ /);
      return Number(said().slice(9, 12));
    };
    const connection = async (client: string) =>
      statusOf(await hold(tcp, `PROXY TCP6 ${client} fd00::1 1 2\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`));
    expect(await connection('2001:db8:0:1::1')).toBe(200);
    expect(await connection('2001:db8:0:1::2')).toBe(200);
    expect(await connection('2001:db8:0:1::3')).toBe(429);
    expect(await connection('2001:db8:0:2::1')).toBe(200);

    const http = await start(bound);
    keystone.onValidate = () => true;
    const token = () => randomBytes(16).toString('hex');
    const request = (client: string, path: string) =>
      hold(http, `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\nX-Auth-Token: ${token()}\r\n\r\n`);
    const before = validations(keystone).length;
    for (const host of [1, 2]) await request(`2001:db8:0:1::${host}`, '/placement/traits');
    await expect.poll(() => validations(keystone).length - before).toBe(2);
    for (const path of ['/placement/traits', '/graphql', '/healthz']) {
      const refused = await request('2001:db8:0:1::3', path);
      expect(await statusOf(refused)).toBe(429);
      expect(refused()).toMatch(/^retry-after: 1\r$/im);
    }
    expect(await statusOf(await request('2001:db8:0:2::1', '/healthz'))).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => statusOf(await request('2001:db8:0:1::3', '/healthz'))).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('are in the audit log, even for unparsable paths and, with the PROXY protocol, for bytes that are not HTTP', async () => {
    const auditLog = join(directory, 'audit.log');
    const server = await start({ ...settingsFor(keystone), ...trusting, PLACEMENT_AUDIT_LOG: auditLog });
    await ask(server, 'GET /placement/traits', { 'x-forwarded-for': '203.0.113.1' });
    await ask(server, 'GET /%zz', { forwarded: 'for=203.0.113.2' });
    const other = await start({ ...settingsFor(keystone), ...trusting, PLACEMENT_AUDIT_LOG: auditLog, PLACEMENT_PROXY_PROTOCOL: 'on' });
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1', () =>
      socket.write('PROXY TCP4 203.0.113.3 192.0.2.1 1 2\r\nno HTTP at all\r\n\r\n'),
    );
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await expect
      .poll(async () => {
        const lines = (await readFile(auditLog, 'utf8')).trim().split('\n');
        return lines.map((line) => (JSON.parse(line) as { address: string }).address);
      })
      .toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
  });
});

describe('an entity that a client created', () => {
  const create = (server: RunningServer, headers: Record<string, string>) =>
    ask(
      server,
      'POST /placement/resource_providers',
      { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39', ...headers },
      { name: randomUUID() },
    );
  const behindTls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost:8443', 'x-forwarded-prefix': '/cloud' };

  test('has a location and links under the address that the client uses', async () => {
    const server = await start(trusting);
    const { headers, json } = await create(server, behindTls);
    const path = `/cloud/placement/resource_providers/${json.uuid}`;
    expect(headers.location).toBe(`https://localhost:8443${path}`);
    expect(json.links).toContainEqual({ rel: 'inventories', href: `${path}/inventories` });
    const list = await ask(server, `GET /placement/resource_providers?uuid=${json.uuid}`, { 'x-auth-token': 'admin', ...behindTls });
    expect(JSON.stringify(list.json)).toContain(`"href":"${path}"`);
    const direct = await ask(server, `GET /placement/resource_providers?uuid=${json.uuid}`, { 'x-auth-token': 'admin' });
    expect(JSON.stringify(direct.json)).toContain(`"href":"/placement/resource_providers/${json.uuid}"`);
    const classes = await ask(server, 'GET /placement/resource_classes/VCPU', {
      'x-auth-token': 'admin',
      'openstack-api-version': 'placement 1.39',
      ...behindTls,
    });
    expect(classes.json.links).toEqual([{ rel: 'self', href: '/cloud/placement/resource_classes/VCPU' }]);
  });

  test('has a location at the listener when the peer is not a trusted proxy', async () => {
    const server = await start({});
    const { headers, json } = await create(server, behindTls);
    expect(headers.location).toBe(`${server.url}/placement/resource_providers/${json.uuid}`);
  });

  test('has a location with the scheme that the PROXY protocol reports', async () => {
    const server = await start({ ...trusting, PLACEMENT_PROXY_PROTOCOL: 'on' });
    const body = JSON.stringify({ name: randomUUID() });
    const lines = ['POST /placement/resource_providers HTTP/1.1', 'Host: localhost', 'X-Auth-Token: admin', 'Connection: close'];
    const head = [...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`].join('\r\n');
    const ends = [203, 0, 113, 7, 192, 0, 2, 1, 1, 2, 3, 4];
    const header = Buffer.from([...Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), 0x21, 0x11, 0, 20, ...ends, 0x20, 0, 5, 1, 0, 0, 0, 0]);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
      socket.write(Buffer.concat([header, Buffer.from(`${head}\r\n\r\n${body}`)])),
    );
    let said = '';
    socket.on('data', (data) => {
      said += String(data);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(said).toMatch(/^HTTP\/1.1 201 [\s\S]*\r\nlocation: https:\/\/localhost\/placement\/resource_providers\//i);
  });
});
