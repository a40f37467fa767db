// Pools that no single host has, and storage that became shared.
import { reportPool } from '../../nova/services/pools.ts';
import { adoptSharedStorage } from '../../nova/services/shared-storage.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const poolResolvers = {
  Mutation: {
    reportPool: mutation({ pool: null, changed: false, warnings: [] }, (input, scope) => reportPool(scope, input)),
    adoptSharedStorage: mutation({ movedConsumerUuids: [], resourceProviders: [] }, async (input, scope) => {
      const { moved, providers } = await adoptSharedStorage(scope, input);
      return { movedConsumerUuids: moved, resourceProviders: providers };
    }),
  },
  ReportPoolPayload: { resourceProvider: ({ pool }, _, { loaders }) => (pool === null ? null : loaders.providerByUuid.load(pool)) },
} satisfies Resolvers;
