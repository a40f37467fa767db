// Lets the quotas follow the unified limits of Keystone: one gateway in each minute, whichever is first.
import type { Logger } from 'pino';
import { KeystoneFault } from '../auth/keystone/fault.ts';
import { openLimits } from '../auth/keystone/limits.ts';
import { isOtherLeading, selectBridge } from '../db/bridge.ts';
import { beginLimitRound, noteLimitRound } from '../db/quotas.ts';
import type { Db } from '../db/sql/client.ts';
import { followLimits } from '../operations/allocations/unified-limits.ts';
import { isEnding } from '../process/ending.ts';
import type { Settings } from '../settings/settings.ts';

const namesShown = 20;
/** Calls that begin no round after Keystone could not be read, for each time in a row, up to so many times. Three calls last beyond the beginning of the next minute. */
const leftToOthers = { calls: 3, times: 5 } as const;

/**
 * A round that does nothing while the last one is not done or another Placement leads, if another gateway has begun the one of this minute, and for a while after
 * Keystone could not be read, so that a gateway that can comes first. Never rejects.
 */
export function limitsFollower(db: Db, settings: Settings, log: Logger): () => Promise<void> {
  let read: Awaited<ReturnType<typeof openLimits>> | null = null;
  let isBusy = false;
  let lastReason = '';
  let unread = 0;
  let left = 0;
  let ignoredBefore = '';
  const follow = async () => {
    const bridge = await selectBridge(db);
    if (bridge !== null && isOtherLeading(bridge.mode)) return;
    const round = await beginLimitRound(db);
    if (round === null) return;
    unread += 1;
    read ??= await openLimits(settings);
    const limits = await read();
    unread = 0;
    const { replaced, refused, isOvertaken, ignored, failure } = await followLimits(db, limits);
    if (ignored.join() !== ignoredBefore)
      log.info({ limits: ignored.slice(0, namesShown), count: ignored.length }, 'these limits of Keystone are no quotas here');
    ignoredBefore = ignored.join();
    if (replaced > 0) log.info({ projects: replaced }, 'quotas were replaced by the limits of Keystone');
    if (isOvertaken) return;
    if (failure) throw failure;
    if (refused.length > 0) throw new Error(`${refused.length} refused, ${refused[0]}`);
    await noteLimitRound(db, round);
    if (lastReason !== '') log.info('quotas follow the limits of Keystone again');
    lastReason = '';
  };
  return async () => {
    if (isBusy) return;
    if (left > 0) {
      left -= 1;
      return;
    }
    isBusy = true;
    await follow().catch((err: unknown) => {
      left = leftToOthers.calls * Math.min(unread, leftToOthers.times);
      if (isEnding()) return;
      const reason = String(err);
      const why = err instanceof KeystoneFault ? { keystone: err.message } : { err };
      log[reason === lastReason ? 'debug' : 'warn'](why, 'quotas do not follow the limits of Keystone: those that were set last are kept');
      lastReason = reason;
    });
    isBusy = false;
  };
}
