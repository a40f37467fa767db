// The columns of the cloud, read once for each set of classes and shared by the pages that show them.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ask } from './ask.ts';
import { useAsked } from './asked.ts';
import { CloudMap } from './cloud-map.generated.ts';
import { type CloudColumns, columnsOf } from './map-columns.ts';
import { queryClient, type Reading } from './queries.ts';

export interface CurrentMap {
  readonly columns: CloudColumns;
  /** Counts the changes that were written into the columns since they were read. */
  readonly version: number;
  /** Where the changes continue. */
  readonly cursor: string;
}

/** `keepsPrevious`: whether the map of the previous classes stays until the new one is there, even if that cannot be read. */
export function useCloudMap(classes: readonly string[], keepsPrevious = false): Reading<CurrentMap> {
  useAsked(CloudMap, { classes });
  const { data, error, dataUpdatedAt, refetch } = useQuery(mapQuery(classes));
  const last = useRef({ data, dataUpdatedAt });
  if (data !== undefined) last.current = { data, dataUpdatedAt };
  return { data, dataUpdatedAt, error, refetch, ...(keepsPrevious && data === undefined && last.current) };
}

/** Asks for a map before it is known whether it will be shown. */
export function askMapAhead(classes: readonly string[]): void {
  void queryClient.prefetchQuery(mapQuery(classes));
}

const mapQuery = (classes: readonly string[]) => ({
  queryKey: mapKey(classes),
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<CurrentMap> => {
    const { cloudMap } = await ask(CloudMap, { classes: [...classes] }, signal);
    return { columns: columnsOf(cloudMap), version: 0, cursor: cloudMap.cursor };
  },
  // Changes arrive by subscription, so reading 100,000 hosts again when a window gets the focus would be a waste.
  staleTime: Number.POSITIVE_INFINITY,
  // Comparing two maps of 100,000 hosts costs more than drawing one.
  structuralSharing: false,
});

export function mapKey(classes: readonly string[]): readonly unknown[] {
  return ['CloudMap', ...classes.toSorted()];
}
