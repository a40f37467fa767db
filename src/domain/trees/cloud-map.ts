// The map of the cloud: every host with the sums of its tree, as columns, which cost a tenth of what as many objects would. Pure; a moment of the forest is
// captured at once, and the columns are built from it in steps.
import type { Forest, ProviderState, Tree } from '../candidates/forest.ts';
import type { IdSet } from '../candidates/id-set.ts';

/** A host at one moment: a tree whose root does not share its inventories with others. */
export interface MapHost {
  readonly root: ProviderState;
  /** The whole tree, including the root. */
  readonly members: readonly ProviderState[];
  /** Of the whole tree. */
  readonly aggregates: IdSet;
  readonly traits: IdSet;
}

/** Values for each host of the map, in its order. */
export type Column<Value> = readonly Value[];

/** The facts about each host that do not depend on classes. */
export interface HostColumns {
  readonly uuids: Column<string>;
  readonly names: Column<string>;
  /** The number of providers in the tree. */
  readonly memberCounts: Column<number>;
  readonly flags: Column<number>;
  /** The distinct sets of ids, and the index of the set of each host. */
  readonly aggregateSets: readonly IdSet[];
  readonly aggregateSet: Column<number>;
  readonly traitSets: readonly IdSet[];
  readonly traitSet: Column<number>;
}

/** Sums over the tree of each host; null where no provider in it has an inventory of the class. */
export interface ClassColumns {
  readonly total: Column<number | null>;
  readonly reserved: Column<number | null>;
  readonly capacity: Column<number | null>;
  readonly used: Column<number | null>;
}

const hostFlags = { disabled: 1, overCapacity: 2 } as const;

const disabledTrait = 'COMPUTE_STATUS_DISABLED';
/** The number of hosts between two pauses. */
const hostsAtOnce = 200;

/** The hosts of a forest, in the order of creation. Takes tenths of a microsecond for each provider. */
export function hostsOf(forest: Forest): MapHost[] {
  const hosts: MapHost[] = [];
  for (const tree of forest.all.trees) if (isHost(tree)) hosts.push(hostOf(tree));
  return hosts;
}

export function isHost({ root }: Tree): boolean {
  return !root.isSharing;
}

export function hostOf({ root, members, aggregates, traits }: Tree): MapHost {
  return { root: root.state, members: members.map(({ state }) => state), aggregates, traits };
}

/** Pauses now and then. */
export function* describeHosts(hosts: readonly MapHost[], disabledTraitId: number | undefined): Generator<void, HostColumns> {
  const uuids: string[] = [];
  const names: string[] = [];
  const memberCounts: number[] = [];
  const flags: number[] = [];
  const aggregateSet: number[] = [];
  const traitSet: number[] = [];
  const aggregatePlaces = new Map<IdSet, number>();
  const traitPlaces = new Map<IdSet, number>();
  const describe = (host: MapHost): void => {
    uuids.push(host.root.provider.uuid);
    names.push(host.root.provider.name);
    memberCounts.push(host.members.length);
    flags.push(flagsOf(host, disabledTraitId));
    aggregateSet.push(placeIn(aggregatePlaces, host.aggregates));
    traitSet.push(placeIn(traitPlaces, host.traits));
  };
  yield* inParts(hosts, describe);
  const sets = { aggregateSets: [...aggregatePlaces.keys()], traitSets: [...traitPlaces.keys()] };
  return { uuids, names, memberCounts, flags, ...sets, aggregateSet, traitSet };
}

/** The id of the trait of hosts that take no new consumers. */
export function disabledTraitOf({ traits }: Forest): number | undefined {
  return traits.idOf(disabledTrait);
}

function flagsOf({ root, members }: MapHost, disabledTraitId: number | undefined): number {
  let flags = disabledTraitId !== undefined && root.traitIds.includes(disabledTraitId) ? hostFlags.disabled : 0;
  for (const { inventories } of members) for (const { used, capacity } of inventories) if (used > capacity) flags |= hostFlags.overCapacity;
  return flags;
}

function placeIn(places: Map<IdSet, number>, set: IdSet): number {
  const known = places.get(set);
  if (known !== undefined) return known;
  places.set(set, places.size);
  return places.size - 1;
}

/** Pauses now and then. */
export function* sumClass(hosts: readonly MapHost[], classId: number): Generator<void, ClassColumns> {
  const columns = { total: [], reserved: [], capacity: [], used: [] } satisfies Record<keyof ClassColumns, (number | null)[]>;
  yield* inParts(hosts, (host) => addSums(columns, host, classId));
  return columns;
}

function addSums(columns: Record<keyof ClassColumns, (number | null)[]>, { members }: MapHost, classId: number): void {
  let hasIt = false;
  let total = 0;
  let reserved = 0;
  let capacity = 0;
  let used = 0;
  for (const { inventories } of members) {
    for (const inventory of inventories) {
      if (inventory.classId !== classId) continue;
      hasIt = true;
      total += inventory.total;
      reserved += inventory.reserved;
      capacity += inventory.capacity;
      used += inventory.used;
    }
  }
  columns.total.push(hasIt ? exact(total) : null);
  columns.reserved.push(hasIt ? exact(reserved) : null);
  columns.capacity.push(hasIt ? exact(capacity) : null);
  columns.used.push(hasIt ? exact(used) : null);
}

/** Saturates, because a single capacity may have 53 bits. */
function exact(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

function* inParts(hosts: readonly MapHost[], take: (host: MapHost) => void): Generator<void, void> {
  for (let from = 0; from < hosts.length; from += hostsAtOnce) {
    yield;
    for (const host of hosts.slice(from, from + hostsAtOnce)) take(host);
  }
}
