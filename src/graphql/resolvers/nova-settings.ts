// The settings of the cloud for Nova.
import { readCloud, replaceNovaSettings } from '../../nova/settings/nova-settings.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const novaSettingsResolvers = {
  Query: { novaSettings: async (_, __, scope) => (await readCloud(scope)).settings },
  Mutation: {
    replaceNovaSettings: mutation({ settings: null }, async (input, scope) => ({ settings: await replaceNovaSettings(scope, input) })),
  },
  NovaSettings: { cellUuids: ({ cells }) => cells ?? null },
  PciRequests: { inPlacement: ({ inPlacement }) => inPlacement ?? false },
  PciAlias: { resourceClassName: ({ resourceClass }) => resourceClass ?? null, traitNames: ({ traits }) => traits ?? null },
  PrefilterSettings: {
    imageType: ({ imageType }) => imageType ?? false,
    imageMetadata: ({ imageMetadata }) => imageMetadata ?? false,
    projectAggregates: ({ projectAggregates }) => projectAggregates ?? false,
    projectAggregateRequired: ({ projectAggregateRequired }) => projectAggregateRequired ?? false,
    isolatedAggregates: ({ isolatedAggregates }) => isolatedAggregates ?? false,
    hostAggregates: ({ hostAggregates }) => hostAggregates ?? [],
  },
  HostAggregate: { aggregateUuid: ({ aggregate }) => aggregate },
} satisfies Resolvers;
