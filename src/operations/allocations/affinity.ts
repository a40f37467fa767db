// Groups of consumers that belong on one root or on different ones. A search counts where the members are now; the write checks again, under the lock of the
// group.
import type { WrittenAffinity } from '../../db/writes/contract.ts';
import type { Affinity } from '../../domain/candidates/affinity.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { Holder } from './holdings.ts';

export interface AffinityGroup extends Pick<Affinity, 'policy' | 'perRoot'> {
  /** Writes for the group come one after another. */
  readonly key: string;
  /** Uuids of consumers, including those that hold nothing yet. */
  readonly members: readonly string[];
}

/** Where these members are, by what they hold. Pools do not count: a pool serves many hosts, so it does not show where a member is. */
export function affinityIn(forest: Forest, { policy, perRoot }: AffinityGroup, members: Iterable<Holder>): Affinity {
  const present = new Map<string, number>();
  for (const { allocations } of members) {
    const held = allocations.map(({ resourceProvider }) => forest.findByUuid(resourceProvider)).filter((provider) => !provider?.isSharing);
    const roots = new Set(held.flatMap((provider) => provider?.tree.root.state.provider.uuid ?? []));
    for (const root of roots) present.set(root, (present.get(root) ?? 0) + 1);
  }
  return { policy, perRoot, present };
}

/** What the write of members has to check; nothing if their policy is only a preference. `leaving`: see WrittenAffinity. */
export function writtenAffinity(
  { key, members, policy, perRoot }: AffinityGroup,
  leaving: readonly string[] = [],
): WrittenAffinity | undefined {
  return policy === 'ANY' ? undefined : { key, members, policy, perRoot, ...(leaving.length > 0 && { leaving }) };
}
