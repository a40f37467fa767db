// What single instances hold: claimed in the words of their flavor, given free, and held against what their host really has.
import { Refusal } from '../domain/errors.ts';
import { type AllocationInput, releaseAllocations, replaceAllocations } from '../operations/allocation-writes.ts';
import { findHolders, type Holder } from '../operations/holdings.ts';
import type { RequestScope } from '../operations/scope.ts';
import { compareHoldings } from './audit.ts';
import { instanceType } from './consumer-types.ts';
import { type FlavorInput, parseFlavor } from './flavors.ts';
import { allocationsForInstance, type InstancePlace } from './instance-allocations.ts';

type Path = readonly (string | number)[];

/** An instance and where it runs. */
export interface PlacedInstance extends InstancePlace {
  readonly instance: string;
  readonly project: string;
  readonly user: string;
  readonly flavor: FlavorInput;
}

export interface InstanceClaimed {
  readonly holder: Holder | null;
  /** False when it held exactly this already. */
  readonly changed: boolean;
}

/**
 * Makes an instance hold what its flavor asks for where it runs, in one write; repeated, it changes nothing. Refuses CONSUMER_CONFLICT when it holds
 * something else, INVALID_INPUT for a bad flavor, and what a claim may be refused: NOT_FOUND, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED.
 */
export async function claimInstance(scope: RequestScope, placed: PlacedInstance): Promise<InstanceClaimed> {
  const allocations = holdingOf(placed, ['flavor']);
  const before = (await findHolders(scope, [placed.instance])).get(placed.instance);
  if (before && compareHoldings(allocations, before.allocations) === 'RIGHT') return { holder: before, changed: false };
  await writeHolding(scope, placed, allocations, { isNew: true });
  return { holder: (await findHolders(scope, [placed.instance])).get(placed.instance) ?? null, changed: true };
}

/** Gives free what an instance holds, whatever it is. Returns whether there was anything. */
export async function releaseInstance(scope: RequestScope, instance: string): Promise<boolean> {
  const { released } = await releaseAllocations(scope, { consumers: [{ consumer: instance, expect: { unchecked: true } }] });
  return released.length > 0;
}

/** What an instance shall hold where it runs. Refuses INVALID_INPUT with the path of its flavor. */
export function holdingOf({ flavor, ...place }: PlacedInstance, path: Path): AllocationInput[] {
  return allocationsForInstance(parseFlavor(flavor, path), place);
}

/** Writes it, with refusals in words of the instance. An instance that shall hold nothing holds nothing. */
export async function writeHolding(
  scope: RequestScope,
  { instance, project, user }: Pick<PlacedInstance, 'instance' | 'project' | 'user'>,
  allocations: readonly AllocationInput[],
  expect: { readonly isNew: true } | { readonly generation: number },
): Promise<void> {
  try {
    await replaceAllocations(scope, {
      consumers: [{ consumer: instance, expect, hold: { allocations }, project, user, type: instanceType }],
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.problems.map((problem) => ({ ...problem, path: pathInInstance(problem.path) })));
  }
}

/** Paths into the consumers written, as paths into the instance: what is held follows from the flavor, on the compute node. */
function pathInInstance([, , part, ...rest]: readonly string[]): string[] {
  if (part === 'expect') return ['instance'];
  if (part === 'hold') return rest.at(-1) === 'provider' ? ['computeNode'] : ['flavor'];
  return part === undefined ? [] : [part];
}
