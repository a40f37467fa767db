// Provider filters with names resolved to ids, and their evaluation on the forest. db/provider-filter.ts is the same in SQL.
import type { Forest, ForestProvider, Tree } from '../candidates/forest.ts';
import { hasRoomFor } from '../candidates/groups.ts';
import type { IdSet } from '../candidates/id-set.ts';
import { mergeLists, type TreeList } from '../candidates/tree-list.ts';
import { containing, startingWith } from '../caseless.ts';
import { isOver } from '../inventory.ts';
import { comparisonWith } from '../moment.ts';
import type { ColumnConditions, Scope } from '../provider.ts';
import { isWithin, type Range } from '../range.ts';
import { subtreeAmounts, subtreeOf } from './subtree.ts';

/** A condition on the traits or aggregates of a provider, by id. Ids that do not exist match nothing. */
export interface Membership {
  readonly allOf: readonly number[];
  /** At least one of each list. */
  readonly anyOf: readonly (readonly number[])[];
  readonly noneOf: readonly number[];
}

/** A filter with names resolved to ids; all conditions given must hold. */
export interface ProviderConditions extends Partial<ColumnConditions> {
  /** What the conditions in `scoped` apply to. All others apply to the provider itself. */
  readonly scope: Scope;
  /** Provider ids, without duplicates. */
  readonly ids?: readonly number[];
  /** Providers whose number of consumers meets the condition; or, if zero consumers meet it, the providers to leave out (`areMeant` is false). */
  readonly counted?: { readonly ids: readonly number[]; readonly areMeant: boolean };
  readonly rootIds?: readonly number[];
  /** Traits of the provider itself, whatever the scope. */
  readonly ownTraits: Membership;
  readonly scoped: ScopedConditions;
  readonly and: readonly ProviderConditions[];
  /** At least one of these must hold. */
  readonly or?: readonly ProviderConditions[];
  readonly not?: ProviderConditions;
}

