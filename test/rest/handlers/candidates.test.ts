import { expect, test } from 'vitest';
import { findsMany } from '../../../src/rest/handlers/candidates.ts';
import { Query } from '../../../src/rest/query.ts';

test.each<[string, number | null, boolean]>([
  ['limit=1000', null, false],
  ['limit=1001', null, true],
  ['', null, true],
  ['', 1000, false],
  ['limit=5000', 1000, false],
])('a search with the query %j and a configured maximum of %j is heavy: %j', (query, maxCandidates, isHeavy) => {
  expect(findsMany({ query: new Query(query), searchSettings: { maxCandidates, randomizeCandidates: false } })).toBe(isHeavy);
});

test('the first of several limits decides whether a search is heavy, as it is the one that counts', () => {
  const searchSettings = { maxCandidates: null, randomizeCandidates: false };
  expect(findsMany({ query: new Query('limit=5000&limit=1'), searchSettings })).toBe(true);
  expect(findsMany({ query: new Query('limit=1&limit=5000'), searchSettings })).toBe(false);
});
