// Reads of resource classes: one by name, all of them. What is standard, and its unit, is known to the domain.
import { selectResourceClasses } from '../../db/resource-classes.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import type { ResourceClass } from '../../domain/provider.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';

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

const standardNames: ReadonlySet<string> = new Set(standardResourceClasses.map(({ name }) => name));

/** All classes, standard ones first; only custom (true) or only standard ones (false). */
export async function listResourceClasses({ db }: RequestScope, custom: boolean | null | undefined): Promise<ResourceClass[]> {
  const classes = await selectResourceClasses(db);
  return typeof custom === 'boolean' ? classes.filter(({ name }) => standardNames.has(name) !== custom) : classes;
}
