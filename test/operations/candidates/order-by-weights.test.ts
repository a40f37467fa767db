// Orders of a search by what is free of several classes, added up by weights: what they prefer, and which are refused. The sums are tested in test/domain.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import type { CandidateOrderInput } from '../../../src/operations/candidates/requests.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
beforeAll(() =>
  plantTrees(
    database.db,
    `
    gpu    VCPU 6
      card VGPU 4
    small  VCPU 4
    `,
  ),
);

const byWeights = (weights: Readonly<Record<string, number>>, direction: 'ASC' | 'DESC' = 'DESC'): CandidateOrderInput => ({
  ...{ field: 'FREE', direction },
  weights: Object.entries(weights).map(([resourceClass, weight]) => ({ resourceClass, weight })),
});
const requestBy = (...orderBy: readonly CandidateOrderInput[]) => ({
  groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
  orderBy,
});

async function rootsBy(...orderBy: readonly CandidateOrderInput[]): Promise<string> {
  const { candidates } = await findCandidates(scopeOf(database.db), requestBy(...orderBy));
  return candidates.map(({ root }) => root.name).join(' ');
}

test('roots come first that have much of what weighs for them, and little of what weighs against them', async () => {
  expect(await rootsBy(byWeights({ VCPU: 1 }))).toBe('gpu small');
  expect(await rootsBy(byWeights({ VCPU: 1, VGPU: -1 }))).toBe('small gpu');
  expect(await rootsBy(byWeights({ VCPU: 1, VGPU: -0.25 }))).toBe('gpu small');
  expect(await rootsBy(byWeights({ VCPU: 1, VGPU: -1 }, 'ASC'))).toBe('gpu small');
});

test('roots with sums within the tolerance are equal, and the next key decides', async () => {
  const fewest: CandidateOrderInput = { field: 'FREE', resourceClass: 'VGPU', direction: 'DESC' };
  expect(await rootsBy({ ...byWeights({ VCPU: 1, VGPU: -1 }), tolerance: 2 }, fewest)).toBe('gpu small');
  expect(await rootsBy({ ...byWeights({ VCPU: 1, VGPU: -1 }), tolerance: 1 }, fewest)).toBe('small gpu');
});

test('a claim takes the first', async () => {
  const consumers = [{ consumer: uuidOf('vm'), expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE' }];
  const { claims } = await claim(scopeOf(database.db), { consumers, request: requestBy(byWeights({ VCPU: 1, VGPU: -1 })) });
  expect(claims.map(({ candidate }) => candidate?.root.name)).toEqual(['small']);
});

describe('is refused with its path', () => {
  const refusals: [words: string, orderBy: readonly CandidateOrderInput[], refusal: string][] = [
    ['a class and weights', [{ ...byWeights({ VCPU: 1 }), resourceClass: 'VCPU' }], 'INVALID_INPUT orderBy.0.weights'],
    ['weights of no class', [byWeights({})], 'INVALID_INPUT orderBy.0.weights'],
    ['weights of six classes', [byWeights({ A: 1, B: 1, C: 1, D: 1, E: 1, F: 1 })], 'INVALID_INPUT orderBy.0.weights'],
    [
      'a class with two weights',
      [{ field: 'FREE', weights: [1, 2].map((weight) => ({ resourceClass: 'VCPU', weight })) }],
      'INVALID_INPUT orderBy.0.weights.1.resourceClass',
    ],
    ['a weight of 0', [byWeights({ VCPU: 1, VGPU: 0 })], 'INVALID_INPUT orderBy.0.weights.1.weight'],
    ['a weight that is no number', [byWeights({ VCPU: Number.NaN })], 'INVALID_INPUT orderBy.0.weights.0.weight'],
    ['a weight that is too large', [byWeights({ VCPU: -1_000_001 })], 'INVALID_INPUT orderBy.0.weights.0.weight'],
    ['weights of chance', [{ ...byWeights({ VCPU: 1 }, 'ASC'), field: 'RANDOM' }], 'INVALID_INPUT orderBy.0.weights'],
    ['the same weights twice', [byWeights({ VCPU: 2 }), byWeights({ VCPU: 2 }, 'ASC')], 'INVALID_INPUT orderBy.1'],
    ['a weight of a class that nobody knows', [byWeights({ VCPU: 1, CUSTOM_NONE: 2 })], 'NOT_FOUND orderBy.0.weights.1.resourceClass'],
  ];

  test.each(refusals)('%s', async (_words, orderBy, expected) => {
    const error = await rootsBy(...orderBy).catch((thrown: unknown) => thrown);
    expect((error as Refusal).problems?.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([expected]);
    expect(error).toBeInstanceOf(Refusal);
  });
});
