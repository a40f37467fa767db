// The inventories of a node that count its PCI devices while no card is a provider: PCI_DEVICE for whole devices, SRIOV_NET_VF for the functions of networks.
// Devices that are gone but held count until they are released. Pure.
import { countNetworkFunctions, countWholeDevices } from '../pci/pci-cards.ts';
import type { StoredPool } from '../pci/stored-pools.ts';
import type { GivenInventories, GivenInventory } from '../trees/provider-tree.ts';
import type { ComputeNodeReport } from './compute-node-report.ts';

/** Usage by class. */
export type Used = Readonly<Record<string, number>>;

/** The pools of free devices in a report and before it, if the devices are not known one by one. */
export interface KnownPools {
  readonly pools: readonly StoredPool[] | null;
  readonly formerPools: readonly StoredPool[] | null;
}

/** If nothing is known of the devices, the inventories stay. */
export function deviceInventories(
  { pciDevices, pciInPlacement }: Pick<ComputeNodeReport, 'pciDevices' | 'pciInPlacement'>,
  { pools, formerPools }: KnownPools,
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
  const total = (isCounted: (tags: StoredPool['tags']) => boolean, before: GivenInventory | undefined, held: number) => {
    const countFree = (some: readonly StoredPool[]) =>
      some.reduce((sum, { tags, count }) => sum + (isCounted(tags) ? Math.max(0, count) : 0), 0);
    const free = countFree(pools);
    const added = formerPools ? Math.max(0, free - countFree(formerPools)) : 0;
    // A claimed device stays in its pool until the host takes it, so a device that is held may count as free, too: the total does not rise by a claim.
    return Math.min(free + held, Math.max((before?.total ?? 0) + added, free));
  };
  const whole = total(({ dev_type }) => dev_type === 'type-PCI', hadWhole, usedWhole);
  const functions = total(
    ({ dev_type, physical_network }) => dev_type === 'type-VF' && Boolean(physical_network),
    hadFunctions,
    usedFunctions,
  );
  return {
    ...(whole > 0 && { PCI_DEVICE: reservedAsBefore(fullInventory(whole), hadWhole) }),
    ...(functions > 0 && { SRIOV_NET_VF: fullInventory(functions) }),
  };
}

/** Keeps the reservation, because operators decide how many devices are reserved. */
export function reservedAsBefore(inventory: GivenInventory, had: GivenInventory | undefined): GivenInventory {
  return { ...inventory, reserved: Math.min(had?.reserved ?? 0, inventory.total) };
}

/** An inventory without reservation or overcommit. */
export function fullInventory(total: number): GivenInventory {
  return { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
}
