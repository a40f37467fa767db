import { describe, expect, test } from 'vitest';
import { authenticateByClaim } from '../../src/auth/noauth.ts';
import { targetOf } from '../../src/auth/policy/policy.ts';
import type { Identity } from '../../src/domain/identity.ts';
import { defaultPolicy } from '../support/policy.ts';

const identify = (token?: string | string[]) => authenticateByClaim({ headers: { 'x-auth-token': token } });

describe('noauth', () => {
  test('the token is user:project, and without a colon the project is the user', () => {
    expect(identify('ann:blue')).toMatchObject({ user: 'ann', project: 'blue', roles: [] });
    expect(identify('ann')).toMatchObject({ user: 'ann', project: 'ann', roles: [] });
    expect(identify('ann:')).toMatchObject({ user: 'ann', project: 'ann', roles: [] });
    expect(identify('ann:blue:green')).toMatchObject({ user: 'ann', project: 'blue:green', roles: [] });
  });

  test('the user admin has the roles that allow everything, in any project', () => {
    expect(identify('admin')?.roles).toEqual(['admin', 'service']);
    expect(identify('admin:blue')?.roles).toEqual(['admin', 'service']);
    expect(identify('blue:admin')?.roles).toEqual([]);
    expect(identify('Admin')?.roles).toEqual([]);
  });

  test.each([undefined, '', ':blue', 'admin, ann', 'admin,admin', 'ad\u0000min', 'a'.repeat(256), `a:${'b'.repeat(256)}`])(
    'the token %j names no caller',
    (token) => {
      expect(identify(token)).toBeNull();
    },
  );

  test('a list of tokens names no caller', () => {
    expect(identify(['admin', 'ann'])).toBeNull();
  });
});

describe('the policy', () => {
  test('lets only the administrator read', () => {
    const policy = defaultPolicy();
    const mayRead = (caller: Identity | null) => policy.allows('placement:graphql:consumers:read', caller, targetOf(caller));
    expect([null, identify('ann'), identify('admin')].map(mayRead)).toEqual([false, false, true]);
  });
});
