// What one request carries through the operations: the database, who asks, and the loaders that batch its reads.
import type { Db } from '../db/client.ts';
import type { Identity } from '../domain/identity.ts';
import type { Loaders } from './loaders.ts';

export interface RequestScope {
  readonly db: Db;
  /** Who is calling; null before authentication, which only public fields accept. */
  readonly identity: Identity | null;
  /** `req-<uuid>`, in the answer's headers, the logs and the event of a write. */
  readonly requestId: string;
  readonly loaders: Loaders;
}
