// The numbers of a compute node as they were kept before there were inventories, computed from its inventories. Pure.
// In them, what the host reserves for itself counted as used, and ratios played no part; placement keeps the two apart.

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
  /** Instances that hold something of the node. */
  readonly runningVms: number;
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  readonly diskAllocationRatio: number;
}

/** What matters here of an inventory of the node itself. */
export interface SizedInventory {
  readonly total: number;
  readonly reserved: number;
  readonly used: number;
  readonly allocationRatio: number;
}

const nothing: SizedInventory = { total: 0, reserved: 0, used: 0, allocationRatio: 0 };

/** The old numbers of a node with these inventories, by class, on the node itself: disk on a pool is the pool's. */
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
