// The standard resource classes: the names of os-resource-classes, whose ids never change.
// Knows names and units only. Custom classes live in the database, with ids from 10000.

export interface StandardResourceClass {
  /** The index in the append-only list of os-resource-classes. */
  readonly id: number;
  readonly name: string;
  /** The unit of amounts; null where the class counts whole things. */
  readonly unit: string | null;
}

/** The 21 standard classes by id. Inserted if missing, never removed. */
export const standardResourceClasses: readonly StandardResourceClass[] = [
  { id: 0, name: 'VCPU', unit: null },
  { id: 1, name: 'MEMORY_MB', unit: 'MiB' },
  { id: 2, name: 'DISK_GB', unit: 'GiB' },
  { id: 3, name: 'PCI_DEVICE', unit: null },
  { id: 4, name: 'SRIOV_NET_VF', unit: null },
  { id: 5, name: 'NUMA_SOCKET', unit: null },
  { id: 6, name: 'NUMA_CORE', unit: null },
  { id: 7, name: 'NUMA_THREAD', unit: null },
  { id: 8, name: 'NUMA_MEMORY_MB', unit: 'MiB' },
  { id: 9, name: 'IPV4_ADDRESS', unit: 'addresses' },
  { id: 10, name: 'VGPU', unit: null },
  { id: 11, name: 'VGPU_DISPLAY_HEAD', unit: null },
  { id: 12, name: 'NET_BW_EGR_KILOBIT_PER_SEC', unit: 'kbit/s' },
  { id: 13, name: 'NET_BW_IGR_KILOBIT_PER_SEC', unit: 'kbit/s' },
  { id: 14, name: 'PCPU', unit: null },
  { id: 15, name: 'MEM_ENCRYPTION_CONTEXT', unit: null },
  { id: 16, name: 'FPGA', unit: null },
  { id: 17, name: 'PGPU', unit: null },
  { id: 18, name: 'NET_PACKET_RATE_KILOPACKET_PER_SEC', unit: 'kilopackets/s' },
  { id: 19, name: 'NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC', unit: 'kilopackets/s' },
  { id: 20, name: 'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC', unit: 'kilopackets/s' },
];
