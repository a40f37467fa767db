// The allocations of an instance, and their providers: the classic classes VCPU, MEMORY_MB, DISK_GB and PCI_DEVICE from the sizes of its flavor.
// Ignores extra specs (flavor-request.ts), virtual functions and NUMA cells.
import type { AllocationInput } from '../../domain/allocation.ts';
import type { Optional } from '../../domain/input.ts';
import type { ResourceAmount } from '../../domain/provider.ts';
import { diskGbOf, type FlavorNumbers } from '../flavors/flavors.ts';
import type { PciDevice } from '../pci/pci-pools.ts';

export interface InstanceFacts {
  /** A root disk on a volume uses no disk of the host. */
  readonly bootedFromVolume?: Optional<boolean>;
  /** The number of whole devices that it uses. */
  readonly pciDeviceCount?: Optional<number>;
}

export interface InstancePlace extends InstanceFacts {
  /** Uuid of the compute node's provider. */
  readonly computeNode: string;
  /** Uuid of the pool on which the host keeps instance disks; null if they are local, or the pool is unknown. */
  readonly pool?: Optional<string>;
  /** Whether the node has an inventory of disk; true if omitted. */
  readonly hasLocalDisk?: boolean;
}

/** The total amounts of an instance of this flavor; classes with amount 0 are omitted. */
export function amountsOfInstance(flavor: FlavorNumbers, { bootedFromVolume, pciDeviceCount }: InstanceFacts = {}): ResourceAmount[] {
  const amounts = [
    { resourceClass: 'VCPU', amount: flavor.vcpus },
    { resourceClass: 'MEMORY_MB', amount: flavor.memoryMb },
    { resourceClass: 'DISK_GB', amount: diskGbOf(flavor, bootedFromVolume) },
    { resourceClass: 'PCI_DEVICE', amount: pciDeviceCount ?? 0 },
  ];
  return amounts.filter(({ amount }) => amount > 0);
}

/** The number of the devices of an instance that count as PCI_DEVICE. */
export function countWholeDevicesInUse(devices: readonly Pick<PciDevice, 'status' | 'devType'>[]): number {
  return devices.filter(({ status, devType }) => status === 'allocated' && devType === 'type-PCI').length;
}

/**
 * Everything comes from the compute node, except that disks on shared storage come from the pool. The remaining disks of an instance booted from a volume are
 * local, unless the node has no inventory of disk.
 */
export function allocationsForInstance(
  flavor: FlavorNumbers,
  { computeNode, hasLocalDisk = true, ...facts }: InstancePlace,
): AllocationInput[] {
  const amounts = amountsOfInstance(flavor, facts);
  const pool = facts.bootedFromVolume && hasLocalDisk ? null : facts.pool;
  const fromPool = (amount: ResourceAmount) => Boolean(pool) && amount.resourceClass === 'DISK_GB';
  return [
    { resourceProvider: computeNode, resources: amounts.filter((amount) => !fromPool(amount)) },
    { resourceProvider: pool ?? '', resources: amounts.filter(fromPool) },
  ].filter(({ resources }) => resources.length > 0);
}
