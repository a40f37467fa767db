// The allocations of instances on the compute node where they run.
import { claimInstance } from '../../nova/instances/instances.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation, readAfterWrite } from './mutation.ts';

export const instanceResolvers = {
  Mutation: {
    claimInstance: mutation({ instance: null, migration: null }, async (input, scope) => {
      const { holder } = await claimInstance(scope, input);
      return { migration: null, instance: holder && (await readAfterWrite(scope.loaders.consumerByUuid.load(holder.uuid))) };
    }),
  },
} satisfies Resolvers;
