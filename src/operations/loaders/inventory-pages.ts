// Pages of the inventories of a class, batched over classes.

import {
  countInventoriesOfClasses,
  type InventorySortKey,
  orderOfInventories,
  selectInventoryPagesOfClasses,
} from '../../db/inventories.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Optional } from '../../domain/input.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { Inventory } from '../../domain/provider.ts';
import { loadersByArguments } from '../request/keyed-loaders.ts';
import { loadPages } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import { type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';

export interface InventoryListArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  /** By provider name when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<InventorySortKey['by']>[]>;
}

/** Loaders of the same page of inventories for many classes. They refuse INVALID_INPUT, and NOT_FOUND for unknown names in the filter. */
export function inventoryPagesOfClasses(db: Db) {
  return loadersByArguments(({ filter, orderBy, ...args }: InventoryListArguments) => {
    const keys = parseOrder(orderBy, 'PROVIDER_NAME');
    const sort = sortOf(keys);
    // Resolved once for the page and the count.
    let resolved: ReturnType<typeof resolveProviderFilter> | undefined;
    const conditions = async () => {
      resolved ??= resolveProviderFilter(db, filter);
      return (await resolved).conditions;
    };
    return loadPages<number, Inventory>(
      {
        name: nameInOrder('cloudInventories', keys),
        order: orderOfInventories(sort),
        select: async (classIds, page) => selectInventoryPagesOfClasses(db, classIds, await conditions(), sort, page),
        count: async (classIds) => countInventoriesOfClasses(db, classIds, await conditions()),
      },
      args,
    );
  });
}
