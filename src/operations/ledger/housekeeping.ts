// Keeps the database from growing forever. Run periodically; several gateways may run it at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import { selectEventChunks } from '../../db/event-chunks.ts';
import {
  beginEventChunk,
  createEventChunk,
  deleteOldChanges,
  deleteOldIdempotencyKeys,
  deleteOldRefusedClaims,
  dropEventChunk,
  keepProjectUsages,
} from '../../db/housekeeping.ts';
import { selectLedgerHealth } from '../../db/ledger-health.ts';
import type { Db } from '../../db/sql/client.ts';
import { sqlState } from '../../db/writes/apply-write.ts';
import { daysOfChunk, ledgerProblems } from '../../domain/event-retention.ts';

/** How much of each kind was deleted. */
export interface DeletedCounts {
  readonly eventChunks: number;
  readonly idempotencyKeys: number;
  readonly providerChanges: number;
  readonly refusedClaims: number;
}

/**
 * Drops the chunks of events that are older than the retention (null: none), and prepares the next; deletes, in small batches, idempotency keys after a
 * day, provider changes that every reader has seen, and numbers of refused claims that are older than the retention.
 */
export async function deleteExpired(
  db: Db,
  { eventRetentionDays }: { readonly eventRetentionDays: number | null },
): Promise<DeletedCounts> {
  await unlessInUse(() => beginEventChunk(db, daysOfChunk(eventRetentionDays)));
  await unlessInUse(() => createEventChunk(db));
  return {
    eventChunks: eventRetentionDays === null ? 0 : (await pruneEvents(db, eventRetentionDays)).dropped,
    idempotencyKeys: await deleteInBatches(() => deleteOldIdempotencyKeys(db)),
    providerChanges: await deleteInBatches(() => deleteOldChanges(db)),
    refusedClaims: eventRetentionDays === null ? 0 : await deleteInBatches(() => deleteOldRefusedClaims(db, eventRetentionDays)),
  };
}

/** Sums up what writes have appended to the usages of projects, and so keeps reading them cheap: to be done much more often than anything else here. */
export async function sumUpUsages(db: Db): Promise<void> {
  while (await keepProjectUsages(db));
}

/** Drops the chunks whose events are all older than this many days; `inUse` if it gave up because a long statement uses events. */
export async function pruneEvents(db: Db, days: number): Promise<{ readonly dropped: number; readonly inUse: boolean }> {
  for (let dropped = 0; ; dropped += 1) {
    const number = await unlessInUse(() => dropEventChunk(db, days));
    if (number === null || number === 'in use') return { dropped, inUse: number !== null };
  }
}

/** What an operator should know, a line for each problem. */
export async function findLedgerProblems(db: Db, eventRetentionDays: number | null): Promise<string[]> {
  const [health, [oldest]] = await Promise.all([selectLedgerHealth(db), selectEventChunks(db)]);
  return ledgerProblems({ ...health, endedDaysAgo: oldest?.endedDaysAgo ?? null }, eventRetentionDays);
}

/** SQLSTATEs. */
const lockNotGot = ['55P03', '40P01'];
/** Milliseconds. The next round of housekeeping comes soon enough. */
const pauses = [300, 1000, 3000];

/** Waits for the lock of a whole table so briefly that others behind it do not notice, and tries a few times. */
async function unlessInUse<Result>(attempt: () => Promise<Result>): Promise<Result | 'in use'> {
  for (const pause of [...pauses, null]) {
    try {
      return await attempt();
    } catch (error) {
      if (!lockNotGot.includes(sqlState(error) ?? '')) throw error;
    }
    if (pause !== null) await sleep(pause);
  }
  return 'in use';
}

async function deleteInBatches(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some;
  return deleted;
}
