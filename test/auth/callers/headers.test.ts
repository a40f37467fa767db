import { describe, expect, test } from 'vitest';
import { bearerTo, tokenOf } from '../../../src/auth/callers/headers.ts';

describe('the token of a request', () => {
  test('is in X-Auth-Token, or in Authorization with the scheme Bearer in any case', () => {
    expect(tokenOf({ 'x-auth-token': 'one' })).toBe('one');
    expect(tokenOf({ authorization: 'Bearer one' })).toBe('one');
    expect(tokenOf({ authorization: 'bearer  one' })).toBe('one');
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer one' })).toBe('one');
  });

  test('is not decided between two', () => {
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer two' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': '', authorization: 'Bearer two' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Bearer' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': ['one', 'one'] })).toBeNull();
  });

  test('is not in other schemes of Authorization, which may be those of a proxy', () => {
    expect(tokenOf({ authorization: 'Basic b25lOnR3bw==' })).toBeNull();
    expect(tokenOf({ authorization: 'Bearerone' })).toBeNull();
    expect(tokenOf({ 'x-auth-token': 'one', authorization: 'Basic b25lOnR3bw==' })).toBe('one');
  });
});

test('the challenge tells whether there was a token', () => {
  expect(bearerTo({})).toEqual(['Bearer realm="placement"']);
  expect(bearerTo({ authorization: 'Basic b25lOnR3bw==' })).toEqual(['Bearer realm="placement"']);
  expect(bearerTo({ 'x-auth-token': 'stolen' })).toEqual(['Bearer realm="placement", error="invalid_token"']);
});
