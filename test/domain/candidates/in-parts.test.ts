// Searches in parts: the work between two pauses is bounded, pauses do not change the result, and readers of the forest during a pause see no supposed usage.
import { describe, expect, test } from 'vitest';
import { explainInParts, explainSearch } from '../../../src/domain/candidates/explain.ts';
import { countFitInParts } from '../../../src/domain/candidates/fit.ts';
import type { Forest, Tree } from '../../../src/domain/candidates/forest.ts';
import { searchInTurn } from '../../../src/domain/candidates/in-turn.ts';
import type { TreeWeights } from '../../../src/domain/candidates/ranked.ts';
import { searchCandidates, searchInParts, summarize, summarizeInParts } from '../../../src/domain/candidates/search.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { countFit } from '../../support/fit.ts';
import { forestOf } from '../../support/tree.ts';

const count = 4000;
const forest = forestOf(
  Array.from({ length: count }, (_, index) => `host${index} VCPU 8, MEMORY_MB 1024, DISK_GB ${100 + index}`).join('\n'),
);
const request = readRequest('VCPU:1,MEMORY_MB:16,DISK_GB:1');

/** Does the work and calls `look` at each pause; returns the result and the number of pauses. */
function withPauses<Result>(work: Generator<void, Result>, look = () => {}): { readonly result: Result; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next();
    if (done) return { result: value, pauses };
    look();
  }
}

const namesIn = (found: ReturnType<typeof searchCandidates>) => found.candidates.map(({ root }) => root.state.provider.name);
const usedIn = (whole: Forest) => [...whole.everyProvider()].map(({ state }) => state.inventories.map(({ used }) => used));

test('a search of many hosts pauses at least once for every thousand, and finds the same', () => {
  const { result, pauses } = withPauses(searchInParts(forest, request));
  expect(pauses).toBeGreaterThanOrEqual(count / 1000);
  expect(namesIn(result)).toEqual(namesIn(searchCandidates(forest, request)));
  expect(result.candidates).toHaveLength(count);
});

test('a search of few hosts does not pause', () => {
  expect(withPauses(searchInParts(forest, { ...request, limit: 10 })).pauses).toBe(0);
});

test('summaries, counts of what fits and explanations pause, too', () => {
  const { candidates } = searchCandidates(forest, request);
  const summarized = withPauses(summarizeInParts(candidates));
  expect(summarized.result).toEqual(summarize(candidates));
  const fit = withPauses(countFitInParts(forest, request));
  expect(fit.result.total).toBe(countFit(forest, request).total);
  const unserved = readRequest('VCPU:9,MEMORY_MB:2048,DISK_GB:9000');
  const explained = withPauses(explainInParts(forest, unserved));
  expect(explained.result).toEqual(explainSearch(forest, unserved));
  for (const { pauses } of [summarized, fit, explained]) expect(pauses).toBeGreaterThanOrEqual(1);
});

describe('several in turn', () => {
  /** The host with the most disk first. */
  const weigh = (trees: readonly Tree[]): TreeWeights => ({
    update: () => {},
    sums: () => Float64Array.from(trees, (tree) => tree.free([{ classId: 2, weight: 1 }]) ?? 0),
  });
  test.each([
    { by: 'by weight', choice: { weigh }, instances: 60 },
    { by: 'in the order of the request', choice: {}, instances: 600 },
  ])('$by pause, count what they took themselves, and hide it from other readers', ({ choice, instances }) => {
    const before = usedIn(forest);
    function* names({
      candidates,
    }: {
      readonly candidates: readonly { readonly root: { readonly state: { readonly provider: { readonly name: string } } } }[];
    }) {
      yield;
      return candidates.map(({ root }) => root.state.provider.name);
    }
    const { result, pauses } = withPauses(searchInTurn(forest, request, instances, names, choice), () =>
      expect(usedIn(forest)).toEqual(before),
    );
    expect(pauses).toBeGreaterThanOrEqual(5);
    // A host has room for eight instances.
    const perHost = new Map<string, number>();
    for (const name of result) perHost.set(name, (perHost.get(name) ?? 0) + 1);
    expect(result).toHaveLength(instances);
    expect(Math.max(...perHost.values())).toBeLessThanOrEqual(8);
    expect(perHost.size).toBeGreaterThanOrEqual(instances / 8);
    expect(usedIn(forest)).toEqual(before);
  });

  test('restore the forest if they fail', () => {
    const before = usedIn(forest);
    function* fail(): Generator<void, never> {
      yield;
      throw new Error('no');
    }
    expect(() => withPauses(searchInTurn(forest, request, 3, fail))).toThrow('no');
    expect(usedIn(forest)).toEqual(before);
  });
});
