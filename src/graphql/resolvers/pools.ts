// Resource pools that hosts share, and the adoption of shared storage.
import { reportPool } from '../../nova/services/pools.ts';
import { adoptSharedStorage } from '../../nova/services/shared-storage.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation, readAfterWrite } from './mutation.ts';

export const poolResolvers = {
  Mutation: {
    reportPool: mutation({ resourceProvider: null, warnings: [] }, async (input, scope) => {
      const { pool, warnings } = await reportPool(scope, input);
      return { resourceProvider: await readAfterWrite(scope.loaders.providerByUuid.load(pool)), warnings };
    }),
    adoptSharedStorage: mutation({ movedConsumerUuids: [], resourceProviders: [] }, async (input, scope) => {
      const { moved, providers } = await adoptSharedStorage(scope, input);
      return { movedConsumerUuids: moved, resourceProviders: providers };
    }),
  },
} satisfies Resolvers;
