// Lists traits. One by name and those of a provider come from the loaders.
import { traitNames } from '../../db/names.ts';
import type { Page } from '../../domain/page.ts';
import type { Trait } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { expectName, loadedIfExpected } from './known-names.ts';
import { listNames, type NameListArguments } from './name-lists.ts';

/** The trait of this name; null when there is none. Refuses INVALID_INPUT for text that cannot be a name. */
export async function findTrait({ loaders }: RequestScope, name: string): Promise<Trait | null> {
  checkName(name);
  return loaders.traitByName.load(name);
}

/** Whether a provider has a trait itself. Refuses INVALID_INPUT for text that cannot be a name, NOT_FOUND. */
export async function hasTrait(scope: RequestScope, providerId: number, name: string): Promise<boolean> {
  const expected = expectName(scope, 'trait', name, ['name']);
  return loadedIfExpected(expected, () => scope.loaders.hasTrait.load({ providerId, name }));
}

/** A page of the traits that meet all conditions, by name unless ordered otherwise. Refuses INVALID_INPUT; unknown names simply match nothing. */
export function listTraits(scope: RequestScope, args: NameListArguments): Promise<Page<Trait>> {
  return listNames(scope, args, { list: 'traits', names: traitNames, otherwise: 'NAME' });
}

function checkName(name: string): void {
  const check = new InputCheck();
  check.text(['name'], name, maxNameLength);
  check.done();
}
