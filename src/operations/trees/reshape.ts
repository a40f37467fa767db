// Reshape: inventories move between providers together with the allocations on them, in one call of one function.

import type { Consumer } from '../../domain/allocation.ts';
import { type ShrunkInventory, shrunkInventories } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import type { Provider } from '../../domain/provider.ts';
import { type ConsumerAllocations, locateAllocation, parseConsumers } from '../allocations/allocation-writes.ts';
import { locateInventory } from '../providers/inventory-writes.ts';
import { InputCheck, type InventoryInput, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type Locate, write } from '../scope/write.ts';

export interface Reshape {
  readonly resourceProviders: readonly {
    readonly resourceProvider: string;
    readonly expect: ProviderExpectation;
    readonly inventories: readonly InventoryInput[];
  }[];
  readonly consumers?: readonly ConsumerAllocations[] | null | undefined;
}

export interface Reshaped {
  readonly providers: readonly Provider[];
  readonly consumers: readonly (Consumer | null)[];
  readonly warnings: readonly ShrunkInventory[];
  readonly eventId: number | null;
  /** What was stored with the answer. */
  readonly besides?: unknown;
}

/**
 * Gives 1 to 1,000 providers new inventories and up to 10,000 consumers new allocations, all or nothing; both the old and the new
 * inventories exist while allocations move. Refuses NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY,
 * UNIT_VIOLATION, CAPACITY_EXCEEDED.
 */
export async function reshape(
  scope: RequestScope,
  { resourceProviders: providers, consumers: given }: Reshape,
  besides?: unknown,
): Promise<Reshaped> {
  const allocations = given ?? [];
  const check = new InputCheck();
  check.size(['resourceProviders'], providers, 1, limits.treeProviders);
  check.size(['consumers'], allocations, 0, limits.treeConsumers);
  check.unique(
    ['resourceProviders'],
    providers.map(({ resourceProvider }) => resourceProvider),
    (index) => [index, 'resourceProvider'],
  );
  const wanted = providers.map(({ resourceProvider: provider, expect, inventories }, index) => {
    const expectation = check.expectation(['resourceProviders', index, 'expect'], { ...expect });
    return { provider, expect: expectation, inventories: check.inventories(['resourceProviders', index, 'inventories'], inventories) };
  });
  const consumers = await parseConsumers(check, ['consumers'], allocations);
  check.done();
  const answer = await write(scope, 'reshape', { providers: wanted, consumers }, locateReshape(providers, allocations), besides);
  return { ...answer, warnings: shrunkInventories(answer) };
}

function locateReshape(providers: Reshape['resourceProviders'], allocations: readonly ConsumerAllocations[]): Locate {
  return (reason) => {
    const { details } = reason;
    const named = 'provider' in details ? details.provider : 'key' in details ? details.key : undefined;
    const index = providers.findIndex(({ resourceProvider }) => resourceProvider === named);
    if (index >= 0 && !('consumer' in details))
      return ['resourceProviders', index, ...locateInventory(reason, providers[index]?.inventories ?? [])];
    const among = providers.findIndex(({ inventories }) => inventories.some(({ resourceClass }) => resourceClass === named));
    if (reason.code === 'NOT_FOUND' && among >= 0)
      return ['resourceProviders', among, ...locateInventory(reason, providers[among]?.inventories ?? [])];
    return locateAllocation(['consumers'], allocations)(reason);
  };
}
