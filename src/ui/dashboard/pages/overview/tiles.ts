// How full each class is: of the whole cloud by the totals that the gateway sums, of a part of it by the columns of the map.
import { bounds } from '../../data/bounds.ts';
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import type { Amounts } from '../../formats/bar-model.ts';
import { classesOfPools, type PoolsBySet, poolsFor, sharedOf } from '../../map/serving-pools.ts';

export interface Tile {
  readonly name: string;
  /** What the hosts have themselves: none, unknown while the map is not read with this class, left out if it has as many classes as it may. */
  readonly own: Amounts | 'none' | 'unknown' | 'left out';
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
    const isMissing = !columns.classes.has(name) && owned.includes(name);
    const missing = columns.classes.size < bounds.mapClasses ? 'unknown' : 'left out';
    return { name, own: isMissing ? missing : totals.having > 0 ? totals : 'none', shared: sharedOf(serving, name) };
  });
}
