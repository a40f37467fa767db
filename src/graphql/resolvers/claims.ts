// Claims: search and allocate in one call.
import { claim } from '../../operations/candidates/claims.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const claimResolvers = {
  Mutation: {
    claim: mutation({ claims: [], resourceProviders: [] }, async (input, scope) => {
      const { claims, providers, problems } = await claim(scope, input);
      return { claims, resourceProviders: providers, userErrors: problems };
    }),
  },
  Claim: { alternateCandidates: ({ alternates }) => alternates },
} satisfies Resolvers;
