// Tokens of Keystone, against a fake one: what it is asked, how seldom, and what becomes of its failures.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAuthentication } from '../../src/auth/authenticate.ts';
import { allowedByRules } from '../../src/auth/keystone/access-rules.ts';
import type { Authentication } from '../../src/auth/method.ts';
import { readSettings } from '../../src/settings.ts';
import { authority } from '../support/certificates.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone, validations } from '../support/fake-keystone.ts';

let keystone: FakeKeystone;
let lines: string[];
const opened: Authentication[] = [];
const directory = mkdtempSync(join(tmpdir(), 'placement-keystone-'));

beforeEach(async () => {
  keystone = await startFakeKeystone();
  keystone.tokens.set('good', {});
  lines = [];
});
afterEach(async () => {
  for (const authentication of opened.splice(0)) authentication.close();
  await keystone.close();
});

/** A gateway's authentication, after its first log-in. */
async function open(more: Record<string, string> = {}, fake = keystone): Promise<Authentication> {
  const { settings } = readSettings(settingsFor(fake, more));
  const note = (line: string) => lines.push(line);
  const authentication = await openAuthentication(settings, { info: note, warn: note, error: note });
  opened.push(authentication);
  await expect.poll(() => fake.logIns.length + lines.length).toBeGreaterThan(0);
  return authentication;
}

const ask = async ({ authenticate }: Authentication, token: string, more: Record<string, string> = {}, call = 'GET /placement/traits') => {
  const [method = '', originalUrl = ''] = call.split(' ');
  return authenticate({ headers: { 'x-auth-token': token, ...more }, method, originalUrl });
};

