// The pools that hosts share, read beside the map and shared by the pages that show it.
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../formats/amounts.ts';
import { ask } from './ask.ts';
import { useAsked } from './asked.ts';
import type { Pool } from './pool.ts';
import { Pools } from './pools.generated.ts';

export interface PoolsRead {
  readonly pools: readonly Pool[];
  /** What is missing, in words; null if nothing is. */
  readonly missing: string | null;
}

/** Of a hundred pools each: clouds have a few pools for each zone or network. */
const pageCount = 10;
const pause = 30_000;
const none: PoolsRead = { pools: [], missing: null };

/** No pools until they are needed and read. Asked again now and then, because every claim of storage changes one. */
export function usePools(areNeeded: boolean): PoolsRead {
  useAsked(Pools, { after: null }, areNeeded);
  const { data, error } = useQuery({
    queryKey: [Pools.name],
    queryFn: readPools,
    enabled: areNeeded,
    refetchInterval: pause,
    staleTime: pause,
  });
  return data ?? (error === null ? none : { pools: none.pools, missing: `shared pools cannot be shown: ${error.message}` });
}

async function readPools({ signal }: { readonly signal: AbortSignal }): Promise<PoolsRead> {
  const pools: Pool[] = [];
  let after: string | null = null;
  for (let page = 0; page < pageCount; page++) {
    const { resourceProviders }: Awaited<ReturnType<typeof askPage>> = await askPage(after, signal);
    pools.push(...resourceProviders.nodes);
    if (!resourceProviders.pageInfo.hasNextPage) return { pools, missing: null };
    after = resourceProviders.pageInfo.endCursor;
  }
  return { pools, missing: `only the first ${formatCount(pools.length)} shared pools are shown` };
}

const askPage = (after: string | null, signal: AbortSignal) => ask(Pools, { after }, signal);
