// The map of the cloud.
import { readCloudMap } from '../../operations/forest/cloud-map.ts';
import type { CloudMapChange } from '../../operations/live/map-message.ts';
import { followCloudMap } from '../../operations/live/map-stream.ts';
import type { Resolvers } from '../schema.generated.ts';

export const cloudMapResolvers = {
  Query: { cloudMap: (_, args, scope) => readCloudMap(scope, args) },
  Subscription: {
    cloudMapChanges: { subscribe: (_, args, scope) => followCloudMap(scope, args), resolve: (change: CloudMapChange) => change },
  },
  CloudMap: { hostCount: ({ names }) => names.length },
} satisfies Resolvers;
