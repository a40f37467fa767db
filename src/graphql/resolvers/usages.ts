// Usages of groups of consumers.
import { listUsages } from '../../operations/allocations/usages.ts';
import { expectName } from '../../operations/names/known-names.ts';
import { whenLoaded } from '../../operations/request/keyed-loaders.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';

export const usageResolvers = {
  Query: {
    usages: (_, args, scope) => listUsages(scope, args),
  },
  Usage: {
    project: ({ project }) => (project === null ? null : { externalId: project }),
    user: ({ user }) => (user === null ? null : { externalId: user }),
    consumer: ({ consumerUuid }, _, { loaders }) => (consumerUuid === null ? null : loaders.consumerByUuid.load(consumerUuid)),
    resourceProvider: ({ providerId }, _, { loaders }) => (providerId === null ? null : loaders.providerById.load(providerId)),
    root: ({ rootId }, _, { loaders }) => (rootId === null ? null : loaders.providerById.load(rootId)),
    aggregate: ({ aggregateUuid }, _, { loaders }) => (aggregateUuid === null ? null : loaders.aggregateByUuid.load(aggregateUuid)),
    amount: ({ resources }, { resourceClass }, scope) =>
      whenLoaded(
        expectName(scope, 'resourceClass', resourceClass, ['resourceClass']),
        () => resources.find((held) => held.resourceClass.name === resourceClass)?.amount ?? 0,
      ),
  },
  UsageConnection: connectionResolvers,
} satisfies Resolvers;
