// Audits of compute nodes: actual and expected allocations.
import { auditComputeNode } from '../../nova/audits/compute-node-audits.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const auditResolvers = {
  Mutation: {
    auditComputeNode: mutation({ auditedAllocations: [], auditedInstances: [], auditedMoves: [], events: [] }, async (input, scope) => {
      const { allocations, instances, moves, problems } = await auditComputeNode(scope, input);
      return { auditedAllocations: allocations, auditedInstances: instances, auditedMoves: moves, events: [], userErrors: problems };
    }),
  },
  AuditedAllocation: {
    consumerUuid: ({ holder }) => holder.uuid,
    consumer: ({ holder }, _, { loaders }) => loaders.consumerByUuid.load(holder.uuid),
  },
  AuditedInstance: {
    instanceUuid: ({ instance }) => instance,
    expectedAmounts: ({ expected }) => expected,
    instance: ({ instance }, _, { loaders }) => loaders.consumerByUuid.load(instance),
  },
  AuditedMove: {
    migrationUuid: ({ migration }) => migration,
    instanceUuid: ({ instance }) => instance,
    expectedAmounts: ({ expected }) => expected,
    consumer: ({ consumer }, _, { loaders }) => loaders.consumerByUuid.load(consumer),
  },
} satisfies Resolvers;
