// Filters of providers with ids in place of names, and which providers of a forest meet them. db/provider-filter.ts says the same in SQL.
import type { Forest, ForestProvider } from './candidates/forest.ts';
import { hasRoomFor } from './candidates/groups.ts';
import { hasRoom } from './inventory.ts';
import { microsecondsOf } from './moment.ts';
import type { Scope } from './provider.ts';
import { subtreeOf } from './subtree.ts';

/** Which traits or aggregates a provider has, by id. No provider has an id that does not exist. */
export interface Membership {
  readonly allOf: readonly number[];
  /** At least one of each. */
  readonly anyOf: readonly (readonly number[])[];
  readonly noneOf: readonly number[];
}

/** A filter whose names are ids; all that are given must hold. */
export interface ProviderConditions {
  /** Where the conditions below `scoped` are looked for. Those above it are about the provider itself. */
  readonly scope: Scope;
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  readonly isRoot?: boolean;
  readonly rootIds?: readonly number[];
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Traits of the provider itself whatever the scope. */
  readonly ownTraits: Membership;
  readonly scoped: ScopedConditions;
  readonly and: readonly ProviderConditions[];
  /** At least one of them. */
  readonly or?: readonly ProviderConditions[];
  readonly not?: ProviderConditions;
}

/** What a provider has or is, or it and everything below it together. */
export interface ScopedConditions {
  readonly traits: Membership;
  readonly aggregates: Membership;
  readonly classIds: readonly number[];
  /** Each in one place, which has room for all of it. */
  readonly fits: readonly { readonly classId: number; readonly amount: number }[];
  readonly overCapacity?: boolean;
  readonly hasConsumers?: boolean;
  /** By the latest write. */
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** All providers that meet the conditions, oldest first. */
export function providersMeeting(forest: Forest, wanted: ProviderConditions): ForestProvider[] {
  return [...whereToLook(forest, wanted)].filter(meeting(wanted)).sort((a, b) => a.id - b.id);
}

/** A superset of the providers that meet the conditions, each once. */
export function whereToLook(forest: Forest, { uuids, rootIds, isRoot }: ProviderConditions): Iterable<ForestProvider> {
  if (uuids) return new Set(uuids.flatMap((uuid) => forest.findByUuid(uuid) ?? []));
  if (rootIds) return new Set(rootIds.flatMap((id) => forest.findById(id)?.tree.members ?? []));
  return isRoot ? forest.all.trees.map(({ root }) => root) : forest.everyProvider();
}

type Question = (provider: ForestProvider) => boolean;

/** Whether a provider meets the conditions. Sets are made once, so use the returned function for many providers. */
export function meeting(wanted: ProviderConditions): Question {
  const questions = [
    ...questionsOfPlace(wanted),
    ...questionsInScope(wanted),
    ...wanted.and.map(meeting),
    ...(wanted.or ? [anyOf(wanted.or.map(meeting))] : []),
    ...(wanted.not ? [noneOf(meeting(wanted.not))] : []),
  ];
  return (provider) => questions.every((holds) => holds(provider));
}

const anyOf =
  (questions: readonly Question[]): Question =>
  (provider) =>
    questions.some((holds) => holds(provider));

const noneOf =
  (holds: Question): Question =>
  (provider) =>
    !holds(provider);

/** What is asked of the provider itself. */
function* questionsOfPlace(wanted: ProviderConditions): Generator<Question> {
  const { isRoot, ownTraits, createdAfter, createdBefore } = wanted;
  const [uuids, names, rootIds] = [setOf(wanted.uuids), setOf(wanted.names), setOf(wanted.rootIds)];
  const [part, start] = [wanted.nameContains?.toLowerCase(), wanted.nameStartsWith?.toLowerCase()];
  if (uuids) yield ({ state }) => uuids.has(state.provider.uuid);
  if (names) yield ({ state }) => names.has(state.provider.name);
  if (part) yield ({ state }) => state.provider.name.toLowerCase().includes(part);
  if (start) yield ({ state }) => state.provider.name.toLowerCase().startsWith(start);
  if (isRoot !== undefined) yield ({ state }) => isRoot === (state.provider.parentId === null);
  if (rootIds) yield ({ state }) => rootIds.has(state.provider.rootId);
  if (asks(ownTraits)) yield ({ traits }) => isMember((id) => traits.has(id), ownTraits);
  if (createdAfter) yield ({ state }) => microsecondsOf(state.provider.createdAt) > microsecondsOf(createdAfter);
  if (createdBefore) yield ({ state }) => microsecondsOf(state.provider.createdAt) < microsecondsOf(createdBefore);
}

const setOf = <Value>(values: readonly Value[] | undefined): ReadonlySet<Value> | undefined => values && new Set(values);

type MembersQuestion = (members: readonly ForestProvider[]) => boolean;

/** What is asked of the provider alone, or of it and all below it. */
function questionsInScope({ scope, scoped }: ProviderConditions): Question[] {
  const questions = [...membersQuestions(scoped)];
  if (questions.length === 0) return [];
  const membersOf = scope === 'TREE' ? subtreeOf : (provider: ForestProvider) => [provider];
  return [
    (provider) => {
      const members = membersOf(provider);
      return questions.every((hold) => hold(members));
    },
  ];
}

function* membersQuestions(scoped: ScopedConditions): Generator<MembersQuestion> {
  const { traits, aggregates, classIds, fits, overCapacity, hasConsumers, updatedAfter, updatedBefore } = scoped;
  if (asks(traits)) yield (members) => isMember((id) => members.some((member) => member.traits.has(id)), traits);
  if (asks(aggregates)) yield (members) => isMember((id) => members.some((member) => member.aggregates.has(id)), aggregates);
  for (const id of classIds) yield (members) => members.some((member) => member.inventoryOf(id) !== undefined);
  for (const take of fits) yield (members) => members.some((member) => hasRoomFor(member, [take]));
  if (overCapacity !== undefined) yield (members) => overCapacity === members.some(isOverCapacity);
  if (hasConsumers !== undefined) yield (members) => hasConsumers === members.some(isUsed);
  const updated = (members: readonly ForestProvider[]) => Math.max(...members.map(({ state }) => microsecondsOf(state.provider.updatedAt)));
  if (updatedAfter) yield (members) => updated(members) > microsecondsOf(updatedAfter);
  if (updatedBefore) yield (members) => updated(members) < microsecondsOf(updatedBefore);
}

const asks = (membership: Membership) => Object.values(membership).some((list) => list.length > 0);

function isMember(has: (id: number) => boolean, { allOf, anyOf: alternatives, noneOf: forbidden }: Membership): boolean {
  return allOf.every(has) && alternatives.every((ids) => ids.some(has)) && !forbidden.some(has);
}

const isOverCapacity = ({ state }: ForestProvider) => state.inventories.some((inventory) => !hasRoom(inventory, 0));

/** An allocation is at least 1. */
const isUsed = ({ state }: ForestProvider) => state.inventories.some(({ used }) => used > 0);
