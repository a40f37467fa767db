// Filters of providers with ids in the place of names, and who of a forest meets them. db/provider-filter.ts says the same in SQL.
import type { Forest, ForestProvider } from './candidates/forest.ts';
import { hasRoomFor } from './candidates/groups.ts';
import type { IdSet } from './candidates/id-set.ts';
import { hasRoom } from './inventory.ts';

/** Which traits or aggregates a provider has itself, by id. An id that does not exist is had by nobody. */
export interface Membership {
  readonly allOf: readonly number[];
  /** At least one of each. */
  readonly anyOf: readonly (readonly number[])[];
  readonly noneOf: readonly number[];
}

/** A filter whose names are ids; all that are given must hold. */
export interface ProviderConditions {
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly isRoot?: boolean;
  readonly rootIds?: readonly number[];
  readonly traits: Membership;
  readonly aggregates: Membership;
  readonly classIds: readonly number[];
  readonly fits: readonly { readonly classId: number; readonly amount: number }[];
  readonly overCapacity?: boolean;
}

/** All providers that meet the conditions, oldest first. */
export function providersMeeting(forest: Forest, wanted: ProviderConditions): ForestProvider[] {
  const names = wanted.names && new Set(wanted.names);
  const part = wanted.nameContains?.toLowerCase();
  const meets = (provider: ForestProvider): boolean => {
    const { name, parentId, rootId } = provider.state.provider;
    return (
      (names === undefined || names.has(name)) &&
      (part === undefined || name.toLowerCase().includes(part)) &&
      (wanted.isRoot === undefined || wanted.isRoot === (parentId === null)) &&
      (wanted.rootIds === undefined || wanted.rootIds.includes(rootId)) &&
      isMember(provider.traits, wanted.traits) &&
      isMember(provider.aggregates, wanted.aggregates) &&
      wanted.classIds.every((id) => provider.inventoryOf(id) !== undefined) &&
      hasRoomFor(provider, wanted.fits) &&
      (wanted.overCapacity === undefined || wanted.overCapacity === isOverCapacity(provider))
    );
  };
  return [...whereToLook(forest, wanted)].filter(meets).sort((a, b) => a.id - b.id);
}

function whereToLook(forest: Forest, { uuids, rootIds }: ProviderConditions): Iterable<ForestProvider> {
  if (uuids) return new Set(uuids.flatMap((uuid) => forest.findByUuid(uuid) ?? []));
  if (rootIds) return new Set(rootIds.flatMap((id) => forest.findById(id)?.tree.members ?? []));
  return forest.everyProvider();
}

function isMember(set: IdSet, { allOf, anyOf, noneOf }: Membership): boolean {
  return allOf.every((id) => set.has(id)) && anyOf.every((ids) => ids.some((id) => set.has(id))) && !noneOf.some((id) => set.has(id));
}

const isOverCapacity = ({ state }: ForestProvider) => state.inventories.some((inventory) => !hasRoom(inventory, 0));
