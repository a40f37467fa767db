// Whether each persona passes the rule of each REST route, under the defaults of each release, as measured on upstream behind a Keystone
// (4,056 statuses of 2026-11, two runs with one result).
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../src/auth/callers/headers.ts';
import type { Authentication } from '../../src/auth/callers/method.ts';
import { type Identity, plainIdentity } from '../../src/domain/identity.ts';
import { routes } from '../../src/rest/serving/routes.ts';
import { useDatabase } from '../support/database.ts';
import { type RestClient, type RestQuestion, useRest } from '../support/rest.ts';

const administrator = ['admin', 'manager', 'member', 'reader'];
const plain = (user: string, project: string | null, roles: readonly string[]) => plainIdentity('keystone', user, project, roles);
const personas: Readonly<Record<string, Identity | null>> = {
  anonymous: null,
  garbage: null,
  revoked: null,
  nobody: plain('nobody', null, []),
  reader: plain('reader', 'web-shop', ['reader']),
  manager: plain('manager', 'web-shop', ['manager', 'member', 'reader']),
  member: plain('member', 'data-lake', ['member', 'reader']),
  worker: plain('worker', 'service', ['service']),
  nova: plain('nova', 'service', ['service', ...administrator]),
  admin: plain('admin', 'admin', administrator),
  'admin of a domain': { ...plain('admin', null, administrator), scope: 'domain', domain: 'default' },
  'admin of the system': { ...plain('admin', null, administrator), scope: 'system' },
  auditor: { ...plain('auditor', null, ['reader']), scope: 'system' },
};
/** The token is the name. */
const authentication: Authentication = {
  authenticate: ({ headers }) => personas[tokenOf(headers) ?? ''] ?? null,
  challengesTo: () => [],
  unauthorizedBody: null,
  trouble: () => null,
  close() {},
};

const database = useDatabase();
const clients: Readonly<Record<string, RestClient>> = {
  head: serve({}),
  'head-scope': serve({ PLACEMENT_POLICY_ENFORCE_NEW_DEFAULTS: 'off' }),
  'head-defaults': serve({ PLACEMENT_POLICY_ENFORCE_SCOPE: 'off' }),
  'head-legacy': serve({ PLACEMENT_POLICY_ENFORCE_NEW_DEFAULTS: 'off', PLACEMENT_POLICY_ENFORCE_SCOPE: 'off' }),
  system: serve({ PLACEMENT_POLICY_RULES: 'system-scoped' }),
  legacy: serve({
    PLACEMENT_POLICY_RULES: 'system-scoped',
    PLACEMENT_POLICY_ENFORCE_NEW_DEFAULTS: 'off',
    PLACEMENT_POLICY_ENFORCE_SCOPE: 'off',
  }),
};

function serve(environment: Readonly<Record<string, string>>): RestClient {
  return useRest(database, environment, { authentication });
}

/** One character per persona, in their order: 1 for a 401, 3 for a 403, a dot for everything else. */
async function signs(client: RestClient, route: string, question: RestQuestion = {}): Promise<string> {
  const statuses = await statusesOf(client, route, question);
  return statuses.map((status) => (status === 401 ? '1' : status === 403 ? '3' : '.')).join('');
}

async function statusesOf(client: RestClient, route: string, question: RestQuestion = {}): Promise<number[]> {
  const asked = Object.keys(personas).map((name) =>
    client.ask(route, { ...question, headers: { ...question.headers, 'x-auth-token': name } }),
  );
  return (await Promise.all(asked)).map(({ status }) => status);
}

/** The answers of upstream to reads, writes, reshapes, and usages of two projects and without a project. */
const measured = [
  ['head', '1113333...333', '1113333...333', '1113333..3333', '1113..3...333', '111333....333', '1113333...333'],
  ['head-scope', '1113333...333', '1113333...333', '1113333...333', '1113..3...333', '111333....333', '1113333...333'],
  ['head-defaults', '1113333.....3', '1113333.....3', '1113333..3333', '1113..3.....3', '111333......3', '1113333......'],
  ['head-legacy', '1113333.....3', '1113333.....3', '1113333.....3', '1113..3.....3', '111333......3', '1113333......'],
  ['system', '11133333333..', '11133333333.3', '11133333333.3', '1113..33333..', '111333.3333..', '11133333333..'],
  ['legacy', '11133333.....', '11133333....3', '11133333....3', '1113..33.....', '111333.3.....', '11133333.....'],
] as const;

