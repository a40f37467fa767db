// Computes the numbers of a compute node as they were recorded before inventories existed. Pure. In them, what the host reserves for itself counts as
// used, and ratios are ignored; placement keeps the two apart.

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

/** The old numbers of a node with these inventories, given by class, of the node itself: disk on a pool belongs to the pool. */
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
