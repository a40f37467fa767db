// The columns of the cloud, read once for each set of classes and shared by the pages that show them.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type CloudColumns, columnsOf } from '../map/columns.ts';
import { ask } from './ask.ts';
import { CloudMap } from './cloud-map.generated.ts';

export interface CurrentMap {
  readonly columns: CloudColumns;
  /** Counts what was written into the columns since they were read. */
  readonly version: number;
  /** Where changes continue. */
  readonly cursor: string;
}

export function useCloudMap(classes: readonly string[]): UseQueryResult<CurrentMap> {
  return useQuery({
    queryKey: mapKey(classes),
    queryFn: async ({ signal }): Promise<CurrentMap> => {
      const { cloudMap } = await ask(CloudMap, { classes: [...classes] }, signal);
      return { columns: columnsOf(cloudMap), version: 0, cursor: cloudMap.cursor };
    },
    // Changes come by themselves; reading 100,000 hosts again because a window is looked at would be waste.
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing two maps of 100,000 hosts costs more than drawing one.
    structuralSharing: false,
  });
}

export function mapKey(classes: readonly string[]): readonly unknown[] {
  return ['CloudMap', ...classes.toSorted()];
}
