// The executable schema: the contract of schema.graphql with the resolvers of all nouns.
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { federationResolvers, federationTypeDefs } from './federation.ts';
import { paceResolvers } from './large-answers.ts';
import { aggregateResolvers } from './resolvers/aggregates.ts';
import { allocationResolvers } from './resolvers/allocations.ts';
import { auditResolvers } from './resolvers/audits.ts';
import { candidateResolvers } from './resolvers/candidates.ts';
import { capacityResolvers } from './resolvers/capacity.ts';
import { claimResolvers } from './resolvers/claims.ts';
import { cloudMapResolvers } from './resolvers/cloud-map.ts';
import { computeNodeResolvers } from './resolvers/compute-nodes.ts';
import { consumerResolvers } from './resolvers/consumers.ts';
import { destinationResolvers } from './resolvers/destinations.ts';
import { eventResolvers } from './resolvers/events.ts';
import { flavorResolvers } from './resolvers/flavors.ts';
import { historyResolvers } from './resolvers/history.ts';
import { instanceResolvers } from './resolvers/instances.ts';
import { inventoryResolvers } from './resolvers/inventories.ts';
import { migrationResolvers } from './resolvers/migrations.ts';
import { payloadResolvers } from './resolvers/mutation.ts';
import { nodeResolvers } from './resolvers/nodes.ts';
import { planResolvers } from './resolvers/plans.ts';
import { poolResolvers } from './resolvers/pools.ts';
import { projectResolvers } from './resolvers/projects.ts';
import { providerResolvers } from './resolvers/providers.ts';
import { resourceClassResolvers } from './resolvers/resource-classes.ts';
import { searchResolvers } from './resolvers/search.ts';
import { serviceInfoResolvers } from './resolvers/service-info.ts';
import { serviceResolvers } from './resolvers/services.ts';
import { traitResolvers } from './resolvers/traits.ts';
import { treeResolvers } from './resolvers/trees.ts';
import { usageResolvers } from './resolvers/usages.ts';
import { userErrorResolvers } from './resolvers/user-errors.ts';
import { viewerResolvers } from './resolvers/viewer.ts';
import { columnScalars, dateTimeScalar, safeIntScalar, trueScalar, uuidScalar } from './scalars.ts';

/** The resolvers of each noun, those of Query and Mutation included. */
const resolvers = [
  { UUID: uuidScalar, DateTime: dateTimeScalar, SafeInt: safeIntScalar, True: trueScalar, ...columnScalars },
  aggregateResolvers,
  allocationResolvers,
  auditResolvers,
  candidateResolvers,
  capacityResolvers,
  claimResolvers,
  cloudMapResolvers,
  computeNodeResolvers,
  consumerResolvers,
  destinationResolvers,
  eventResolvers,
  flavorResolvers,
  historyResolvers,
  instanceResolvers,
  inventoryResolvers,
  migrationResolvers,
  nodeResolvers,
  planResolvers,
  poolResolvers,
  projectResolvers,
  providerResolvers,
  resourceClassResolvers,
  searchResolvers,
  serviceInfoResolvers,
  serviceResolvers,
  traitResolvers,
  treeResolvers,
  usageResolvers,
  userErrorResolvers,
  viewerResolvers,
];

/**
 * The contract with its resolvers; as a subgraph also with the fields for a federation's router. Fails if a resolver is not in the
 * contract.
 */
export function loadSchema({ federation = false }: { readonly federation?: boolean } = {}): GraphQLSchema {
  const contract = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const schema = federation
    ? makeExecutableSchema({ typeDefs: [contract, federationTypeDefs], resolvers: [...resolvers, federationResolvers(contract)] })
    : makeExecutableSchema({ typeDefs: contract, resolvers });
  readEventsOfPayloads(schema);
  paceResolvers(schema);
  return schema;
}

/** The `event` of every payload, so that no noun repeats it. */
function readEventsOfPayloads(schema: GraphQLSchema): void {
  for (const { type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = getNamedType(type);
    if (!isObjectType(payload)) continue;
    const { event, events } = payload.getFields();
    if (event) event.resolve = payloadResolvers.event;
    if (events) events.resolve = payloadResolvers.events;
  }
}
