// What an operator does with the bridge: look at it, let the one or the other side lead, and end it.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BridgeMode,
  type BridgeStanding,
  changeBridge,
  compareAnew,
  forgetDifferences,
  type RouteReads,
  selectBridge,
  selectReads,
  selectStanding,
} from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { parseFeedCursor } from '../domain/event-feed.ts';
import { limits } from '../domain/limits.ts';

export interface BridgeStatus extends BridgeStanding {
  readonly url: string;
  readonly mode: BridgeMode;
  /** When everything was last compared; null until the first comparison, which is the import, has ended. */
  readonly comparedAt: string | null;
  /** The last reads that were put to both sides while the other one led. */
  readonly reads: readonly RouteReads[];
  /** Whether a process carries changes over. */
  readonly isCarried: boolean;
}

const differencesShown = 20;

/** Three statements; null, after one, when there is no bridge. */
export async function readBridgeStatus(db: Db): Promise<BridgeStatus | null> {
  const state = await selectBridge(db);
  if (state === null) return null;
  const { url, mode, comparedAt, cursor, isCarried } = state;
  const isOurs = mode === 'leading' || mode === 'toFollowing';
  const carriedTo = isOurs && cursor !== null ? lastCarried(cursor) : null;
  const standing = await selectStanding(db, state.epoch, carriedTo, differencesShown);
  return { url, mode, comparedAt, isCarried, ...standing, reads: await selectReads(db) };
}

function lastCarried(cursor: string): number {
  const { delivered, reading } = parseFeedCursor(cursor);
  return reading?.upTo ?? delivered.newestId;
}

/** Whether the side that follows lacks something that it would not get if it led now; null before that is known, and unless this ledger leads. */
export function isLossOfReturn({ mode, comparedAt, pending, differenceCount }: BridgeStatus): boolean | null {
  return mode === 'leading' && comparedAt !== null ? pending + differenceCount > 0 : null;
}

/** Why the side that follows cannot lead yet; null if it can. */
export function whyNot(status: BridgeStatus, isForced = false): string | null {
  const { comparedAt, differenceCount, gateways, isCarried, lag } = status;
  if (gateways === 0) return 'no gateway serves';
  if (!isCarried) return 'no gateway carries changes over: one of them needs PLACEMENT_IN_FRONT_OF_TOKEN, or its service user in Keystone';
  if (isForced) return whyBehind(lag);
  if (comparedAt === null) return 'not everything has been taken over and compared yet';
  if (differenceCount > 0)
    return `${differenceCount === 1 ? '1 object differs' : `${differenceCount} objects differ`} (placement-gateway bridge status)`;
  return whyBehind(lag);
}

const whyBehind = (lag: number) => (lag > longestLag ? `the side that follows is ${Math.round(lag)} s behind` : null);

/** Seconds that the side that follows may be behind when a switch begins: the rest must be carried over while writes wait. */
const longestLag = 1;
const lookPause = 50;

/** The error of a switch that was not made; nobody was refused. */
class NotSwitched extends Error {}

const switches = {
  lead: { from: 'following', by: 'toLeading', to: 'leading' },
  follow: { from: 'leading', by: 'toFollowing', to: 'following' },
} as const;

/**
 * Lets this ledger lead, or follow, after everything was compared. Waits for so many seconds until the other side is nearly equal; then new writes wait, for at most two seconds, while the rest is
 * carried over. `isForced`: without comparing, and whatever differs. Returns for how many milliseconds they waited, 0 if there was nothing to do. Throws NotSwitched when it was given up.
 */
export async function switchBridge(
  db: Db,
  to: keyof typeof switches,
  { patience = 3600, isForced = false }: { readonly patience?: number; readonly isForced?: boolean } = {},
): Promise<number> {
  const { from, by, to: target } = switches[to];
  const end = performance.now() + patience * 1000;
  // Clients may have written past the gateways, or the other side may have lost something, for example by restoring a backup.
  let isComparing = isForced;
  for (;;) {
    const status = await readBridgeStatus(db);
    if (status === null) throw new NotSwitched('there is no bridge to another Placement');
    if (status.mode === target) return 0;
    if (status.mode !== from) throw new NotSwitched(`the bridge is ${status.mode}`);
    if (!isComparing) {
      await compareAnew(db);
      isComparing = true;
      continue;
    }
    const reason = whyNot(status, isForced);
    if (reason === null) {
      const begun = performance.now();
      if (await changeBridge(db, [from, by], { patience: limits.switchTime / 1000 })) {
        const reached = await modeAfter(db, by, isForced);
        if (reached === target) return performance.now() - begun;
        // It has forgotten what differs.
        if (isForced) await compareAnew(db);
      }
    }
    if (performance.now() > end) throw new NotSwitched(reason ?? 'writes would have waited for too long; nobody was refused');
    await sleep(reason === null ? 1000 : 200);
  }
}

/** The mode that a switch ends in. `isForced`: whatever is refused meanwhile. The process that carries over ends it; if there is none any more, this one gives it up. */
async function modeAfter(db: Db, by: 'toLeading' | 'toFollowing', isForced: boolean): Promise<BridgeMode | null> {
  for (;;) {
    const state = await selectBridge(db);
    if (state?.mode !== by) return state?.mode ?? null;
    if (isForced) await forgetDifferences(db);
    if ((state.left ?? 0) < -500) await changeBridge(db, [by, by === 'toLeading' ? 'following' : 'leading']);
    await sleep(lookPause);
  }
}

/**
 * Ends the bridge. If this ledger leads, the other side gets no more changes and can be removed. Otherwise requests are still passed on, until clients are
 * led to the other side again, but this ledger does not follow any more.
 */
export async function endBridge(db: Db): Promise<BridgeMode> {
  const status = await readBridgeStatus(db);
  if (status === null) throw new NotSwitched('there is no bridge to another Placement');
  if (status.mode === 'leading') {
    return changed(await changeBridge(db, ['leading', 'ended']), 'ended');
  }
  if (status.mode === 'following') {
    return changed(await changeBridge(db, ['following', 'passing']), 'passing');
  }
  throw new NotSwitched(`the bridge is ${status.mode}`);
}

function changed(isDone: boolean, mode: BridgeMode): BridgeMode {
  if (!isDone) throw new NotSwitched('a write takes too long, or the mode has changed meanwhile: nothing was done, try again');
  return mode;
}