describe('a token', () => {
  test('is asked about where the catalog says, without the catalog, and in a way that shows those with access rules', async () => {
    let seen = {};
    keystone.onValidate = ({ headers }) => {
      seen = headers;
      return false;
    };
    const authentication = await open();
    expect(await ask(authentication, 'good')).toEqual({
      method: 'keystone',
      user: 'ann-id',
      project: 'web-id',
      roles: ['reader'],
      scope: 'project',
      domain: null,
      userDomain: 'default',
      projectDomain: 'default',
      isAdminProject: true,
      service: null,
    });
    expect(keystone.asked).toEqual(['POST /v3/auth/tokens', 'GET /v3/auth/tokens?nocatalog good']);
    expect(seen).toMatchObject({ 'x-auth-token': 'own-1', 'openstack-identity-access-rules': '1' });
  });

  test.each([
    ['a domain', { domain: { id: 'd' } }, { scope: 'domain', domain: 'd', project: null, projectDomain: null }],
    [
      'the system',
      { system: { all: true }, roles: [{ name: 'admin' }, { name: 'admin' }] },
      { scope: 'system', project: null, roles: ['admin'] },
    ],
    ['nothing', { project: undefined, roles: undefined }, { scope: 'none', project: null, roles: [] }],
    ['another project than that of the administrators', { is_admin_project: false }, { isAdminProject: false }],
  ])('of %s is known as such', async (_, body, identity) => {
    keystone.tokens.set('other', body);
    expect(await ask(await open(), 'other')).toMatchObject(identity);
  });

  test('in Authorization counts as well', async () => {
    const { authenticate } = await open();
    expect(await authenticate({ headers: { authorization: 'Bearer good' }, method: 'GET', originalUrl: '/' })).toMatchObject({
      user: 'ann-id',
    });
  });

  test.each([
    ['two', 'good, good'],
    ['one of static tokens', 'pgw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['one with a line break', 'good\r\nx-roles: admin'],
    ['a very long one', 'a'.repeat(8193)],
    ['an empty one', ''],
  ])('that cannot be one (%s) is never shown to Keystone', async (_, token) => {
    expect(await ask(await open(), token)).toBeNull();
    expect(validations(keystone)).toEqual([]);
  });

  test('is asked about once, however many requests bring it at once', async () => {
    const authentication = await open();
    const identities = await Promise.all(Array.from({ length: 50 }, () => ask(authentication, 'good')));
    expect(new Set(identities).size).toBe(1);
    await ask(authentication, 'good');
    expect(validations(keystone)).toHaveLength(1);
  });

  test('is asked about again after the time of the cache, and every time with a time of 0', async () => {
    const [cached, uncached] = [
      await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1' }),
      await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' }),
    ];
    expect(await ask(cached, 'good')).not.toBeNull();
    keystone.tokens.delete('good');
    expect(await ask(cached, 'good')).not.toBeNull();
    expect(await ask(uncached, 'good')).toBeNull();
    await pause(1100);
    expect(await ask(cached, 'good')).toBeNull();
    keystone.tokens.set('good', {});
    expect(await ask(uncached, 'good')).not.toBeNull();
  });

  test('ends when it expires, cached or not', async () => {
    keystone.tokens.set('short', { expires_at: inSeconds(1) });
    keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open();
    expect(await ask(authentication, 'short')).not.toBeNull();
    expect(await ask(authentication, 'over')).toBeNull();
    await pause(1050);
    expect(await ask(authentication, 'short')).toBeNull();
    expect(validations(keystone)).toHaveLength(2);
  });

  test('that is bad is not asked about for a while, and does not displace a good one', async () => {
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1' });
    expect([await ask(authentication, 'bad'), await ask(authentication, 'bad')]).toEqual([null, null]);
    expect(validations(keystone)).toHaveLength(1);
    await pause(1050);
    keystone.tokens.set('bad', {});
    expect(await ask(authentication, 'bad')).not.toBeNull();
  });
});

describe('the tokens of services', () => {
  const service = {
    user: { id: 'nova-id', domain: { id: 'default' } },
    roles: [{ name: 'service' }],
    project: { id: 's', domain: { id: 'default' } },
  };
  beforeEach(() => {
    keystone.tokens.set('service', service).set('reader', { user: { id: 'bob' } });
    keystone.tokens.set('system', { system: { all: true }, roles: [{ name: 'service' }] });
  });

  test('are known as who passes the request on, and lend neither roles nor scope', async () => {
    const authentication = await open();
    expect(await ask(authentication, 'good', { 'x-service-token': 'service' })).toMatchObject({
      user: 'ann-id',
      roles: ['reader'],
      scope: 'project',
      service: { user: 'nova-id', userDomain: 'default', project: 's', projectDomain: 'default', roles: ['service'] },
    });
    expect(await ask(authentication, 'good', { 'x-service-token': 'system' })).toMatchObject({ scope: 'project', project: 'web-id' });
    expect(await ask(authentication, 'good')).toMatchObject({ service: null });
    expect(await ask(authentication, 'good', { 'x-service-token': '' })).toMatchObject({ service: null });
  });

  test('are refused when they are bad, alone, or without the role', async () => {
    const authentication = await open();
    expect(await ask(authentication, 'good', { 'x-service-token': 'bad' })).toBeNull();
    expect(await ask(authentication, '', { 'x-service-token': 'service' })).toBeNull();
    expect(await ask(authentication, 'good', { 'x-service-token': 'reader' })).toBeNull();
    expect(await ask(authentication, 'good', { 'x-service-token': 'good' })).toBeNull();
  });

  test('are accepted without the role where it is not required, and then lend nothing at all', async () => {
    keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open({ PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES_REQUIRED: 'off' });
    expect(await ask(authentication, 'good', { 'x-service-token': 'reader' })).toMatchObject({ service: { user: 'bob' } });
    expect(await ask(authentication, 'over', { 'x-service-token': 'reader' })).toBeNull();
  });

  test('carry on what a user has begun with a token that has expired since', async () => {
    keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open();
    expect(await ask(authentication, 'over')).toBeNull();
    expect(await ask(authentication, 'over', { 'x-service-token': 'service' })).toMatchObject({ user: 'ann-id' });
    expect(validations(keystone).at(-1)).toBe('GET /v3/auth/tokens?nocatalog&allow_expired=1 over');
    expect(await ask(authentication, 'over', { 'x-service-token': 'service' })).toMatchObject({ user: 'ann-id' });
    expect(await ask(authentication, 'over')).toBeNull();
  });
});

describe('access rules', () => {
  const rules = [
    { service: 'placement', method: 'GET', path: '/placement/resource_providers' },
    { service: 'placement', method: 'GET', path: '/placement/resource_providers/{uuid}/inventories' },
    { service: 'placement', method: 'PUT', path: '/placement/traits/*' },
    { service: 'placement', method: 'GET', path: '/placement/resource_classes/**' },
    { service: 'placement', method: 'GET', path: '/placement/a.b' },
    { service: 'compute', method: 'GET', path: '/placement/usages' },
  ];

  test.each([
    ['GET /placement/resource_providers', true],
    ['POST /placement/resource_providers', false],
    ['GET /placement/resource_providers/', false],
    ['GET /resource_providers', false],
    ['GET /placement/resource_providers/a/inventories', true],
    ['GET /placement/resource_providers/a/x/inventories', false],
    ['GET /placement/resource_providers//inventories', false],
    ['PUT /placement/traits/CUSTOM_A', true],
    ['PUT /placement/traits/', false],
    ['GET /placement/resource_classes/', true],
    ['GET /placement/resource_classes/VCPU/x', true],
    ['GET /placement/resource_classes', false],
    ['GET /placement/a.b', true],
    ['GET /placement/axb', false],
    ['GET /placement/usages', false],
  ])('%s: %s', (call, allowed) => {
    const [method = '', path = ''] = call.split(' ');
    expect(allowedByRules(rules, method, path)).toBe(allowed);
  });

  test('take time in proportion to their length, whatever they are', () => {
    const evil = [{ service: 'placement', method: 'GET', path: `${'**a'.repeat(40)}b` }];
    const before = performance.now();
    expect(allowedByRules(evil, 'GET', `/${'a'.repeat(1000)}`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(500);
    expect(allowedByRules([{ service: 'placement', method: 'GET', path: '/**' }], 'GET', `/${'a'.repeat(1024)}`)).toBe(false);
  });

  test('restrict a token, GraphQL included, but not a service with its role that passes it on', async () => {
    keystone.tokens.set('restricted', { application_credential: { id: 'c', restricted: true, access_rules: rules } });
    keystone.tokens.set('graphql', {
      application_credential: { id: 'd', restricted: true, access_rules: [{ service: 'placement', method: 'POST', path: '/graphql' }] },
    });
    keystone.tokens.set('service', { roles: [{ name: 'service' }] });
    const authentication = await open();
    expect(await ask(authentication, 'restricted', {}, 'GET /placement/resource_providers?limit=1')).not.toBeNull();
    expect(await ask(authentication, 'restricted', {}, 'GET /placement/traits')).toBeNull();
    expect(await ask(authentication, 'restricted', {}, 'POST /graphql')).toBeNull();
    expect(await ask(authentication, 'graphql', {}, 'POST /graphql')).not.toBeNull();
    expect(await ask(authentication, 'restricted', { 'x-service-token': 'service' }, 'GET /placement/traits')).not.toBeNull();
    expect(lines.at(-1)).toBe('the access rules of an application credential of the user ann-id do not allow POST /graphql');
  });
});

describe("the gateway's own token", () => {
  test('is got with a password, or with an application credential', async () => {
    await open({ PLACEMENT_KEYSTONE_PROJECT_DOMAIN_ID: 'default' });
    expect(JSON.parse(keystone.logIns[0] ?? '')).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'placement', domain: { name: 'Default' }, password: keystone.password } },
        },
        scope: { project: { name: 'service', domain: { id: 'default' } } },
      },
    });
    const { settings } = readSettings({
      PLACEMENT_AUTH: 'keystone',
      PLACEMENT_KEYSTONE_AUTH_URL: `${keystone.url}/v3/`,
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: 'id',
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET: keystone.password,
    });
    const log = { info() {}, warn() {}, error() {} };
    const authentication = await openAuthentication(settings, log);
    opened.push(authentication);
    expect(await ask(authentication, 'good')).not.toBeNull();
    expect(JSON.parse(keystone.logIns[1] ?? '')).toEqual({
      auth: { identity: { methods: ['application_credential'], application_credential: { id: 'id', secret: keystone.password } } },
    });
  });

  test('is renewed at half its life, and nobody waits for it', async () => {
    keystone.life = 2;
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' });
    await ask(authentication, 'good');
    expect(keystone.logIns).toHaveLength(1);
    await pause(1050);
    await ask(authentication, 'good');
    await expect.poll(() => keystone.logIns.length).toBe(2);
    expect(keystone.asked.at(-1)).toContain('auth/tokens');
    await ask(authentication, 'good');
    expect(keystone.logIns).toHaveLength(2);
  });

  test('is got anew when Keystone has revoked it, once for all who notice', async () => {
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' });
    keystone.tokens.set('other', {}).set('third', {});
    await ask(authentication, 'good');
    keystone.revokeOwn();
    const asked = await Promise.all(['good', 'other', 'third'].map((token) => ask(authentication, token)));
    expect(asked).not.toContain(null);
    expect(keystone.logIns).toHaveLength(2);
  });

  test('is got with a password that was changed in its file meanwhile', async () => {
    const path = join(directory, 'password');
    writeFileSync(path, `${keystone.password}\n`);
    const { settings } = readSettings({
      ...settingsFor(keystone),
      PLACEMENT_KEYSTONE_PASSWORD: '',
      PLACEMENT_KEYSTONE_PASSWORD_FILE: path,
    });
    const authentication = await openAuthentication(settings, { info() {}, warn() {}, error() {} });
    opened.push(authentication);
    expect(await ask(authentication, 'good')).not.toBeNull();
    keystone.password = 'another';
    writeFileSync(path, 'another');
    keystone.revokeOwn();
    keystone.tokens.set('later', {});
    expect(await ask(authentication, 'later')).not.toBeNull();
    rmSync(directory, { recursive: true });
  });

  test('is not asked for again and again with a wrong password: Keystone may lock the account', async () => {
    keystone.password = 'another';
    const authentication = await open();
    for (let time = 0; time < 5; time++) await expect(ask(authentication, `token-${time}`)).rejects.toThrow('temporarily unavailable');
    expect(keystone.logIns).toHaveLength(1);
    expect(lines).toEqual([
      'Keystone cannot be asked about tokens: it refused the log-in of the service user: check its name, password, domain and project; those that it has validated go on for now, all others are answered 503',
    ]);
  });
});

