// Reads the allocations on a provider in pages. Those of a consumer come from the loaders.

import type { AllocationSortKey } from '../../db/allocations.ts';
import type { Allocation, AllocationFilter, Consumer } from '../../domain/allocation.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { FilterInput, Optional } from '../../domain/input.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { Provider } from '../../domain/provider.ts';
import { expectNames, loadedIfExpected } from '../names/known-names.ts';
import { filtersWithin, parseFilter } from '../request/filter-groups.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { AllocationPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface AllocationListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<AllocationFilter>>;
  /** By default by consumer, oldest first. */
  readonly orderBy?: Optional<readonly OrderKeyInput<AllocationSortKey['by']>[]>;
}

/** A page of the allocations on a provider, batched over providers. Refuses INVALID_INPUT, NOT_FOUND for unknown classes. */
export async function listAllocationsOfProvider(
  scope: RequestScope,
  providerId: number,
  { filter, orderBy, ...args }: AllocationListArguments,
): Promise<AllocationPage> {
  const keys = parseOrder(orderBy, 'CONSUMER_CREATED_AT');
  const wanted = parseFilter<AllocationFilter>(filter, (check, path, { resourceClasses, projects, consumerTypes }) =>
    check.nameFilters(path, { resourceClasses, projects, consumerTypes }),
  );
  const named = filtersWithin(['filter'], wanted).flatMap(({ path, filter: { resourceClasses = [] } }) =>
    resourceClasses.map((name, index) => ({ name, path: [...path, 'resourceClasses', index] })),
  );
  const list = { ...args, filter: wanted, name: nameInOrder('heldHere', keys), sort: sortOf(keys) };
  const expected = expectNames(scope, 'resourceClass', named);
  return loadedIfExpected(expected, () => scope.loaders.allocationPageByProvider(list).load(providerId));
}

/** The consumer of an allocation. Refuses NOT_FOUND when it was released after the allocation was read. */
export async function getHolder({ loaders }: RequestScope, { consumerId }: Allocation): Promise<Consumer> {
  return (await loaders.consumerById.load(consumerId)) ?? refuseDeleted('consumer');
}

/** The provider of an allocation. Refuses NOT_FOUND when it was deleted after the allocation was read. */
export async function getProviderOf({ loaders }: RequestScope, { providerId }: Allocation): Promise<Provider> {
  return (await loaders.providerById.load(providerId)) ?? refuseDeleted('resourceProvider');
}

/** The row was deleted between two statements of the same query. */
function refuseDeleted(noun: 'consumer' | 'resourceProvider'): never {
  const message = 'An allocation was released while it was read. Ask again.';
  throw refusalOf({ code: 'NOT_FOUND', details: { noun, key: '' } }, [], message);
}
