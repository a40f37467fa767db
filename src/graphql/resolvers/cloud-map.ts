// The map of the cloud.
import { readCloudMap } from '../../operations/forest/cloud-map.ts';
import type { Resolvers } from '../schema.generated.ts';

export const cloudMapResolvers = {
  Query: { cloudMap: (_, args, scope) => readCloudMap(scope, args) },
  CloudMap: { hostCount: ({ names }) => names.length },
} satisfies Resolvers;
