// Tokens of Keystone, against a fake one: how they are validated, how rarely, and what they allow.

import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowedByRules } from '../../src/auth/keystone/access-rules.ts';
import { inSeconds, validations } from '../support/fake-keystone.ts';
import { ask, fake, open, told, useFakeKeystone } from '../support/fake-keystone-callers.ts';

useFakeKeystone();

describe('a token', () => {
  test('is validated at the address in the catalog, without its catalog, and in a way that shows access rules', async () => {
    let seen = {};
    fake.keystone.onValidate = ({ headers }) => {
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
      expiresAt: expect.any(Number),
    });
    expect(fake.keystone.asked).toEqual(['POST /v3/auth/tokens', 'GET /v3/auth/tokens?nocatalog good']);
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
    ['a project other than the admin project', { is_admin_project: false }, { isAdminProject: false }],
  ])('of %s is recognized as such', async (_, body, identity) => {
    fake.keystone.tokens.set('other', body);
    expect(await ask(await open(), 'other')).toMatchObject(identity);
  });

  test('is accepted in Authorization, too', async () => {
    const { authenticate } = await open();
    expect(
      await authenticate({ headers: { authorization: 'Bearer good' }, method: 'GET', target: { path: '/' }, ip: '127.0.0.1' }),
    ).toMatchObject({
      user: 'ann-id',
    });
  });

  test.each([
    ['two', 'good, good'],
    ['a static token', 'pgw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['one with a line break', 'good\r\nx-roles: admin'],
    ['a very long one', 'a'.repeat(8193)],
    ['an empty one', ''],
  ])('that cannot be a token of Keystone (%s) is never sent to Keystone', async (_, token) => {
    expect(await ask(await open(), token)).toBeNull();
    expect(validations(fake.keystone)).toEqual([]);
  });

  test('is validated once, however many concurrent requests carry it', async () => {
    const authentication = await open();
    const identities = await Promise.all(Array.from({ length: 50 }, () => ask(authentication, 'good')));
    expect(new Set(identities).size).toBe(1);
    await ask(authentication, 'good');
    expect(validations(fake.keystone)).toHaveLength(1);
  });

  test('is validated again after the cache time, and each time with a cache time of 0', async () => {
    const [cached, uncached] = [
      await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1' }),
      await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' }),
    ];
    expect(await ask(cached, 'good')).not.toBeNull();
    fake.keystone.tokens.delete('good');
    expect(await ask(cached, 'good')).not.toBeNull();
    expect(await ask(uncached, 'good')).toBeNull();
    await pause(1100);
    expect(await ask(cached, 'good')).toBeNull();
    fake.keystone.tokens.set('good', {});
    expect(await ask(uncached, 'good')).not.toBeNull();
  });

  test('is refused once it has expired, cached or not', async () => {
    fake.keystone.tokens.set('short', { expires_at: inSeconds(1) });
    fake.keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open();
    expect(await ask(authentication, 'short')).not.toBeNull();
    expect(await ask(authentication, 'over')).toBeNull();
    await pause(1050);
    expect(await ask(authentication, 'short')).toBeNull();
    expect(validations(fake.keystone)).toHaveLength(2);
  });

  test('that is bad is not validated again for a while, and does not displace a good one in the cache', async () => {
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1' });
    expect([await ask(authentication, 'bad'), await ask(authentication, 'bad')]).toEqual([null, null]);
    expect(validations(fake.keystone)).toHaveLength(1);
    await pause(1050);
    fake.keystone.tokens.set('bad', {});
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
    fake.keystone.tokens.set('service', service).set('reader', { user: { id: 'bob' } });
    fake.keystone.tokens.set('system', { system: { all: true }, roles: [{ name: 'service' }] });
  });

  test('are recorded as forwarding the request, and contribute neither roles nor scope', async () => {
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

  test('are refused when they are invalid, without a user token, or without the role', async () => {
    const authentication = await open();
    expect(await ask(authentication, 'good', { 'x-service-token': 'bad' })).toBeNull();
    expect(await ask(authentication, '', { 'x-service-token': 'service' })).toBeNull();
    expect(await ask(authentication, 'good', { 'x-service-token': 'reader' })).toBeNull();
    expect(await ask(authentication, 'good', { 'x-service-token': 'good' })).toBeNull();
  });

  test('are accepted without the role where it is not required, and then have no effect', async () => {
    fake.keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open({ PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES_REQUIRED: 'off' });
    expect(await ask(authentication, 'good', { 'x-service-token': 'reader' })).toMatchObject({ service: { user: 'bob' } });
    expect(await ask(authentication, 'over', { 'x-service-token': 'reader' })).toBeNull();
  });

  test('let a request of a user continue although its token has expired since', async () => {
    fake.keystone.tokens.set('over', { expires_at: inSeconds(-1) });
    const authentication = await open();
    expect(await ask(authentication, 'over')).toBeNull();
    expect(await ask(authentication, 'over', { 'x-service-token': 'service' })).toMatchObject({ user: 'ann-id' });
    expect(validations(fake.keystone).at(-1)).toBe('GET /v3/auth/tokens?nocatalog&allow_expired=1 over');
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

  test('are matched in linear time, whatever they contain', () => {
    const evil = [{ service: 'placement', method: 'GET', path: `${'**a'.repeat(40)}b` }];
    // In exponential time this would not end.
    expect(allowedByRules(evil, 'GET', `/${'a'.repeat(1000)}`)).toBe(false);
    expect(allowedByRules([{ service: 'placement', method: 'GET', path: '/**' }], 'GET', `/${'a'.repeat(1024)}`)).toBe(false);
  });

  test('restrict a token, GraphQL included, but not a service with its role that forwards it', async () => {
    fake.keystone.tokens.set('nothing', { application_credential: { id: 'n', restricted: true, access_rules: [] } });
    fake.keystone.tokens.set('restricted', { application_credential: { id: 'c', restricted: true, access_rules: rules } });
    fake.keystone.tokens.set('graphql', {
      application_credential: { id: 'd', restricted: true, access_rules: [{ service: 'placement', method: 'POST', path: '/graphql' }] },
    });
    fake.keystone.tokens.set('service', { roles: [{ name: 'service' }] });
    const authentication = await open();
    expect(await ask(authentication, 'nothing', {}, 'GET /placement/traits')).toBeNull();
    expect(await ask(authentication, 'restricted', {}, 'GET /placement/resource_providers?limit=1')).not.toBeNull();
    expect(await ask(authentication, 'restricted', {}, 'GET /placement/traits')).toBeNull();
    expect(await ask(authentication, 'restricted', {}, 'POST /graphql')).toBeNull();
    expect(await ask(authentication, 'graphql', {}, 'POST /graphql')).not.toBeNull();
    expect(await ask(authentication, 'restricted', { 'x-service-token': 'service' }, 'GET /placement/traits')).not.toBeNull();
    expect(told.at(-1)).toBe('the access rules of an application credential of the user ann-id do not allow POST /graphql');
  });
});
