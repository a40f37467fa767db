// The gateway connects only to the database and Keystone of its settings, never to an address that a caller sends (server-side request forgery).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from '../support/fake-keystone.ts';

const database = useDatabase();
let keystone: FakeKeystone;
let gateway: RunningServer;
let connections = 0;
const decoy = createServer((_request, response) => response.end()).on('connection', () => {
  connections += 1;
});
let there: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => decoy.listen(0, '127.0.0.1', resolve));
  there = `http://127.0.0.1:${(decoy.address() as AddressInfo).port}`;
  keystone = await startFakeKeystone();
  keystone.tokens.set('admin', { roles: [{ name: 'admin' }, { name: 'service' }] });
  const { settings } = readSettings(settingsFor(keystone));
  gateway = await startServer({ settings, db: database.db, log: createLogger({ level: 'error', write() {} }).log });
});
afterAll(async () => {
  await gateway.close();
  await keystone.close();
  decoy.close();
});

test('the decoy notices connections', async () => {
  await fetch(there);
  expect(connections).toBe(1);
  connections = 0;
});

test('no header, parameter, name or extension of a caller makes the gateway connect to the address in it', async () => {
  const catalog = JSON.stringify([{ type: 'identity', endpoints: [{ interface: 'internal', url: there, publicURL: there }] }]);
  const headers = [
    ...[
      'x-auth-url',
      'x-keystone-url',
      'x-identity-endpoint',
      'x-forwarded-host',
      'x-original-url',
      'x-rewrite-url',
      'referer',
      'x-callback-url',
    ],
    ...['x-webhook', 'x-subject-token', 'x-openstack-endpoint', 'x-storage-url', 'from', 'link', 'x-forwarded-for', 'location'],
  ];
  const pointing: [string, string][] = [
    ...headers.map((name): [string, string] => [name, there]),
    ['x-service-catalog', catalog],
    ['forwarded', `for=1.1.1.1;host=${there.slice(7)};proto=http`],
    ['x-auth-token', there],
    ['x-service-token', there],
    ['authorization', `Keystone uri="${there}"`],
    ['authorization', `Bearer ${there}`],
    ['www-authenticate', `Keystone uri="${there}"`],
  ];
  const send = (path: string, own: Record<string, string>, body?: object, method = body ? 'POST' : 'GET') =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: { 'x-auth-token': 'admin', ...(body && { 'content-type': 'application/json' }), ...own },
      ...(body && { body: JSON.stringify(body) }),
    });
  const url = encodeURIComponent(there);
  for (const [name, value] of pointing) {
    await send('/placement/resource_providers', { [name]: value });
    await send('/graphql', { [name]: value }, { query: '{ resourceProviders { totalCount } }' });
  }
  for (const query of ['url', 'auth_url', 'callback', 'endpoint', 'name', 'debug', 'redirect']) {
    await send(`/placement/resource_providers?${query}=${url}`, {});
    await send(`/graphql?query=%7B__typename%7D&${query}=${url}`, { 'apollo-require-preflight': '1' });
  }
  expect((await send('/placement/resource_providers', {}, { name: `${there}/a` })).status).toBeLessThan(300);
  const subscription = { callbackUrl: there, subscriptionId: '1', verifier: 'a', heartbeatIntervalMs: 0 };
  for (const extensions of [
    { subscription },
    { persistedQuery: { version: 1, sha256Hash: there } },
    { url: there, webhook: there, ftv1: there },
  ]) {
    await send('/graphql', {}, { query: '{ resourceProviders { nodes { name } } }', extensions });
  }
  const input = { name: `${there}/b`, idempotencyKey: there };
  const query = 'mutation ($input: CreateResourceProviderInput!) { createResourceProvider(input: $input) { resourceProvider { name } } }';
  expect(await (await send('/graphql', {}, { query, variables: { input } })).json()).toEqual({
    data: { createResourceProvider: { resourceProvider: { name: input.name } } },
  });

  expect(connections).toBe(0);
  expect(keystone.asked.length).toBeGreaterThan(1);
  // The gateway logs in and validates at the addresses of the settings and of Keystone's own catalog.
  expect(
    keystone.asked
      .map((line) => line.split(' ').slice(0, 2).join(' ').replace(/\?.*/, ''))
      .filter((line) => !/^(POST|GET) \/v3\/auth\/tokens$/.test(line)),
  ).toEqual([]);
});

test('no argument, input or value of the contract is an address', () => {
  const isAddress = (name: string) => /url|uri(?!ng)|endpoint|webhook|callback|proxy/i.test(name);
  const names = Object.values(loadSchema().getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type)) return Object.keys(type.getFields()).map((field) => `${type.name}.${field}`);
    if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) => args.map((argument) => `${type.name}.${name}(${argument.name}:)`));
  });
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => isAddress(name.slice(name.lastIndexOf('(') === -1 ? name.indexOf('.') : name.lastIndexOf('('))))).toEqual(
    [],
  );
});
