// Examination. The search against brute force, over random clouds and requests: no candidate is missing, wrong or duplicated; also limits and
// orders. Counterexamples are shrunk to a few providers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CandidateRequest, FreeSortKey, GroupMapping, RootRule } from '../../../src/domain/candidates/request.ts';
import { searchCandidates, summarize } from '../../../src/domain/candidates/search.ts';
import { askOracle, countCombinations, describeCandidate } from '../../support/candidate-oracle.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { cloudClasses, randomCloud, randomRequest } from '../../support/random-clouds.ts';
import { type DrawnProvider, forestOf, readDrawing } from '../../support/tree.ts';

const runs = 2400;

/** A cloud with a request that the oracle can answer in reasonable time. */
const question = fc.tuple(randomCloud, randomRequest).filter(([cloud, request]) => countCombinations(cloud, request) <= 1000);
const resourceClass = fc.constantFrom(...cloudClasses);
/** Weights of one class, or of several, some of them negative. */
const weights = fc.oneof(
  resourceClass.map((one) => [{ resourceClass: one, weight: 1 }]),
  fc.uniqueArray(fc.record({ resourceClass, weight: fc.constantFrom(-1000, -1, 0.25, 1, 3) }), {
    selector: (one) => one.resourceClass,
    minLength: 1,
    maxLength: 3,
  }),
);
const freeKeys = fc.array(fc.record({ by: fc.constant('FREE' as const), weights, descending: fc.boolean() }), { maxLength: 3 });
const lastKey = fc.oneof(
  fc.constant([]),
  fc.record({ by: fc.constant('CREATED_AT' as const), descending: fc.boolean() }).map((key) => [key]),
  fc.record({ by: fc.constant('RANDOM' as const), seed: fc.integer() }).map((key) => [key]),
);
const order: fc.Arbitrary<CandidateRequest['order']> = fc.tuple(freeKeys, lastKey).map(([free, last]) => [...free, ...last]);

/** The engine's candidates in words, with the root of each. */
function ask(cloud: readonly DrawnProvider[], request: CandidateRequest): { words: string; root: string }[] {
  const { candidates, truncated } = searchCandidates(forestOf(cloud), request);
  expect(truncated).toBe(false);
  return candidates.map((candidate) => ({ words: describeCandidate(candidate), root: candidate.root.state.provider.name }));
}

const wordsOf = (answer: readonly { words: string }[]) => answer.map(({ words }) => words);

/** Which candidate of its root each one is: 1 for the first. */
function ranks(answer: readonly { root: string }[]): number[] {
  const counts = new Map<string, number>();
  return answer.map(({ root }) => {
    const rank = (counts.get(root) ?? 0) + 1;
    counts.set(root, rank);
    return rank;
  });
}

test('all candidates are found, each once, with every provider of their trees, and requests often have some', () => {
  let answered = 0;
  fc.assert(
    fc.property(question, ([cloud, request]) => {
      const { candidates } = searchCandidates(forestOf(cloud), request);
      const summaries = summarize(candidates).map(({ state }) => state.provider.name);
      expect({ candidates: candidates.map(describeCandidate).sort(), summaries: summaries.sort() }).toEqual(askOracle(cloud, request));
      if (candidates.length > 0) answered++;
    }),
    { numRuns: runs },
  );
  expect(answered / runs).toBeGreaterThanOrEqual(0.3);
});

test('candidates that a rule does not admit are excluded, and all others stay', () => {
  fc.assert(
    fc.property(question, fc.integer({ min: 2, max: 4 }), ([cloud, request], part) => {
      const isLucky = (mappings: readonly GroupMapping[]) =>
        mappings.flatMap(({ providers }) => providers).reduce((sum, { id }) => sum + id, 0) % part > 0;
      const admit: RootRule['admit'] = (_, mappings) => (isLucky(mappings) ? [] : null);
      const struck = searchCandidates(forestOf(cloud), { ...request, rootRules: [{ words: 'lucky', admit }] }).candidates;
      const all = searchCandidates(forestOf(cloud), request).candidates;
      const left = all.filter(({ mappings }) => isLucky(mappings));
      expect(struck.map(describeCandidate).sort()).toEqual(left.map(describeCandidate).sort());
    }),
    { numRuns: runs / 6 },
  );
});

test('a limit gives that many candidates, or all, and by age the first ones', () => {
  fc.assert(
    fc.property(question, fc.integer({ min: 1, max: 8 }), order, ([cloud, request], limit, by) => {
      const all = askOracle(cloud, request).candidates;
      const limited = wordsOf(ask(cloud, { ...request, order: by, limit }));
      expect(limited).toHaveLength(Math.min(limit, all.length));
      expect(new Set(limited).size).toBe(limited.length);
      expect(limited.filter((words) => !all.includes(words))).toEqual([]);
      if (by.length === 0) expect(limited).toEqual(wordsOf(ask(cloud, request)).slice(0, limit));
    }),
    { numRuns: runs / 6 },
  );
});

