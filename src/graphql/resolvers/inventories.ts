// Inventory: an amount of a class at a provider, and what is computed from it.
import type { Inventory } from '../../domain/provider.ts';
import { getProvider } from '../../operations/providers/providers.ts';
import { renderNodeId } from '../node-id.ts';
import type { InventoryResolvers } from '../schema.generated.ts';
import { utilizationOf } from './capacity.ts';

export const inventoryResolvers: InventoryResolvers = {
  id: async ({ providerId, className }, _, scope) =>
    renderNodeId('Inventory', `${(await getProvider(scope, providerId)).uuid}/${className}`),
  resourceProvider: ({ providerId }, _, scope) => getProvider(scope, providerId),
  resourceClass: ({ classId, className }: Inventory) => ({ id: classId, name: className }),
  free: ({ capacity, used }) => capacity - used,
  utilization: utilizationOf,
  overCapacity: ({ capacity, used }) => used > capacity,
};
