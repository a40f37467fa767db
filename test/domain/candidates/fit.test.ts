// The number of requests that fit, against brute force: every order of claims, on clouds small enough to try all orders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ranking } from '../../../src/domain/candidates/fit.ts';
import type { Forest } from '../../../src/domain/candidates/forest.ts';
import type { CandidateRequest } from '../../../src/domain/candidates/request.ts';
import { searchCandidates } from '../../../src/domain/candidates/search.ts';
import type { UsedAmount } from '../../../src/domain/candidates/supposed-use.ts';
import { countCombinations } from '../../support/candidate-oracle.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { countFit } from '../../support/fit.ts';
import { least, sampled } from '../../support/profile.ts';
import { randomCloud, randomRequest } from '../../support/random-clouds.ts';
import { type DrawnProvider, forestOf, traitNamed } from '../../support/tree.ts';

const mostStates = 150;

/** The longest sequence of claims of such requests; null if there are too many ways to try. */
function mostClaims(forest: Forest, request: CandidateRequest): number | null {
  const known = new Map<string, number>();
  const search = (): number => {
    const key = [...forest.everyProvider()].flatMap(({ state }) => state.inventories.map(({ used }) => used)).join();
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    let most = 0;
    known.set(key, most);
    if (known.size > mostStates) return 0;
    const ways = new Map(
      searchCandidates(forest, request).candidates.map(({ allocations }) => [describeTakings(allocations), allocations]),
    );
    for (const allocations of ways.values()) {
      change(forest, allocations, 1);
      most = Math.max(most, 1 + search());
      change(forest, allocations, -1);
    }
    known.set(key, most);
    return most;
  };
  const most = search();
  return known.size > mostStates ? null : most;
}

function describeTakings(allocations: readonly UsedAmount[]): string {
  return allocations
    .map(({ provider, classId, amount }) => `${provider.id}:${classId}:${amount}`)
    .sort()
    .join();
}

function change(forest: Forest, allocations: readonly UsedAmount[], sign: 1 | -1): void {
  for (const { provider, classId, amount } of allocations) {
    const inventories = provider.state.inventories.map((inventory) =>
      inventory.classId === classId ? { ...inventory, used: inventory.used + sign * amount } : inventory,
    );
    forest.apply({ changed: [{ ...provider.state, inventories }], removed: [] });
  }
}

/** Little of everything, and a trait of its own for every root. */
function makeSmall(cloud: readonly DrawnProvider[]): DrawnProvider[] {
  return cloud.map((provider) => ({
    ...provider,
    traits: provider.parent === null ? [...provider.traits, ownTrait(provider.name)] : provider.traits,
    inventories: provider.inventories.map((inventory) => ({ ...inventory, allocationRatio: 1, total: Math.min(inventory.total, 4) })),
  }));
}

const ownTrait = (root: string) => traitNamed(`ROOT_${root.toUpperCase()}`);

const smallCloud = randomCloud.map(makeSmall);
const question = fc.tuple(smallCloud, randomRequest).filter(([cloud, request]) => countCombinations(cloud, request) <= 40);

test('an exact count is the length of the longest sequence of claims, any other is not larger', () => {
  let exactly = 0;
  let positive = 0;
  fc.assert(
    fc.property(question, ([cloud, request]) => {
      const { total, exact, truncated } = countFit(forestOf(cloud), request);
      const most = mostClaims(forestOf(cloud), request);
      fc.pre(most !== null);
      expect(truncated).toBe(false);
      if (exact) expect(total).toBe(most);
      else expect(total).toBeLessThanOrEqual(most ?? 0);
      if (most === 0) expect(total).toBe(0);
      else expect(total).toBeGreaterThan(0);
      if (total > 0) positive++;
      if (total > 0 && exact) exactly++;
    }),
    { numRuns: sampled(400) },
  );
  expect(positive).toBeGreaterThanOrEqual(least(40));
  expect(2 * exactly).toBeGreaterThanOrEqual(least(positive));
});

test('the count of one root, or of the roots of an aggregate, is what fits if no other root may be used', () => {
  fc.assert(
    fc.property(question, ([cloud, request]) => {
      const forest = forestOf(cloud);
      const { byRoot, byAggregate } = countFit(forest, request);
      const countUnder = (traits: readonly string[]) =>
        countFit(forest, { ...request, rootTraits: [...request.rootTraits, { anyOf: traits }] }).total;
      const roots = cloud.filter(({ parent }) => parent === null);
      const expected = roots.map(({ name }) => [name, countUnder([ownTrait(name)])] as const).filter(([, count]) => count > 0);
      expect(new Map(all(byRoot).map(({ root, count }) => [root.name, count]))).toEqual(new Map(expected));
      for (const { aggregate, count } of all(byAggregate)) {
        const members = roots.filter(({ aggregates }) => aggregates.includes(aggregate.name ?? ''));
        expect(count).toBe(countUnder(members.map(({ name }) => ownTrait(name))));
      }
    }),
    { numRuns: sampled(150) },
  );
});

