import { expect, test } from 'vitest';
import { problemOf } from '../../src/domain/errors.ts';
import { retryOf } from '../../src/domain/retry.ts';

test('a conflict is to be read first, and a claim of a new consumer that exists never says that it may be sent again', () => {
  const resent = problemOf({ code: 'CONSUMER_CONFLICT', details: { consumer: 'c', expected: null, actual: 1 } }, [
    'consumers',
    0,
    'expect',
  ]);
  expect(resent).toMatchObject({ retry: 'AFTER_READ', path: ['consumers', '0', 'expect'], expected: null, actual: 1 });
  expect(retryOf('PROVIDER_CONFLICT')).toBe('AFTER_READ');
});

test('what only room can cure may be sent again as it is', () => {
  expect(['CAPACITY_EXCEEDED', 'NO_CANDIDATES', 'UNAVAILABLE'].map(retryOf)).toEqual(['LATER', 'LATER', 'LATER']);
});

test('everything else is refused again, unknown codes and the names of methods too', () => {
  expect(['NOT_FOUND', 'IN_USE', 'NEWS', 'constructor', '__proto__'].map(retryOf)).toEqual(Array(5).fill('NEVER'));
});
