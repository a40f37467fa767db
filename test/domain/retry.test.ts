import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainSearch } from '../../src/domain/candidates/explain.ts';
import type { CandidateRequest } from '../../src/domain/candidates/request.ts';
import { searchCandidates } from '../../src/domain/candidates/search.ts';
import { problemOf } from '../../src/domain/errors.ts';
import { retryOf } from '../../src/domain/retry.ts';
import { readRequest } from '../support/candidate-request.ts';
import { sampled } from '../support/profile.ts';
import { randomCloud, randomRequest } from '../support/random-clouds.ts';
import { type DrawnProvider, forestOf } from '../support/tree.ts';

test('after a conflict the client must read first, and a claim of a new consumer that exists is never reported as repeatable', () => {
  const resent = problemOf({ code: 'CONSUMER_CONFLICT', details: { consumer: 'c', expected: null, actual: 1 } }, [
    'consumers',
    0,
    'expect',
  ]);
  expect(resent).toMatchObject({ retry: 'AFTER_READ', path: ['consumers', '0', 'expect'], expected: null, actual: 1 });
  expect(retryOf('PROVIDER_CONFLICT')).toBe('AFTER_READ');
});

test('a request that lacks only room may be sent again unchanged', () => {
  expect(['CAPACITY_EXCEEDED', 'NO_CANDIDATES', 'UNAVAILABLE'].map(retryOf)).toEqual(['LATER', 'LATER', 'LATER']);
});

test('everything else is refused again, including unknown codes and names of methods', () => {
  expect(['NOT_FOUND', 'IN_USE', 'NEWS', 'constructor', '__proto__'].map(retryOf)).toEqual(Array(5).fill('NEVER'));
});

describe('a search that finds nothing', () => {
  const retry = (cloud: string | readonly DrawnProvider[], request: CandidateRequest) =>
    problemOf({ code: 'NO_CANDIDATES', details: { consumer: 'c', explanation: explainSearch(forestOf(cloud), request) } }, []).retry;

  test('may be repeated if it lacks room', () => {
    expect(retry('cn1 VCPU 4 used 4', readRequest('VCPU:1'))).toBe('LATER');
  });

  test.each([
    ['more than every maxUnit', 'VCPU:9'],
    ['a class that no provider has', 'MEMORY_MB:1'],
    ['a root trait that no root has', 'VCPU:1 root(FAST)'],
  ])('is refused again if it requests %s', (_, request) => {
    expect(retry('cn1 VCPU 4 max 2 used 4\ncn2 VCPU 8 max 8', readRequest(request))).toBe('NEVER');
  });

  test('is refused again only if it would find nothing even if nothing were in use', () => {
    fc.assert(
      fc.property(randomCloud, randomRequest, (cloud, request) => {
        if (searchCandidates(forestOf(cloud), { ...request, limit: 1 }).candidates.length > 0) return;
        if (retry(cloud, request) !== 'NEVER') return;
        const idle = cloud.map((provider) => ({ ...provider, inventories: provider.inventories.map((one) => ({ ...one, used: 0 })) }));
        expect(searchCandidates(forestOf(idle), { ...request, limit: 1 }).candidates).toHaveLength(0);
      }),
      { numRuns: sampled(600) },
    );
  });
});
