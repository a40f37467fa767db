// The inventories of a compute node itself: totals, reservations, and the choice of overcommit ratios. Pure: callers pass in the ratios of the
// existing inventories. Devices and cells below the node have inventories of their own (node-tree.ts).
import type { Optional } from '../../domain/input.ts';
import type { InventoryInput } from '../../operations/request/input.ts';

/** Overcommit ratios by kind of resource. Null, missing and 0 all mean "not set". */
export interface NodeRatios {
  readonly cpu?: Optional<number>;
  readonly ram?: Optional<number>;
  readonly disk?: Optional<number>;
}

/** The hardware of a compute node and its operator's reservations. */
export interface NodeResources {
  /** Processors that instances share. */
  readonly vcpus: number;
  /** Processors dedicated to single instances: PCPU. */
  readonly dedicatedCpus?: Optional<number>;
  /** In MiB. */
  readonly memoryMb: number;
  /** In GiB. */
  readonly localGb: number;
  /** Processors; 0 if omitted. */
  readonly reservedCpus?: Optional<number>;
  /** In MiB; 512 if omitted. */
  readonly reservedMemoryMb?: Optional<number>;
  /** In MiB, rounded up to whole GiB; 0 if omitted. */
  readonly reservedDiskMb?: Optional<number>;
  /** Whether instance disks are on a pool shared by several hosts. The disk then belongs to the pool and is not counted here. */
  readonly hasSharedStorage?: Optional<boolean>;
  /** The ratios in the host's configuration. */
  readonly ratios?: Optional<NodeRatios>;
}

/** Sources of a node's ratios in addition to its own configuration. */
export interface RatioSources {
  /** The ratios of its existing inventories, by class name; empty for a new node. */
  readonly existing?: Readonly<Record<string, number>>;
  /** The ratios of new inventories. */
  readonly initial?: NodeRatios;
}

/** The ratios of a new inventory if none are configured. */
const initialRatios = { cpu: 4, ram: 1, disk: 1 } as const;

/** Reserved memory of a host that does not report it, in MiB. */
const keptMemoryMb = 512;

/**
 * The ratio of one inventory: the configured one, else the existing one (so that operators can change it in the inventory), else the initial one. Null,
 * missing and 0 count as not set.
 */
export function chooseRatio(configured: Optional<number>, existing: Optional<number>, initial: number): number {
  return configured || existing || initial;
}

/** The inventories of the node itself. Classes without units are omitted; does not check the numbers. */
export function inventoriesOfNode(node: NodeResources, { existing = {}, initial = {} }: RatioSources = {}): InventoryInput[] {
  const { cpu, ram, disk } = node.ratios ?? {};
  const rows = [
    {
      resourceClass: 'VCPU',
      total: node.vcpus,
      reserved: node.reservedCpus ?? 0,
      allocationRatio: chooseRatio(cpu, existing.VCPU, initial.cpu || initialRatios.cpu),
    },
    { resourceClass: 'PCPU', total: node.dedicatedCpus ?? 0, reserved: 0, allocationRatio: 1 },
    {
      resourceClass: 'MEMORY_MB',
      total: node.memoryMb,
      reserved: node.reservedMemoryMb ?? keptMemoryMb,
      allocationRatio: chooseRatio(ram, existing.MEMORY_MB, initial.ram || initialRatios.ram),
    },
    {
      resourceClass: 'DISK_GB',
      total: node.hasSharedStorage ? 0 : node.localGb,
      reserved: Math.ceil((node.reservedDiskMb ?? 0) / 1024),
      allocationRatio: chooseRatio(disk, existing.DISK_GB, initial.disk || initialRatios.disk),
    },
  ];
  return rows.filter(({ total }) => total !== 0).map((row) => ({ ...row, minUnit: 1, maxUnit: row.total, stepSize: 1 }));
}
