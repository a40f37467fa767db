// Provider filters with names resolved to ids, and their evaluation on the forest. db/provider-filter.ts is the same in SQL.
import type { Forest, ForestProvider, Tree } from './candidates/forest.ts';
import { hasRoomFor } from './candidates/groups.ts';
import type { IdSet } from './candidates/id-set.ts';
import { hasRoom } from './inventory.ts';
import { comparisonWith } from './moment.ts';
import type { Scope } from './provider.ts';
import { subtreeOf } from './subtree.ts';

/** A condition on the traits or aggregates of a provider, by id. Ids that do not exist match nothing. */
export interface Membership {
  readonly allOf: readonly number[];
  /** At least one of each list. */
  readonly anyOf: readonly (readonly number[])[];
  readonly noneOf: readonly number[];
}

/** A filter with names resolved to ids; all conditions given must hold. */
export interface ProviderConditions {
  /** What the conditions in `scoped` apply to. All others apply to the provider itself. */
  readonly scope: Scope;
  /** Provider ids, without duplicates. */
  readonly ids?: readonly number[];
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  readonly isRoot?: boolean;
  readonly rootIds?: readonly number[];
  readonly createdAfter?: string;
  readonly createdBefore?: string;
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
  readonly overCapacity?: boolean;
  readonly hasConsumers?: boolean;
  /** Compared with the latest write in scope. */
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** A superset of the providers that meet the conditions, without duplicates. */
export function whereToLook(forest: Forest, { uuids, rootIds, isRoot }: ProviderConditions): Iterable<ForestProvider> {
  if (uuids) return new Set(uuids.flatMap((uuid) => forest.findByUuid(uuid) ?? []));
  if (rootIds) return new Set(rootIds.flatMap((id) => forest.findById(id)?.tree.members ?? []));
  return isRoot ? forest.all.trees.map(({ root }) => root) : forest.everyProvider();
}

type Question = (provider: ForestProvider) => boolean;

/** Compiles conditions to a predicate; reuse it for many providers. */
export function meeting(wanted: ProviderConditions): Question {
  const questions = [
    ...questionsOfPlace(wanted),
    ...questionsInScope(wanted),
    ...wanted.and.map(meeting),
    ...(wanted.or ? [anyOf(wanted.or.map(meeting))] : []),
    ...(wanted.not ? [noneOf(meeting(wanted.not))] : []),
  ];
  const [only] = questions;
  return only && questions.length === 1 ? only : (provider) => questions.every((holds) => holds(provider));
}

const anyOf =
  (questions: readonly Question[]): Question =>
  (provider) =>
    questions.some((holds) => holds(provider));

const noneOf =
  (holds: Question): Question =>
  (provider) =>
    !holds(provider);

/** The predicates on the provider itself. */
function* questionsOfPlace(wanted: ProviderConditions): Generator<Question> {
  const { isRoot, ownTraits, createdAfter, createdBefore } = wanted;
  const ids = setOf(wanted.ids);
  const [uuids, names, rootIds] = [setOf(wanted.uuids), setOf(wanted.names), setOf(wanted.rootIds)];
  const [part, start] = [wanted.nameContains?.toLowerCase(), wanted.nameStartsWith?.toLowerCase()];
  if (ids) yield ({ id }) => ids.has(id);
  if (uuids) yield ({ state }) => uuids.has(state.provider.uuid);
  if (names) yield ({ state }) => names.has(state.provider.name);
  if (part) yield ({ state }) => state.provider.name.toLowerCase().includes(part);
  if (start) yield ({ state }) => state.provider.name.toLowerCase().startsWith(start);
  if (isRoot !== undefined) yield ({ state }) => isRoot === (state.provider.parentId === null);
  if (rootIds) yield ({ state }) => rootIds.has(state.provider.rootId);
  if (asks(ownTraits)) yield ({ traits }) => isMember(traits, ownTraits);
  const [afterStart, beforeEnd] = [comparedWith(createdAfter), comparedWith(createdBefore)];
  if (afterStart) yield ({ state }) => afterStart(state.provider.createdAt) > 0;
  if (beforeEnd) yield ({ state }) => beforeEnd(state.provider.createdAt) < 0;
}

const setOf = <Value>(values: readonly Value[] | undefined): ReadonlySet<Value> | undefined => values && new Set(values);

const comparedWith = (moment: string | undefined) => (moment ? comparisonWith(moment) : undefined);

/** The subject of a scoped condition: a provider alone, or it and its descendants as one. */
interface Whole {
  readonly traitsOf: (provider: ForestProvider) => Having;
  readonly aggregatesOf: (provider: ForestProvider) => Having;
  readonly hasClass: (provider: ForestProvider, classId: number) => boolean;
  /** Whether any member satisfies the predicate. */
  readonly some: (provider: ForestProvider, isSo: Question) => boolean;
}

type Having = Pick<IdSet, 'has'>;

const itself: Whole = {
  traitsOf: ({ traits }) => traits,
  aggregatesOf: ({ aggregates }) => aggregates,
  hasClass: (provider, classId) => provider.inventoryOf(classId) !== undefined,
  some: (provider, isSo) => isSo(provider),
};

/** Fast for most providers: roots, for which the forest keeps the union of their tree, and leaves. */
const withAllBelow: Whole = {
  traitsOf: (provider) => haveTogether(provider, ({ traits }) => traits),
  aggregatesOf: (provider) => haveTogether(provider, ({ aggregates }) => aggregates),
  hasClass: (provider, classId) =>
    isWholeTree(provider) ? provider.tree.classIds.has(classId) : withAllBelow.some(provider, (member) => itself.hasClass(member, classId)),
  some: (provider, isSo) => (provider.hasChildren ? subtreeOf(provider).some(isSo) : isSo(provider)),
};

const isWholeTree = ({ parent, hasChildren }: ForestProvider) => parent === null && hasChildren;

function haveTogether(provider: ForestProvider, setOf: (of: Pick<Tree, 'traits' | 'aggregates'>) => IdSet): Having {
  if (!provider.hasChildren) return setOf(provider);
  if (provider.parent === null) return setOf(provider.tree);
  const sets = subtreeOf(provider).map(setOf);
  return { has: (id) => sets.some((set) => set.has(id)) };
}

/** The predicates in scope: on the provider alone, or on it and its descendants. */
function* questionsInScope({ scope, scoped }: ProviderConditions): Generator<Question> {
  const { traits, aggregates, classIds, fits, overCapacity, hasConsumers, updatedAfter, updatedBefore } = scoped;
  const whole = scope === 'TREE' ? withAllBelow : itself;
  if (asks(traits)) yield (provider) => isMember(whole.traitsOf(provider), traits);
  if (asks(aggregates)) yield (provider) => isMember(whole.aggregatesOf(provider), aggregates);
  for (const id of classIds) yield (provider) => whole.hasClass(provider, id);
  for (const take of fits) {
    const takes = [take];
    yield (provider) => whole.some(provider, (member) => hasRoomFor(member, takes));
  }
  if (overCapacity !== undefined) yield (provider) => overCapacity === whole.some(provider, isOverCapacity);
  if (hasConsumers !== undefined) yield (provider) => hasConsumers === whole.some(provider, isUsed);
  const [afterStart, beforeEnd] = [comparedWith(updatedAfter), comparedWith(updatedBefore)];
  if (afterStart) yield (provider) => whole.some(provider, ({ state }) => afterStart(state.provider.updatedAt) > 0);
  if (beforeEnd) yield (provider) => !whole.some(provider, ({ state }) => beforeEnd(state.provider.updatedAt) >= 0);
}

const asks = (membership: Membership) => Object.values(membership).some((list) => list.length > 0);

function isMember(had: Having, { allOf, anyOf: alternatives, noneOf: forbidden }: Membership): boolean {
  for (const id of allOf) if (!had.has(id)) return false;
  for (const id of forbidden) if (had.has(id)) return false;
  return alternatives.every((ids) => ids.some((id) => had.has(id)));
}

const isOverCapacity = ({ state }: ForestProvider) => state.inventories.some((inventory) => !hasRoom(inventory, 0));

/** An allocation is at least 1. */
const isUsed = ({ state }: ForestProvider) => state.inventories.some(({ used }) => used > 0);
