// Checks filters of providers, and resolves their names to ids. A trait or class that does not exist is refused, because a typo would otherwise look
// like an empty cloud; unknown uuids and aggregates simply match nothing.

import { selectConsumerCounts } from '../../db/consumer-counts.ts';
import { type FilterIds, type FilterNames, selectFilterIds } from '../../db/provider-filter.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { type Problem, problemOf, Refusal } from '../../domain/errors.ts';
import type { Groups, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import {
  type ClassRange,
  type ColumnConditions,
  type CountedConsumers,
  type MembershipClause,
  type ProviderFilter,
  type Scope,
  sharingTrait,
} from '../../domain/provider.ts';
import { bounds, isWithin, type Range } from '../../domain/range.ts';
import { maxNameLength } from '../../domain/text.ts';
import { columnConditions, type Membership, type ProviderConditions } from '../../domain/trees/provider-conditions.ts';
import { forestOf } from '../forest/forest.ts';
import { findProviders } from '../forest/matching-providers.ts';
import { filtersWithin, type PlacedFilter } from '../request/filter-groups.ts';
import { InputCheck } from '../request/input.ts';

/** Makes every part optional and nullable; null is the same as omitted. */
type DeepOptional<T> = T extends readonly (infer Element)[]
  ? readonly DeepOptional<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepOptional<T[Key]> | null | undefined }
    : T;

type OfClasses = 'fits' | 'utilizations' | 'allocationRatios';
type RangeInput = DeepOptional<Range>;
type ClassRangeInput = RangeInput & Pick<ClassRange, 'resourceClass'>;

/** A ProviderFilter with nulls; `fits` has all its fields. */
export type ProviderFilterInput = DeepOptional<Omit<ProviderFilter, OfClasses | keyof Groups<unknown>>> & {
  readonly fits?: ProviderFilter['fits'] | null | undefined;
  readonly utilizations?: readonly ClassRangeInput[] | null | undefined;
  readonly allocationRatios?: readonly ClassRangeInput[] | null | undefined;
} & Groups<ProviderFilterInput>;

/** The path of filters in the input. */
const path: Path = ['filter'];

/** The maximum length of a list. */
const maxListLength = limits.filterKeys;
/** The maximum length of a list whose entries are conditions of their own. */
const maxConditions = limits.filterClauses;
/** The id of an aggregate that does not exist: identities start at 1. */
const unknownId = 0;

/** A class that is named outside the filter, and its path in the input. */
export interface NamedClass {
  readonly name: string;
  readonly path: Path;
}

/** A filter with resolved ids, and the ids of classes named outside it, such as those that the list is ordered by. */
export interface ResolvedFilter {
  readonly conditions: ProviderConditions;
  readonly classIds: ReadonlyMap<string, number>;
}

/**
 * Checks a filter and resolves the names in it and in `classes`, with at most one statement. A filter of trees becomes the ids of the matching
 * providers, found in the forest in memory: in Postgres each condition would read all trees. While the forest is being loaded Postgres does so
 * anyway, rather than make all callers wait. Refuses INVALID_INPUT for lists that are too long and text that cannot be stored, NOT_FOUND for unknown
 * traits and classes.
 */
export async function resolveProviderFilter(
  db: Db,
  filter: ProviderFilterInput | null | undefined,
  classes: readonly NamedClass[] = [],
  place: Path = path,
): Promise<ResolvedFilter> {
  const filters = filtersWithin<ProviderFilterInput>(place, filter ?? {});
  checkFilters(filters);
  const forest = filters.some((one) => one.filter.scope === 'TREE') ? await forestOf(db).currentIfLoaded() : null;
  if (forest) {
    const { conditions, classIds } = await resolveFilterIn(db, forest, filter, classes, place);
    const ids = (await findProviders(db, forest, conditions)).map(({ id }) => id);
    return { conditions: { ...conditionsOf({}, noIds, noCounts), ids }, classIds };
  }
  const names = namesIn(filters, classes);
  const namesAnything = Object.values(names).some((list) => list.length > 0);
  const ids = namesAnything ? await selectFilterIds(db, names) : noIds;
  refuseUnknown(filters, ids, classes);
  return { conditions: conditionsOf(filter ?? {}, ids, await countsFor(db, filter ?? {})), classIds: ids.resourceClasses };
}

