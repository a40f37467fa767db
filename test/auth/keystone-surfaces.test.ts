// Callers with tokens of Keystone, or of a file beside it, at the real listener with a fake Keystone: their answers, and that no secret is disclosed.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { effectiveSettings, readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone, validations } from '../support/fake-keystone.ts';
import { type SentHeaders, tokenFor, useTokensFile } from '../support/tokens-file.ts';

const database = useDatabase();
const path = useTokensFile();
const auditLog = `${path}.audit`;
const lines: string[] = [];
const { log } = createLogger({ level: 'trace', write: (line) => lines.push(line) });
let keystone: FakeKeystone;
let server: RunningServer;
let ofFile: string;

beforeAll(async () => {
  keystone = await startFakeKeystone();
  keystone.tokens.set('reader', {}).set('admin', { user: { id: 'nova-id' }, roles: [{ name: 'admin' }] });
  ofFile = await tokenFor(path, 'machine', ['admin']);
  const more = {
    PLACEMENT_AUTH: 'keystone,static',
    PLACEMENT_TOKENS_FILE: path,
    PLACEMENT_AUDIT_LOG: auditLog,
    PLACEMENT_KEYSTONE_WWW_AUTHENTICATE_URI: 'https://public.example/v3',
  };
  server = await startServer({ settings: readSettings(settingsFor(keystone, more)).settings, db: database.db, log });
});
afterAll(async () => {
  await server.close();
  await keystone.close();
});
beforeEach(() => {
  keystone.onValidate = () => false;
});

const rest = (headers: SentHeaders, route = '/resource_providers') => fetch(`${server.url}/placement${route}`, { headers });
const graphql = (headers: SentHeaders, query = '{ resourceProviders(first: 1) { totalCount } }') =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
const schemaText = (headers: SentHeaders) => fetch(`${server.url}/schema.graphql`, { headers });
const challenge = 'Keystone uri="https://public.example/v3", Bearer realm="placement"';

