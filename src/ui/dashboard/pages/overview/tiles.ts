// How full each class is: of the whole cloud by the totals that the gateway sums, of a part of it by the columns of the map.
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import type { Amounts } from '../../formats/bar-model.ts';
import { classesOfPools, type PoolsBySet, poolsFor, sharedOf } from '../../map/serving-pools.ts';

export interface Tile {
  readonly name: string;
  /** What the hosts have themselves: none, or unknown if the map has not been read with this class. */
  readonly own: Amounts | 'none' | 'unknown';
  readonly shared: Amounts | null;
}

/** A tile for each class of hosts, then for those that only pools have. */
export function tilesOfCloud(own: readonly Amounts[], shared: readonly Amounts[]): Tile[] {
  const byName = (some: readonly Amounts[]) => new Map(some.map((amounts) => [amounts.resourceClass.name, amounts]));
  const [owned, pooled] = [byName(own), byName(shared)];
  return [...new Set([...owned.keys(), ...pooled.keys()])].map((name) => ({
    name,
    own: owned.get(name) ?? 'none',
    shared: pooled.get(name) ?? null,
  }));
}

/**
 * The same for some hosts and the pools that serve them. `owned` are the classes that some host of the cloud has, of which the map may not have been read with all;
 * `names` are the classes that have a tile in any case.
 */
export function tilesOfHosts(
  columns: CloudColumns,
  hosts: readonly number[],
  { pools, owned, names = owned }: { readonly pools: PoolsBySet; readonly owned: readonly string[]; readonly names?: readonly string[] },
): Tile[] {
  const serving = poolsFor(columns, pools, hosts);
  return [...new Set([...names, ...classesOfPools(serving)])].map((name) => {
    const totals = totalsOf(columns, name, hosts);
    const isUnknown = !columns.classes.has(name) && owned.includes(name);
    return { name, own: isUnknown ? 'unknown' : totals.having > 0 ? totals : 'none', shared: sharedOf(serving, name) };
  });
}
