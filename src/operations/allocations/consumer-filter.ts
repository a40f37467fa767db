// Parses and checks filters of consumers. A class that does not exist is refused, because a typo would otherwise look like an empty result; unknown
// uuids, projects and users simply match nothing.
import type { ConsumerFilter } from '../../domain/allocation.ts';
import type { FilterInput, Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { expectNames } from '../names/known-names.ts';
import { filtersWithin, parseFilter } from '../request/filter-groups.ts';
import type { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';

/** A filter as given by a caller. */
export type ConsumerFilterInput = FilterInput<ConsumerFilter>;

/**
 * Checks a filter, and limits it to what the request may read. Refuses INVALID_INPUT for lists that are too long and text that cannot be a name, NOT_FOUND for
 * unknown classes.
 */
export async function resolveConsumerFilter(scope: RequestScope, input: Optional<ConsumerFilterInput>): Promise<ConsumerFilter> {
  const filter = parseConsumerFilter(input);
  const named = filtersWithin(['filter'], filter).flatMap(({ path, filter: one }) => [
    ...(one.resourceClasses ?? []).map((name, index) => ({ name, path: [...path, 'resourceClasses', index] })),
    ...(one.holds ?? []).map(({ resourceClass }, index) => ({ name: resourceClass, path: [...path, 'holds', index, 'resourceClass'] })),
  ]);
  await expectNames(scope, 'resourceClass', named);
  const { ownProject } = scope;
  return ownProject === null ? filter : { and: [filter, { projects: [ownProject] }] };
}

/** Checks a filter except for the classes that it names. Refuses INVALID_INPUT. */
export function parseConsumerFilter(input: Optional<ConsumerFilterInput>): ConsumerFilter {
  return parseFilter(input, checkFilter);
}

function checkFilter(check: InputCheck, path: Path, filter: ConsumerFilterInput): void {
  const { uuids, projects, users, consumerTypes, resourceProviders, inTrees, inTreesNamed, aggregates, resourceClasses, holds } = filter;
  for (const [name, list] of Object.entries({
    uuids,
    projects,
    users,
    consumerTypes,
    resourceProviders,
    inTrees,
    inTreesNamed,
    aggregates,
  })) {
    if (list) check.size([...path, name], list, 0, limits.filterKeys);
  }
  // Each entry is a condition of its own.
  for (const [name, list] of Object.entries({ resourceClasses, holds })) {
    if (list) check.size([...path, name], list, 0, limits.filterClauses);
  }
  for (const [name, texts] of Object.entries({ projects, users, consumerTypes, inTreesNamed })) check.texts([...path, name], texts);
  resourceClasses?.forEach((name, index) => {
    check.className([...path, 'resourceClasses', index], name);
  });
  holds?.forEach(({ resourceClass, amount }, index) => {
    check.className([...path, 'holds', index, 'resourceClass'], resourceClass);
    if (amount < 1) check.add([...path, 'holds', index, 'amount'], 'amount must be at least 1');
  });
}
