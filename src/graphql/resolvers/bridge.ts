// The bridge to another Placement: which side leads, how far the other one is behind, and what keeps a switch from beginning.
import { type BridgeStatus, isLossOfReturn, readBridgeStatus, whyNot } from '../../bridge/switching.ts';
import { shownNoun } from '../problem-types.ts';
import type { Resolvers } from '../schema.generated.ts';

const modes = {
  following: 'FOLLOWING',
  toLeading: 'TO_LEADING',
  leading: 'LEADING',
  toFollowing: 'TO_FOLLOWING',
  passing: 'PASSING',
  ended: 'ENDED',
} as const satisfies Record<BridgeStatus['mode'], string>;

/** Providers can be noted by parts of them. */
const nouns = {
  ...shownNoun,
  provider: shownNoun.resourceProvider,
  providerName: shownNoun.resourceProvider,
  generation: shownNoun.resourceProvider,
} as const;

export const bridgeResolvers = {
  Query: { bridge: (_, __, { db }) => readBridgeStatus(db) },
  Bridge: {
    mode: ({ mode }) => modes[mode],
    pendingCount: ({ pending }) => pending,
    lagSeconds: ({ lag }) => lag,
    differences: ({ differences }) =>
      differences.map(({ noun, reason, ...difference }) => ({ ...difference, noun: nouns[noun], message: reason })),
    reads: ({ reads }) =>
      reads.map(({ route, compared, differing, example }) => ({
        ...{ route, comparedCount: compared, differingCount: differing, lastDifference: example },
      })),
    gatewayCount: ({ gateways }) => gateways,
    switchBlockedBy: (status) => (status.mode === 'following' || status.mode === 'leading' ? whyNot(status) : null),
    lossOnReturn: isLossOfReturn,
  },
} satisfies Resolvers;