/** All rows, in pages of two. */
function all<Row>(ranking: Ranking<Row>): Row[] {
  const rows = ranking.behind(null, 2);
  for (let next = rows; next.length === 2; rows.push(...next)) next = ranking.behind(next.at(-1)?.place ?? null, 2);
  expect(rows).toHaveLength(ranking.length);
  return rows.map(({ row }) => row);
}

/** The counts of a request in words. */
function countsOf(drawing: string, request: string) {
  const { byRoot, byAggregate, total, exact } = countFit(forestOf(drawing), readRequest(request));
  return {
    ...{ total, exact },
    byRoot: all(byRoot).map(({ root, count }) => `${root.name} ${count}`),
    byAggregate: all(byAggregate).map(({ aggregate, count }) => `${aggregate.name} ${count}`),
  };
}

describe('how many more fit', () => {
  test('on hosts is limited by the scarcest class on each, counting only whole requests', () => {
    const drawing = `
      cn1  VCPU 16 used 3, MEMORY_MB 8192      @rack1
      cn2  VCPU 16, MEMORY_MB 4096 used 1000   @rack1 @rack2
      cn3  VCPU 16 max 1, MEMORY_MB 8192       @rack2`;
    expect(countsOf(drawing, 'VCPU:2,MEMORY_MB:1024')).toEqual({
      total: 9,
      exact: true,
      byRoot: ['cn1 6', 'cn2 3'],
      byAggregate: ['rack1 9', 'rack2 3'],
    });
  });

  test('counts a pool once, however many trees it serves', () => {
    const drawing = `
      cn1   VCPU 16                @rack1
      cn2   VCPU 4                 @rack1
      cn3   VCPU 4, DISK_GB 100    @rack2
      pool  DISK_GB 1000  SHARING  @rack1`;
    expect(countsOf(drawing, 'VCPU:1,DISK_GB:100')).toEqual({
      total: 11,
      exact: true,
      byRoot: ['cn1 10', 'cn2 4', 'cn3 1'],
      byAggregate: ['rack1 10', 'rack2 1'],
    });
  });

  test('takes local resources before shared ones', () => {
    const drawing = `
      cn1   VCPU 5, DISK_GB 300    @rack1
      cn2   VCPU 100, DISK_GB 200  @rack1
      pool  DISK_GB 400  SHARING   @rack1`;
    expect(countsOf(drawing, 'VCPU:1,DISK_GB:100')).toMatchObject({ total: 9, exact: true, byRoot: ['cn2 6', 'cn1 5'] });
  });

  test('adds up the cells of a tree, each of which serves a class in one piece', () => {
    const drawing = `
      cn1      MEMORY_MB 8192
        numa0  VCPU 5
        numa1  VCPU 5`;
    expect(countsOf(drawing, 'VCPU:2,MEMORY_MB:1024')).toMatchObject({ total: 4, exact: true });
  });

  test('spreads groups that need different providers over all providers', () => {
    const drawing = `
      cn1    VCPU 100
        pf1  VF 4
        pf2  VF 4
        pf3  VF 4`;
    expect(countsOf(drawing, 'VCPU:1 a=VF:1 b=VF:1 iso')).toMatchObject({ total: 6, exact: true });
    expect(countsOf(drawing, 'VCPU:1 a=VF:2 b=VF:1 none')).toMatchObject({ exact: false });
  });

  test('is zero if no provider can serve', () => {
    expect(countsOf('cn1 VCPU 4', 'VCPU:5')).toEqual({ total: 0, exact: true, byRoot: [], byAggregate: [] });
  });
});

test('ten thousand hosts with a pool in every rack are counted with a tenth of the default budget', () => {
  const hosts = Array.from({ length: 9900 }, (_, index) => `h${index} VCPU 10, MEMORY_MB 4096 @r${index % 99} @zone`);
  const pools = Array.from({ length: 99 }, (_, index) => `p${index} DISK_GB 50 SHARING @r${index}`);
  const forest = forestOf([...hosts, ...pools].join('\n'));
  expect(countFit(forest, readRequest('VCPU:3,MEMORY_MB:100'), 500_000)).toMatchObject({ total: 29_700, exact: true, truncated: false });
  expect(countFit(forest, readRequest('VCPU:3,DISK_GB:1'), 500_000)).toMatchObject({ total: 99 * 50, exact: true, truncated: false });
});

test('a small budget ends the count early, and the result says so', () => {
  const forest = forestOf(Array.from({ length: 1000 }, (_, index) => `h${index} VCPU 1`).join('\n'));
  const { total, exact, truncated } = countFit(forest, readRequest('VCPU:1'), 5000);
  expect({ exact, truncated }).toEqual({ exact: false, truncated: true });
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(1000);
});
