// Allocations, as GraphQL shows them: of a consumer, and on a provider.
import { getHolder, getProviderOf, listAllocationsOfProvider } from '../../operations/allocations/allocations.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';

export const allocationResolvers = {
  Allocation: {
    consumer: (allocation, _, scope) => getHolder(scope, allocation),
    resourceProvider: (allocation, _, scope) => getProviderOf(scope, allocation),
    resourceClass: ({ classId, className }) => ({ id: classId, name: className }),
  },
  ResourceProvider: {
    allocations: ({ id }, args, scope) => listAllocationsOfProvider(scope, id, args),
  },
  AllocationConnection: connectionResolvers,
} satisfies Resolvers;
