// Computes the numbers of a compute node as Nova records them without inventories. Pure. In these numbers, the host's reservations count as used, and ratios
// are ignored; Placement keeps reserved and used apart.

/** The numbers of an old-style record. Memory in MiB, disk in GiB; ratios of 0 mean "not set". */
export interface NodeSizes {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly localGb: number;
  readonly vcpusUsed: number;
  readonly memoryMbUsed: number;
  readonly localGbUsed: number;
  readonly freeRamMb: number;
  readonly freeDiskGb: number;
  /** The number of instances with allocations on the node. */
  readonly runningVms: number;
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  readonly diskAllocationRatio: number;
}

/** The relevant fields of an inventory of the node itself. */
export interface SizedInventory {
  readonly total: number;
  readonly reserved: number;
  readonly used: number;
  readonly allocationRatio: number;
}

const nothing: SizedInventory = { total: 0, reserved: 0, used: 0, allocationRatio: 0 };

/** The old-style numbers of a node, from its own inventories by class. Disk on a pool belongs to the pool and is not counted. */
export function sizesOfNode(inventories: Readonly<Record<string, SizedInventory>>, runningVms: number): NodeSizes {
  const own = (resourceClass: string) => inventories[resourceClass] ?? nothing;
  const [shared, dedicated, memory, disk] = [own('VCPU'), own('PCPU'), own('MEMORY_MB'), own('DISK_GB')];
  const taken = ({ reserved, used }: SizedInventory) => reserved + used;
  return {
    vcpus: shared.total + dedicated.total,
    memoryMb: memory.total,
    localGb: disk.total,
    vcpusUsed: taken(shared) + taken(dedicated),
    memoryMbUsed: taken(memory),
    localGbUsed: taken(disk),
    freeRamMb: memory.total - taken(memory),
    freeDiskGb: disk.total - taken(disk),
    runningVms,
    cpuAllocationRatio: shared.allocationRatio,
    ramAllocationRatio: memory.allocationRatio,
    diskAllocationRatio: disk.allocationRatio,
  };
}