/** Conditions on a provider, or on it and its descendants together. */
export interface ScopedConditions {
  readonly traits: Membership;
  readonly aggregates: Membership;
  readonly classIds: readonly number[];
  /** Each amount must fit on a single provider. */
  readonly fits: readonly { readonly classId: number; readonly amount: number }[];
  /** On the sums in scope. */
  readonly utilizations: readonly ClassIdRange[];
  /** On a single inventory in scope. */
  readonly allocationRatios: readonly ClassIdRange[];
  readonly overCapacity?: boolean;
  readonly hasConsumers?: boolean;
  /** Compared with the latest write in scope. */
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

export interface ClassIdRange extends Range {
  readonly classId: number;
}

/** A superset of the providers that meet the conditions, without duplicates. */
export function possibleProviders(forest: Forest, wanted: ProviderConditions): Iterable<ForestProvider> {
  const { uuids, rootIds, isRoot } = wanted;
  if (uuids) return new Set(uuids.flatMap((uuid) => forest.findByUuid(uuid) ?? []));
  if (rootIds) return new Set(rootIds.flatMap((id) => forest.findById(id)?.tree.members ?? []));
  return providersIn(possibleTrees(forest, wanted), isRoot === true);
}

function* providersIn(trees: Iterable<Tree>, onlyRoots: boolean): Generator<ForestProvider> {
  for (const { root, members } of trees) {
    if (onlyRoots) yield root;
    else yield* members;
  }
}

/** The trees with a member that meets the most selective condition. */
function possibleTrees({ all, byTrait, byAggregate, byClass }: Forest, { ownTraits, scoped }: ProviderConditions): Iterable<Tree> {
  const required = ({ allOf, anyOf: alternatives }: Membership) => [...allOf.map((id) => [id]), ...alternatives];
  const ofClasses = [...scoped.fits, ...scoped.utilizations, ...scoped.allocationRatios];
  const classIds = [...scoped.classIds, ...ofClasses.map(({ classId }) => classId)];
  const conditions = [
    [all],
    ...[...required(ownTraits), ...required(scoped.traits)].map((ids) => ids.map((id) => byTrait.listOf(id))),
    ...required(scoped.aggregates).map((ids) => ids.map((id) => byAggregate.listOf(id))),
    ...classIds.map((id) => [byClass.listOf(id)]),
  ];
  const sizeOf = (lists: readonly TreeList<Tree>[]) => lists.reduce((sum, { length }) => sum + length, 0);
  return mergeLists(conditions.reduce((fewest, lists) => (sizeOf(lists) < sizeOf(fewest) ? lists : fewest)));
}

type Predicate = (provider: ForestProvider) => boolean;

/** Compiles conditions to a predicate; reuse it for many providers. */
export function compileConditions(wanted: ProviderConditions): Predicate {
  const predicates = [
    ...ownPredicates(wanted),
    ...scopedPredicates(wanted),
    ...wanted.and.map(compileConditions),
    ...(wanted.or ? [anyOf(wanted.or.map(compileConditions))] : []),
    ...(wanted.not ? [noneOf(compileConditions(wanted.not))] : []),
  ];
  const [only] = predicates;
  if (!only) return () => true;
  return predicates.length === 1 ? only : (provider) => predicates.every((holds) => holds(provider));
}

const anyOf =
  (predicates: readonly Predicate[]): Predicate =>
  (provider) =>
    predicates.some((holds) => holds(provider));

const noneOf =
  (holds: Predicate): Predicate =>
  (provider) =>
    !holds(provider);

/** The predicates on the provider itself. */
function* ownPredicates(wanted: ProviderConditions): Generator<Predicate> {
  const { counted, ownTraits } = wanted;
  const [ids, rootIds] = [setOf(wanted.ids), setOf(wanted.rootIds)];
  if (ids) yield ({ id }) => ids.has(id);
  if (counted) {
    const listed = new Set(counted.ids);
    yield ({ id }) => listed.has(id) === counted.areMeant;
  }
  yield* ofColumns(wanted, predicateOf);
  if (rootIds) yield ({ state }) => rootIds.has(state.provider.rootId);
  if (hasConditions(ownTraits)) yield ({ traits }) => isMember(traits, ownTraits);
}

/** Something for each condition on a column. */
export type OfColumns<Result> = { readonly [Key in keyof ColumnConditions]: (given: ColumnConditions[Key]) => Result };

const predicateOf: OfColumns<Predicate> = {
  uuids: (given) => {
    const uuids = new Set(given);
    return ({ state }) => uuids.has(state.provider.uuid);
  },
  names: (given) => {
    const names = new Set(given);
    return onName((name) => names.has(name));
  },
  nameContains: (text) => onName(containing(text)),
  nameStartsWith: (text) => onName(startingWith(text)),
  isRoot:
    (isRoot) =>
    ({ state }) =>
      isRoot === (state.provider.parentId === null),
  createdAfter: (moment) => {
    const compared = comparisonWith(moment);
    return ({ state }) => compared(state.provider.createdAt) > 0;
  },
  createdBefore: (moment) => {
    const compared = comparisonWith(moment);
    return ({ state }) => compared(state.provider.createdAt) < 0;
  },
};

export const columnConditions = Object.keys(predicateOf) as readonly (keyof ColumnConditions)[];

/** What a table has for the conditions on columns that are given. */
export function ofColumns<Result>(wanted: Partial<ColumnConditions>, table: OfColumns<Result>): Result[] {
  const resultOf = <Key extends keyof ColumnConditions>(key: Key): Result[] => {
    const given: ColumnConditions[Key] | undefined = wanted[key];
    return given === undefined || given === '' ? [] : [table[key](given)];
  };
  return columnConditions.flatMap(resultOf);
}

const setOf = <Value>(values: readonly Value[] | undefined): ReadonlySet<Value> | undefined => values && new Set(values);

const onName =
  (holds: (name: string) => boolean): Predicate =>
  ({ state }) =>
    holds(state.provider.name);

const comparedWith = (moment: string | undefined) => (moment ? comparisonWith(moment) : undefined);

/** Reads the subject of a scoped condition: a provider alone, or it and its descendants as one. */
interface ScopeReader {
  readonly traitsOf: (provider: ForestProvider) => IdLookup;
  readonly aggregatesOf: (provider: ForestProvider) => IdLookup;
  readonly hasClass: (provider: ForestProvider, classId: number) => boolean;
  /** Whether any member satisfies the predicate. */
  readonly some: (provider: ForestProvider, isSo: Predicate) => boolean;
}

type IdLookup = Pick<IdSet, 'has'>;

const providerAlone: ScopeReader = {
  traitsOf: ({ traits }) => traits,
  aggregatesOf: ({ aggregates }) => aggregates,
  hasClass: (provider, classId) => provider.inventoryOf(classId) !== undefined,
  some: (provider, isSo) => isSo(provider),
};

/** Fast for most providers: roots, for which the forest keeps the union of their tree, and leaves. */
const providerWithDescendants: ScopeReader = {
  traitsOf: (provider) => unionOf(provider, ({ traits }) => traits),
  aggregatesOf: (provider) => unionOf(provider, ({ aggregates }) => aggregates),
  hasClass: (provider, classId) =>
    isWholeTree(provider)
      ? provider.tree.classIds.has(classId)
      : providerWithDescendants.some(provider, (member) => providerAlone.hasClass(member, classId)),
  some: (provider, isSo) => (provider.hasChildren ? subtreeOf(provider).some(isSo) : isSo(provider)),
};

const isWholeTree = ({ parent, hasChildren }: ForestProvider) => parent === null && hasChildren;

function unionOf(provider: ForestProvider, setOf: (of: Pick<Tree, 'traits' | 'aggregates'>) => IdSet): IdLookup {
  if (!provider.hasChildren) return setOf(provider);
  if (provider.parent === null) return setOf(provider.tree);
  const sets = subtreeOf(provider).map(setOf);
  return { has: (id) => sets.some((set) => set.has(id)) };
}

/** The predicates in scope: on the provider alone, or on it and its descendants. */
function* scopedPredicates({ scope, scoped }: ProviderConditions): Generator<Predicate> {
  const { traits, aggregates, classIds, fits, utilizations, allocationRatios, overCapacity, hasConsumers, updatedAfter, updatedBefore } =
    scoped;
  const reader = scope === 'TREE' ? providerWithDescendants : providerAlone;
  if (hasConditions(traits)) yield (provider) => isMember(reader.traitsOf(provider), traits);
  if (hasConditions(aggregates)) yield (provider) => isMember(reader.aggregatesOf(provider), aggregates);
  for (const id of classIds) yield (provider) => reader.hasClass(provider, id);
  for (const take of fits) {
    const takes = [take];
    yield (provider) => reader.some(provider, (member) => hasRoomFor(member, takes));
  }
  for (const range of utilizations) {
    yield (provider) => {
      const amounts = scope === 'TREE' ? subtreeAmounts(provider, range.classId) : provider.inventoryOf(range.classId);
      return amounts !== null && amounts !== undefined && amounts.capacity !== 0 && isWithin(amounts.used / amounts.capacity, range);
    };
  }
  for (const range of allocationRatios) {
    const isSo = (member: ForestProvider) => {
      const inventory = member.inventoryOf(range.classId);
      return inventory !== undefined && isWithin(inventory.allocationRatio, range);
    };
    yield (provider) => reader.some(provider, isSo);
  }
  if (overCapacity !== undefined) yield (provider) => overCapacity === reader.some(provider, isOverCapacity);
  if (hasConsumers !== undefined) yield (provider) => hasConsumers === reader.some(provider, isUsed);
  const [afterStart, beforeEnd] = [comparedWith(updatedAfter), comparedWith(updatedBefore)];
  if (afterStart) yield (provider) => reader.some(provider, ({ state }) => afterStart(state.provider.updatedAt) > 0);
  if (beforeEnd) yield (provider) => !reader.some(provider, ({ state }) => beforeEnd(state.provider.updatedAt) >= 0);
}

const hasConditions = (membership: Membership) => Object.values(membership).some((list) => list.length > 0);

function isMember(had: IdLookup, { allOf, anyOf: alternatives, noneOf: forbidden }: Membership): boolean {
  for (const id of allOf) if (!had.has(id)) return false;
  for (const id of forbidden) if (had.has(id)) return false;
  return alternatives.every((ids) => ids.some((id) => had.has(id)));
}

const isOverCapacity = ({ state }: ForestProvider) => state.inventories.some(isOver);

/** An allocation is at least 1. */
const isUsed = ({ state }: ForestProvider) => state.inventories.some(({ used }) => used > 0);
