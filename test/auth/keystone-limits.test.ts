// Reading limits from a fake Keystone that does what a real one does rarely: lists cut off, nonsense, refusals.
import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { openLimits } from '../../src/auth/keystone/limits.ts';
import { limits as bounds } from '../../src/domain/limits.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { settingsFor } from '../support/fake-keystone.ts';
import { fake, useFakeKeystone } from '../support/fake-keystone-callers.ts';

useFakeKeystone();

type Answer = readonly [status: number, body: object];
/** Answers by path, without the query. */
let answers: Record<string, Answer>;
const registered = (name: string, limit: number, region: string | null = 'one') => ({
  ...{ resource_name: name, default_limit: limit, region_id: region, service_id: 'nova' },
});
const limit = (name: string, most: number, owner: object, region: string | null = 'one') => ({
  ...{ resource_name: name, resource_limit: most, region_id: region, service_id: 'nova', project_id: null, domain_id: null },
  ...owner,
});
const list = (noun: string, elements: readonly object[], more: object = {}): Answer => [
  200,
  { [noun]: elements, links: { next: null }, ...more },
];
const pathOf = ({ url = '' }: IncomingMessage) => url.replace(/\?.*/, '');

beforeEach(() => {
  answers = {
    '/v3/endpoints/e1': [200, { endpoint: { service_id: 'nova', region_id: 'one' } }],
    '/v3/registered_limits': list('registered_limits', [
      registered('class:VCPU', 10),
      registered('class:VCPU', 99, 'two'),
      registered('servers', 5, null),
    ]),
    '/v3/limits': list('limits', [limit('class:VCPU', 20, { project_id: 'p1' }), limit('class:VCPU', 30, { domain_id: 'dom' })]),
    '/v3/limits/model': [200, { model: { name: 'flat', description: '' } }],
    '/v3/projects': list('projects', [
      { id: 'p1', domain_id: 'dom', parent_id: 'dom' },
      { id: 'p2', domain_id: 'dom', parent_id: 'dom' },
    ]),
  };
  fake.keystone.onValidate = (request, response) => {
    const [status, body] = answers[pathOf(request)] ?? [404, {}];
    if (request.headers['x-auth-token'] === 'own-1' && hasRevoked) return false;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  hasRevoked = false;
});
let hasRevoked = false;

const open = (more: Record<string, string> = {}) =>
  openLimits(readSettings(settingsFor(fake.keystone, { PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: 'e1', ...more })).settings);
const read = async () => (await open())();

describe('limits', () => {
  test('are those of the service and region of the endpoint, read with a token of the system', async () => {
    expect(await read()).toEqual({
      limits: [
        { resourceName: 'class:VCPU', amount: 10, owner: null },
        { resourceName: 'class:VCPU', amount: 20, owner: 'p1' },
      ],
      domains: new Map(),
    });
    expect(JSON.parse(fake.keystone.logIns[0] ?? '').auth.scope).toEqual({ system: { all: true } });
    expect(fake.keystone.asked.slice(1)).toEqual([
      'GET /v3/endpoints/e1',
      'GET /v3/registered_limits?service_id=nova&region_id=one',
      'GET /v3/limits?service_id=nova&region_id=one',
      'GET /v3/limits/model',
    ]);
  });

  test('of an endpoint without a region are those without one', async () => {
    answers['/v3/endpoints/e1'] = [200, { endpoint: { service_id: 'nova', region_id: null } }];
    expect((await read()).limits).toEqual([{ resourceName: 'servers', amount: 5, owner: null }]);
    expect(fake.keystone.asked[2]).toBe('GET /v3/registered_limits?service_id=nova');
  });

  test('of two levels have those of domains, and the domains of all projects', async () => {
    answers['/v3/limits/model'] = [200, { model: { name: 'strict_two_level' } }];
    const { limits, domains } = await read();
    expect(limits).toContainEqual({ resourceName: 'class:VCPU', amount: 30, owner: 'dom' });
    expect([...domains]).toEqual([
      ['p1', 'dom'],
      ['p2', 'dom'],
    ]);
  });

  test('follow changes, and a revoked token is replaced', async () => {
    const again = await open();
    await again();
    answers['/v3/limits'] = list('limits', []);
    hasRevoked = true;
    fake.keystone.revokeOwn();
    expect((await again()).limits).toEqual([{ resourceName: 'class:VCPU', amount: 10, owner: null }]);
    expect(fake.keystone.logIns).toHaveLength(2);
  });

  test('can be as many as the bound', async () => {
    const many = Array.from({ length: bounds.keystoneLimits }, (_, index) => limit('class:VCPU', index, { project_id: `p${index}` }));
    answers['/v3/limits'] = list('limits', many);
    expect((await read()).limits).toHaveLength(bounds.keystoneLimits + 1);
    answers['/v3/limits'] = list('limits', [...many, limit('servers', 1, { project_id: 'p1' })]);
    await expect(read()).rejects.toThrow(/^it has more than 20000 limits$/);
    answers['/v3/limits'] = list('limits', [
      limit('servers', 1, { project_id: 'p1', description: 'x'.repeat(bounds.keystoneLimits * 1024) }),
    ]);
    await expect(read()).rejects.toThrow(/^it answered with more than \d+ bytes$/);
  });
});

describe('nothing is read', () => {
  test.each<[string, string, Answer, RegExp]>([
    ['of an unknown endpoint', '/v3/endpoints/e1', [404, {}], /^it has no \/endpoints\/e1$/],
    ['without the right', '/v3/limits', [403, {}], /^the service user may not read limits: give it the role reader on the system$/],
    ['from a Keystone in trouble', '/v3/limits', [500, {}], /^it answered limits with 500$/],
    ['from nonsense', '/v3/limits', [200, { limits: [{}] }], /^its answer does not describe limits$/],
    [
      'from a list that is cut off',
      '/v3/limits',
      list('limits', [], { truncated: true }),
      /^it does not list all limits: raise its list_limit$/,
    ],
    [
      'from a page of a list',
      '/v3/limits',
      list('limits', [], { links: { next: 'http://k' } }),
      /^it does not list all limits: raise its list_limit$/,
    ],
    ['of a model of the future', '/v3/limits/model', [200, { model: { name: 'deep' } }], /^it has an unknown enforcement model: deep$/],
    [
      'without registered limits, since the endpoint may be a wrong one',
      '/v3/registered_limits',
      list('registered_limits', [registered('server_groups', 1), registered('servers', 1, 'two')]),
      /^the service of the endpoint e1 has no registered limits for servers or class:… in the region one$/,
    ],
  ])('%s', async (_, path, answer, message) => {
    answers[path] = answer;
    await expect(read()).rejects.toThrow(message);
  });

  test('without a role on the system', async () => {
    fake.keystone.password = 'another';
    await expect(read()).rejects.toThrow(/^it refused the log-in of the service user: .*that it has the role reader on the system$/);
  });
});
