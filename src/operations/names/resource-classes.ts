// Reads resource classes: one by name, and lists. The domain knows which are standard, and their units.
import { classNames } from '../../db/names.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import type { Page } from '../../domain/page.ts';
import type { ResourceClass } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { listNames, type NameListArguments } from './name-lists.ts';

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

/** A page of the classes that meet all conditions, in the order of creation unless ordered otherwise. Refuses INVALID_INPUT; unknown names simply match nothing. */
export function listResourceClasses(scope: RequestScope, args: NameListArguments): Promise<Page<ResourceClass>> {
  return listNames(scope, args, { list: 'resourceClasses', names: classNames, otherwise: 'CREATED_AT' });
}
