// Resource pools that hosts share, and the adoption of shared storage.
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
