// `bridge`: shows which side leads and how far the other one is behind, lets the one or the other lead, and ends the bridge.
import { type BridgeStatus, endBridge, isLossOfReturn, readBridgeStatus, switchBridge } from '../bridge/switching.ts';
import type { RouteReads } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';

type Print = (line: string) => void;

/** Prints what an operator must know before a switch. */
export async function showBridge(db: Db, print: Print): Promise<BridgeStatus | null> {
  const status = await readBridgeStatus(db);
  if (status === null) {
    print('there is no bridge to another Placement (PLACEMENT_IN_FRONT_OF)');
    return null;
  }
  const { url, mode, comparedAt, pending, lag, differenceCount, differences, gateways, behind, isCarried } = status;
  print(`${words[mode]}: ${url}`);
  print(`gateways: ${gateways}${behind > 0 ? `, ${behind} of which do not know of this yet` : ''}`);
  if (!isCarried) print('no gateway carries changes over');
  print(`not carried over yet: ${pending}, the oldest since ${lag.toFixed(1)} s`);
  print(`everything was compared: ${comparedAt ?? 'not yet'}`);
  print(`differences: ${differenceCount}`);
  for (const { noun, key, reason, foundAt } of differences) print(`  ${noun} ${key}: ${reason} (since ${foundAt})`);
  for (const reads of status.reads) printReads(reads, print);
  if (mode === 'leading') {
    const isLoss = isLossOfReturn(status);
    const known = isLoss ? 'what is not carried over yet, and the differences' : 'nothing';
    print(`going back would lose: ${isLoss === null ? 'not known before everything is compared' : known}`);
  }
  return status;
}

function printReads({ route, compared, differing, example, otherTime, ownTime, choices, fitting, rank }: RouteReads, print: Print): void {
  const times = `median ${otherTime.toFixed(1)} ms there, ${ownTime.toFixed(1)} ms here`;
  print(`reads compared, GET ${route}: ${compared}, answered differently: ${differing}; ${times}`);
  if (example !== null) print(`  last: ${example}`);
  if (choices === 0) return;
  const fuller = rank === null ? '' : `; ${Math.round(rank * 100)} % of its candidates would be fuller`;
  print(`  shadow claims: ${choices}, ours would be allowed there: ${fitting}${fuller}`);
}

const words = {
  following: 'this ledger follows',
  toLeading: 'this ledger begins to lead, writes wait',
  leading: 'this ledger leads',
  toFollowing: 'this ledger begins to follow again, writes wait',
  passing: 'the bridge is ended, requests are still passed on to',
  ended: 'the bridge is ended, this ledger leads alone, without',
} as const;

/** Lets this ledger lead or follow. `isForced`: without comparing, and whatever differs, which is printed. Throws NotSwitched. */
export async function turnBridge(
  db: Db,
  to: 'lead' | 'follow',
  { patience, isForced }: { readonly patience: number; readonly isForced: boolean },
  print: Print,
): Promise<{ readonly waited: number }> {
  if (isForced) await showBridge(db, print);
  const waited = await switchBridge(db, to, { patience, isForced });
  print(`${to === 'lead' ? 'this ledger leads' : 'this ledger follows'}; new writes waited for ${Math.round(waited)} ms`);
  return { waited };
}

export async function finishBridge(db: Db, print: Print): Promise<{ readonly mode: string }> {
  const mode = await endBridge(db);
  print(mode === 'ended' ? 'the bridge is ended: this ledger leads alone' : 'the bridge is ended: requests are only passed on');
  return { mode };
}
