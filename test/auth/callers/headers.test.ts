import { describe, expect, test } from 'vitest';
import { bearerTo, tokenOf } from '../../../src/auth/callers/headers.ts';

describe('the token of a request', () => {
  test('is read from X-Auth-Token, or from Authorization with the scheme Bearer in any letter case', () => {
    expect(tokenOf({ 'x-auth-token': 'one' })).toBe('one');
    expect(tokenOf({ authorization: 'Bearer one' })).toBe('one');
    expect(tokenOf({ authorization: 'bearer  one' })).toBe('one');
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer one' })).toBe('one');
  });

  test('is refused when there are two', () => {
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer two' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': '', authorization: 'Bearer two' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': ['one', 'one'] })).toBeNull();
  });

  test('is not read from other schemes of Authorization, which may belong to a proxy', () => {
    expect(tokenOf({ authorization: 'Basic b25lOnR3bw==' })).toBeNull();
    expect(tokenOf({ authorization: 'Bearerone' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Basic b25lOnR3bw==' })).toBe('one');
  });
});

test('the challenge says whether there was a token', () => {
  expect(bearerTo({})).toEqual(['Bearer realm="placement"']);
  expect(bearerTo({ authorization: 'Basic b25lOnR3bw==' })).toEqual(['Bearer realm="placement"']);
  expect(bearerTo({ 'x-auth-token': 'stolen' })).toEqual(['Bearer realm="placement", error="invalid_token"']);
});
