// Whole trees: reshapes, and trees as they shall be.
import { applyProviderTree } from '../../operations/trees/provider-tree.ts';
import { reshape } from '../../operations/trees/reshape.ts';
import { eventNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const treeResolvers = {
  Mutation: {
    reshape: mutation({ resourceProviders: [], consumers: [], eventId: null, warnings: [] }, async (input, scope) => {
      const { providers, consumers, eventId, warnings } = await reshape(scope, input);
      return { resourceProviders: providers, consumers, eventId: eventNodeId(eventId), warnings };
    }),
    applyProviderTree: mutation({ root: null, changes: [], applied: false, eventId: null, warnings: [] }, async (input, scope) => {
      const { eventId, ...applied } = await applyProviderTree(scope, input);
      return { ...applied, eventId: eventNodeId(eventId) };
    }),
  },
} satisfies Resolvers;