/** resolveProviderFilter with the names in a forest. */
export async function resolveFilterIn(
  db: Db,
  forest: Forest,
  filter: ProviderFilterInput | null | undefined,
  classes: readonly NamedClass[] = [],
  place: Path = path,
): Promise<ResolvedFilter> {
  const filters = filtersWithin<ProviderFilterInput>(place, filter ?? {});
  checkFilters(filters);
  const names = namesIn(filters, classes);
  const ids = {
    traits: idsOf(names.traits, (name) => forest.traits.idOf(name)),
    resourceClasses: idsOf(names.resourceClasses, (name) => forest.classes.idOf(name)),
    aggregates: idsOf(names.aggregates, (uuid) => forest.aggregates.idOf(uuid)),
    treeMembers: idsOf(names.treeMembers, (uuid) => forest.findByUuid(uuid)?.tree.rootId),
  };
  refuseUnknown(filters, ids, classes);
  return { conditions: conditionsOf(filter ?? {}, ids, await countsFor(db, filter ?? {})), classIds: ids.resourceClasses };
}

/** By what is counted, and by id: how many consumers each provider has. */
type Counts = ReadonlyMap<string, ReadonlyMap<number, number>>;
const noCounts: Counts = new Map();
const keyOfCounts = (counted: CountedConsumers): string => JSON.stringify([counted.scope, counted.consumerType]);

/** Counts the consumers of all providers, if a filter asks for their numbers: one statement for each scope and type. */
async function countsFor(db: Db, filter: ProviderFilterInput): Promise<Counts> {
  const asked = new Map<string, CountedConsumers>();
  const visit = (one: ProviderFilterInput, around: Scope): void => {
    const scope = one.scope ?? around;
    if (one.consumerCount) {
      const counted = { scope, consumerType: one.consumerCount.consumerType ?? null };
      asked.set(keyOfCounts(counted), counted);
    }
    for (const inner of [...(one.and ?? []), ...(one.or ?? []), ...(one.not ? [one.not] : [])]) visit(inner, scope);
  };
  visit(filter, 'PROVIDER');
  const counts = [...asked].map(async ([key, counted]) => {
    const { ids, consumers } = await selectConsumerCounts(db, counted);
    return [key, new Map(ids.map((id, index) => [id, consumers[index] ?? 0]))] as const;
  });
  return new Map(await Promise.all(counts));
}

/** The providers whose number of consumers is in the range; if 0 is in the range, the providers whose number is not. `areMeant` says which. */
function countedIn(counts: ReadonlyMap<number, number>, range: Range): NonNullable<ProviderConditions['counted']> {
  const areMeant = !isWithin(0, range);
  return { ids: [...counts].flatMap(([id, consumers]) => (isWithin(consumers, range) === areMeant ? [id] : [])), areMeant };
}

const rangeOf = (given: RangeInput): Range =>
  Object.fromEntries(bounds.flatMap((bound) => (typeof given[bound] === 'number' ? [[bound, given[bound]]] : [])));

/** The conditions of a filter that name a class. */
const ofClasses = ({ fits, utilizations, allocationRatios }: ProviderFilterInput) => ({
  fits: fits ?? [],
  utilizations: utilizations ?? [],
  allocationRatios: allocationRatios ?? [],
});

function idsOf(names: readonly string[], idOf: (name: string) => number | undefined): ReadonlyMap<string, number> {
  return new Map(
    names.flatMap((name) => {
      const id = idOf(name);
      return id === undefined ? [] : [[name, id]];
    }),
  );
}

function namesIn(filters: readonly PlacedFilter<ProviderFilterInput>[], classes: readonly NamedClass[]): FilterNames {
  const each = <Name>(names: (filter: ProviderFilterInput) => readonly Name[]) => filters.flatMap(({ filter }) => names(filter));
  return {
    traits: each(({ traits, isSharing }) => [
      ...(traits ?? []).flatMap(namesOf),
      ...(typeof isSharing === 'boolean' ? [sharingTrait] : []),
    ]),
    resourceClasses: [
      ...each((filter) => [
        ...(filter.resourceClasses ?? []),
        ...Object.values(ofClasses(filter)).flatMap((list) => list.map(({ resourceClass }) => resourceClass)),
      ]),
      ...classes.map(({ name }) => name),
    ],
    aggregates: each(({ aggregates }) => (aggregates ?? []).flatMap(namesOf)),
    treeMembers: each(({ inTrees }) => inTrees ?? []),
  };
}

