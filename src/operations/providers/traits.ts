// Reads of traits: lists of them. One by name and those of a provider come through the loaders.
import { keyOfRow } from '../../db/sql/keyset.ts';
import { countTraits, selectTraitPage, type TraitConditions, traitOrder } from '../../db/traits.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { Trait } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { expectName, onceExpected } from './known-names.ts';

/** Conditions that are null count as not given. */
export type TraitListArguments = PageArguments & { readonly [Key in keyof TraitConditions]?: TraitConditions[Key] | null | undefined };

/** The trait of this name; null when there is none. Refuses INVALID_INPUT for text that cannot be a name. */
export async function findTrait({ loaders }: RequestScope, name: string): Promise<Trait | null> {
  checkName(name);
  return loaders.traitByName.load(name);
}

/** Whether a provider has a trait itself. Refuses INVALID_INPUT for text that cannot be a name, NOT_FOUND. */
export async function hasTrait(scope: RequestScope, providerId: number, name: string): Promise<boolean> {
  const expected = expectName(scope, 'trait', name, ['name']);
  return onceExpected(expected, scope.loaders.hasTrait.load({ providerId, name }));
}

/** A page of the traits that meet all conditions, by name. Refuses INVALID_INPUT; names that do not exist are just not there. */
export async function listTraits({ db }: RequestScope, args: TraitListArguments): Promise<Page<Trait>> {
  const { names, nameStartsWith, inUse } = args;
  const check = new InputCheck();
  check.size(['names'], names ?? [], 0, limits.filterKeys);
  names?.forEach((name, index) => {
    check.text(['names', index], name, maxNameLength);
  });
  if (nameStartsWith) check.text(['nameStartsWith'], nameStartsWith, maxNameLength);
  check.done();
  const wanted = { ...(names && { names }), ...(nameStartsWith && { nameStartsWith }), ...(typeof inUse === 'boolean' && { inUse }) };
  return listPage(args, {
    name: 'traits',
    order: traitOrder,
    select: (page) => selectTraitPage(db, wanted, page),
    keyOf: ({ sortKey, id }) => keyOfRow(traitOrder, sortKey, id),
    count: () => countTraits(db, wanted),
  });
}

function checkName(name: string): void {
  const check = new InputCheck();
  check.text(['name'], name, maxNameLength);
  check.done();
}
