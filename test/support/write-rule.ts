// The capacity rule of writes in TypeScript, to be compared with what the SQL functions decide under lock.
import { hasRoom, roomIn } from '../../src/domain/inventory.ts';

/** The effect of a write on one inventory; all amounts in units of its class. */
export interface NewUse {
  readonly capacity: number;
  /** Committed usage before the write. */
  readonly usedBefore: number;
  /** Usage that remains after everything that the write releases. */
  readonly usedAfterRelease: number;
  /** The sum that the write requests, over all its consumers. */
  readonly requested: number;
}

/**
 * Null if the write is allowed: the new usage is within capacity, or at least not above the previous one. The second condition lets a consumer
 * be kept, shrunk or moved while its provider is over capacity. Otherwise the requested amount and the maximum that could have been granted.
 */
export function checkNewUse({
  capacity,
  usedBefore,
  usedAfterRelease,
  requested,
}: NewUse): { requested: number; available: number } | null {
  const stock = { capacity: Math.max(capacity, usedBefore), used: usedAfterRelease };
  return hasRoom(stock, requested) ? null : { requested, available: roomIn(stock) };
}
