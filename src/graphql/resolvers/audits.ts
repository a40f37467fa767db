// Audits of compute nodes: what is held there beside what should be.
import { auditComputeNode } from '../../nova/compute-nodes/compute-node-audits.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const auditResolvers = {
  Mutation: {
    auditComputeNode: mutation({ allocations: [], instances: [] }, async (input, scope) => {
      const { allocations, instances, problems } = await auditComputeNode(scope, input);
      return { allocations, instances, userErrors: problems };
    }),
  },
  AuditedAllocation: {
    consumerUuid: ({ holder }) => holder.uuid,
    consumer: ({ holder }, _, { loaders }) => loaders.consumerByUuid.load(holder.uuid),
  },
  AuditedInstance: { consumer: ({ instance }, _, { loaders }) => loaders.consumerByUuid.load(instance) },
} satisfies Resolvers;
