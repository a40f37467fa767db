// The client of a request, by its connection and by what proxies report: each header in the forms that proxies send, and headers that clients forge.
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { prefixOf, recognizeClients, TrustedProxies } from '../../src/http/client.ts';

const apps: FastifyInstance[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

function listenerBehind(...networks: string[]): FastifyInstance {
  const app = fastify();
  const recognize = recognizeClients(new TrustedProxies(networks));
  app.addHook('onRequest', (request, _reply, done) => done(recognize(request) ?? undefined));
  app.get('/', (request) => {
    const { ip, protocol, host } = request;
    return `${ip} ${protocol}://${host}${prefixOf(request)}`;
  });
  apps.push(app);
  return app;
}

const proxied = listenerBehind('10.0.0.0/8', '192.0.2.1', 'fd00::/8');

async function seen(headers: Record<string, string>, peer = '10.0.0.1', app = proxied): Promise<string> {
  const { body, statusCode } = await app.inject({ url: '/', remoteAddress: peer, headers: { host: 'gateway:8778', ...headers } });
  return statusCode === 200 ? body : String(statusCode);
}

const everything = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'cloud.example',
  'x-forwarded-prefix': '/api',
};

test.each([
  ['all at once', everything, '203.0.113.7 https://cloud.example/api'],
  ['the client behind two proxies', { 'x-forwarded-for': '203.0.113.7, 10.2.3.4' }, '203.0.113.7 http://gateway:8778'],
  ['a forged address before it', { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }, '203.0.113.7 http://gateway:8778'],
  ['proxies alone', { 'x-forwarded-for': '10.9.9.9, 10.2.3.4' }, '10.9.9.9 http://gateway:8778'],
  ['a port', { 'x-forwarded-for': '203.0.113.7:4711' }, '203.0.113.7 http://gateway:8778'],
  ['IPv6', { 'x-forwarded-for': '2001:DB8:0:0::1' }, '2001:db8::1 http://gateway:8778'],
  ['IPv6 with a port', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1 http://gateway:8778'],
  ['IPv4 in IPv6', { 'x-forwarded-for': '::ffff:203.0.113.7' }, '203.0.113.7 http://gateway:8778'],
  ['no address', { 'x-forwarded-for': '203.0.113.7, unknown' }, '10.0.0.1 http://gateway:8778'],
  ['nothing', { 'x-forwarded-for': '' }, '10.0.0.1 http://gateway:8778'],
  ['the scheme of the nearest', { 'x-forwarded-proto': 'http, https' }, '10.0.0.1 https://gateway:8778'],
  ['another scheme', { 'x-forwarded-proto': 'javascript' }, '10.0.0.1 http://gateway:8778'],
  ['a host with a port', { 'x-forwarded-host': 'cloud.example:8443' }, '10.0.0.1 http://cloud.example:8443'],
  ['no host', { 'x-forwarded-host': 'cloud.example/path?' }, '10.0.0.1 http://gateway:8778'],
  ['a prefix with a slash at its end', { 'x-forwarded-prefix': '/a/b/' }, '10.0.0.1 http://gateway:8778/a/b'],
  ['no prefix', { 'x-forwarded-prefix': '//evil.example' }, '10.0.0.1 http://gateway:8778'],
])('X-Forwarded-*: %s', async (_what, headers: Record<string, string>, expected) => {
  expect(await seen(headers)).toBe(expected);
});

test.each([
  ['all at once', 'for=203.0.113.7;proto=https;host=cloud.example', '203.0.113.7 https://cloud.example'],
  ['names in capitals, texts in quotes', 'For="[2001:db8::1]:4711" ; Proto="HTTPS"', '2001:db8::1 https://gateway:8778'],
  ['the client behind two proxies', 'for=203.0.113.7;proto=https;by=10.2.3.4, for=10.2.3.4', '203.0.113.7 https://gateway:8778'],
  ['a forged element before it', 'for=198.51.100.1;host=evil.example, for=203.0.113.7', '203.0.113.7 http://gateway:8778'],
  ['a comma in quotes', 'for=203.0.113.7;ext="a,for=10.1.1.1"', '203.0.113.7 http://gateway:8778'],
  ['a hidden client', 'for=203.0.113.7, for=_secret', '10.0.0.1 http://gateway:8778'],
  ['a malformed header', 'for=203.0.113.7;for=203.0.113.8', '10.0.0.1 http://gateway:8778'],
  ['an open quote', 'for="203.0.113.7', '10.0.0.1 http://gateway:8778'],
])('Forwarded: %s', async (_what, forwarded, expected) => {
  expect(await seen({ forwarded })).toBe(expected);
});

test('a forged header that a proxy forwarded beside its own is refused, whichever of the two is forged', async () => {
  expect(await seen({ forwarded: 'for=198.51.100.1', 'x-forwarded-for': '203.0.113.7' })).toBe('400');
  expect(await seen({ forwarded: 'host=evil.example', 'x-forwarded-for': '203.0.113.7' })).toBe('400');
  expect(await seen({ forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.7' })).toBe('203.0.113.7 http://gateway:8778');
});

test('headers of peers that are not trusted proxies are ignored', async () => {
  const headers = { ...everything, forwarded: 'for=10.0.0.1;host=evil.example' };
  expect(await seen(headers, '203.0.113.9')).toBe('203.0.113.9 http://gateway:8778');
  expect(await seen(headers, '10.0.0.1', listenerBehind())).toBe('10.0.0.1 http://gateway:8778');
});

test('a proxy is recognized by its IPv6 network, and by IPv4 in IPv6', async () => {
  expect(await seen({ 'x-forwarded-for': '203.0.113.7' }, 'fd00::1')).toBe('203.0.113.7 http://gateway:8778');
  expect(await seen({ 'x-forwarded-for': '203.0.113.7' }, '::ffff:192.0.2.1')).toBe('203.0.113.7 http://gateway:8778');
});

test('long headers are parsed in linear time', async () => {
  const spaces = ' '.repeat(60_000);
  for (const forwarded of [`for=${spaces}x`, `for=a${spaces}b`, 'a="'.repeat(20_000), `a=${'"\\'.repeat(20_000)}`, ','.repeat(60_000)]) {
    expect(await seen({ forwarded, 'x-forwarded-for': '10.1.1.1,'.repeat(3000) })).toMatch(/^(400|10\.)/);
  }
});
