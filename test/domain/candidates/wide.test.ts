// Examination. Wide trees and many groups, with astronomically many combinations. The search finds the requested number of candidates,
// different ones first, and a search that exceeds its budget ends and says so.
import { describe, expect, test } from 'vitest';
import type { CandidateRequest } from '../../../src/domain/candidates/request.ts';
import { type Candidate, searchCandidates } from '../../../src/domain/candidates/search.ts';
import { describeCandidate } from '../../support/candidate-oracle.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { forestOf } from '../../support/tree.ts';

/** Identical hosts with devices below them. */
function hosts(count: number, devices: number, device: (index: number) => string) {
  return forestOf(
    Array.from({ length: count }, (_, host) =>
      [`host${host} VCPU 8`, ...Array.from({ length: devices }, (_, index) => `  dev${host}_${index} ${device(index)}`)].join('\n'),
    ).join('\n'),
  );
}

const groups = (count: number, group: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `g${index}=${group(index)}`).join(' ');
const takenBy = (candidate: Candidate) => describeCandidate(candidate).split(' | ')[0] ?? '';

describe('identical groups', () => {
  test.each([
    [5, 56],
    [8, 1],
  ])('%i of them on 10 hosts of 8 devices use each of the %i sets of devices of a host before swapping any', (count, setsOfHost) => {
    const request = readRequest(
      groups(count, () => 'DEVICE:1'),
      { limit: 1000 },
    );
    const { candidates, truncated } = searchCandidates(
      hosts(10, 8, () => 'DEVICE 1'),
      request,
    );
    expect(truncated).toBe(false);
    expect(new Set(candidates.map(describeCandidate)).size).toBe(1000);
    expect(new Set(candidates.slice(0, 10 * setsOfHost).map(takenBy)).size).toBe(10 * setsOfHost);
    expect(new Set(candidates.map(takenBy)).size).toBe(10 * setsOfHost);
  });

  test('all permutations come last', () => {
    const request = readRequest(groups(3, () => 'DEVICE:1'));
    const { candidates } = searchCandidates(
      hosts(1, 4, () => 'DEVICE 1'),
      request,
    );
    expect(candidates).toHaveLength(4 * 3 * 2);
    expect(new Set(candidates.slice(0, 4).map(takenBy)).size).toBe(4);
  });

  test.each(['none', 'iso'])('64 of them on 64 devices are served in a thousand ways (%s)', (policy) => {
    const request = readRequest(`${groups(64, () => 'DEVICE:1')} ${policy}`, { limit: 1000 });
    const { candidates, truncated } = searchCandidates(
      hosts(2, 64, () => 'DEVICE 1'),
      request,
    );
    expect(truncated).toBe(false);
    expect(new Set(candidates.map(describeCandidate)).size).toBe(1000);
    expect(new Set(candidates.slice(0, 2).map(takenBy)).size).toBe(2);
  });

  test('one more than there are devices fails without trying the ways to place the others', () => {
    const request = readRequest(groups(65, () => 'DEVICE:1'));
    expect(
      searchCandidates(
        hosts(100, 64, () => 'DEVICE 1'),
        request,
      ),
    ).toEqual({ candidates: [], truncated: false });
  });
});

describe('16 groups that differ, on 100 hosts of 64 devices', () => {
  const different = (policy: string, rest: Partial<CandidateRequest> = {}) =>
    readRequest(`${groups(16, (index) => `DEVICE:${index + 1}`)} ${policy}`, rest);

  test('are served up to the limit', () => {
    const { candidates, truncated } = searchCandidates(
      hosts(100, 64, () => 'DEVICE 16'),
      different('iso', { limit: 1000 }),
    );
    expect([new Set(candidates.map(describeCandidate)).size, truncated]).toEqual([1000, false]);
  });

  test('without a limit give as many candidates as the budget allows, and say that there may be more', () => {
    const forest = hosts(100, 64, () => 'DEVICE 16');
    const all = searchCandidates(forest, different('iso'));
    const cheap = searchCandidates(forest, different('iso'), 300_000);
    expect([all.truncated, cheap.truncated]).toEqual([true, true]);
    expect(cheap.candidates.length).toBeGreaterThan(0);
    expect(cheap.candidates.length).toBeLessThan(all.candidates.length);
  });

  test('end with the budget even if every combination is valid', () => {
    const forest = hosts(100, 64, () => 'DEVICE 1000');
    const [one, two] = [300_000, 600_000].map((budget) => searchCandidates(forest, different('none'), budget));
    expect([one?.truncated, two?.truncated]).toEqual([true, true]);
    expect(two?.candidates.length).toBeGreaterThan(one?.candidates.length ?? 0);
    // No candidate is cheaper than a hundred steps.
    expect(two?.candidates.length).toBeLessThan(6_000);
  });

  test('that cannot all have a device of their own end with the budget, and say that there may be more', () => {
    const forest = hosts(100, 64, (index) => (index < 15 ? 'DEVICE 16' : 'OTHER 16'));
    expect(searchCandidates(forest, different('iso'))).toEqual({ candidates: [], truncated: true });
  });

  test('with one that no provider can serve end at once', () => {
    const forest = hosts(100, 64, () => 'DEVICE 15');
    expect(searchCandidates(forest, different('iso'), 100_000)).toEqual({ candidates: [], truncated: false });
  });

  test('that need different devices, one above the other, find none among sibling devices', () => {
    const subtrees = Array.from({ length: 16 }, (_, index) => `sub(g${index},g${(index + 1) % 16})`).join(' ');
    const wish = different(`iso ${subtrees}`);
    const few = hosts(2, 16, () => 'DEVICE 16');
    const many = hosts(100, 64, () => 'DEVICE 16');
    expect(searchCandidates(few, wish)).toEqual({ candidates: [], truncated: false });
    expect(searchCandidates(many, wish).candidates).toEqual([]);
  });
});

test('pools of other hosts do not add to the cost of a search, whatever their number', () => {
  const racks = Array.from({ length: 400 }, (_, rack) =>
    [`pool${rack} DISK_GB 100 SHARING @rack${rack}`, ...[0, 1, 2, 3, 4].map((host) => `host${rack}_${host} VCPU 8 @rack${rack}`)].join(
      '\n',
    ),
  );
  const { candidates, truncated } = searchCandidates(forestOf(racks.join('\n')), readRequest('VCPU:1,DISK_GB:10'));
  expect([candidates.length, truncated]).toEqual([2000, false]);
});

test('a search without a budget finds nothing, and says that there may be more', () => {
  const forest = hosts(10, 8, () => 'DEVICE 1');
  expect(searchCandidates(forest, readRequest('DEVICE:1'), 0)).toEqual({ candidates: [], truncated: true });
});
