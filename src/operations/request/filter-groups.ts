// Filters with nested groups of filters: checks each with its path, and limits number and depth. Knows no condition.
import { invalidInput } from '../../domain/errors.ts';
import type { FilterInput, Groups, Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from './input.ts';

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

/** The filter without omitted conditions, after `checkOne` has checked it and each filter nested in it. Refuses INVALID_INPUT. */
export function parseFilter<Filter extends Groups<Filter>>(
  input: Optional<FilterInput<Filter>>,
  checkOne: (check: InputCheck, path: Path, filter: FilterInput<Filter>) => void,
): Filter {
  const check = new InputCheck();
  for (const { path, filter } of filtersWithin<FilterInput<Filter>>(['filter'], input ?? {})) checkOne(check, path, filter);
  check.done();
  return mapFilter<FilterInput<Filter>, Filter>(input ?? {}, (own) => {
    const given: object = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null && value !== undefined));
    return given as Filter;
  });
}

/** The filter with the conditions of each part replaced. */
export function mapFilter<From extends Groups<From>, To extends Groups<To>>(
  { and, or, not, ...own }: From,
  convert: (own: Omit<From, keyof Groups<From>>) => To,
): To {
  const within = (inner: From) => mapFilter(inner, convert);
  return { ...convert(own), ...(and && { and: and.map(within) }), ...(or && { or: or.map(within) }), ...(not && { not: within(not) }) };
}
