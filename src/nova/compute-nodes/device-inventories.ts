// The inventories of a node that count its PCI devices while no card is a provider: PCI_DEVICE for whole devices, SRIOV_NET_VF for the functions of networks.
// Devices that are gone but held count until they are released. Pure.
import { countNetworkFunctions, countWholeDevices } from '../pci/pci-cards.ts';
import type { StoredPool } from '../pci/stored-pools.ts';
import type { GivenInventories, GivenInventory } from '../trees/provider-tree.ts';
import type { ComputeNodeReport } from './compute-node-report.ts';

/** Usage by class. */
export type Used = Readonly<Record<string, number>>;

/** `pools`: of the free devices, if the devices are not known one by one. If nothing is known of them, the inventories stay. */
export function deviceInventories(
  { pciDevices, pciInPlacement }: Pick<ComputeNodeReport, 'pciDevices' | 'pciInPlacement'>,
  pools: readonly StoredPool[] | null,
  had: GivenInventories,
  used: Used,
): GivenInventories {
  const { PCI_DEVICE: hadWhole, SRIOV_NET_VF: hadFunctions } = had;
  const { PCI_DEVICE: usedWhole = 0, SRIOV_NET_VF: usedFunctions = 0 } = used;
  if (pciDevices) {
    const devices = pciInPlacement ? [] : pciDevices;
    const whole = countWholeDevices(devices);
    const { total, free } = countNetworkFunctions(devices);
    return {
      ...(whole > 0 && { PCI_DEVICE: reservedAsBefore(fullInventory(Math.max(whole, usedWhole)), hadWhole) }),
      // Ports take functions without allocations in Placement, so functions taken but not held are reserved.
      ...(total > 0 && {
        SRIOV_NET_VF: { ...fullInventory(Math.max(total, usedFunctions)), reserved: Math.max(0, total - free - usedFunctions) },
      }),
    };
  }
  if (!pools) return { ...(hadWhole && { PCI_DEVICE: hadWhole }), ...(hadFunctions && { SRIOV_NET_VF: hadFunctions }) };
  const countFree = (isCounted: (tags: StoredPool['tags']) => boolean) =>
    pools.reduce((sum, { tags, count }) => sum + (isCounted(tags) ? Math.max(0, count) : 0), 0);
  const whole = totalWith(
    countFree(({ dev_type }) => dev_type === 'type-PCI'),
    hadWhole,
    usedWhole,
  );
  const functions = totalWith(
    countFree(({ dev_type, physical_network }) => dev_type === 'type-VF' && Boolean(physical_network)),
    hadFunctions,
    usedFunctions,
  );
  return {
    ...(whole > 0 && { PCI_DEVICE: reservedAsBefore(fullInventory(whole), hadWhole) }),
    ...(functions > 0 && { SRIOV_NET_VF: fullInventory(functions) }),
  };
}

/** A claimed device stays in its pool until the host takes it, so a device that is held may count as free, too: the total does not rise by a claim. */
function totalWith(free: number, had: GivenInventory | undefined, used: number): number {
  return Math.min(free + used, Math.max(had?.total ?? 0, free));
}

/** Keeps the reservation, because operators decide how many devices are reserved. */
export function reservedAsBefore(inventory: GivenInventory, had: GivenInventory | undefined): GivenInventory {
  return { ...inventory, reserved: Math.min(had?.reserved ?? 0, inventory.total) };
}

/** An inventory without reservation or overcommit. */
export function fullInventory(total: number): GivenInventory {
  return { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
}
