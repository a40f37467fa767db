// The caller and its permissions.
import type { Resolvers } from '../schema.generated.ts';
import { methodNames } from './events.ts';

export const viewerResolvers = {
  Query: {
    viewer: (_, __, { identity, rights }) =>
      identity && {
        userExternalId: identity.user,
        projectExternalId: identity.project,
        roles: identity.roles,
        authenticationMethod: methodNames[identity.method],
        ...rights(),
      },
  },
} satisfies Resolvers;
