// Instances, audits of compute nodes and storage that became shared, as mutations.
import { auditComputeNode } from '../../nova/compute-nodes/compute-node-audits.ts';
import { claimInstance, releaseInstance } from '../../nova/instances/instances.ts';
import { adoptSharedStorage } from '../../nova/services/shared-storage.ts';
import type { MutationResolvers, Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const novaInstanceMutations = {
  claimInstance: mutation({ instance: null, changed: false }, async (input, scope) => {
    const { holder, changed } = await claimInstance(scope, input);
    return { instance: holder && (await scope.loaders.consumerByUuid.load(holder.uuid)), changed };
  }),
  releaseInstance: mutation({ released: false }, async ({ instance }, scope) => ({ released: await releaseInstance(scope, instance) })),
  auditComputeNode: mutation({ allocations: [], instances: [] }, async (input, scope) => {
    const { allocations, instances, problems } = await auditComputeNode(scope, input);
    return { allocations, instances, userErrors: problems };
  }),
  adoptSharedStorage: mutation({ moved: [], resourceProviders: [] }, async (input, scope) => {
    const { moved, providers } = await adoptSharedStorage(scope, input);
    return { moved, resourceProviders: providers };
  }),
} satisfies Pick<MutationResolvers, 'claimInstance' | 'releaseInstance' | 'auditComputeNode' | 'adoptSharedStorage'>;

export const novaAuditResolvers = {
  AuditedAllocation: {
    consumerUuid: ({ holder }) => holder.uuid,
    consumer: ({ holder }, _, { loaders }) => loaders.consumerByUuid.load(holder.uuid),
  },
  AuditedInstance: { consumer: ({ instance }, _, { loaders }) => loaders.consumerByUuid.load(instance) },
} satisfies Resolvers;