describe('a Keystone', () => {
  type Fault = [words: string, break_: (fake: FakeKeystone) => void, told: string];
  const answers =
    (status: number, body = '{}'): Fault[1] =>
    (fake) => {
      fake.onValidate = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        return true;
      };
    };
  const statuses = [204, 300, 301, 400, 403, 418, 429, 500, 502, 503].map(
    (status): Fault => [`says ${status}`, answers(status), status === 403 ? 'give it the role service' : `it answered with ${status}`],
  );

  test.each<Fault>([
    ...statuses,
    ['says 401 to every token of ours', answers(401), 'it does not accept the token that it has just given'],
    ['answers no JSON', answers(200, '<html>good</html>'), 'its answer does not describe a token'],
    ['answers JSON without a token', answers(200, '{"good": true}'), 'its answer does not describe a token'],
    ['answers a token without an expiry', answers(200, '{"token": {"user": {"id": "ann"}}}'), 'its answer does not describe a token'],
    [
      'breaks off',
      (fake) => {
        fake.onValidate = (request, response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('{"token": {');
          setTimeout(() => request.socket.destroy(), 20);
          return true;
        };
      },
      'it broke off its answer',
    ],
    [
      'resets the connection each time',
      (fake) => {
        fake.onValidate = (request) => {
          request.socket.resetAndDestroy();
          return true;
        };
      },
      'it closed the connection',
    ],
    [
      'never answers',
      (fake) => {
        fake.onValidate = () => true;
      },
      'it did not answer in time',
    ],
    [
      'never ends its answer',
      (fake) => {
        fake.onValidate = (_request, response) => {
          response.writeHead(200).write('{');
          return true;
        };
      },
      'it did not answer in time',
    ],
    [
      'answers without end',
      (fake) => {
        fake.onValidate = (_request, response) => {
          response.writeHead(200);
          const more = () => {
            while (response.write('x'.repeat(65_536)));
            response.once('drain', more);
          };
          more();
          return true;
        };
      },
      'it answered with more than 4194304 bytes',
    ],
  ])('that %s is unavailable, which is not the fault of the caller', async (_, breakIt, told) => {
    const authentication = await open();
    keystone.tokens.set('known', {});
    expect(await ask(authentication, 'known')).not.toBeNull();
    breakIt(keystone);
    const before = performance.now();
    await expect(ask(authentication, 'good')).rejects.toThrow('The Keystone service is temporarily unavailable.');
    expect(performance.now() - before).toBeLessThan(2500);
    expect(authentication.trouble()).toContain(told);
    expect(await ask(authentication, 'known')).not.toBeNull();
    keystone.onValidate = () => false;
    expect(await ask(authentication, 'good')).not.toBeNull();
    expect(authentication.trouble()).toBeNull();
    expect(lines.filter((line) => line.includes('cannot be asked'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('Keystone answers again');
  });

  test.each<[words: string, endpoints: FakeKeystone['endpoints'], more: Record<string, string>, told: string]>([
    ['without identity', [], {}, 'its catalog has no internal endpoint of the service identity'],
    [
      'without the region',
      [{ interface: 'internal', region_id: 'RegionTwo', url: 'http://127.0.0.1:1' }],
      { PLACEMENT_KEYSTONE_REGION_NAME: 'RegionOne' },
      'endpoint of the service identity in the region RegionOne',
    ],
    ['with an address that is none', [{ interface: 'internal', region_id: 'RegionOne', url: 'keystone' }], {}, 'has no internal endpoint'],
  ])('with a catalog %s is unavailable', async (_, endpoints, more, told) => {
    keystone.endpoints = endpoints;
    const authentication = await open(more);
    await expect(ask(authentication, 'good')).rejects.toThrow('temporarily unavailable');
    expect(authentication.trouble()).toContain(told);
  });

  test('is asked at the endpoint of the chosen interface and region', async () => {
    const other = await startFakeKeystone();
    keystone.endpoints = [
      { interface: 'internal', region_id: 'RegionTwo', url: `${keystone.url}/internal` },
      { interface: 'public', region_id: 'RegionOne', url: `${keystone.url}/elsewhere` },
      { interface: 'public', region_id: 'RegionTwo', url: `${keystone.url}/identity/` },
    ];
    await ask(await open({ PLACEMENT_KEYSTONE_INTERFACE: 'public', PLACEMENT_KEYSTONE_REGION_NAME: 'RegionTwo' }), 'good');
    expect(validations(keystone)).toEqual(['GET /identity/v3/auth/tokens?nocatalog good']);
    await other.close();
  });

  test('whose kept connections have gone stale, as after a restart, is asked once more, at once', async () => {
    const authentication = await open();
    keystone.tokens.set('other', {}).set('third', {});
    await Promise.all(['good', 'other'].map((token) => ask(authentication, token)));
    keystone.resetIdle();
    expect(await ask(authentication, 'third')).not.toBeNull();
    expect(validations(keystone).filter((line) => line.endsWith('third'))).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  test('that is down does not keep the gateway from starting', async () => {
    const { url } = keystone;
    await keystone.close();
    const authentication = await open();
    await expect(ask(authentication, 'good')).rejects.toThrow('temporarily unavailable');
    expect(await ask(authentication, '')).toBeNull();
    expect(authentication.trouble()).toBe('it refused the connection');
    keystone = await startFakeKeystone({ port: Number(new URL(url).port) });
    keystone.tokens.set('good', {});
    expect(await ask(authentication, 'good')).not.toBeNull();
  });

  test('with TLS is accepted by the authority in the settings, or without any check when that is asked for', async () => {
    const tls = await startFakeKeystone({ tls: true });
    tls.tokens.set('good', {});
    const cafile = join(mkdtempSync(join(tmpdir(), 'placement-ca-')), 'ca.pem');
    writeFileSync(cafile, authority);
    const strange = await open({}, tls);
    await expect(ask(strange, 'good')).rejects.toThrow('temporarily unavailable');
    expect(strange.trouble()).toMatch(/^its certificate is not accepted \([A-Z_]+\)$/);
    expect(await ask(await open({ PLACEMENT_KEYSTONE_CAFILE: cafile }, tls), 'good')).not.toBeNull();
    expect(await ask(await open({ PLACEMENT_KEYSTONE_INSECURE: 'on' }, tls), 'good')).not.toBeNull();
    expect(lines.join()).toContain('PLACEMENT_KEYSTONE_INSECURE=on: anyone on the way');
    await expect(open({ PLACEMENT_KEYSTONE_CAFILE: '/none' }, tls)).rejects.toThrow(
      'PLACEMENT_KEYSTONE_CAFILE="/none" cannot be read (ENOENT)',
    );
    await tls.close();
  });

  test('is asked at most 32 things at once; the rest waits its turn, and what is too much is refused', async () => {
    const waiting: (() => void)[] = [];
    keystone.onValidate = (_request, response) => {
      waiting.push(() => response.writeHead(404).end('{}'));
      return true;
    };
    const authentication = await open({ PLACEMENT_KEYSTONE_TIMEOUT: '30' });
    const all = Array.from({ length: 1100 }, (_, index) =>
      ask(authentication, `token-${index}`).then(String, ({ message }) => message as string),
    );
    await expect.poll(() => waiting.length).toBe(32);
    await pause(200);
    expect(waiting).toHaveLength(32);
    keystone.onValidate = () => false;
    for (const answer of waiting) answer();
    const said = await Promise.all(all);
    const count = (words: string) => said.filter((each) => each === words).length;
    expect([count('null'), count('Too many tokens are being validated at the moment.')]).toEqual([1032, 68]);
  });
});
