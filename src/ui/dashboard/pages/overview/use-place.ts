// Where the viewer is: the hosts of the groups in the address, and the pools that serve them. Everything on the overview is about these.
import { useMemo } from 'react';
import type { CloudColumns } from '../../data/map-columns.ts';
import { type PoolsRead, usePools } from '../../data/pools.ts';
import { type Grouping, groupingsOf, usualLevels } from '../../map/families.ts';
import { type Scope, scopeOf } from '../../map/scope.ts';
import { type PoolsBySet, poolsBySet } from '../../map/serving-pools.ts';
import { suggested, useMapAddress } from './map-address.ts';

export interface Place {
  readonly groupings: readonly Grouping[];
  readonly scope: Scope;
  readonly pools: PoolsBySet;
  /** What is missing of the pools, in words. */
  readonly missing: PoolsRead['missing'];
}

/** Null until the map is there. Pools are read once all classes are needed, or if hosts lack the class of the map: a pool may serve them. */
export function usePlace(columns: CloudColumns | null, resourceClass: string, needsAll: boolean): Place | null {
  const { grouping, path } = useMapAddress();
  const areLacking = useMemo(() => columns?.classes.get(resourceClass)?.capacity.some(Number.isNaN) ?? false, [columns, resourceClass]);
  const { pools, missing } = usePools(needsAll || areLacking);
  const groupings = useMemo(() => columns && groupingsOf(columns), [columns]);
  const pathKey = JSON.stringify(path);
  const scope = useMemo(() => {
    if (!columns || !groupings) return null;
    const levels = grouping === suggested ? usualLevels(groupings) : groupings.filter(({ id }) => id === grouping);
    return scopeOf(columns, levels, JSON.parse(pathKey));
  }, [columns, groupings, grouping, pathKey]);
  const bySet = useMemo(() => columns && poolsBySet(columns, pools), [columns, pools]);
  return useMemo(
    () => (groupings && scope && bySet ? { groupings, scope, pools: bySet, missing } : null),
    [groupings, scope, bySet, missing],
  );
}
