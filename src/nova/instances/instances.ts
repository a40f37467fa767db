// Claims the allocations of single instances.
import type { AllocationInput } from '../../domain/allocation.ts';
import { type Problem, relabel } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import { type AllocationsWritten, type ConsumerAllocations, replaceAllocations } from '../../operations/allocations/allocation-writes.ts';
import { findHolders, type Holder, holderOf, keepUnchanged } from '../../operations/allocations/holdings.ts';
import { countingRefusals } from '../../operations/allocations/refused-claims.ts';
import { findRoom } from '../../operations/candidates/claimable-room.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer, type Written } from '../../operations/scope/write.ts';
import { instanceType } from '../terms/consumer-types.ts';
import { compareHoldings } from './audit.ts';
import { deviceSettingsFor, type Instance, type InstanceInput, parseInstance, settledInstance } from './instance-inputs.ts';
import { placeOnNode, refuseUnfitImage } from './placements.ts';

/** An instance, the uuid of the compute node where it runs, and what else is claimed with it. */
export interface PlacedInstance extends ClaimTerms {
  readonly hostedInstance: InstanceInput;
  readonly computeNode: string;
}

/** Until when a consumer claims, and from which reservation. */
type ClaimTerms = Pick<ConsumerAllocations, 'expiry' | 'reservation'>;

export interface InstanceClaimed {
  /** Its allocations; null for an instance with an empty flavor. */
  readonly holder: Holder | null;
  /** False if it already had exactly these allocations. */
  readonly changed: boolean;
}

/**
 * Claims the resources of its flavor for an instance on its compute node, in one write; repeating the call changes nothing. Refuses CONSUMER_CONFLICT if it
 * has other allocations; INVALID_INPUT for a malformed flavor or one that contradicts its image; NOT_FOUND, NO_INVENTORY, UNIT_VIOLATION and
 * CAPACITY_EXCEEDED like any claim; NO_CANDIDATES if the node cannot serve a flavor that requests more than sizes, or lacks traits that the image requires.
 */
export async function claimInstance(
  scope: RequestScope,
  { computeNode, hostedInstance, expiry, reservation }: PlacedInstance,
): Promise<InstanceClaimed> {
  const given = parseInstance(hostedInstance, ['hostedInstance']);
  const first = await findFirstAnswer(scope, 'replace_allocations');
  if (first) return claimedBy(first);
  const instance = settledInstance(given, await deviceSettingsFor(scope, [given]));
  const before = (await findHolders(scope, [instance.uuid])).get(instance.uuid);
  const [terms, isNew] = [{ expiry, reservation }, { isNew: true } as const];
  const room = await relabel(
    () => findRoom(scope, [{ consumer: instance.uuid, expect: isNew, ...terms }]),
    ({ path }) => path.slice(2),
  );
  const allocations = await countingRefusals(scope, () => placeOnNode(scope, instance, computeNode, before ?? null, { room }));
  await refuseUnfitImage(scope, instance, allocations);
  if (compareHoldings(allocations, before?.allocations ?? []) === 'RIGHT') {
    const kept = await keepUnchanged(scope, [instance.uuid], { changed: false });
    return kept ? claimedBy(kept) : { holder: before ?? null, changed: false };
  }
  return claimedBy(await writeHolding(scope, instance, allocations, isNew, { changed: true }, { terms }));
}

/** The result in an answer, fresh or replayed. */
function claimedBy({ consumers = [], besides }: Written): InstanceClaimed {
  const [holder] = consumers;
  const { changed } = besides as { readonly changed: boolean };
  return { holder: holder ? holderOf(holder) : null, changed };
}

/**
 * Writes the allocations of an instance or of its migration; none for an empty flavor. `givers`: holders that give up allocations to it in the same write.
 * Refuses what replaceAllocations refuses, at the path of the instance or of the compute node.
 */
export async function writeHolding(
  scope: RequestScope,
  { uuid, project, user, place }: Pick<Instance, 'uuid' | 'project' | 'user' | 'place'>,
  allocations: readonly AllocationInput[],
  expect: { readonly isNew: true } | { readonly generation: number },
  besides?: object,
  {
    party = { consumer: uuid, consumerType: instanceType },
    givers = [],
    terms = {},
  }: {
    readonly party?: { readonly consumer: string; readonly consumerType: string };
    readonly givers?: readonly Holder[];
    readonly terms?: ClaimTerms;
  } = {},
): Promise<AllocationsWritten> {
  const consumer = { ...party, expect, hold: { allocations }, project, user, ...terms };
  return relabel(
    () => replaceAllocations(scope, { consumers: [consumer, ...givers.map(asWritten)], isExempt: true }, besides),
    (problem) => placeInInstance(place, problem),
  );
}

function asWritten({ uuid, generation, allocations }: Holder) {
  return { consumer: uuid, expect: { generation }, hold: { allocations } };
}

/**
 * Converts paths in the written consumers to paths in the input: amounts come from the instance's flavor, providers from its compute node.
 */
function placeInInstance(place: Path, { path: [, , part, ...rest] }: Problem): Path {
  if (part === 'expiry' || part === 'reservation') return [part, ...rest];
  if (part === 'hold') return rest.at(-1) === 'resourceProvider' ? ['computeNode'] : [...place, 'flavor'];
  return [...place, 'uuid'];
}
