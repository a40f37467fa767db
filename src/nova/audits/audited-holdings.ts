// Whether a consumer holds what it should on a compute node: anywhere in the tree of the node, or on pools.
import type { AllocationInput } from '../../domain/allocation.ts';
import { type ResourceAmount, sharingTrait } from '../../domain/provider.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { compareHoldings } from '../instances/audit.ts';
import { sumAmounts } from '../instances/placements.ts';
import { networkFunctionClass } from '../pci/pci-cards.ts';

/**
 * Compares only the sums, because the claim was free to choose the provider or pool of each class. The sums must match one of the demands, and there must
 * be no allocations elsewhere.
 */
export function stateOfHolding(
  demands: readonly (readonly ResourceAmount[])[],
  holder: Holder | null,
  unrelated: ReadonlySet<string>,
): 'RIGHT' | 'MISSING' | 'WRONG' {
  const held = holder?.allocations ?? [];
  if (held.some(({ resourceProvider }) => unrelated.has(resourceProvider))) return 'WRONG';
  const inAll = sumAmounts(held.flatMap(({ resources }) => resources));
  const states = demands.map((resources) =>
    compareHoldings([{ resourceProvider: '', resources }], [{ resourceProvider: '', resources: withoutPorts(inAll, resources) }]),
  );
  return states.find((state) => state === 'RIGHT') ?? states[0] ?? 'RIGHT';
}

/** Without the network functions beyond the demand: those are of its ports, which its flavor does not show. */
function withoutPorts(held: readonly ResourceAmount[], demand: readonly ResourceAmount[]): ResourceAmount[] {
  const wanted = demand.find(({ resourceClass }) => resourceClass === networkFunctionClass)?.amount ?? 0;
  const counted = held.map((one) => (one.resourceClass === networkFunctionClass ? { ...one, amount: Math.min(one.amount, wanted) } : one));
  return counted.filter(({ amount }) => amount > 0);
}

/** The providers, among those held, that are neither in the tree of the node nor sharing. */
export async function unrelatedProviders(
  { loaders }: RequestScope,
  computeNode: string,
  held: readonly AllocationInput[],
): Promise<Set<string>> {
  const node = await loaders.providerByUuid.load(computeNode);
  const providers = await Promise.all(
    [...new Set(held.map(({ resourceProvider }) => resourceProvider))].map((uuid) => loaders.providerByUuid.load(uuid)),
  );
  const others = providers.filter((provider) => provider !== null).filter(({ rootId }) => rootId !== node?.rootId);
  const traits = await Promise.all(others.map(({ id }) => loaders.traitsByProvider.load(id)));
  return new Set(others.filter((_, index) => !traits[index]?.some(({ name }) => name === sharingTrait)).map(({ uuid }) => uuid));
}
