// ResourceProvider, its tree and its pools, and the lists of providers. Allocations and events of a provider stand with those nouns.

import { invalidInput } from '../../domain/errors.ts';
import { sharingTrait } from '../../domain/provider.ts';
import { findProvider, getProvider, listProviders } from '../../operations/providers/providers.ts';
import { hasTrait } from '../../operations/providers/traits.ts';
import { whenLoaded } from '../../operations/request/keyed-loaders.ts';
import { renderNodeId } from '../node-id.ts';
import type { QueryResolvers, ResourceProviderResolvers, SharedPoolResolvers } from '../schema.generated.ts';
import { ofClasses } from './resource-classes.ts';

export const providerQueries: Pick<QueryResolvers, 'resourceProvider' | 'resourceProviders'> = {
  resourceProvider: (_, args, scope) => findProvider(scope, args),
  resourceProviders: (_, args, scope) => listProviders(scope, args),
};

export const providerResolvers: Omit<ResourceProviderResolvers, 'allocations' | 'events'> = {
  id: ({ uuid }) => renderNodeId('ResourceProvider', uuid),
  parent: ({ parentId }, _, scope) => (parentId === null ? null : scope.loaders.providerById.load(parentId)),
  root: (provider, _, scope) => (provider.parentId === null ? provider : getProvider(scope, provider.rootId)),
  depth: async ({ id, parentId }, _, { loaders }) => (parentId === null ? 0 : (await loaders.ancestorsByProvider.load(id)).length),
  ancestors: ({ id, parentId }, _, { loaders }) => (parentId === null ? [] : loaders.ancestorsByProvider.load(id)),
  children: ({ id }, _, { loaders }) => loaders.childrenByProvider.load(id),
  descendants: ({ id }, { maxDepth }, { loaders }) => {
    if (typeof maxDepth === 'number' && maxDepth < 1) throw invalidInput(['maxDepth'], 'maxDepth must be at least 1');
    return loaders.descendantsByProvider(maxDepth ?? null).load(id);
  },
  inventories: ({ id }, { resourceClasses }, { loaders }) =>
    whenLoaded(loaders.inventoriesByProvider.load(id), (rows) => ofClasses(rows, resourceClasses)),
  inventory: ({ id }, { resourceClass }, { loaders }) =>
    whenLoaded(loaders.inventoriesByProvider.load(id), (rows) => rows.find(({ className }) => className === resourceClass) ?? null),
  traits: ({ id }, _, { loaders }) => loaders.traitsByProvider.load(id),
  traitNames: ({ id }, _, { loaders }) => loaders.traitNamesByProvider.load(id),
  hasTrait: ({ id }, { name }, scope) => hasTrait(scope, id, name),
  aggregates: ({ id }, _, { loaders }) => loaders.aggregatesByProvider.load(id),
  subtreeUsage: async ({ id }, { resourceClasses }, { loaders }) =>
    ofClasses(await loaders.subtreeTotalsByProvider.load(id), resourceClasses),
  isSharing: ({ id }, _, { loaders }) => loaders.hasTrait.load({ providerId: id, name: sharingTrait }),
  sharedPools: async ({ rootId }, { resourceClasses }, { loaders }) => {
    const pools = (await loaders.sharedPoolsByRoot.load(rootId)).map((pool) => ({ ...pool, className: pool.inventory.className }));
    return ofClasses(pools, resourceClasses);
  },
  servesRoots: ({ id }, args, { loaders }) => loaders.servedRootsByProvider(args).load(id),
};

export const sharedPoolResolvers: SharedPoolResolvers = {
  resourceProvider: ({ provider }) => provider,
};
