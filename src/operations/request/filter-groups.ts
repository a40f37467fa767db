// Filters with nested groups of filters: collects all with their paths, and limits number and depth. Knows no condition.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';

/** A filter that may contain others of its kind. */
export interface Groups<Filter> {
  readonly and?: Optional<readonly Filter[]>;
  readonly or?: Optional<readonly Filter[]>;
  readonly not?: Optional<Filter>;
}

/** A filter and its path in the input. */
export interface PlacedFilter<Filter> {
  readonly path: Path;
  readonly filter: Filter;
}

/** A filter and all filters nested in it. Refuses INVALID_INPUT when there are too many, or they are nested too deeply. */
export function filtersWithin<Filter extends Groups<Filter>>(path: Path, filter: Filter): readonly PlacedFilter<Filter>[] {
  const all: PlacedFilter<Filter>[] = [];
  const visit = (at: Path, one: Filter, depth: number): void => {
    if (depth > limits.filterDepth) throw invalidInput(at, `and, or and not may be nested ${limits.filterDepth} deep`);
    if (all.push({ path: at, filter: one }) > limits.filterGroups) {
      throw invalidInput(path, `and, or and not may contain ${limits.filterGroups} filters in all`);
    }
    one.and?.forEach((inner, index) => {
      visit([...at, 'and', index], inner, depth + 1);
    });
    one.or?.forEach((inner, index) => {
      visit([...at, 'or', index], inner, depth + 1);
    });
    if (one.not) visit([...at, 'not'], one.not, depth + 1);
  };
  visit(path, filter, 0);
  return all;
}
