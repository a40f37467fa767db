// Whether a compute node can serve requests for PCI devices. Checks the requests, reads the devices, and identifies cards in Placement by their names.
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { ComputeNode } from '../compute-nodes/compute-nodes.ts';
import { cardAddressIn } from '../pci/pci-names.ts';
import { type DeviceRequest, devicesFor, type PciNumaPolicy } from '../pci/pci-stats.ts';
import { type Property, readProperties } from '../terms/properties.ts';
import { poolsOnNode } from './pci-filter.ts';

export interface PciRequests {
  readonly computeNode: Pick<ComputeNode, 'uuid' | 'facts' | 'pools'>;
  readonly requests: readonly PciRequestInput[];
  readonly numaCells?: Optional<readonly number[]>;
}

interface PciRequestInput {
  readonly count: number;
  readonly alternatives: readonly PciDeviceKind[];
  readonly numaPolicy?: Optional<PciNumaPolicy>;
  readonly resourceProviders?: Optional<readonly string[]>;
}

interface PciDeviceKind {
  readonly vendorId?: Optional<string>;
  readonly productId?: Optional<string>;
  readonly deviceType?: Optional<string>;
  readonly tags?: Optional<readonly Property[]>;
}

/** One statement for the devices of all nodes, and one for the cards that requests name. Refuses INVALID_INPUT. */
export async function supportsPciRequests(scope: RequestScope, { computeNode, requests: asked, numaCells }: PciRequests): Promise<boolean> {
  const check = new InputCheck();
  check.size(['requests'], asked, 0, limits.pciRequests);
  check.size(['numaCells'], numaCells ?? [], 0, limits.reportElements);
  const wanted = asked.map((request, index) => readRequest(check, request, ['requests', index]));
  check.done();
  const requests = await Promise.all(
    wanted.map(async (request) => ({
      ...request,
      cards: request.cards && (await Promise.all(request.cards.map((card) => addressOf(scope, computeNode.uuid, card)))),
    })),
  );
  const pools = await poolsOnNode(scope, computeNode);
  const socketOf = new Map(Object.entries(computeNode.facts?.sockets ?? {}).map(([cell, socket]) => [Number(cell), socket]));
  return devicesFor(pools, requests, { guest: numaCells ?? [], sockets: socketOf }) !== null;
}

function readRequest(check: InputCheck, request: PciRequestInput, path: readonly (string | number)[]): DeviceRequest {
  const { count, alternatives, numaPolicy, resourceProviders } = request;
  if (count < 1) check.add([...path, 'count'], 'must be at least 1');
  check.size([...path, 'alternatives'], alternatives, 1, limits.pciRequests);
  check.size([...path, 'resourceProviders'], resourceProviders ?? [], 0, limits.pciCards);
  return {
    ...{ count, numaPolicy, cards: resourceProviders },
    alternatives: alternatives.map(({ vendorId, productId, deviceType, tags }, index) => {
      check.size([...path, 'alternatives', index, 'tags'], tags ?? [], 0, limits.pciTags);
      return {
        ...readProperties(tags ?? [], [...path, 'alternatives', index, 'tags']),
        ...(vendorId ? { vendor_id: vendorId } : {}),
        ...(productId ? { product_id: productId } : {}),
        ...(deviceType ? { dev_type: deviceType } : {}),
      };
    }),
  };
}

/** The address at the end of a card's name; for a provider that is not a card of this node its uuid, which matches no address. */
async function addressOf({ loaders }: RequestScope, computeNode: string, card: string): Promise<string> {
  const [root, provider] = await Promise.all([loaders.providerByUuid.load(computeNode), loaders.providerByUuid.load(card)]);
  if (!root || provider?.rootId !== root.id) return card;
  return cardAddressIn(provider.name);
}