describe('with both methods', () => {
  test('tokens of either are accepted, and those of the file are never sent to Keystone', async () => {
    for (const token of ['admin', ofFile]) {
      expect((await rest({ 'x-auth-token': token })).status).toBe(200);
      expect((await graphql({ authorization: `Bearer ${token}` })).status).toBe(200);
    }
    expect((await rest({ 'x-auth-token': `pgw_${'A'.repeat(43)}` })).status).toBe(401);
    expect(keystone.asked.join()).not.toContain('pgw_');
  });

  test('a 401 says where to get a token, as the Keystone middleware does', async () => {
    const missing = await rest({});
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, challenge]);
    const unknown = await rest({ 'x-auth-token': 'unknown', accept: 'text/html' });
    expect(unknown.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`);
    expect([unknown.headers.get('content-type'), unknown.headers.get('openstack-api-version')]).toEqual(['application/json', null]);
    expect(await unknown.json()).toEqual({
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    });
    const refused = await graphql({ 'x-auth-token': 'unknown' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, `${challenge}, error="invalid_token"`]);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test('the schema as text is served to callers that may read it in the API', async () => {
    const statuses = await Promise.all(
      ['admin', ofFile, 'reader', 'unknown'].map(async (token) => (await schemaText({ 'x-auth-token': token })).status),
    );
    expect(statuses).toEqual([200, 200, 403, 401]);
    const asked = await schemaText({});
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, challenge]);
    const open = { ...settingsFor(keystone), PLACEMENT_INTROSPECTION: 'public' };
    const other = await startServer({ settings: readSettings(open).settings, db: database.db, log });
    expect((await fetch(`${other.url}/schema.graphql`)).status).toBe(200);
    await other.close();
  });
});

test('headers that claim an identity are ignored', async () => {
  const claims = {
    'x-roles': 'admin',
    'x-project-id': 'service',
    'x-is-admin-project': 'True',
    'x-service-roles': 'service',
    'x-identity-status': 'Confirmed',
    'openstack-system-scope': 'all',
  };
  expect((await rest({ ...claims, 'x-auth-token': 'reader' })).status).toBe(403);
  expect((await rest(claims)).status).toBe(401);
});

test('the first requests of a gateway, all concurrent, are decided like all others', async () => {
  const fresh = await startServer({
    settings: readSettings(settingsFor(keystone)).settings,
    db: database.db,
    log,
  });
  const asked = Array.from({ length: 200 }, async (_, index) => {
    const token = index % 2 === 0 ? 'admin' : 'reader';
    return (await fetch(`${fresh.url}/placement/resource_providers`, { headers: { 'x-auth-token': token } })).status;
  });
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 200 : 403)));
  await fresh.close();
});

test('while Keystone is unavailable, the answer is 503 in the form of each API; the root and requests without a token are answered', async () => {
  keystone.onValidate = (_request, response) => {
    response.writeHead(500).end('{}');
    return true;
  };
  const refused = await rest({ 'x-auth-token': 'fresh', accept: 'application/json' });
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('www-authenticate')]).toEqual([503, '1', null]);
  expect(await refused.json()).toEqual({
    message:
      'The server is currently unavailable. Please try again at a later time.<br /><br />\nThe Keystone service is temporarily unavailable.\n\n',
    code: '503 Service Unavailable',
    title: 'Service Unavailable',
  });
  const page = await rest({ 'x-auth-token': 'fresh', accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=UTF-8']);
  for (const answer of [await graphql({ 'x-auth-token': 'fresh' }), await schemaText({ 'x-auth-token': 'fresh' })]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      errors: [
        { message: 'The Keystone service is temporarily unavailable.', extensions: { code: 'UNAVAILABLE', requestId: expect.any(String) } },
      ],
    });
  }
  expect((await rest({ 'x-auth-token': 'fresh' }, '/')).status).toBe(200);
  expect((await rest({})).status).toBe(401);
  expect((await rest({ 'x-auth-token': 'admin' })).status).toBe(200);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', warnings: { identity: 'Keystone: it answered with 500' } }]);
});

test('no token or password occurs in an answer, log line, audit log, event, metric or in the shown settings, whatever Keystone answers', async () => {
  const canary = 'gAAAA-canary-token';
  keystone.tokens.set(canary, { user: { id: 'canary-user' }, roles: [{ name: 'admin' }] });
  const said: string[] = [];
  const faults: [number, string][] = [
    [200, ''],
    [404, `Could not find token: ${canary}.`],
    [500, canary],
    [403, canary],
    [200, canary],
  ];
  for (const [index, [status, body]] of faults.entries()) {
    if (body !== '') {
      keystone.onValidate = (_request, response) => {
        response.writeHead(status, { 'x-subject-token': canary }).end(body);
        return true;
      };
    }
    // Another form of the same token each time, because answers are cached.
    const token = `${canary}${'='.repeat(index)}`;
    const sent: SentHeaders[] = [
      { 'x-auth-token': token },
      { authorization: `Bearer ${token}` },
      { 'x-auth-token': 'admin', 'x-service-token': token },
      { 'x-auth-token': ofFile },
      { authorization: `Bearer ${ofFile}` },
      { 'x-auth-token': `${ofFile.slice(0, -1)}_`, authorization: `Bearer ${ofFile}` },
      { 'x-auth-token': 'admin', 'x-service-token': ofFile },
      { cookie: `token=${ofFile}`, 'user-agent': ofFile },
    ];
    for (const headers of sent) {
      const answers = [
        await rest(headers),
        await rest({ ...headers, accept: 'text/html' }, '/resource_providers?name=%00'),
        await graphql(headers),
        await graphql(headers, '{ nothing }'),
        await schemaText(headers),
      ];
      for (const answer of answers)
        said.push(JSON.stringify([...answer.headers]), answer.url.endsWith('schema.graphql') ? '' : await answer.text());
    }
  }
  keystone.onValidate = () => false;
  const written = await fetch(`${server.url}/placement/resource_providers`, {
    method: 'POST',
    headers: { 'x-auth-token': canary, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'host' }),
  });
  expect(written.status).toBe(201);
  const events = await database.db.sql`select to_jsonb(events)::text as event from events`;
  expect([JSON.stringify(events), validations(keystone).length > 5]).toEqual([expect.stringContaining('keystone'), true]);
  await fetch(`${server.url}/placement/traits/CUSTOM_CANARY`, {
    method: 'PUT',
    headers: { 'x-auth-token': ofFile, 'openstack-api-version': 'placement 1.39' },
  });
  const audited = () => readFileSync(auditLog, 'utf8');
  await expect.poll(audited).toContain('CUSTOM_CANARY');
  expect(audited()).toContain('"outcome":"unauthenticated"');
  const shown = JSON.stringify(effectiveSettings(readSettings(settingsFor(keystone)).settings));
  const metrics = await Promise.all(
    ['', '/openstack'].map(async (what) => (await fetch(`${server.url}/metrics${what}`, { headers: { 'x-auth-token': canary } })).text()),
  );
  expect(metrics).toEqual([expect.stringContaining('placement_refusals_total'), expect.stringContaining('openstack_placement_')]);
  const everything = [...said, ...lines, ...metrics, JSON.stringify(events), shown, audited(), readFileSync(path, 'utf8')].join('\n');
  for (const secret of [canary, ofFile, ofFile.slice(4), keystone.password, 'own-1']) expect(everything).not.toContain(secret);
});
