// The loaders of one request: reads by key that are batched, one statement for each batch. Named noun-by-key; no filters inside,
// but for pages under many parents, where each set of arguments has a loader of its own.
import type { Db } from '../../db/sql/client.ts';
import { createConsumerLoaders } from '../allocations/consumer-loaders.ts';
import { createServiceLoaders } from '../kept/service-loaders.ts';
import { createEventLoaders } from '../ledger/event-loaders.ts';
import { createProviderLoaders } from '../providers/provider-loaders.ts';

export type Loaders = ReturnType<typeof createLoaders>;

/** Fresh loaders over a database: nothing is remembered from one request to the next. */
export function createLoaders(db: Db) {
  // A name before the first spread keeps it to one shape: see "Shapes of objects" in ARCHITECTURE.md.
  return { db, ...createProviderLoaders(db), ...createConsumerLoaders(db), ...createEventLoaders(db), ...createServiceLoaders(db) };
}