function conditionsOf(wanted: ProviderFilterInput, ids: FilterIds, counts: Counts, around: Scope = 'PROVIDER'): ProviderConditions {
  const traitId = (name: string) => ids.traits.get(name) ?? unknownId;
  const classId = (name: string) => ids.resourceClasses.get(name) ?? unknownId;
  const sharing = traitId(sharingTrait);
  const scope = wanted.scope ?? around;
  const within = (filter: ProviderFilterInput) => conditionsOf(filter, ids, counts, scope);
  const { isSharing, overCapacity, hasConsumers, consumerCount, updatedAfter, updatedBefore } = wanted;
  const counted = consumerCount && counts.get(keyOfCounts({ scope, consumerType: consumerCount.consumerType ?? null }));
  const ofClass = ({ resourceClass, ...range }: ClassRangeInput) => ({ classId: classId(resourceClass), ...rangeOf(range) });
  return {
    scope,
    ...(counted && { counted: countedIn(counted, rangeOf(consumerCount)) }),
    ...columnsOf(wanted),
    ...(wanted.inTrees && { rootIds: treeIds(wanted.inTrees, ids) }),
    ownTraits: { allOf: isSharing === true ? [sharing] : [], anyOf: [], noneOf: isSharing === false ? [sharing] : [] },
    scoped: {
      traits: membershipOf(wanted.traits ?? [], traitId),
      aggregates: membershipOf(wanted.aggregates ?? [], (uuid) => ids.aggregates.get(uuid) ?? unknownId),
      classIds: [...new Set(wanted.resourceClasses)].map(classId),
      fits: (wanted.fits ?? []).map(({ resourceClass, amount }) => ({ classId: classId(resourceClass), amount })),
      utilizations: (wanted.utilizations ?? []).map(ofClass),
      allocationRatios: (wanted.allocationRatios ?? []).map(ofClass),
      ...(typeof overCapacity === 'boolean' && { overCapacity }),
      ...(typeof hasConsumers === 'boolean' && { hasConsumers }),
      ...(updatedAfter && { updatedAfter }),
      ...(updatedBefore && { updatedBefore }),
    },
    and: (wanted.and ?? []).map(within),
    ...(wanted.or && { or: wanted.or.map(within) }),
    ...(wanted.not && { not: within(wanted.not) }),
  };
}

/** The conditions on columns that are given. */
function columnsOf(wanted: ProviderFilterInput): Partial<ColumnConditions> {
  return Object.fromEntries(columnConditions.flatMap((key) => ((wanted[key] ?? '') === '' ? [] : [[key, wanted[key]]])));
}

function treeIds(members: readonly string[], ids: FilterIds): number[] {
  return [...new Set(members.flatMap((uuid) => ids.treeMembers.get(uuid) ?? []))];
}

const noIds: FilterIds = { traits: new Map(), resourceClasses: new Map(), aggregates: new Map(), treeMembers: new Map() };

type Clause = DeepOptional<MembershipClause>;

const namesOf = ({ allOf, anyOf, noneOf }: Clause): string[] => [...(allOf ?? []), ...(anyOf ?? []), ...(noneOf ?? [])];

/** Clauses are ANDed, so only `anyOf` has to be kept separately for each clause. */
function membershipOf(clauses: readonly Clause[], idOf: (name: string) => number): Membership {
  return {
    allOf: clauses.flatMap(({ allOf }) => allOf ?? []).map(idOf),
    anyOf: clauses.flatMap(({ anyOf }) => (anyOf ? [anyOf.map(idOf)] : [])),
    noneOf: clauses.flatMap(({ noneOf }) => noneOf ?? []).map(idOf),
  };
}

function checkFilters(filters: readonly PlacedFilter<ProviderFilterInput>[]): void {
  const check = new InputCheck();
  for (const { path, filter } of filters) checkFilter(check, path, filter);
  check.done();
}

