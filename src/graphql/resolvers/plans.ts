// Plans of moves, and hypothetical changes.
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { drainPlan } from '../../nova/plans/drain-plan.ts';
import { rebalancePlan } from '../../nova/plans/rebalance-plan.ts';
import { whatIf } from '../../nova/plans/what-if.ts';
import type { Resolvers } from '../schema.generated.ts';
import { echoRequest } from './flavors.ts';

export const planResolvers = {
  Query: {
    drainPlan: (_, { input }, scope) => drainPlan(scope, input),
    rebalancePlan: (_, { input }, scope) => rebalancePlan(scope, input),
    whatIf: (_, { input }, scope) => whatIf(scope, input),
  },
  PlannedMove: {
    gain: ({ gain }) => gain ?? null,
    consumerUuid: ({ consumer }) => consumer,
    consumer: ({ consumer }, _, { loaders }) => loaders.consumerByUuid.load(consumer),
    consumerGeneration: ({ generation }) => generation,
    request: ({ request }) => echoRequest(asInput(request)),
  },
  StuckConsumer: {
    consumerUuid: ({ consumer }) => consumer,
    consumer: ({ consumer }, _, { loaders }) => loaders.consumerByUuid.load(consumer),
    obstacle: ({ reason }) => reason,
    root: ({ on }) => on,
  },
  WhatIf: {
    onAddedHosts: ({ onAdded }) => onAdded.map(({ hosts, count }) => ({ hostCount: hosts, count })),
    explanation: (supposed) => supposed.explain(),
  },
} satisfies Resolvers;

const asInput = ({ sameSubtree, ...request }: CandidateRequest) => ({
  ...request,
  groups: request.groups.map(({ suffix, ...group }) => ({ ...group, suffix: suffix || null })),
  sameSubtree: sameSubtree.map((suffixes) => ({ suffixes })),
});
