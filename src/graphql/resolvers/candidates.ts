// Allocation candidates, their explanation, and how many requests fit.

import { invalidInput } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { renderClaimToken } from '../../operations/allocations/claim-token.ts';
import { allocationsOf, findCandidates, findFit } from '../../operations/candidates/candidates.ts';
import type { Resolvers } from '../schema.generated.ts';

export const candidateResolvers = {
  Query: {
    allocationCandidates: (_, { input }, scope) => findCandidates(scope, input),
    fit: (_, { input }, scope) => findFit(scope, input),
  },
  AllocationCandidates: { explanation: (found) => found.explain() },
  AllocationCandidate: { claimToken: (candidate) => renderClaimToken(allocationsOf(candidate)) },
  NearestMiss: { lacksTraitNames: ({ lacksTraits }) => lacksTraits },
  Fit: {
    byRoot: ({ byRoot }, { first }) => byRoot.slice(0, sizeOf(first)),
    byAggregate: ({ byAggregate }, { first }) => byAggregate.slice(0, sizeOf(first)),
  },
} satisfies Resolvers;

const mostRows = limits.fitRows;

function sizeOf(first: number | null | undefined): number {
  const size = first ?? limits.defaultPageSize;
  if (size < 0 || size > mostRows) throw invalidInput(['first'], `first must be from 0 to ${mostRows}`);
  return size;
}
