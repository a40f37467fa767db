// Allocations of a consumer and on a provider.

import { releaseAllocations, replaceAllocations, setExpiry } from '../../operations/allocations/allocation-writes.ts';
import { getHolder, getProviderOf, listAllocationsOfProvider } from '../../operations/allocations/allocations.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

const nothingWritten = { resourceProviders: [] };

export const allocationResolvers = {
  Allocation: {
    consumer: (allocation, _, scope) => getHolder(scope, allocation),
    resourceProvider: (allocation, _, scope) => getProviderOf(scope, allocation),
    resourceClass: ({ classId, className }) => ({ id: classId, name: className }),
  },
  Mutation: {
    replaceAllocations: mutation({ ...nothingWritten, consumers: [], warnings: [] }, async (input, scope) => {
      const answer = await replaceAllocations(scope, input);
      return { consumers: answer.consumers, resourceProviders: answer.providers, warnings: [] };
    }),
    releaseAllocations: mutation({ ...nothingWritten, releasedConsumerUuids: [] }, async (input, scope) => {
      const answer = await releaseAllocations(scope, input);
      return { releasedConsumerUuids: answer.released, resourceProviders: answer.providers };
    }),
    setExpiry: mutation({ consumers: [] }, (input, scope) => setExpiry(scope, input)),
  },
  ResourceProvider: {
    heldHere: ({ id }, args, scope) => listAllocationsOfProvider(scope, id, args),
  },
  AllocationConnection: connectionResolvers,
} satisfies Resolvers;
