// Reads providers: one by uuid or name, and lists. What belongs to a provider comes from the loaders.
import { countProviders, orderOfProviders, selectProviderPage } from '../../db/provider-pages.ts';
import { invalidInput, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { Provider, Scope } from '../../domain/provider.ts';
import { type ProviderFilterInput, resolveProviderFilter } from '../loaders/provider-filter.ts';
import { type ProviderOrderInput, parseProviderOrder } from '../loaders/provider-order.ts';
import { InputCheck } from '../request/input.ts';
import { type Loaded, whenLoaded } from '../request/keyed-loaders.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';
import { listProvidersByTree } from './tree-pages.ts';

/** The provider with this canonical uuid or this name; null when there is none. Refuses INVALID_INPUT unless exactly one is given. */
export async function findProvider(
  { loaders }: RequestScope,
  { uuid, name }: { readonly uuid?: Optional<string>; readonly name?: Optional<string> },
): Promise<Provider | null> {
  if (typeof uuid === 'string' && typeof name !== 'string') return loaders.providerByUuid.load(uuid);
  if (typeof uuid === 'string' || typeof name !== 'string') throw invalidInput([], 'give exactly one of uuid and name');
  const check = new InputCheck();
  check.name(['name'], name);
  check.done();
  return loaders.providerByName.load(name);
}

/** The provider that another row points to. Refuses NOT_FOUND when it was deleted after that row was read. */
export function getProvider({ loaders }: RequestScope, id: number): Loaded<Provider> {
  return whenLoaded(loaders.providerById.load(id), (provider) => {
    if (provider !== null) return provider;
    const message = 'A resource provider was deleted while it was being read. Ask again.';
    throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: '' } }, [], message);
  });
}

/** How many consumers have allocations on a provider, or on it and its descendants. Batched. Refuses INVALID_INPUT. */
export async function countConsumersOf(
  { loaders }: RequestScope,
  id: number,
  { scope, consumerType = null }: { readonly scope: Scope; readonly consumerType?: Optional<string> },
): Promise<number> {
  const check = new InputCheck();
  check.text(['consumerType'], consumerType, limits.vocabularyLength);
  check.done();
  return (await loaders.consumersByProvider({ scope, consumerType }).load(id))?.consumers ?? 0;
}

export interface ProviderListArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  /** By name when omitted. */
  readonly orderBy?: Optional<readonly ProviderOrderInput[]>;
}

/**
 * A page of the providers that match: one statement, and one more when the filter or the order contains names. `withParts`: their parts will be asked
 * for, and are read now if there are many, so that none of them needs a promise. Refuses INVALID_INPUT for an invalid filter or order, NOT_FOUND for
 * unknown traits and classes.
 */
export async function listProviders(
  scope: RequestScope,
  { filter, orderBy, ...args }: ProviderListArguments,
  withParts = false,
): Promise<Page<Provider>> {
  const { db } = scope;
  const order = parseProviderOrder(orderBy);
  if (order.ofTrees) return listProvidersByTree(scope, { filter, order, ...args });
  const { conditions, classIds } = await resolveProviderFilter(db, filter, order.classes);
  const sort = order.sortBy(classIds);
  const page = await listPage(args, {
    name: order.nameOf('resourceProviders'),
    order: orderOfProviders(sort),
    select: (request) => selectProviderPage(db, conditions, sort, request),
    count: () => countProviders(db, conditions),
  });
  if (withParts) await scope.loaders.rememberMany(page.rows.map(({ id }) => id));
  return page;
}
