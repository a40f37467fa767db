// ResourceProvider, its tree and pools, and the lists of providers. Its allocations and events are with those nouns.

import { invalidInput } from '../../domain/errors.ts';
import { sharingTrait } from '../../domain/provider.ts';
import { computeNodeOfRoot } from '../../nova/compute-nodes/compute-nodes.ts';
import { expectClasses, expectName, loadedIfExpected } from '../../operations/names/known-names.ts';
import { hasTrait } from '../../operations/names/traits.ts';
import { createResourceProvider, deleteResourceProvider, updateResourceProvider } from '../../operations/providers/provider-writes.ts';
import { countConsumersOf, findProvider, getProvider, listProviders } from '../../operations/providers/providers.ts';
import { whenLoaded } from '../../operations/request/keyed-loaders.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { selectsOfNodes } from '../selected-fields.ts';
import { deleted, mutation, nothingDeleted } from './mutation.ts';
import { ofClasses } from './resource-classes.ts';

const noProvider = { resourceProvider: null };
/** The fields that loaders take from the forest in memory if many providers are shown. */
const partsOfProviders = ['inventories', 'inventory', 'traits', 'traitNames', 'aggregates'];

export const providerResolvers = {
  Query: {
    resourceProvider: (_, args, scope) => findProvider(scope, args),
    resourceProviders: (_, args, scope, info) => listProviders(scope, args, selectsOfNodes(partsOfProviders, info)),
  },
  Mutation: {
    createResourceProvider: mutation({ ...noProvider, created: false }, (input, scope) => createResourceProvider(scope, input)),
    updateResourceProvider: mutation({ ...noProvider, warnings: [] }, async (input, scope) => ({
      resourceProvider: await updateResourceProvider(scope, input),
      warnings: [],
    })),
    deleteResourceProvider: mutation(nothingDeleted, async (input, scope) =>
      deleted('ResourceProvider', await deleteResourceProvider(scope, input)),
    ),
  },
  ResourceProvider: {
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
    inventories: ({ id }, { resourceClasses }, scope) => {
      const expected = expectClasses(scope, resourceClasses, ['resourceClasses']);
      return whenLoaded(
        loadedIfExpected(expected, () => scope.loaders.inventoriesByProvider.load(id)),
        (rows) => ofClasses(rows, resourceClasses),
      );
    },
    inventory: ({ id }, { resourceClass }, scope) => {
      const expected = expectName(scope, 'resourceClass', resourceClass, ['resourceClass']);
      const loaded = loadedIfExpected(expected, () => scope.loaders.inventoriesByProvider.load(id));
      return whenLoaded(loaded, (rows) => rows.find(({ className }) => className === resourceClass) ?? null);
    },
    traits: ({ id }, _, { loaders }) => loaders.traitsByProvider.load(id),
    traitNames: ({ id }, _, { loaders }) => loaders.traitNamesByProvider.load(id),
    hasTrait: ({ id }, { name }, scope) => hasTrait(scope, id, name),
    aggregates: ({ id }, _, { loaders }) => loaders.aggregatesByProvider.load(id),
    consumerCount: ({ id }, args, scope) => countConsumersOf(scope, id, args),
    treeInventory: async ({ id }, { resourceClass }, scope) => {
      const expected = expectName(scope, 'resourceClass', resourceClass, ['resourceClass']);
      const totals = await loadedIfExpected(expected, () => scope.loaders.subtreeTotalsByProvider.load(id));
      return totals.find(({ className }) => className === resourceClass) ?? null;
    },
    treeInventories: async ({ id }, { resourceClasses }, scope) => {
      const expected = expectClasses(scope, resourceClasses, ['resourceClasses']);
      return ofClasses(await loadedIfExpected(expected, () => scope.loaders.subtreeTotalsByProvider.load(id)), resourceClasses);
    },
    isSharing: ({ id }, _, { loaders }) => loaders.hasTrait.load({ providerId: id, name: sharingTrait }),
    sharedPools: async ({ rootId }, { resourceClasses }, scope) => {
      const expected = expectClasses(scope, resourceClasses, ['resourceClasses']);
      const pools = await loadedIfExpected(expected, () => scope.loaders.sharedPoolsByRoot.load(rootId));
      return ofClasses(
        pools.map((pool) => ({ ...pool, className: pool.inventory.className })),
        resourceClasses,
      );
    },
    computeNode: async (provider, _, scope) => {
      const { uuid } = provider.parentId === null ? provider : await getProvider(scope, provider.rootId);
      return computeNodeOfRoot(scope, uuid);
    },
    servesRoots: ({ id }, args, { loaders }) => loaders.servedRootsByProvider(args).load(id),
  },
  SharedPool: {
    resourceProvider: ({ provider }) => provider,
  },
  ResourceProviderConnection: connectionResolvers,
} satisfies Resolvers;
