// What is stored of a compute node beside its tree and its devices. What a report does not mention stays as the last report or the import left it.
import type { StoredPool } from '../pci/stored-pools.ts';
import { computeProgram, failedBuildsFact, sharedStorageFact } from '../services/compute-program.ts';
import type { ComputeNodeReport, NodeFacts } from './compute-node-report.ts';
import type { NodeSizes } from './node-sizes.ts';

/** The facts stored about a node in addition to its tree. */
export interface NodeRecord extends NodeFacts {
  /** The traits of the node in its last report. */
  readonly traits: readonly string[];
  /** The program that owns the record; the program is deleted with its last node. */
  readonly program?: typeof computeProgram;
  /** The other classes of the node, from the last report that mentions any, and those of earlier ones that it still has. */
  readonly classes?: readonly string[];
  /** Absent for a node with a disk of its own. */
  readonly [sharedStorageFact]?: true;
  /** Absent for a node without failed builds. */
  readonly [failedBuildsFact]?: number;
  /** The traits of physical GPUs by address, from the last report that mentions any; absent if there are none. */
  readonly gpuTraits?: Readonly<Record<string, readonly string[]>>;
  /** For a node that has not reported yet: all its known numbers. */
  readonly sizes?: NodeSizes;
  /** The pools of its free PCI devices, from its object or an import; absent if the devices are known one by one. */
  readonly pools?: readonly StoredPool[];
}

/**
 * The record after a report. `pools`: null if the devices are known one by one, or not at all. `hasDevices`: whether devices are stored one by one. `present`: the
 * classes that the node has now.
 */
export function recordAfter(
  had: Partial<NodeRecord>,
  report: ComputeNodeReport,
  pools: readonly StoredPool[] | null,
  { hasDevices, present }: { readonly hasDevices: boolean; readonly present: readonly string[] },
): NodeRecord {
  const classes = classesAfter(had, report, present);
  return {
    ...factsAfter(had, report),
    program: computeProgram,
    traits: report.traits ?? had.traits ?? [],
    ...(report.resources.hasSharedStorage && { [sharedStorageFact]: true }),
    ...numbersAfter(had, report),
    ...(classes && { classes }),
    // Most hosts have no devices, and searches read the pools of all others.
    ...(pools && (pools.length > 0 || hasDevices) && { pools }),
  };
}

/** Classes that stay because they are held or reserved still belong to the node. A later report removes them. */
function classesAfter({ classes }: Partial<NodeRecord>, report: ComputeNodeReport, present: readonly string[]): NodeRecord['classes'] {
  if (!report.otherInventories) return classes;
  const reported = report.otherInventories.map(({ resourceClass }) => resourceClass);
  return [...reported, ...(classes ?? []).filter((name) => !reported.includes(name) && present.includes(name))];
}

/** The pools of free PCI devices after a report; null if the devices are known one by one, or not at all. */
export function poolsAfter({ pools, sizes }: Partial<NodeRecord>, report: ComputeNodeReport): readonly StoredPool[] | null {
  if (report.pciDevices) return null;
  if (report.pools) return report.pools;
  // In 0.1.0 a record that was imported without pools has an empty list.
  return pools && !(sizes && pools.length === 0) ? pools : null;
}

/** The facts in a record. */
export function factsIn({ host, hypervisorType, hypervisorVersion, hostIp, cpuInfo, sockets, object }: NodeFacts): NodeFacts {
  const own = { host, hypervisorType, hypervisorVersion, hostIp, cpuInfo };
  return { ...own, ...(sockets && { sockets }), ...(object && { object }) };
}

/** The facts after a report. */
export function factsAfter(had: Partial<NodeRecord>, { facts }: ComputeNodeReport): NodeFacts {
  const nothing = { hypervisorType: null, hypervisorVersion: null, hostIp: null, cpuInfo: null };
  const { object: _, ...known } = factsIn({ ...nothing, ...had, ...facts });
  const object = { ...had.object, ...facts.object };
  return { ...known, ...(Object.keys(object).length > 0 && { object }) };
}

/** The failed builds and the traits of GPUs. */
function numbersAfter(had: Partial<NodeRecord>, { failedBuilds, vgpus }: ComputeNodeReport): Partial<NodeRecord> {
  const count = failedBuilds ?? had[failedBuildsFact] ?? 0;
  const traits = vgpus
    ? Object.fromEntries(
        vgpus.flatMap(({ address, traits: own }) => (own?.length ? [[address.toLowerCase(), [...new Set(own)].sort()]] : [])),
      )
    : (had.gpuTraits ?? {});
  return { ...(count > 0 && { [failedBuildsFact]: count }), ...(Object.keys(traits).length > 0 && { gpuTraits: traits }) };
}
