// Writes of custom traits and custom resource classes. Standard ones come with the service.
import { type Noun, refusalOf } from '../../domain/errors.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import { customNameFault } from '../../domain/text.ts';
import { type IfExists, InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { write } from '../scope/write.ts';

const standardNames = new Set([...standardTraits, ...standardResourceClasses.map(({ name }) => name)]);

interface NewName {
  readonly name: string;
  readonly ifExists?: IfExists;
}

/** Creates a custom trait. Refuses INVALID_INPUT, STANDARD_NAME, DUPLICATE. */
export async function createTrait(scope: RequestScope, { name, ifExists }: NewName) {
  checkCustomName('trait', name);
  const { created } = await write(scope, 'create_trait', { name, mustBeNew: ifExists !== 'RETURN' }, () => ['name']);
  return { created };
}

/** Deletes a custom trait that no provider has. Refuses INVALID_INPUT, NOT_FOUND, STANDARD_NAME, IN_USE. */
export async function deleteTrait(scope: RequestScope, { name }: { readonly name: string }): Promise<string> {
  checkCustomName('trait', name);
  await write(scope, 'delete_trait', { name }, () => ['name']);
  return name;
}

/** Creates a custom class. Refuses INVALID_INPUT, STANDARD_NAME, DUPLICATE. */
export async function createResourceClass(scope: RequestScope, { name, ifExists }: NewName) {
  checkCustomName('resourceClass', name);
  const { created } = await write(scope, 'create_resource_class', { name, mustBeNew: ifExists !== 'RETURN' }, () => ['name']);
  return { created };
}

/** Renames a custom class. Refuses INVALID_INPUT, NOT_FOUND, STANDARD_NAME, DUPLICATE. */
export async function renameResourceClass(
  scope: RequestScope,
  { from, name }: { readonly from: string; readonly name: string },
): Promise<void> {
  if (standardNames.has(from)) checkCustomName('resourceClass', from);
  checkCustomName('resourceClass', name);
  await write(scope, 'rename_resource_class', { from, name }, () => ['name']);
}

/** Deletes a custom class without inventories. Refuses INVALID_INPUT, NOT_FOUND, STANDARD_NAME, IN_USE. */
export async function deleteResourceClass(scope: RequestScope, { name }: { readonly name: string }): Promise<string> {
  checkCustomName('resourceClass', name);
  await write(scope, 'delete_resource_class', { name }, () => ['name']);
  return name;
}

function checkCustomName(noun: Noun, name: string): void {
  if (standardNames.has(name)) throw refusalOf({ code: 'STANDARD_NAME', details: { noun, key: name } }, ['name']);
  const check = new InputCheck();
  check.fault(['name'], customNameFault(name));
  check.done();
}
