// Groups of consumers that belong on one root or on different ones. A search counts where the members are now; the write checks again, under the lock of the
// group.
import { selectUnitedRoots } from '../../db/records.ts';
import type { WrittenAffinity } from '../../db/writes/contract.ts';
import { type Affinity, unitedWith } from '../../domain/candidates/affinity.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { RequestScope } from '../scope/scope.ts';
import type { Holder } from './holdings.ts';

export interface AffinityGroup extends Pick<Affinity, 'policy' | 'perRoot'>, Pick<WrittenAffinity, 'unitedBy'> {
  /** Writes for the group come one after another. */
  readonly key: string;
  /** Uuids of consumers, including those that hold nothing yet. */
  readonly members: readonly string[];
}

/** Where these members are, by what they hold. Pools do not count: a pool serves many hosts, so it does not show where a member is. */
export function affinityIn(forest: Forest, { policy, perRoot, united }: Omit<Affinity, 'present'>, members: Iterable<Holder>): Affinity {
  const present = new Map<string, number>();
  for (const { allocations } of members) {
    const held = allocations.map(({ resourceProvider }) => forest.findByUuid(resourceProvider)).filter((provider) => !provider?.isSharing);
    const roots = new Set(held.flatMap((provider) => (provider ? unitedWith({ united }, provider.tree.root.state.provider.uuid) : [])));
    for (const root of roots) present.set(root, (present.get(root) ?? 0) + 1);
  }
  return { policy, perRoot, present, united };
}

/** The roots that count as one, by each of them: all of them, which reads all records, or those where these members are. One statement, or none. */
export async function findUnitedRoots(
  { db }: RequestScope,
  forest: Forest,
  by: NonNullable<WrittenAffinity['unitedBy']>,
  members: Iterable<Holder> | null,
): Promise<Affinity['united']> {
  const roots = members && [...affinityIn(forest, { policy: 'ANY', perRoot: 1 }, members).present.keys()];
  const sets = roots?.length === 0 ? [] : await selectUnitedRoots(db, by, roots);
  return new Map(sets.flatMap((united) => united.map((root) => [root, united])));
}

/** What the write of members has to check; nothing if their policy is only a preference. `leaving`: see WrittenAffinity. */
export function writtenAffinity(
  { key, members, policy, perRoot, unitedBy }: AffinityGroup,
  leaving: readonly string[] = [],
): WrittenAffinity | undefined {
  return policy === 'ANY'
    ? undefined
    : { key, members, policy, perRoot, ...(unitedBy && { unitedBy }), ...(leaving.length > 0 && { leaving }) };
}
