// Keeps the database from growing forever. Run periodically; several gateways may run it at the same time.

import { deleteOldChanges, deleteOldEvents, deleteOldIdempotencyKeys } from '../../db/housekeeping.ts';
import type { Db } from '../../db/sql/client.ts';

/** The number of rows of each kind that were deleted. */
export interface DeletedCounts {
  readonly events: number;
  readonly idempotencyKeys: number;
  readonly providerChanges: number;
}

/**
 * Deletes, in small batches, events older than the retention (null: none), idempotency keys after a day, and provider changes that every reader has
 * seen.
 */
export async function deleteExpired(
  db: Db,
  { eventRetentionDays }: { readonly eventRetentionDays: number | null },
): Promise<DeletedCounts> {
  return {
    events: eventRetentionDays === null ? 0 : await deleteInBatches(() => deleteOldEvents(db, eventRetentionDays)),
    idempotencyKeys: await deleteInBatches(() => deleteOldIdempotencyKeys(db)),
    providerChanges: await deleteInBatches(() => deleteOldChanges(db)),
  };
}

async function deleteInBatches(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some;
  return deleted;
}
