// Reads the allocations on a provider in pages. Those of a consumer come from the loaders.

import type { AllocationSortKey } from '../../db/allocations.ts';
import type { Allocation, AllocationFilter, Consumer } from '../../domain/allocation.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { Provider } from '../../domain/provider.ts';
import { expectClasses, loadedIfExpected } from '../names/known-names.ts';
import { InputCheck } from '../request/input.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { AllocationPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

type AllocationFilterInput = { readonly [Key in keyof AllocationFilter]?: Optional<AllocationFilter[Key]> };

const maxEntries = limits.filterKeys;

export interface AllocationListArguments extends PageArguments {
  readonly filter?: Optional<AllocationFilterInput>;
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
  const { resourceClasses, projects, consumerTypes } = filter ?? {};
  const check = new InputCheck();
  for (const [name, list] of Object.entries({ resourceClasses, projects, consumerTypes })) {
    if (list) check.size(['filter', name], list, 0, maxEntries);
    check.texts(['filter', name], list);
  }
  check.done();
  const parsed = { ...(resourceClasses && { resourceClasses }), ...(projects && { projects }), ...(consumerTypes && { consumerTypes }) };
  const expected = expectClasses(scope, resourceClasses, ['filter', 'resourceClasses'], maxEntries);
  const list = { ...args, filter: parsed, name: nameInOrder('heldHere', keys), sort: sortOf(keys) };
  return loadedIfExpected(expected, scope.loaders.allocationPageByProvider(list).load(providerId));
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