const guarded = routes.filter(({ policy, until }) => policy !== null && !until && policy !== 'placement:usages');

test('34 routes have a rule for administrators and services', () => expect(guarded).toHaveLength(34));

describe.each(measured)('under the rules of %s', (variant, reads, writes, reshapes, ofWebShop, ofDataLake, ofNone) => {
  const client = clients[variant] as RestClient;

  test('each route admits the same personas as upstream', async () => {
    const wrong: string[] = [];
    for (const { method, path, policy } of guarded) {
      const there = `${method} ${path}`.replaceAll(/\{(consumer_)?uuid\}/g, randomUUID()).replace(/\{\w+\}/, 'CUSTOM_NONE');
      const expected = policy === 'placement:reshaper:reshape' ? reshapes : method === 'GET' ? reads : writes;
      const found = await signs(client, there, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
      if (found !== expected) wrong.push(`${method} ${path}: ${found}, upstream ${expected}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['?project_id=web-shop', ofWebShop],
    ['?project_id=data-lake', ofDataLake],
    ['?project_id=unknown', reads],
    ['?project_id=web-shop&user_id=ann', ofWebShop],
    ['?project_id=data-lake&project_id=web-shop', ofWebShop],
    ['', ofNone],
  ])('usages%s admit the same personas as upstream', async (query, expected) => {
    expect(await signs(client, `GET /usages${query}`)).toBe(expected);
  });
});

describe('what is decided before and after the rule is as upstream:', () => {
  const unknown = [401, 401, 401];
  const all = (status: number) => [...unknown, ...Array<number>(10).fill(status)];
  const allowed = (status: number) => [...unknown, 403, 403, 403, 403, status, status, status, 403, 403, 403];

  test.each<[words: string, route: string, question: RestQuestion, statuses: number[]]>([
    ['the root', 'GET /', {}, Array<number>(13).fill(200)],
    ['no route', 'GET /no_such_route', {}, all(404)],
    ['no such method', 'PATCH /resource_providers', { body: {} }, all(405)],
    ['version 9.99', 'GET /resource_providers', { version: '9.99' }, all(406)],
    ['a version before the route', 'GET /usages?project_id=web-shop', { version: '1.8' }, all(404)],
    ['accepting text', 'GET /resource_providers', { headers: { accept: 'text/plain' } }, all(406)],
    ['a bad parameter', 'GET /resource_providers?no_such=1', {}, allowed(400)],
    ['a provider that does not exist', `GET /resource_providers/${randomUUID()}`, {}, allowed(404)],
    ['a body as text', 'POST /resource_providers', { body: '{}', headers: { 'content-type': 'text/plain' } }, all(415)],
    ['a body that is not JSON', 'POST /resource_providers', { body: '{' }, allowed(400)],
    ['a body against the schema', 'POST /resource_providers', { body: { colour: 'blue' } }, allowed(400)],
  ])('%s', async (_, route, question, expected) => {
    expect(await statusesOf(clients.head as RestClient, route, question)).toEqual(expected);
  });

  test.each([
    ['reader', 'Policy does not allow placement:resource_providers:list to be performed.'],
    ['auditor', 'placement:resource_providers:list'],
  ])('the message to a %s', async (persona, words) => {
    const answer = await (clients.head as RestClient).ask('GET /resource_providers', { headers: { 'x-auth-token': persona } });
    expect(answer.json).toMatchObject({
      errors: [
        { status: 403, title: 'Forbidden', detail: `Access was denied to this resource.\n\n ${words}  `, code: 'placement.undefined_code' },
      ],
    });
    expect(answer.headers).toMatchObject({ 'openstack-api-version': 'placement 1.39' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });
});
