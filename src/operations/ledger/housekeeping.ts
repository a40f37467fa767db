// Keeps the database from growing for ever. Run from time to time; several gateways may do it at once.

import { deleteOldChanges, deleteOldEvents, deleteOldIdempotencyKeys } from '../../db/housekeeping.ts';
import type { Db } from '../../db/sql/client.ts';

/** How many rows of each kind were deleted. */
export interface HouseKept {
  readonly events: number;
  readonly idempotencyKeys: number;
  readonly providerChanges: number;
}

/** Deletes events older than the retention (null: none), idempotency keys after a day, and changes of providers that everybody has read; in small batches. */
export async function keepHouse(db: Db, { eventRetentionDays }: { readonly eventRetentionDays: number | null }): Promise<HouseKept> {
  return {
    events: eventRetentionDays === null ? 0 : await untilNothingIsLeft(() => deleteOldEvents(db, eventRetentionDays)),
    idempotencyKeys: await untilNothingIsLeft(() => deleteOldIdempotencyKeys(db)),
    providerChanges: await untilNothingIsLeft(() => deleteOldChanges(db)),
  };
}

async function untilNothingIsLeft(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some;
  return deleted;
}
