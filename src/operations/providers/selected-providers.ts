// The providers that one write changes together: one, some in the states that the caller has read, all that match a filter, or all that there are.
// An omission selects nothing: the filter of a write must have a condition wherever there can be one.

import { selectMatchingProviders } from '../../db/inventories.ts';
import type { Expected } from '../../db/writes/contract.ts';
import { invalidInput, type RefusalReason } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { checkEveryPart, type NamedClass, type ProviderFilterInput, resolveProviderFilter } from '../loaders/provider-filter.ts';
import type { InputCheck, ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { locateProvider } from './provider-writes.ts';

interface ExpectedProvider {
  readonly resourceProvider: string;
  readonly expect: ProviderExpectation;
}

/** Exactly one of the four. */
export interface ProviderSelection {
  readonly one?: Optional<ExpectedProvider>;
  readonly many?: Optional<readonly ExpectedProvider[]>;
  readonly filter?: Optional<ProviderFilterInput>;
  readonly all?: Optional<boolean>;
}

/** The expectations of the providers that are named, in their order; undefined when they are not named. */
export function checkSelection(check: InputCheck, { one, many, filter, all }: ProviderSelection): Expected[] | undefined {
  if (filter) checkEveryPart(check, ['select', 'filter'], filter, 'select all: true for all providers');
  else if (!one && !many && all !== true) check.add(['select'], 'must say which providers: one, many, filter or all: true');
  if (one) return [check.expectation(['select', 'one', 'expect'], { ...one.expect })];
  if (!many) return undefined;
  const path = ['select', 'many'];
  check.size(path, many, 1, limits.patchedProviders);
  const uuids = many.map(({ resourceProvider }) => resourceProvider);
  check.unique(path, uuids, (index) => [index, 'resourceProvider']);
  return many.map(({ expect }, index) => check.expectation([...path, index, 'expect'], { ...expect }));
}

/** The part of a request that makes its function refuse another number of matches. */
export function checkExpectedCount(check: InputCheck, expectedCount: Optional<number>): { readonly expectedCount?: number } {
  if (typeof expectedCount !== 'number') return {};
  if (expectedCount < 0) check.add(['expectedCount'], 'must be 0 or more');
  return { expectedCount };
}

/** The uuids of the named providers, or of those that now match and have the class, oldest first. Refuses more than 10,000. */
export async function findSelected(
  { db }: RequestScope,
  select: ProviderSelection,
  resourceClass?: NamedClass,
): Promise<readonly string[]> {
  const named = namedIn(select);
  if (named) return named;
  const classes = resourceClass ? [resourceClass] : [];
  const { conditions, classIds } = await resolveProviderFilter(db, select.filter ?? {}, classes, ['select', 'filter']);
  const classId = resourceClass ? (classIds.get(resourceClass.name) ?? 0) : null;
  const uuids = await selectMatchingProviders(db, classId, conditions, limits.patchedProviders + 1);
  if (uuids.length <= limits.patchedProviders) return uuids;
  const matching = resourceClass ? `match and have ${resourceClass.name}` : 'match';
  throw invalidInput(
    ['select', select.all ? 'all' : 'filter'],
    `more than ${limits.patchedProviders} providers ${matching}: take a narrower filter, and call again for the others`,
  );
}

/** The path of the provider of a refusal in the selection; empty if a filter has found it. */
export function locateSelected(reason: RefusalReason, select: ProviderSelection): readonly (string | number)[] {
  const { code, details } = reason;
  if (code === 'SELECTION_CONFLICT') return ['expectedCount'];
  const within = locateProvider(reason);
  if (select.one) return ['select', 'one', ...within];
  if (!select.many) return [];
  const key = code === 'NOT_FOUND' ? details.key : 'provider' in details ? details.provider : null;
  const place = (namedIn(select) ?? []).indexOf(String(key));
  return place < 0 ? ['select', 'many'] : ['select', 'many', place, ...within];
}

function namedIn({ one, many }: ProviderSelection): readonly string[] | undefined {
  return (one ? [one] : many)?.map(({ resourceProvider }) => resourceProvider);
}
