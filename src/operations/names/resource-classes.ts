// Reads resource classes: one by name, and lists. The domain knows which are standard, and their units.
import {
  countResourceClasses,
  orderOfResourceClasses,
  type ResourceClassConditions,
  type ResourceClassSortKey,
  selectResourceClassPage,
} from '../../db/resource-classes.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { ResourceClass } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';

/** The class of this name; null when there is none. Refuses INVALID_INPUT for text that cannot be a name. */
export async function findResourceClass({ loaders }: RequestScope, name: string): Promise<ResourceClass | null> {
  const check = new InputCheck();
  check.text(['name'], name, maxNameLength);
  check.done();
  return loaders.resourceClassByName.load(name);
}

/** The id of the class that the input names at `path`. Refuses INVALID_INPUT, NOT_FOUND. */
export async function getResourceClassId({ loaders }: RequestScope, name: string, path: Path): Promise<number> {
  const check = new InputCheck();
  check.className(path, name);
  check.done();
  const resourceClass = await loaders.resourceClassByName.load(name);
  if (!resourceClass) throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, path);
  return resourceClass.id;
}

/** A filter as given by a caller. */
type ResourceClassFilterInput = { readonly [Key in keyof ResourceClassConditions]?: Optional<ResourceClassConditions[Key]> };

export interface ResourceClassListArguments extends PageArguments {
  readonly filter?: Optional<ResourceClassFilterInput>;
  /** In the order of creation when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<ResourceClassSortKey['by']>[]>;
}

/** A page of the classes that meet all conditions. Refuses INVALID_INPUT; unknown names simply match nothing. */
export async function listResourceClasses(
  { db }: RequestScope,
  { filter, orderBy, ...args }: ResourceClassListArguments,
): Promise<Page<ResourceClass>> {
  const keys = parseOrder(orderBy, 'CREATED_AT');
  const sort = sortOf(keys);
  const wanted = parseFilter(filter ?? {});
  return listPage(args, {
    name: nameInOrder('resourceClasses', keys),
    order: orderOfResourceClasses(sort),
    select: (page) => selectResourceClassPage(db, wanted, sort, page),
    count: () => countResourceClasses(db, wanted),
  });
}

function parseFilter({ names, nameContains, nameStartsWith, isStandard }: ResourceClassFilterInput): ResourceClassConditions {
  const check = new InputCheck();
  check.nameFilters({ names, nameContains, nameStartsWith });
  check.done();
  return {
    ...(names && { names }),
    ...(nameContains && { nameContains }),
    ...(nameStartsWith && { nameStartsWith }),
    ...(typeof isStandard === 'boolean' && { isStandard }),
  };
}
