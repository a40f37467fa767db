// The columns of the cloud as it changes: the answer of `cloudMap`, with every later change written into it.
import { useEffect } from 'react';
import { type CurrentMap, mapKey, useCloudMap } from './cloud-map.ts';
import { MapChanges } from './live.generated.ts';
import { liveStore, noteStream } from './live.ts';
import { applyChange } from './map-changes.ts';
import { queryClient, type Reading } from './queries.ts';
import { useStore } from './store.ts';
import { follow } from './stream.ts';

export function useLiveMap(classes: readonly string[], keepsPrevious = false): Reading<CurrentMap> {
  const query = useCloudMap(classes, keepsPrevious);
  const { isPaused } = useStore(liveStore);
  const names = classes.toSorted().join(',');
  const isThere = query.data !== undefined;
  const isAwaited = !isThere && query.error === null && !isPaused;
  // Other streams may open before the map is there. Until then the page does not follow the cloud.
  useEffect(() => {
    if (!isAwaited) return;
    const waiting = Symbol('the map');
    noteStream(waiting, 'catching up');
    return () => noteStream(waiting, 'off');
  }, [isAwaited]);
  useEffect(() => {
    if (!isThere || isPaused) return;
    const asked = names.split(',');
    const key = mapKey(asked);
    const current = () => queryClient.getQueryData<CurrentMap>(key);
    // While a map is being read again, no changes are written into it.
    let isStale = false;
    const readAgain = () => {
      isStale = true;
      void queryClient.refetchQueries({ queryKey: key, exact: true }).finally(() => {
        isStale = false;
      });
    };
    return follow({
      document: MapChanges,
      variables: () => {
        const map = current();
        return isStale || !map ? null : { after: map.cursor, classes: asked };
      },
      onMessage: ({ cloudMapChanges: change }) => {
        const map = current();
        if (!map || isStale) return;
        const columns = change.reset ? null : applyChange(map.columns, change);
        if (columns === null) return readAgain();
        queryClient.setQueryData<CurrentMap>(key, { columns, cursor: change.cursor, version: map.version + 1 });
      },
    });
  }, [isThere, isPaused, names]);
  return query;
}
