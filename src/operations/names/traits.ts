// Lists traits. One by name and those of a provider come from the loaders.
import { countTraits, orderOfTraits, selectTraitPage, type TraitConditions, type TraitSortKey } from '../../db/traits.ts';
import type { Optional } from '../../domain/input.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { Trait } from '../../domain/provider.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';
import { expectName, loadedIfExpected } from './known-names.ts';

export interface TraitListArguments extends PageArguments {
  readonly filter?: Optional<TraitFilterInput>;
  /** By name when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<TraitSortKey['by']>[]>;
}

/** A filter as given by a caller. */
export type TraitFilterInput = { readonly [Key in keyof TraitConditions]?: Optional<TraitConditions[Key]> };

/** The trait of this name; null when there is none. Refuses INVALID_INPUT for text that cannot be a name. */
export async function findTrait({ loaders }: RequestScope, name: string): Promise<Trait | null> {
  checkName(name);
  return loaders.traitByName.load(name);
}

/** Whether a provider has a trait itself. Refuses INVALID_INPUT for text that cannot be a name, NOT_FOUND. */
export async function hasTrait(scope: RequestScope, providerId: number, name: string): Promise<boolean> {
  const expected = expectName(scope, 'trait', name, ['name']);
  return loadedIfExpected(expected, scope.loaders.hasTrait.load({ providerId, name }));
}

/** A page of the traits that meet all conditions. Refuses INVALID_INPUT; unknown names simply match nothing. */
export async function listTraits({ db }: RequestScope, { filter, orderBy, ...args }: TraitListArguments): Promise<Page<Trait>> {
  const keys = parseOrder(orderBy, 'NAME');
  const sort = sortOf(keys);
  const wanted = parseFilter(filter ?? {});
  return listPage(args, {
    name: nameInOrder('traits', keys),
    order: orderOfTraits(sort),
    select: (page) => selectTraitPage(db, wanted, sort, page),
    count: () => countTraits(db, wanted),
  });
}

function parseFilter({ names, nameContains, nameStartsWith, isStandard, inUse }: TraitFilterInput): TraitConditions {
  const check = new InputCheck();
  check.nameFilters({ names, nameContains, nameStartsWith });
  check.done();
  return {
    ...(names && { names }),
    ...(nameContains && { nameContains }),
    ...(nameStartsWith && { nameStartsWith }),
    ...(typeof isStandard === 'boolean' && { isStandard }),
    ...(typeof inUse === 'boolean' && { inUse }),
  };
}

function checkName(name: string): void {
  const check = new InputCheck();
  check.text(['name'], name, maxNameLength);
  check.done();
}
