// The gateway behind a real Keystone: tokens of every kind, what takes them away, and a Keystone that is down, slow and back.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthentication } from '../../src/auth/authenticate.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import type { SentHeaders } from '../support/tokens-file.ts';
import { adminPassword, RealKeystone } from './real-keystone.ts';

const keystone = new RealKeystone();
const database = useDatabase();
const lines: string[] = [];
const { log } = createLogger({ level: 'trace', write: (line) => lines.push(line) });
const servers: RunningServer[] = [];
/** By name. */
const projects: Record<string, string> = {};
const users: Record<string, string> = {};
const roles: Record<string, string> = {};
const secrets: string[] = [];
const passwordFile = () => join(keystone.directory, 'password-of-placement');

/** Settings of a gateway that remembers tokens for a second. */
const settings = (more: Record<string, string> = {}) => ({
  PLACEMENT_PORT: '0',
  PLACEMENT_AUTH: 'keystone',
  PLACEMENT_KEYSTONE_AUTH_URL: keystone.url,
  PLACEMENT_KEYSTONE_USERNAME: 'placement',
  PLACEMENT_KEYSTONE_PASSWORD_FILE: passwordFile(),
  PLACEMENT_KEYSTONE_PROJECT_NAME: 'service',
  PLACEMENT_KEYSTONE_REGION_NAME: 'RegionOne',
  PLACEMENT_KEYSTONE_TIMEOUT: '20',
  PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1',
  ...more,
});
async function serve(more: Record<string, string> = {}): Promise<string> {
  const server = await startServer({ settings: readSettings(settings(more)).settings, db: database.db, log });
  servers.push(server);
  return server.url;
}

let url: string;
/** A gateway that remembers tokens for five minutes. */
let remembering: string;

beforeAll(async () => {
  await keystone.create();
  writeFileSync(passwordFile(), 'pass-of-placement\n');
  for (const name of ['service', 'web-shop']) projects[name] = await keystone.make('project', { name, domain_id: 'default' });
  for (const name of ['service', 'reader', 'admin']) {
    const { roles: found } = (await keystone.call('GET', `/roles?name=${name}`)) as { roles: { id: string }[] };
    roles[name] = found[0]?.id ?? (await keystone.make('role', { name }));
  }
  for (const name of ['placement', 'nova', 'ann', 'nobody']) {
    users[name] = await keystone.make('user', { name, domain_id: 'default', password: `pass-of-${name}` });
  }
  await assign('PUT', 'placement', 'service', 'service');
  await assign('PUT', 'nova', 'service', 'service');
  await assign('PUT', 'ann', 'reader', 'web-shop');
  url = await serve();
  remembering = await serve({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '300', PLACEMENT_KEYSTONE_TIMEOUT: '4' });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await keystone.remove();
});

const assign = (method: 'PUT' | 'DELETE', user: string, role: string, project: string) =>
  keystone.call(method, `/projects/${projects[project]}/users/${users[user]}/roles/${roles[role]}`);

async function tokenOf(user: string, project: string): Promise<string> {
  const token = await keystone.token(user, { project: projects[project] ?? '' });
  secrets.push(token);
  return token;
}

const get = (token: string, path = '/resource_providers', base = url, headers: SentHeaders = {}) =>
  fetch(`${base}/placement${path}`, { headers: { 'x-auth-token': token, 'openstack-api-version': 'placement 1.39', ...headers } });
const status = async (...request: Parameters<typeof get>) => (await get(...request)).status;
const graphql = (token: string, base = url) =>
  fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ resourceProviders(first: 1) { totalCount } }' }),
  });
const settles = (expected: number, ...request: Parameters<typeof get>) =>
  expect.poll(() => status(...request), { timeout: 20_000, interval: 300 }).toBe(expected);

