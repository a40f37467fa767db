// The hosts of the demo cloud and the pools that they share. Writes nothing.
//
//   az1                                    two zones, or more, of ten racks of ten hosts
//     az1-rack01 … 05   plain              VCPU, MEMORY_MB, DISK_GB
//     az1-rack06 … 07   no disk            disk from az1-hdd-pool
//     az1-rack08        no disk            disk from az1-hdd-pool or az1-ssd-pool
//     az1-rack09        NUMA               two cells below the host, devices below the cells
//     az1-rack10        vGPU               two physical GPUs below the host
//     az1-hdd-pool, az1-ssd-pool, az1-address-pool
import { type CompleteInventory, maxAmount } from '../../domain/inventory.ts';
import { sharingTrait } from '../../domain/provider.ts';
import { uuidOf } from './names.ts';

/** A provider, in the form of apply_provider_tree. */
export interface DemoProvider {
  readonly uuid: string;
  readonly name: string;
  /** Name of the parent. */
  readonly parent: string | null;
  readonly inventories: readonly CompleteInventory[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** A host: its tree, root first, and the providers of a server's resources. */
export interface DemoHost {
  readonly name: string;
  readonly zone: string;
  readonly tree: readonly DemoProvider[];
  /** Names of the providers of VCPU and MEMORY_MB. */
  readonly cells: readonly string[];
  /** Names of the providers of DISK_GB. */
  readonly disks: readonly string[];
  readonly isDisabled: boolean;
}

export interface DemoCloud {
  readonly hosts: readonly DemoHost[];
  readonly pools: readonly DemoProvider[];
  /** Names of the aggregates. The uuid of each is uuidOf(name). */
  readonly aggregates: readonly string[];
  readonly zones: readonly string[];
}

export const hostsInZone = 100;
const disabledHost = 'az1-rack05-node04';

/** The whole cloud, without allocations. */
export function buildCloud(zoneCount: number): DemoCloud {
  const zones = range(zoneCount).map((number) => `az${number}`);
  const hosts = zones.flatMap((zone) => range(10).flatMap((rack) => range(10).map((node) => buildHost(zone, rack, node))));
  const pools = zones.flatMap(buildPools);
  return {
    hosts,
    pools,
    aggregates: zones.flatMap((zone) => [zone, ...range(10).map((rack) => rackName(zone, rack)), hddService(zone), ssdService(zone)]),
    zones,
  };
}

/** The address pool of a zone. */
export const addressPool = (zone: string): string => `${zone}-address-pool`;

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const twoDigits = (number: number) => String(number).padStart(2, '0');
const rackName = (zone: string, rack: number) => `${zone}-rack${twoDigits(rack)}`;
const hddPool = (zone: string) => `${zone}-hdd-pool`;
const ssdPool = (zone: string) => `${zone}-ssd-pool`;
const hddService = (zone: string) => `${zone}-hdd-service`;
const ssdService = (zone: string) => `${zone}-ssd-service`;

function inventory(resourceClass: string, total: number, rest: Partial<CompleteInventory> = {}): CompleteInventory {
  return { resourceClass, total, reserved: 0, minUnit: 1, maxUnit: maxAmount, stepSize: 1, allocationRatio: 1, ...rest };
}

type ProviderParts = Partial<Pick<DemoProvider, 'parent' | 'traits'>> & { inventories?: CompleteInventory[]; aggregates?: string[] };

function provider(name: string, { parent = null, inventories = [], traits = [], aggregates = [] }: ProviderParts): DemoProvider {
  return { uuid: uuidOf(name), name, parent, inventories, traits, aggregates: aggregates.map(uuidOf) };
}

const cpus = (total: number) => inventory('VCPU', total, { maxUnit: total, allocationRatio: 4 });
const memory = (total: number, reserved: number) => inventory('MEMORY_MB', total, { reserved, maxUnit: total });
const disk = (total: number, reserved: number) => inventory('DISK_GB', total, { reserved, maxUnit: total });

const computeTraits = [
  'COMPUTE_IMAGE_TYPE_QCOW2',
  'COMPUTE_IMAGE_TYPE_RAW',
  'COMPUTE_NET_ATTACH_INTERFACE',
  'COMPUTE_NODE',
  'COMPUTE_VOLUME_ATTACH',
  'COMPUTE_VOLUME_EXTEND',
  'HW_CPU_X86_AVX2',
];
const vendorTraits = [
  ['HW_CPU_X86_AMD_SEV', 'HW_CPU_X86_AMD_SVM'],
  ['HW_CPU_X86_AVX512F', 'HW_CPU_X86_INTEL_VMX'],
] as const;

function buildHost(zone: string, rack: number, node: number): DemoHost {
  const name = `${rackName(zone, rack)}-node${twoDigits(node)}`;
  const isDisabled = name === disabledHost;
  const isNuma = rack === 9;
  const disks = rack === 6 || rack === 7 ? [hddPool(zone)] : rack === 8 ? [hddPool(zone), ssdPool(zone)] : [name];
  const root = provider(name, {
    inventories: [...(isNuma ? [] : [cpus(16), memory(131_072, 4096)]), ...(disks.includes(name) ? [disk(1000, 50)] : [])],
    traits: [...computeTraits, ...(vendorTraits[rack % 2] ?? []), ...(isDisabled ? ['COMPUTE_STATUS_DISABLED'] : [])],
    aggregates: [
      zone,
      rackName(zone, rack),
      ...(disks.includes(hddPool(zone)) ? [hddService(zone)] : []),
      ...(disks.includes(ssdPool(zone)) ? [ssdService(zone)] : []),
    ],
  });
  const cells = isNuma ? [`${name}_numa0`, `${name}_numa1`] : [name];
  const below = isNuma
    ? cells.flatMap((cell, index) => buildCell(name, cell, index))
    : rack === 10
      ? ['0000_84_00_0', '0000_85_00_0'].map((slot) => buildGpu(name, slot))
      : [];
  return { name, zone, tree: [root, ...below], cells, disks, isDisabled };
}

/** A cell; half of its processors are dedicated. The first cell of a host has a network card, the second two accelerators. */
function buildCell(host: string, name: string, index: number): DemoProvider[] {
  const pinned = inventory('PCPU', 8, { maxUnit: 8 });
  const cell = provider(name, { parent: host, inventories: [cpus(8), pinned, memory(65_536, 2048)], traits: ['HW_NUMA_ROOT'] });
  const networkCard = provider(`${host}_0000:5e:00.0`, {
    parent: name,
    inventories: [inventory('SRIOV_NET_VF', 8, { maxUnit: 8 })],
    traits: ['CUSTOM_PHYSNET_DATACENTRE', 'HW_NIC_SRIOV'],
  });
  const accelerators = ['d8', 'd9'].map((bus) =>
    provider(`${host}_0000:${bus}:00.0`, {
      parent: name,
      inventories: [inventory('CUSTOM_PCI_10DE_20B5', 1, { maxUnit: 1 })],
      traits: ['COMPUTE_MANAGED_PCI_DEVICE'],
    }),
  );
  return index === 0 ? [cell, networkCard] : [cell, ...accelerators];
}

function buildGpu(host: string, slot: string): DemoProvider {
  return provider(`${host}_pci_${slot}`, {
    parent: host,
    inventories: [inventory('VGPU', 8, { maxUnit: 8 })],
    traits: ['HW_GPU_API_VULKAN', 'OWNER_NOVA'],
  });
}

/** The pools of a zone. Only the address pool is in the aggregate of the zone, because a pool serves every provider in one of its aggregates. */
function buildPools(zone: string): DemoProvider[] {
  const pool = (name: string, aggregate: string, what: CompleteInventory, traits: string[] = []) =>
    provider(name, { inventories: [what], traits: [...traits, sharingTrait], aggregates: [aggregate] });
  return [
    pool(hddPool(zone), hddService(zone), disk(16_000, 500), ['STORAGE_DISK_HDD']),
    pool(ssdPool(zone), ssdService(zone), disk(3000, 100), ['STORAGE_DISK_SSD']),
    pool(addressPool(zone), zone, inventory('IPV4_ADDRESS', 126, { reserved: 2 })),
  ];
}
