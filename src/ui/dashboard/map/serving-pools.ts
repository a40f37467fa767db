// What pools share with the hosts of the map. A pool serves every host whose tree is in one of its aggregates, and counts once however many it serves.
import type { CloudColumns } from '../data/map-columns.ts';
import type { Pool } from '../data/pool.ts';
import type { Amounts } from '../formats/bar-model.ts';

/** Sums of one class over pools. */
export interface SharedAmounts extends Amounts {
  readonly poolNames: readonly string[];
}

/** The pools that serve the hosts with each set of aggregates of the map. Found for sets, because there are few sets and many hosts. */
export type PoolsBySet = readonly (readonly Pool[])[];

export function poolsBySet(
  { aggregates, aggregateSets }: Pick<CloudColumns, 'aggregates' | 'aggregateSets'>,
  pools: readonly Pool[],
): PoolsBySet {
  const poolsOf = new Map<string, Pool[]>();
  for (const pool of pools) for (const { uuid } of pool.aggregates) poolsOf.set(uuid, [...(poolsOf.get(uuid) ?? []), pool]);
  return aggregateSets.map((set) => [...new Set(set.flatMap((place) => poolsOf.get(aggregates[place]?.uuid ?? '') ?? []))]);
}

/** What the pools share of one class, for each set of aggregates. */
export type SharedBySet = readonly (SharedAmounts | null)[];

export const sharedBySet = (bySet: PoolsBySet, resourceClass: string): SharedBySet => bySet.map((pools) => sharedOf(pools, resourceClass));

/** The pools that serve any of these hosts, each once. */
export function poolsFor({ aggregateSet }: Pick<CloudColumns, 'aggregateSet'>, bySet: PoolsBySet, hosts: readonly number[]): Pool[] {
  const sets = new Set(hosts.map((host) => aggregateSet[host] ?? 0));
  return [...new Set([...sets].flatMap((set) => bySet[set] ?? []))];
}

/** Null if none of the pools has the class. */
export function sharedOf(pools: readonly Pool[], resourceClass: string): SharedAmounts | null {
  const having = pools.flatMap(({ name, inventories }) => {
    const inventory = inventories.find((one) => one.resourceClass.name === resourceClass);
    return inventory ? [{ name, inventory }] : [];
  });
  if (having.length === 0) return null;
  const sum = (field: 'total' | 'reserved' | 'capacity' | 'used') => having.reduce((all, { inventory }) => all + inventory[field], 0);
  return {
    resourceClass: { name: resourceClass },
    total: sum('total'),
    reserved: sum('reserved'),
    capacity: sum('capacity'),
    used: sum('used'),
    poolNames: having.map(({ name }) => name),
  };
}

/** The classes of pools, in the order in which they come. */
export const classesOfPools = (pools: readonly Pool[]): string[] => [
  ...new Set(pools.flatMap(({ inventories }) => inventories.map(({ resourceClass }) => resourceClass.name))),
];
