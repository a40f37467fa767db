// What groups of consumers hold, as GraphQL shows it.
import { listUsages } from '../../operations/allocations/usages.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';

export const usageResolvers = {
  Query: {
    usages: (_, args, scope) => listUsages(scope, args),
  },
  Usage: {
    project: ({ project }) => (project === null ? null : { externalId: project }),
    user: ({ user }) => (user === null ? null : { externalId: user }),
    amount: ({ resources }, { resourceClass }) => resources.find((held) => held.resourceClass.name === resourceClass)?.amount ?? 0,
  },
  UsageConnection: connectionResolvers,
} satisfies Resolvers;
