// Allocation candidates, their explanation, and the number of requests that fit.

import { decidingQuota } from '../../domain/candidates/fit.ts';
import { renderClaimToken } from '../../operations/allocations/claim-token.ts';
import { allocationsOf, findCandidates } from '../../operations/candidates/candidates.ts';
import { findFit, listAggregateFits, listFits } from '../../operations/candidates/fit.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';

export const candidateResolvers = {
  Query: {
    allocationCandidates: (_, { input }, scope) => findCandidates(scope, input),
    fit: (_, { input, within }, scope) => findFit(scope, input, within),
  },
  AllocationCandidates: { explanation: (found) => found.explain() },
  AllocationCandidate: { claimToken: (candidate) => renderClaimToken(allocationsOf(candidate)) },
  GroupMapping: { suffix: ({ suffix }) => suffix || null },
  ExplanationStep: { suffix: ({ group }) => group || null },
  NearestMiss: {
    lacksTraitNames: ({ lacksTraits }) => lacksTraits,
    reservations: ({ sample, lacks }, _, { loaders }) =>
      lacks.length === 0
        ? []
        : loaders.reservationsIn.load({
            roots: sample.map(({ uuid }) => uuid),
            resourceClasses: lacks.map(({ resourceClass }) => resourceClass.name),
          }),
  },
  Fit: {
    byRoot: ({ byRoot }, args) => listFits('fit by root', byRoot, args),
    byAggregate: ({ byAggregate }, args) => listAggregateFits(byAggregate, args),
    allowed: ({ allowance }) => allowance?.count ?? null,
    limitedBy: decidingQuota,
  },
  RootFitConnection: connectionResolvers,
  AggregateFitConnection: connectionResolvers,
} satisfies Resolvers;