describe('a token', () => {
  test('is known with its scope, its domains and its roles', async () => {
    const authentication = await openAuthentication(readSettings(settings()).settings, log);
    const who = (token: string) =>
      authentication.authenticate({
        headers: { 'x-auth-token': token },
        method: 'GET',
        target: { path: '/placement/traits' },
        ip: '127.0.0.1',
      });
    const [ann, admin] = [users.ann, ((await keystone.call('GET', '/users?name=admin')) as { users: { id: string }[] }).users[0]?.id];
    expect(await who(await tokenOf('ann', 'web-shop'))).toMatchObject({
      user: ann,
      project: projects['web-shop'],
      roles: ['reader'],
      scope: 'project',
      userDomain: 'default',
      projectDomain: 'default',
    });
    expect(await who(await keystone.token('ann', 'unscoped'))).toMatchObject({ user: ann, project: null, roles: [], scope: 'none' });
    const system = await who(await keystone.token('admin', 'system', adminPassword));
    expect(system).toMatchObject({ user: admin, project: null, scope: 'system', domain: null });
    expect([...(system?.roles ?? [])].sort()).toEqual(['admin', 'member', 'reader']);
    await keystone.call('PUT', `/domains/default/users/${admin}/roles/${roles.admin}`);
    expect(await who(await keystone.token('admin', 'domain', adminPassword))).toMatchObject({
      project: null,
      scope: 'domain',
      domain: 'default',
    });
    authentication.close();
  });

  test('has the rights of its roles, in both APIs', async () => {
    expect(await status(await tokenOf('nova', 'service'))).toBe(200);
    const ann = await tokenOf('ann', 'web-shop');
    expect([await status(ann), await status(ann, `/usages?project_id=${projects['web-shop']}`)]).toEqual([403, 200]);
    expect(await status(ann, '/usages?project_id=another')).toBe(403);
    expect((await graphql(await tokenOf('ann', 'web-shop'))).status).toBe(403);
    const nobody = await keystone.token('nobody', 'unscoped');
    expect([await status(nobody), await status('garbage'), await status('garbage', '')]).toEqual([403, 401, 200]);
    const refused = await get('garbage');
    expect(refused.headers.get('www-authenticate')).toBe(`Keystone uri="${keystone.url}"`);
  });

  test('has the roles of today: given, they count; taken, they do not', async () => {
    await assign('PUT', 'nobody', 'reader', 'web-shop');
    const token = await tokenOf('nobody', 'web-shop');
    expect(await status(token)).toBe(403);
    await assign('PUT', 'nobody', 'service', 'web-shop');
    await settles(200, token);
    await assign('DELETE', 'nobody', 'service', 'web-shop');
    await settles(403, token);
    await assign('DELETE', 'nobody', 'reader', 'web-shop');
    await settles(401, token);
    await assign('PUT', 'nobody', 'reader', 'web-shop');
    await settles(403, token);
  });

  test('that is revoked ends with the time for which it is remembered', async () => {
    const token = await tokenOf('nova', 'service');
    expect([await status(token), await status(token, undefined, remembering)]).toEqual([200, 200]);
    await keystone.call('DELETE', '/auth/tokens', undefined, { 'x-subject-token': token });
    await settles(401, token);
    expect(await status(token, undefined, remembering)).toBe(200);
  });

  test('of a project that is disabled is bad, until it is enabled again', async () => {
    const token = await tokenOf('ann', 'web-shop');
    await settles(403, token);
    await keystone.call('PATCH', `/projects/${projects['web-shop']}`, { project: { enabled: false } });
    await settles(401, token);
    await keystone.call('PATCH', `/projects/${projects['web-shop']}`, { project: { enabled: true } });
    // Disabling has revoked what was issued before.
    await pause(1100);
    expect(await status(await tokenOf('ann', 'web-shop'))).toBe(403);
  });
});