function checkFilter(check: InputCheck, path: Path, filter: ProviderFilterInput): void {
  const list = (field: keyof ProviderFilterInput & string, elements: readonly unknown[] | null | undefined, largest: number) =>
    check.size([...path, field], elements ?? [], 0, largest);
  for (const field of columnConditions) checkColumn(check, [...path, field], filter[field]);
  list('inTrees', filter.inTrees, maxListLength);
  list('resourceClasses', filter.resourceClasses, maxConditions);
  const conditions = ofClasses(filter);
  for (const field of classConditions) list(field, conditions[field], maxConditions);
  for (const field of ['traits', 'aggregates'] as const) {
    list(field, filter[field], maxConditions);
    for (const [index, clause] of (filter[field] ?? []).entries()) {
      for (const part of clauseParts) {
        check.size([...path, field, index, part], clause[part] ?? [], 0, maxListLength);
        clause[part]?.forEach((name, place) => {
          check.text([...path, field, index, part, place], name, maxNameLength);
        });
      }
    }
  }
  filter.resourceClasses?.forEach((name, index) => {
    check.text([...path, 'resourceClasses', index], name, maxNameLength);
  });
  for (const field of classConditions) {
    for (const [index, { resourceClass }] of conditions[field].entries()) {
      check.text([...path, field, index, 'resourceClass'], resourceClass, maxNameLength);
    }
  }
  for (const field of ['utilizations', 'allocationRatios'] as const) {
    for (const [index, range] of conditions[field].entries()) expectBound(check, [...path, field, index], range);
  }
  if (filter.consumerCount) {
    expectBound(check, [...path, 'consumerCount'], filter.consumerCount);
    check.text([...path, 'consumerCount', 'consumerType'], filter.consumerCount.consumerType, maxNameLength);
  }
  filter.fits?.forEach(({ amount }, index) => {
    if (amount < 1) check.add([...path, 'fits', index, 'amount'], 'amount must be at least 1');
  });
  check.unique(
    [...path, 'fits'],
    (filter.fits ?? []).map(({ resourceClass }) => resourceClass),
    (index) => [index, 'resourceClass'],
  );
}

/** A condition on a column: a list, or a text, which may be empty like a search box. */
function checkColumn(check: InputCheck, path: Path, given: ProviderFilterInput[keyof ColumnConditions]): void {
  if (typeof given === 'string' && given !== '') check.name(path, given);
  if (typeof given !== 'object' || given === null) return;
  check.size(path, given, 0, maxListLength);
  for (const [index, name] of given.entries()) check.name([...path, index], name);
}

/**
 * Refuses empty parts of the filter of a write, at any depth. A forgotten variable leaves such a part, and the filter would match more than the caller meant.
 */
export function checkEveryPart(check: InputCheck, path: Path, part: unknown, otherwise: string): void {
  if (part === '') check.add(path, 'must not be empty');
  if (typeof part !== 'object' || part === null) return;
  const parts = Array.isArray(part)
    ? [...part.entries()]
    : Object.entries(part).filter(([field, value]) => field !== 'scope' && value !== null && value !== undefined);
  if (parts.length === 0) check.add(path, `must have ${Array.isArray(part) ? 'an element' : 'a condition'}: ${otherwise}`);
  for (const [field, value] of parts) checkEveryPart(check, [...path, field], value, otherwise);
}

const classConditions = ['fits', 'utilizations', 'allocationRatios'] as const satisfies readonly OfClasses[];

/** A range without bounds is a mistake, such as a variable that was forgotten. */
function expectBound(check: InputCheck, path: Path, range: RangeInput): void {
  const given = Object.entries(rangeOf(range));
  if (given.length === 0) check.add(path, `must have one of ${bounds.join(', ')}`);
  // A literal such as 1e400 is read as infinite.
  for (const [bound, number] of given) if (!Number.isFinite(number)) check.add([...path, bound], 'must be a finite number');
}

const clauseParts = ['allOf', 'anyOf', 'noneOf'] as const;

function refuseUnknown(filters: readonly PlacedFilter<ProviderFilterInput>[], ids: FilterIds, classes: readonly NamedClass[]): void {
  const problems: Problem[] = [];
  const expectKnown = (noun: 'trait' | 'resourceClass', name: string, at: Path) => {
    if ((noun === 'trait' ? ids.traits : ids.resourceClasses).has(name)) return;
    problems.push(problemOf({ code: 'NOT_FOUND', details: { noun, key: name } }, at));
  };
  for (const { path, filter } of filters) {
    for (const [index, clause] of (filter.traits ?? []).entries()) {
      for (const part of clauseParts) {
        clause[part]?.forEach((name, place) => {
          expectKnown('trait', name, [...path, 'traits', index, part, place]);
        });
      }
    }
    filter.resourceClasses?.forEach((name, index) => {
      expectKnown('resourceClass', name, [...path, 'resourceClasses', index]);
    });
    for (const [field, list] of Object.entries(ofClasses(filter))) {
      for (const [index, { resourceClass }] of list.entries())
        expectKnown('resourceClass', resourceClass, [...path, field, index, 'resourceClass']);
    }
  }
  for (const { name, path } of classes) expectKnown('resourceClass', name, path);
  if (problems.length > 0) throw new Refusal(problems.slice(0, limits.problemsReported));
}
