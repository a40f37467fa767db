// What single instances hold: claimed by their flavor, and released.
import type { AllocationInput } from '../../domain/allocation.ts';
import { invalidInput, type Problem, relabel } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import type { ResourceAmount } from '../../domain/provider.ts';
import { type AllocationsWritten, releaseAllocations, replaceAllocations } from '../../operations/allocations/allocation-writes.ts';
import { findHolders, type Holder, holderOf, keepUnchanged } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { findFirstAnswer, type Written } from '../../operations/request/write.ts';
import { flavorToRequest } from '../flavors/flavors.ts';
import { compareHoldings } from './audit.ts';
import { instanceType } from './consumer-types.ts';
import { allocationsForInstance, amountsOfInstance } from './instance-allocations.ts';
import { type Instance, type InstanceInput, parseInstance } from './instance-inputs.ts';

/** An instance and the uuid of the compute node where it runs. */
export interface PlacedInstance extends InstanceInput {
  readonly computeNode: string;
}

export interface InstanceClaimed {
  /** What it holds; null for an instance whose flavor is empty. */
  readonly holder: Holder | null;
  /** False when it held exactly this already. */
  readonly changed: boolean;
}

/**
 * Makes an instance hold the numbers of its flavor where it runs, in one write; repeated, it changes nothing. Refuses CONSUMER_CONFLICT when it
 * holds something else, INVALID_INPUT for a flavor that is malformed or asks for more than its numbers, and what a claim may be
 * refused: NOT_FOUND, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED.
 */
export async function claimInstance(scope: RequestScope, { computeNode, ...input }: PlacedInstance): Promise<InstanceClaimed> {
  const instance = parseInstance(input);
  const allocations = holdingOf(instance, computeNode);
  const first = await findFirstAnswer(scope, 'replace_allocations');
  if (first) return claimedBy(first);
  const before = (await findHolders(scope, [instance.uuid])).get(instance.uuid);
  if (compareHoldings(allocations, before?.allocations ?? []) === 'RIGHT') {
    const kept = await keepUnchanged(scope, [instance.uuid], { changed: false });
    return kept ? claimedBy(kept) : { holder: before ?? null, changed: false };
  }
  return claimedBy(await writeHolding(scope, instance, allocations, { isNew: true }, { changed: true }));
}

/** What an answer says, whenever it was written. */
function claimedBy({ consumers = [], besides }: Written): InstanceClaimed {
  const [holder] = consumers;
  const { changed } = besides as { readonly changed: boolean };
  return { holder: holder ? holderOf(holder) : null, changed };
}

/** Releases whatever an instance holds. Returns whether it held anything. */
export async function releaseInstance(scope: RequestScope, instance: string): Promise<boolean> {
  const { released } = await releaseAllocations(scope, { consumers: [{ consumer: instance, expect: { unchecked: true } }] });
  return released.length > 0;
}

/** Everything that an instance asks for, extra specifications of its flavor included, whichever provider gives it. */
export function demandOf({ flavor, imageProperties, ...facts }: Instance): ResourceAmount[] {
  const { request } = flavorToRequest(flavor, { imageProperties, bootedFromVolume: facts.bootedFromVolume });
  const ofDevices = amountsOfInstance(flavor, facts).filter(({ resourceClass }) => resourceClass === 'PCI_DEVICE');
  return sumAmounts([...request.groups.flatMap(({ resources }) => resources ?? []), ...ofDevices]);
}

/** One amount for each class, in the order in which the classes first occur. */
export function sumAmounts(amounts: readonly ResourceAmount[]): ResourceAmount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, amount } of amounts) sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return [...sums].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

/**
 * What an instance shall hold on a compute node. Refuses INVALID_INPUT when its flavor asks for more than its numbers: only a
 * search can find the providers of that.
 */
export function holdingOf({ flavor, ...rest }: Instance, computeNode: string): AllocationInput[] {
  const plain = [{ resourceProvider: computeNode, resources: amountsOfInstance(flavor, rest) }];
  const whole = [{ resourceProvider: computeNode, resources: demandOf({ flavor, ...rest }) }];
  if (compareHoldings(plain, whole) !== 'RIGHT')
    throw invalidInput([...rest.place, 'flavor'], 'asks for more than its numbers: claim a destination that was found');
  return allocationsForInstance(flavor, { ...rest, computeNode });
}

/** Writes it; an instance with an empty flavor then holds nothing. Refuses what replaceAllocations refuses, at the instance or at the compute node. */
export async function writeHolding(
  scope: RequestScope,
  { uuid, project, user, place }: Pick<Instance, 'uuid' | 'project' | 'user' | 'place'>,
  allocations: readonly AllocationInput[],
  expect: { readonly isNew: true } | { readonly generation: number },
  besides?: object,
): Promise<AllocationsWritten> {
  const consumer = { consumer: uuid, expect, hold: { allocations }, project, user, consumerType: instanceType };
  return relabel(
    () => replaceAllocations(scope, { consumers: [consumer] }, besides),
    (problem) => placeInInstance(place, problem),
  );
}

/** Turns paths into the written consumers into paths into the instance: what it holds follows from its flavor, and where from its compute node. */
function placeInInstance(place: Path, { path: [, , part, ...rest] }: Problem): Path {
  if (part === 'hold') return rest.at(-1) === 'resourceProvider' ? ['computeNode'] : [...place, 'flavor'];
  return [...place, 'uuid'];
}
