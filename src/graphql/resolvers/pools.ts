// Resource pools that hosts share.
import { reportPool } from '../../nova/services/pools.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation, readAfterWrite } from './mutation.ts';

export const poolResolvers = {
  Mutation: {
    reportPool: mutation({ resourceProvider: null, warnings: [] }, async (input, scope) => {
      const { pool, warnings } = await reportPool(scope, input);
      return { resourceProvider: await readAfterWrite(scope.loaders.providerByUuid.load(pool)), warnings };
    }),
  },
} satisfies Resolvers;