describe('an application credential', () => {
  const credential = async (attributes: object) => {
    const own = { 'x-auth-token': await tokenOf('nova', 'service') };
    const body = { application_credential: { name: `credential-${randomUUID()}`, ...attributes } };
    const made = await keystone.call('POST', `/users/${users.nova}/application_credentials`, body, own);
    const { id, secret } = made.application_credential as { id: string; secret: string };
    secrets.push(secret);
    return { id, secret };
  };
  const logIn = (application_credential: object) =>
    keystone.logIn({ identity: { methods: ['application_credential'], application_credential } });

  test('with access rules may do what they allow, and nothing else', async () => {
    const rules = (...paths: string[]) => ({ access_rules: paths.map((path) => ({ service: 'placement', method: 'GET', path })) });
    const token = await logIn(await credential(rules('/placement/resource_providers', '/placement/resource_providers/{uuid}/inventories')));
    expect([await status(token), await status(token, '/resource_providers?name=none')]).toEqual([200, 200]);
    expect(await status(token, `/resource_providers/${projects.service}/inventories`)).toBe(404);
    expect([await status(token, '/traits'), (await graphql(token)).status]).toEqual([401, 401]);
  });

  test('can be what the gateway logs in with', async () => {
    const { id, secret } = await credential({});
    const { PLACEMENT_KEYSTONE_USERNAME: _, PLACEMENT_KEYSTONE_PASSWORD_FILE: __, ...rest } = settings();
    const more = { PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: id, PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET: secret };
    const authentication = await openAuthentication(readSettings({ ...rest, ...more }).settings, log);
    const token = await tokenOf('ann', 'web-shop');
    expect(
      await authentication.authenticate({ headers: { 'x-auth-token': token }, method: 'GET', target: { path: '/' }, ip: '127.0.0.1' }),
    ).toMatchObject({
      user: users.ann,
    });
    authentication.close();
  });
});

describe('a service token', () => {
  test('lends the caller no rights, and is refused without the role', async () => {
    const [ann, nova] = [await tokenOf('ann', 'web-shop'), await tokenOf('nova', 'service')];
    expect(await status(ann, '/resource_providers', url, { 'x-service-token': nova })).toBe(403);
    expect(await status(nova, '/resource_providers', url, { 'x-service-token': ann })).toBe(401);
    expect(await status(nova, '/resource_providers', url, { 'x-service-token': 'garbage' })).toBe(401);
  });
});

describe('the service user', () => {
  test('may change its password: its tokens are revoked, and the new one is read from the file', async () => {
    expect(await status(await tokenOf('nova', 'service'))).toBe(200);
    await keystone.call('PATCH', `/users/${users.placement}`, { user: { password: 'another-of-placement' } });
    writeFileSync(passwordFile(), 'another-of-placement\n');
    secrets.push('another-of-placement');
    await pause(1100);
    await settles(200, await tokenOf('nova', 'service'));
  });

  test('without the role service cannot validate: 503, and the log says what to do', async () => {
    const other = await serve({
      PLACEMENT_KEYSTONE_USERNAME: 'ann',
      PLACEMENT_KEYSTONE_PROJECT_NAME: 'web-shop',
      PLACEMENT_KEYSTONE_PASSWORD_FILE: '',
      PLACEMENT_KEYSTONE_PASSWORD: 'pass-of-ann',
    });
    const answer = await get(await tokenOf('nova', 'service'), undefined, other);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(lines.join('')).toContain('the service user may not validate tokens: give it the role service');
  });
});

