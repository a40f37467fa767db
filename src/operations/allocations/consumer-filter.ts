// Parses and checks filters of consumers. A class that does not exist is refused, because a typo would otherwise look like an empty result; unknown
// uuids, projects and users simply match nothing.
import type { ConsumerFilter } from '../../domain/allocation.ts';
import { type Problem, problemOf, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { filtersWithin, type Groups } from '../request/filter-groups.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';

/** A filter as given by a caller. */
export type ConsumerFilterInput = {
  readonly [Key in Exclude<keyof ConsumerFilter, keyof Groups<unknown>>]?: Optional<ConsumerFilter[Key]>;
} & {
  readonly and?: Optional<readonly ConsumerFilterInput[]>;
  readonly or?: Optional<readonly ConsumerFilterInput[]>;
  readonly not?: Optional<ConsumerFilterInput>;
};

/**
 * Checks a filter, and limits it to what the request may read. Refuses INVALID_INPUT for lists that are too long and text that cannot be a name, NOT_FOUND for
 * unknown classes.
 */
export async function resolveConsumerFilter(
  { loaders, ownProject }: RequestScope,
  input: Optional<ConsumerFilterInput>,
): Promise<ConsumerFilter> {
  const filter = parseConsumerFilter(input);
  const problems: Problem[] = [];
  const named = filtersWithin<ConsumerFilterInput>(['filter'], input ?? {}).flatMap(({ path, filter: one }) => [
    ...(one.resourceClasses ?? []).map((name, index) => ({ name, path: [...path, 'resourceClasses', index] })),
    ...(one.holds ?? []).map(({ resourceClass }, index) => ({ name: resourceClass, path: [...path, 'holds', index, 'resourceClass'] })),
  ]);
  await Promise.all(
    named.map(async ({ name, path }) => {
      if (await loaders.resourceClassByName.load(name)) return;
      problems.push(problemOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, path));
    }),
  );
  if (problems.length > 0) throw new Refusal(problems.slice(0, limits.problemsReported));
  return ownProject === null ? filter : { and: [filter, { projects: [ownProject] }] };
}

/** Checks a filter except for the classes that it names. Refuses INVALID_INPUT. */
export function parseConsumerFilter(input: Optional<ConsumerFilterInput>): ConsumerFilter {
  const check = new InputCheck();
  for (const { path, filter } of filtersWithin<ConsumerFilterInput>(['filter'], input ?? {})) checkFilter(check, path, filter);
  check.done();
  return given(input ?? {});
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

/** The filter without omitted conditions. */
function given({ and, or, not, ...conditions }: ConsumerFilterInput): ConsumerFilter {
  const kept = Object.entries(conditions).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...(Object.fromEntries(kept) as ConsumerFilter),
    ...(and && { and: and.map(given) }),
    ...(or && { or: or.map(given) }),
    ...(not && { not: given(not) }),
  };
}
