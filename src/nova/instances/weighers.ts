// Weighs hosts as Nova's weighers do, by default so that instances spread. Free memory, processors and disk count for a host, and so do members of a server
// group with a soft policy, according to the policy; free PCI devices, failed builds and another cell count against it. Pure: host-states.ts reads the numbers.
import { type Weigher, WeightTable } from '../../domain/candidates/weights.ts';
import type { GroupPolicy } from '../requests/server-groups.ts';

/** The numbers of a host that are weighed. */
export interface HostState {
  /** Uuid of its root. */
  readonly uuid: string;
  readonly freeRamMb: number;
  /** With overcommit. */
  readonly freeVcpus: number;
  readonly freeDiskMb: number;
  readonly freePciDevices: number;
}

/** The multiplier of each weigher; a negative one reverses it. */
export interface Multipliers {
  readonly ram: number;
  readonly cpu: number;
  readonly disk: number;
  readonly pci: number;
  readonly buildFailure: number;
  readonly softAffinity: number;
  readonly softAntiAffinity: number;
  readonly crossCellMove: number;
}

/** Nova's defaults. */
export const defaultMultipliers: Multipliers = {
  ...{ ram: 1, cpu: 1, disk: 1, pci: 1, softAffinity: 1, softAntiAffinity: 1 },
  ...{ buildFailure: 1_000_000, crossCellMove: 1_000_000 },
};

/** Facts for weighing in addition to the hosts. */
export interface Weighing {
  readonly multipliers: Multipliers;
  /** The multipliers that the metadata of host aggregates set for a host instead. */
  readonly multipliersOf?: (host: string) => Partial<Multipliers>;
  readonly policy?: GroupPolicy | null;
  /** The number of group members on a host now. */
  readonly membersOn: (host: string) => number;
  /** The number of failed builds of each host since its last success. */
  readonly failedBuilds: ReadonlyMap<string, number>;
  /** Whether a host is in a preferred cell. */
  readonly isInCell?: ((host: string) => boolean) | null;
  /** Whether a host comes before all others, whatever their weights. */
  readonly isPreferred?: ((host: string) => boolean) | null;
}

/** As in Nova: hosts with this many devices or more weigh the same. */
const maxPciDevices = 100;

/** The weights of hosts. `membersOn` is called whenever a host is weighed. */
export function weighHosts(hosts: readonly HostState[], weighing: Weighing): WeightTable<HostState> {
  return new WeightTable(hosts, weighersFor(weighing));
}

/** Larger than all of Nova's multipliers. */
const preference = 1e9;

function weighersFor({
  multipliers,
  multipliersOf,
  policy,
  membersOn,
  failedBuilds,
  isInCell,
  isPreferred,
}: Weighing): Weigher<HostState>[] {
  const weigher = (name: keyof Multipliers, weightOf: (host: HostState) => number, least?: number): Weigher<HostState> => {
    const usual = multipliers[name];
    const multiplier = multipliersOf ? ({ uuid }: HostState) => multipliersOf(uuid)[name] ?? usual : usual;
    return { weightOf, multiplier, ...(least === undefined ? {} : { least }) };
  };
  const companions = ({ uuid }: HostState) => membersOn(uuid);
  return [
    weigher('ram', ({ freeRamMb }) => freeRamMb, 0),
    weigher('cpu', ({ freeVcpus }) => freeVcpus, 0),
    weigher('disk', ({ freeDiskMb }) => freeDiskMb, 0),
    // Like Nova, prefers hosts with few devices whether or not the request needs any, so that requests for many find them together.
    weigher('pci', ({ freePciDevices }) => maxPciDevices - Math.min(freePciDevices, maxPciDevices - 1)),
    ...(failedBuilds.size > 0 ? [negated(weigher('buildFailure', ({ uuid }) => failedBuilds.get(uuid) ?? 0))] : []),
    ...(policy === 'SOFT_AFFINITY' ? [weigher('softAffinity', companions)] : []),
    ...(policy === 'SOFT_ANTI_AFFINITY' ? [weigher('softAntiAffinity', (host) => -companions(host))] : []),
    ...(isInCell ? [weigher('crossCellMove', ({ uuid }) => (isInCell(uuid) ? 1 : -1))] : []),
    ...(isPreferred ? [{ weightOf: ({ uuid }: HostState) => (isPreferred(uuid) ? 1 : 0), multiplier: preference }] : []),
  ];
}

/** Negates the multiplier instead of the weight, so that the range of failures stays as it is. */
function negated({ weightOf, multiplier }: Weigher<HostState>): Weigher<HostState> {
  return { weightOf, multiplier: typeof multiplier === 'number' ? -multiplier : (host) => -multiplier(host) };
}

const metadataKeys: { readonly [Name in keyof Multipliers]: string } = {
  ram: 'ram_weight_multiplier',
  cpu: 'cpu_weight_multiplier',
  disk: 'disk_weight_multiplier',
  pci: 'pci_weight_multiplier',
  buildFailure: 'build_failure_weight_multiplier',
  softAffinity: 'soft_affinity_weight_multiplier',
  softAntiAffinity: 'soft_anti_affinity_weight_multiplier',
  crossCellMove: 'cross_cell_move_weight_multiplier',
};

/** The multipliers that the metadata of a host's aggregates set, the least if several do. If any value is not a number, the multiplier is not set. */
export function multipliersIn(metadata: readonly Readonly<Record<string, string>>[]): Partial<Multipliers> {
  const set = Object.entries(metadataKeys).flatMap(([name, key]) => {
    const values = metadata.flatMap((entries) => (Object.hasOwn(entries, key) ? Number(entries[key]?.trim() || Number.NaN) : []));
    return values.length > 0 && values.every(Number.isFinite) ? [[name, Math.min(...values)]] : [];
  });
  return Object.fromEntries(set);
}
