// Weighs hosts as Nova's weighers do, by default so that instances spread: free memory, processors and disk, the other members of a server group that wants to be
// together or apart if possible, and against hosts with free PCI devices, with failed builds, or in another cell. Pure: host-states.ts reads what is weighed.
import { type Weigher, WeightTable } from '../../domain/candidates/weights.ts';
import type { GroupPolicy } from '../requests/server-groups.ts';

/** What is weighed of a host. */
export interface HostState {
  /** Of its root. */
  readonly uuid: string;
  readonly freeRamMb: number;
  /** With overcommit. */
  readonly freeVcpus: number;
  readonly freeDiskMb: number;
  readonly freePciDevices: number;
}

/** By weigher, how much it counts; negative: the other way round. */
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

/** Those of Nova. */
export const defaultMultipliers: Multipliers = {
  ...{ ram: 1, cpu: 1, disk: 1, pci: 1, softAffinity: 1, softAntiAffinity: 1 },
  ...{ buildFailure: 1_000_000, crossCellMove: 1_000_000 },
};

/** What is known beside the hosts. */
export interface Weighing {
  readonly multipliers: Multipliers;
  /** What the metadata of host aggregates say for a host instead. */
  readonly multipliersOf?: (host: string) => Partial<Multipliers>;
  readonly policy?: GroupPolicy | null;
  /** How many members of the group are on a host now. */
  readonly membersOn: (host: string) => number;
  /** By host, since its last success. */
  readonly failedBuilds: ReadonlyMap<string, number>;
  /** The hosts of the cell to stay in, if another is only second best. */
  readonly isInCell?: ((host: string) => boolean) | null;
  /** Hosts that go before all others, whatever they weigh. */
  readonly isPreferred?: ((host: string) => boolean) | null;
}

/** As Nova: hosts with so many devices are not told apart. */
const maxPciDevices = 100;

/** The weights of hosts. `membersOn` is asked whenever a host is weighed. */
export function weighHosts(hosts: readonly HostState[], weighing: Weighing): WeightTable<HostState> {
  return new WeightTable(hosts, weighersFor(weighing));
}

/** Above all multipliers of Nova. */
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
    // Nova reverses devices whether or not some are asked for: those who need many find them together.
    weigher('pci', ({ freePciDevices }) => maxPciDevices - Math.min(freePciDevices, maxPciDevices - 1)),
    ...(failedBuilds.size > 0 ? [negated(weigher('buildFailure', ({ uuid }) => failedBuilds.get(uuid) ?? 0))] : []),
    ...(policy === 'SOFT_AFFINITY' ? [weigher('softAffinity', companions)] : []),
    ...(policy === 'SOFT_ANTI_AFFINITY' ? [weigher('softAntiAffinity', (host) => -companions(host))] : []),
    ...(isInCell ? [weigher('crossCellMove', ({ uuid }) => (isInCell(uuid) ? 1 : -1))] : []),
    ...(isPreferred ? [{ weightOf: ({ uuid }: HostState) => (isPreferred(uuid) ? 1 : 0), multiplier: preference }] : []),
  ];
}

/** The multiplier counts, not the weight: the range is that of the failures. */
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

/** The multipliers that the metadata of a host's aggregates set: the least where several do. A value that is no number sets nothing. */
export function multipliersIn(metadata: readonly Readonly<Record<string, string>>[]): Partial<Multipliers> {
  const set = Object.entries(metadataKeys).flatMap(([name, key]) => {
    const values = metadata.flatMap((entries) => (Object.hasOwn(entries, key) ? Number(entries[key]?.trim() || Number.NaN) : []));
    return values.length > 0 && values.every(Number.isFinite) ? [[name, Math.min(...values)]] : [];
  });
  return Object.fromEntries(set);
}
