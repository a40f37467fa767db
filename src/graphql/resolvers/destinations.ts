// The mutations that claim destinations and alternates.
import { computeNodeOfRoot } from '../../nova/compute-nodes/compute-nodes.ts';
import { claimAlternate } from '../../nova/instances/alternates.ts';
import { selectDestinations } from '../../nova/instances/destinations.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation, readAfterWrite } from './mutation.ts';

export const destinationResolvers = {
  Mutation: {
    selectDestinations: mutation({ destinations: [], warnings: [] }, async (input, scope) => {
      const { problems, ...selected } = await selectDestinations(scope, input);
      return { ...selected, userErrors: problems };
    }),
    claimAlternate: mutation({ instance: null, place: null }, async (input, scope) => {
      const { holder, place } = await claimAlternate(scope, input);
      return { instance: holder && (await readAfterWrite(scope.loaders.consumerByUuid.load(holder.uuid))), place };
    }),
  },
  Selection: {
    computeNode: ({ candidate }, _, scope) => computeNodeOfRoot(scope, candidate.root.uuid),
  },
} satisfies Resolvers;
