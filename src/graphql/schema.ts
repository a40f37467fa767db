// The executable schema: the contract of schema.graphql with the resolvers of all nouns.
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { connectionResolvers } from './connections.ts';
import { aggregateQueries, aggregateResolvers } from './resolvers/aggregates.ts';
import { allocationResolvers } from './resolvers/allocations.ts';
import { candidateResolvers } from './resolvers/candidates.ts';
import { capacityQueries, resourceTotalResolvers } from './resolvers/capacity.ts';
import { consumerResolvers } from './resolvers/consumers.ts';
import { eventResolvers } from './resolvers/events.ts';
import { inventoryResolvers } from './resolvers/inventories.ts';
import { mutationResolvers } from './resolvers/mutations.ts';
import { nodeResolvers } from './resolvers/nodes.ts';
import { novaComputeNodeResolvers, novaReportMutations } from './resolvers/nova-compute-nodes.ts';
import { novaDestinationMutations } from './resolvers/nova-destinations.ts';
import { novaFlavorQueries } from './resolvers/nova-flavors.ts';
import { novaAuditResolvers, novaInstanceMutations } from './resolvers/nova-instances.ts';
import { novaMigrationMutations } from './resolvers/nova-migrations.ts';
import { projectResolvers } from './resolvers/projects.ts';
import { providerQueries, providerResolvers, sharedPoolResolvers } from './resolvers/providers.ts';
import { resourceClassQueries, resourceClassResolvers } from './resolvers/resource-classes.ts';
import { serviceResolvers } from './resolvers/service.ts';
import { traitQueries, traitResolvers } from './resolvers/traits.ts';
import { usageResolvers } from './resolvers/usages.ts';
import { userErrorResolvers } from './resolvers/user-errors.ts';
import { dateTimeScalar, safeIntScalar, uuidScalar } from './scalars.ts';
import type { Resolvers } from './schema.generated.ts';

const resolvers = {
  UUID: uuidScalar,
  DateTime: dateTimeScalar,
  SafeInt: safeIntScalar,
  ...allocationResolvers,
  ...candidateResolvers,
  ...consumerResolvers,
  ...eventResolvers,
  ...nodeResolvers,
  ...projectResolvers,
  ...novaAuditResolvers,
  ...novaComputeNodeResolvers,
  ...usageResolvers,
  ...userErrorResolvers,
  ResourceProvider: { ...providerResolvers, ...allocationResolvers.ResourceProvider, ...eventResolvers.ResourceProvider },
  SharedPool: sharedPoolResolvers,
  Inventory: inventoryResolvers,
  ResourceTotal: resourceTotalResolvers,
  ResourceClass: resourceClassResolvers,
  Trait: traitResolvers,
  Aggregate: aggregateResolvers,
  ResourceProviderConnection: connectionResolvers,
  InventoryConnection: connectionResolvers,
  TraitConnection: connectionResolvers,
  AggregateConnection: connectionResolvers,
  Query: {
    ...providerQueries,
    ...resourceClassQueries,
    ...traitQueries,
    ...aggregateQueries,
    ...capacityQueries,
    ...candidateResolvers.Query,
    ...consumerResolvers.Query,
    ...projectResolvers.Query,
    ...usageResolvers.Query,
    ...eventResolvers.Query,
    ...nodeResolvers.Query,
    ...novaFlavorQueries,
    ...novaComputeNodeResolvers.Query,
    ...serviceResolvers.Query,
  },
  Mutation: {
    ...mutationResolvers,
    ...novaInstanceMutations,
    ...novaDestinationMutations,
    ...novaReportMutations,
    ...novaMigrationMutations,
  },
} satisfies Resolvers;

/** The contract with its resolvers. Fails when a resolver names what the contract does not have. */
export function loadSchema(): GraphQLSchema {
  const typeDefs = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  return makeExecutableSchema({ typeDefs, resolvers });
}
