// The capacity rule as writes have it, in TypeScript: what the functions of SQL decide under lock is held against it.
import { hasRoom, roomIn } from '../../src/domain/inventory.ts';

/** One write seen from one inventory; all amounts in units of its class. */
export interface NewUse {
  readonly capacity: number;
  /** Committed use before the write. */
  readonly usedBefore: number;
  /** What remains of it when everything that the write gives back is gone. */
  readonly usedAfterRelease: number;
  /** The sum that the write asks for, over all its consumers. */
  readonly requested: number;
}

/**
 * Null when the write may go on: the new use is within capacity, or at least not above what it was. The second half lets a consumer
 * be kept, shrunk or moved while its provider is over capacity. Otherwise what was asked for and the most that could have been granted.
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
