// Whether a consumer holds what it should on a compute node: anywhere in the tree of the node, or on pools.
import type { AllocationInput } from '../../domain/allocation.ts';
import { type ResourceAmount, sharingTrait } from '../../domain/provider.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { pciAliasKey } from '../flavors/pci-requests.ts';
import { compareHoldings } from '../instances/audit.ts';
import type { Instance } from '../instances/instance-inputs.ts';
import { sumAmounts } from '../instances/placements.ts';
import { networkFunctionClass } from '../pci/pci-cards.ts';

/**
 * Compares only the sums, because the claim was free to choose the provider or pool of each class. The sums must match one of the demands, and there must
 * be no allocations elsewhere. `ofPorts`: see functionsOfPorts.
 */
export function stateOfHolding(
  demands: readonly (readonly ResourceAmount[])[],
  holder: Holder | null,
  unrelated: ReadonlySet<string>,
  ofPorts: number = Number.POSITIVE_INFINITY,
): 'RIGHT' | 'MISSING' | 'WRONG' {
  const held = holder?.allocations ?? [];
  if (held.some(({ resourceProvider }) => unrelated.has(resourceProvider))) return 'WRONG';
  const inAll = sumAmounts(held.flatMap(({ resources }) => resources));
  const states = demands.map((resources) =>
    compareHoldings([{ resourceProvider: '', resources }], [{ resourceProvider: '', resources: withoutPorts(inAll, resources, ofPorts) }]),
  );
  return states.find((state) => state === 'RIGHT') ?? states[0] ?? 'RIGHT';
}

/** The most network functions that an instance can hold beyond its demand, as far as its ports or devices are stated. Those of aliases are none of its ports. */
export function functionsOfPorts({ ports, functionCount, flavor }: Pick<Instance, 'ports' | 'functionCount' | 'flavor'>): number {
  const isOfPorts = ports && !Object.hasOwn(flavor.extraSpecs, pciAliasKey);
  return Math.min(isOfPorts ? ports.length : Number.POSITIVE_INFINITY, functionCount ?? Number.POSITIVE_INFINITY);
}

/** Without the network functions beyond the demand that ports may have, which its flavor does not show. */
function withoutPorts(held: readonly ResourceAmount[], demand: readonly ResourceAmount[], ofPorts: number): ResourceAmount[] {
  const wanted = demand.find(({ resourceClass }) => resourceClass === networkFunctionClass)?.amount ?? 0;
  const leftOf = (amount: number) => Math.max(amount - ofPorts, Math.min(amount, wanted));
  const counted = held.map((one) => (one.resourceClass === networkFunctionClass ? { ...one, amount: leftOf(one.amount) } : one));
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
