// The loaders of one request: batched reads by key, one statement for each batch. Named noun-by-key; without filters, except for pages under many
// parents, where each set of arguments has a loader of its own.
import type { Db } from '../../db/sql/client.ts';
import { createConsumerLoaders } from '../loaders/consumer-loaders.ts';
import { createEventLoaders } from '../loaders/event-loaders.ts';
import { createProviderLoaders } from '../loaders/provider-loaders.ts';
import { createServiceLoaders } from '../loaders/service-loaders.ts';

export type Loaders = ReturnType<typeof createLoaders>;

/** New loaders over a database: nothing is cached between requests. With a project, only what belongs to it is found. */
export function createLoaders(db: Db, project: string | null) {
  // A name before the first spread keeps all objects in one hidden class: see "Shapes of objects" in ARCHITECTURE.md.
  return {
    db,
    ...createProviderLoaders(db),
    ...createConsumerLoaders(db, project),
    ...createEventLoaders(db, project),
    ...createServiceLoaders(db),
  };
}
