// Reads of providers: one by uuid or name, and lists of them. What belongs to a provider comes through the loaders.
import { countProviders, orderOfProviders, type ProviderSort, selectProviderPage } from '../../db/provider-pages.ts';
import { keyOfRow } from '../../db/sql/keyset.ts';
import { invalidInput, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { onlyKey, type Page, type PageArguments } from '../../domain/page.ts';
import type { Provider, ProviderOrder } from '../../domain/provider.ts';
import type { TreeSort } from '../../domain/tree-order.ts';
import { InputCheck } from '../request/input.ts';
import { type Loaded, whenLoaded } from '../request/keyed-loaders.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { type NamedClass, type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';
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

export interface ProviderListArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  /** By name when omitted. */
  readonly orderBy?: Optional<readonly ProviderOrderKey[]>;
}

export interface ProviderOrderKey {
  readonly field: ProviderOrder['field'];
  readonly resourceClass?: Optional<string>;
  readonly scope?: Optional<ProviderOrder['scope']>;
  readonly direction?: Optional<ProviderOrder['direction']>;
}

/**
 * A page of the providers that match, at the price of one statement, and of one more when the filter or the order names something.
 * Refuses INVALID_INPUT for a filter or order that makes no sense, NOT_FOUND for unknown traits and classes.
 */
export async function listProviders(scope: RequestScope, args: ProviderListArguments): Promise<Page<Provider>> {
  const { db } = scope;
  const key = onlyKey(args.orderBy);
  const orderClass = orderClassOf(key);
  const list = `resourceProviders ${[key?.field ?? 'NAME', key?.direction ?? 'ASC', orderClass?.name ?? ''].join(' ')}`;
  if (key?.scope === 'TREE' && orderClass) {
    const { orderBy: _, ...rest } = args;
    return listProvidersByTree(scope, `${list} TREE`, {
      ...rest,
      by: key.field as TreeSort['by'],
      orderClass,
      descending: key.direction === 'DESC',
    });
  }
  const { conditions, orderClassId } = await resolveProviderFilter(db, args.filter, orderClass);
  const sort = sortOf(key, orderClassId);
  const order = orderOfProviders(sort);
  return listPage(args, {
    name: list,
    order,
    select: (page) => selectProviderPage(db, conditions, sort, page),
    keyOf: ({ sortKey, id }) => keyOfRow(order, sortKey, id),
    count: () => countProviders(db, conditions),
  });
}

const fieldsOfAClass: ReadonlySet<string> = new Set(['FREE', 'USED', 'UTILIZATION'] satisfies ProviderOrder['field'][]);

function orderClassOf(order: ProviderOrderKey | undefined): NamedClass | undefined {
  if (!order) return undefined;
  const path = ['orderBy', 0, 'resourceClass'];
  if (!fieldsOfAClass.has(order.field)) {
    if (typeof order.resourceClass === 'string') throw invalidInput(path, `${order.field} takes no resourceClass`);
    if (order.scope === 'TREE') throw invalidInput(['orderBy', 0, 'scope'], `${order.field} is of the provider itself, not of its tree`);
    return undefined;
  }
  if (typeof order.resourceClass !== 'string') throw invalidInput(path, `${order.field} needs a resourceClass`);
  const check = new InputCheck();
  check.className(path, order.resourceClass);
  check.done();
  return { name: order.resourceClass, path };
}

function sortOf(order: ProviderOrderKey | undefined, classId: number | undefined): ProviderSort {
  const by = order?.field ?? 'NAME';
  const descending = order?.direction === 'DESC';
  if (by === 'NAME' || by === 'CREATED_AT') return { by, descending };
  return { by, descending, classId: classId as number };
}
