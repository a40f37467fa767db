// Whole trees: reshapes, and changes to a desired state.
import { applyProviderTree } from '../../operations/trees/provider-tree.ts';
import { reshape } from '../../operations/trees/reshape.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const treeResolvers = {
  Mutation: {
    reshape: mutation({ resourceProviders: [], consumers: [], warnings: [] }, async (input, scope) => {
      const { providers, consumers, warnings } = await reshape(scope, input);
      return { resourceProviders: providers, consumers, warnings };
    }),
    applyProviderTree: mutation({ root: null, changes: [], applied: false, warnings: [] }, (input, scope) =>
      applyProviderTree(scope, input),
    ),
  },
} satisfies Resolvers;