test('the command openstack works with the clouds.yaml of docs/replacing-upstream.md and a password', async () => {
  const service = await keystone.make('service', { type: 'placement', name: 'placement' });
  for (const name of ['public', 'internal', 'admin']) {
    await keystone.make('endpoint', { service_id: service, interface: name, region_id: 'RegionOne', url: `${url}/placement` });
  }
  const [, clouds = ''] =
    /```yaml\n(clouds:\n[^`]*)```/.exec(readFileSync(new URL('../../docs/replacing-upstream.md', import.meta.url), 'utf8')) ?? [];
  const filled = clouds
    .replace(/https:\S+/, keystone.url)
    .replace(/password: .*/, 'password: pass-of-nova')
    .replace(/username: .*/, 'username: nova');
  writeFileSync(join(keystone.directory, 'clouds.yaml'), filled);
  const run = promisify(execFile);
  const openstack = (...command: string[]) =>
    run('openstack', ['--os-cloud', 'mycloud', 'resource', 'provider', ...command, '-f', 'json'], {
      cwd: keystone.directory,
      timeout: 100_000,
    });
  const created = JSON.parse((await openstack('create', 'made-by-the-command')).stdout);
  expect(created).toMatchObject({ name: 'made-by-the-command', generation: 0 });
  expect(JSON.parse((await openstack('list')).stdout)).toContainEqual(expect.objectContaining({ uuid: created.uuid }));
});

describe('a Keystone', () => {
  test('that is slow keeps nobody waiting for longer than the time set, and does not touch tokens that are remembered', async () => {
    const [known, later] = [await tokenOf('nova', 'service'), await tokenOf('nova', 'service')];
    expect(await status(known, undefined, remembering)).toBe(200);
    await pause(1100);
    const fresh = await tokenOf('ann', 'web-shop');
    keystone.signal('SIGSTOP');
    const before = performance.now();
    const answers = await Promise.all([
      get(fresh, undefined, remembering),
      graphql(later, remembering),
      get(known, undefined, remembering),
    ]);
    keystone.signal('SIGCONT');
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(answers.map((answer) => answer.status)).toEqual([503, 503, 200]);
    await settles(403, fresh, undefined, remembering);
  });

  test('that is down is no reason for a 401, and its tokens work again when it is back', async () => {
    const known = await tokenOf('nova', 'service');
    const fresh = await keystone.token('ann', 'unscoped');
    expect(await status(known, undefined, remembering)).toBe(200);
    await keystone.stop();
    expect(await status(known, undefined, remembering)).toBe(200);
    expect(await status('', undefined, remembering)).toBe(401);
    const refused = await get(fresh, undefined, remembering, { accept: 'application/json' });
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('www-authenticate')]).toEqual([503, '1', null]);
    expect(await refused.json()).toEqual({
      message:
        'The server is currently unavailable. Please try again at a later time.<br /><br />\nThe Keystone service is temporarily unavailable.\n\n',
      code: '503 Service Unavailable',
      title: 'Service Unavailable',
    });
    const answer = await graphql(fresh, remembering);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE', retry: 'LATER' } }] });
    const ready = await fetch(`${remembering}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', warnings: { identity: 'Keystone: it refused the connection' } },
    ]);
    await keystone.start();
    expect(await status(fresh, undefined, remembering)).toBe(403);
    expect(await (await fetch(`${remembering}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  test('whose tokens are short: they end, a service carries on with them, and the gateway renews its own', async () => {
    const tokenSeconds = 16;
    await keystone.stop();
    keystone.configure({ tokenSeconds });
    await keystone.start();
    const gateway = await serve({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '300' });
    const nova = await tokenOf('nova', 'service');
    const end = Date.now() + tokenSeconds * 1000;
    expect(await status(nova, undefined, gateway)).toBe(200);
    await pause(end + 500 - Date.now());
    expect(await status(nova, undefined, gateway)).toBe(401);
    const [again, service] = [await tokenOf('nova', 'service'), await tokenOf('nova', 'service')];
    expect(await status(again, undefined, gateway)).toBe(200);
    expect(await status(nova, undefined, gateway, { 'x-service-token': service })).toBe(200);
    expect(await status(nova, undefined, gateway)).toBe(401);
  });
});

test('no token, no password and nothing that Keystone said is in the log', () => {
  const said = lines.join('\n');
  expect(lines.length).toBeGreaterThan(50);
  for (const secret of [...secrets, 'pass-of-placement', 'pass-of-ann']) expect(said).not.toContain(secret);
  expect(said).not.toMatch(/gAAAA|Could not|not authorized/);
});
