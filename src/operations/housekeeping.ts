// Keeps the database from growing for ever. Run from time to time; several gateways may do it at once.
import type { Db } from '../db/client.ts';
import { deleteOldEvents, deleteOldIdempotencyKeys, deleteOldTraces } from '../db/housekeeping.ts';

/** How many rows of each kind were deleted. */
export interface HouseKept {
  readonly events: number;
  readonly idempotencyKeys: number;
  readonly deletedProviders: number;
}

/** Deletes events older than the retention (null: none), idempotency keys after a day, and traces of deleted providers after a week; in small batches. */
export async function keepHouse(db: Db, { eventRetentionDays }: { readonly eventRetentionDays: number | null }): Promise<HouseKept> {
  return {
    events: eventRetentionDays === null ? 0 : await untilNothingIsLeft(() => deleteOldEvents(db, eventRetentionDays)),
    idempotencyKeys: await untilNothingIsLeft(() => deleteOldIdempotencyKeys(db)),
    deletedProviders: await untilNothingIsLeft(() => deleteOldTraces(db)),
  };
}

async function untilNothingIsLeft(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some;
  return deleted;
}
