// Which side of the bridge leads, how far the other one is behind, and what an operator should look at.
import type { BridgeQuery } from '../data/bridge.generated.ts';
import { formatCount } from '../formats/amounts.ts';
import { formatDuration } from '../formats/moments.ts';
import layout from './page.module.css';

export type BridgeState = NonNullable<BridgeQuery['bridge']>;

/** Seconds. The same as in the alerts of deploy/alerts.yml. */
const longestLag = 60;

export function BridgeWords({ bridge }: { readonly bridge: BridgeState }) {
  const words = wordsOf[bridge.mode]?.(bridge) ?? 'A switch is in progress';
  const isOver = bridge.mode === 'PASSING' || bridge.mode === 'ENDED';
  const faults = isOver ? [] : faultsOf(bridge);
  const isWell = isOver || (faults.length === 0 && bridge.lagSeconds <= longestLag);
  return <bdi className={`${layout.wraps} ${isWell ? '' : layout.warning}`}>{`${isWell ? '' : '▲ '}${[words, ...faults].join('; ')}`}</bdi>;
}

/** Newer gateways may have other modes. */
const wordsOf: Readonly<Record<string, (bridge: BridgeState) => string>> = {
  FOLLOWING: (bridge) => `Follows ${bridge.url}, ${behind(bridge)}`,
  TO_LEADING: () => 'Begins to lead, writes wait',
  LEADING: (bridge) => `Leads; the other Placement is ${behind(bridge)}`,
  TO_FOLLOWING: () => 'Begins to follow again, writes wait',
  PASSING: ({ url }) => `Passes requests on to ${url}, and follows no longer`,
  ENDED: () => 'Leads alone: the bridge was ended',
};

function behind({ pendingCount, lagSeconds }: BridgeState): string {
  return pendingCount === 0 ? 'up to date' : `${formatDuration(lagSeconds)} behind`;
}

function faultsOf({ isCarried, differenceCount }: BridgeState): readonly string[] {
  return [
    ...(isCarried ? [] : ['no gateway carries changes over']),
    ...(differenceCount > 0 ? [differenceCount === 1 ? '1 object differs' : `${formatCount(differenceCount)} objects differ`] : []),
  ];
}
