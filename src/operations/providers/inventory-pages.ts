// The inventories of a class a page at a time, for many classes at once.

import { countInventoriesOfClasses, type InventorySort, orderOfInventories, selectInventoryPagesOfClasses } from '../../db/inventories.ts';
import type { Db } from '../../db/sql/client.ts';
import { onlyKey, type PageArguments } from '../../domain/page.ts';
import type { Inventory, InventoryOrder } from '../../domain/provider.ts';
import { loadersByArguments, loadPages } from '../request/keyed-loaders.ts';
import { type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';

export interface InventoryListArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  /** By provider name when omitted. */
  readonly orderBy?: readonly Partial<InventoryOrder>[] | null | undefined;
}

/** Loaders of the same page of inventories for many classes. Refuse INVALID_INPUT, and NOT_FOUND for unknown names in the filter. */
export function inventoryPagesOfClasses(db: Db) {
  return loadersByArguments(({ filter, orderBy, ...args }: InventoryListArguments) => {
    const key = onlyKey(orderBy);
    const sort: InventorySort = { by: key?.field ?? 'PROVIDER_NAME', descending: key?.direction === 'DESC' };
    // Once for the page and the count.
    let resolved: ReturnType<typeof resolveProviderFilter> | undefined;
    const conditions = async () => {
      resolved ??= resolveProviderFilter(db, filter);
      return (await resolved).conditions;
    };
    return loadPages<Inventory>(
      {
        name: `resourceClass.cloudInventories ${sort.by} ${sort.descending}`,
        order: orderOfInventories(sort),
        idOf: ({ providerId }) => providerId,
        select: async (classIds, page) => selectInventoryPagesOfClasses(db, classIds, await conditions(), sort, page),
        count: async (classIds) => countInventoriesOfClasses(db, classIds, await conditions()),
      },
      args,
    );
  });
}