test('a limit for each root leaves the first ones of each', () => {
  fc.assert(
    fc.property(question, fc.integer({ min: 1, max: 4 }), ([cloud, request], perRootLimit) => {
      const all = ask(cloud, request);
      const rankOf = ranks(all);
      expect(ask(cloud, { ...request, perRootLimit })).toEqual(all.filter((_, index) => (rankOf[index] ?? 0) <= perRootLimit));
    }),
    { numRuns: runs / 6 },
  );
});

test('no root yields its second candidate before every root has yielded its first, whatever the order', () => {
  fc.assert(
    fc.property(question, order, ([cloud, request], by) => {
      const given = ranks(ask(cloud, { ...request, order: by }));
      expect(given).toEqual(given.toSorted((a, b) => a - b));
    }),
    { numRuns: runs / 6 },
  );
});

test('every order contains the same candidates, and is the same when repeated', () => {
  fc.assert(
    fc.property(question, order, ([cloud, request], by) => {
      const answer = ask(cloud, { ...request, order: by });
      expect(ask(cloud, { ...request, order: by })).toEqual(answer);
      expect(wordsOf(answer).sort()).toEqual(askOracle(cloud, request).candidates);
    }),
    { numRuns: runs / 6 },
  );
});

test('another seed gives another random order', () => {
  const hosts = Array.from({ length: 20 }, (_, index) => `p${index} VCPU 8`).join('\n');
  const answerOf = (seed: number) => ask(readDrawing(hosts), readRequest('VCPU:1', { order: [{ by: 'RANDOM', seed }] }));
  expect(answerOf(2)).not.toEqual(answerOf(1));
});

test('roots are ordered by what is free in their trees, also of several weighted classes, those without any of them last, then by age or at random', () => {
  fc.assert(
    fc.property(question, freeKeys, lastKey, ([cloud, request], free, last) => {
      const forest = forestOf(cloud);
      const { candidates } = searchCandidates(forest, { ...request, perRootLimit: 1, order: [...free, ...last] });
      const places = candidates.map(({ root: { id, state } }) => ({
        amounts: free.map((key) => freeOf(cloud, state.provider.name, key.weights)),
        id,
      }));
      const compare = (one: (typeof places)[number], other: (typeof places)[number]): number => {
        for (const [index, { descending }] of free.entries()) {
          const [a, b] = [one.amounts[index] ?? null, other.amounts[index] ?? null];
          if (a === b) continue;
          if (a === null || b === null) return a === null ? 1 : -1;
          return descending ? b - a : a - b;
        }
        if (last[0]?.by === 'RANDOM') return 0;
        return last[0]?.descending ? other.id - one.id : one.id - other.id;
      };
      expect(places).toEqual(places.toSorted(compare));
    }),
    { numRuns: runs / 3 },
  );
});

test('roots within the tolerance of the best are equal, and the next key decides among them', () => {
  const forest = forestOf('a VCPU 10\nb VCPU 12\nc VCPU 7\nd VCPU 11\ne MEMORY_MB 64\nf VCPU 6');
  const rootsBy = (descending: boolean, tolerance: number, more: CandidateRequest['order'] = []) =>
    searchCandidates(
      forest,
      readRequest('VCPU:1', { order: [{ by: 'FREE', weights: [{ resourceClass: 'VCPU', weight: 1 }], descending, tolerance }, ...more] }),
    )
      .candidates.map(({ root }) => root.state.provider.name)
      .join('');
  expect([rootsBy(true, 0), rootsBy(true, 1), rootsBy(true, 2), rootsBy(true, 100)]).toEqual(['bdacf', 'bdacf', 'abdcf', 'abcdf']);
  expect([rootsBy(false, 0), rootsBy(false, 1), rootsBy(false, 4)]).toEqual(['fcadb', 'cfadb', 'acfbd']);
  expect(rootsBy(true, 2, [{ by: 'CREATED_AT', descending: true }])).toBe('dbafc');
  const seeds = Array.from({ length: 20 }, (_, seed) => rootsBy(true, 2, [{ by: 'RANDOM', seed }]));
  expect(new Set(seeds.map((roots) => roots[0]))).toEqual(new Set(['a', 'b', 'd']));
});

/** The weighted sum of what all members of a tree have free; null if none has an inventory of any of the classes. */
function freeOf(cloud: readonly DrawnProvider[], root: string, of: FreeSortKey['weights']): number | null {
  const rootOf = (name: string): string => {
    const parent = cloud.find((provider) => provider.name === name)?.parent;
    return parent ? rootOf(parent) : name;
  };
  const inventories = cloud.filter(({ name }) => rootOf(name) === root).flatMap((provider) => provider.inventories);
  const weightOf = new Map(of.map(({ resourceClass: name, weight }) => [name, weight]));
  const own = inventories.filter((inventory) => weightOf.has(inventory.resourceClass));
  if (own.length === 0) return null;
  return own.reduce(
    (sum, { resourceClass: name, total, reserved, allocationRatio, used }) =>
      sum + (weightOf.get(name) ?? 0) * Math.max(0, Math.trunc((total - reserved) * allocationRatio) - used),
    0,
  );
}
