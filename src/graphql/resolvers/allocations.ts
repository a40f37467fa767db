// Allocations, as GraphQL shows them: of a consumer, and on a provider.

import {
  type AllocationsWritten,
  moveAllocations,
  releaseAllocations,
  replaceAllocations,
} from '../../operations/allocations/allocation-writes.ts';
import { getHolder, getProviderOf, listAllocationsOfProvider } from '../../operations/allocations/allocations.ts';
import { connectionResolvers } from '../connections.ts';
import { eventNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

const nothingWritten = { resourceProviders: [], eventId: null, replayed: false };

function written({ providers, eventId, replayed }: AllocationsWritten) {
  return { resourceProviders: providers, eventId: eventNodeId(eventId), replayed };
}

export const allocationResolvers = {
  Allocation: {
    consumer: (allocation, _, scope) => getHolder(scope, allocation),
    resourceProvider: (allocation, _, scope) => getProviderOf(scope, allocation),
    resourceClass: ({ classId, className }) => ({ id: classId, name: className }),
  },
  Mutation: {
    replaceAllocations: mutation({ ...nothingWritten, consumers: [] }, async (input, scope) => {
      const answer = await replaceAllocations(scope, input);
      return { consumers: answer.consumers, ...written(answer) };
    }),
    moveAllocations: mutation({ ...nothingWritten, consumer: null }, async (input, scope) => {
      const answer = await moveAllocations(scope, input);
      return { ...written(answer), consumer: answer.consumers[0] ?? null };
    }),
    releaseAllocations: mutation({ ...nothingWritten, releasedConsumerUuids: [] }, async (input, scope) => {
      const answer = await releaseAllocations(scope, input);
      return { ...written(answer), releasedConsumerUuids: answer.released };
    }),
  },
  ResourceProvider: {
    heldHere: ({ id }, args, scope) => listAllocationsOfProvider(scope, id, args),
  },
  AllocationConnection: connectionResolvers,
} satisfies Resolvers;
