// Inventory: the resources of one class that a provider has, and derived values.

import { partlyChanged } from '../../domain/event-changes.ts';
import type { Inventory } from '../../domain/provider.ts';
import { patchInventories } from '../../operations/providers/inventory-patches.ts';
import { deleteInventory, replaceInventories, setInventory } from '../../operations/providers/inventory-writes.ts';
import { getProvider } from '../../operations/providers/providers.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { utilizationOf } from './capacity.ts';
import { mutation } from './mutation.ts';

const noProvider = { resourceProvider: null, warnings: [] };

export const inventoryResolvers = {
  Mutation: {
    replaceInventories: mutation(noProvider, (input, scope) => replaceInventories(scope, input)),
    setInventory: mutation(noProvider, (input, scope) => setInventory(scope, input)),
    patchInventories: mutation({ matchedCount: 0, changes: [], applied: false, warnings: [] }, async (input, scope) => {
      const { patched, eventId: _, ...answer } = await patchInventories(scope, input);
      const { resourceClass: resourceClassName } = input;
      const changes = patched.map(({ provider, ...change }) =>
        partlyChanged(provider, { inventories: [{ resourceClassName, ...change }] }),
      );
      return { ...answer, changes };
    }),
    deleteInventory: mutation(noProvider, async (input, scope) => ({
      resourceProvider: (await deleteInventory(scope, input)).resourceProvider,
      warnings: [],
    })),
  },
  Inventory: {
    id: async ({ providerId, className }, _, scope) =>
      renderNodeId('Inventory', `${(await getProvider(scope, providerId)).uuid}/${className}`),
    resourceProvider: ({ providerId }, _, scope) => getProvider(scope, providerId),
    resourceClass: ({ classId, className }: Inventory) => ({ id: classId, name: className }),
    free: ({ capacity, used }) => capacity - used,
    utilization: utilizationOf,
    overCapacity: ({ capacity, used }) => used > capacity,
  },
  InventoryConnection: connectionResolvers,
} satisfies Resolvers;
