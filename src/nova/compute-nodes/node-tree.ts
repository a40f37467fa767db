// Edits a local tree into the provider tree that a compute node's report describes. Each kind of child is identified by its name:
//
//   cn1                            VCPU, PCPU, MEMORY_MB, DISK_GB, PCI_DEVICE       COMPUTE_NODE  OWNER_NOVA
//     cn1_numa_0                   NUMA_CORE, NUMA_THREAD, NUMA_MEMORY_MB           HW_NUMA_ROOT  OWNER_NOVA
//       cn1_pci_0000_84_00_0       VGPU                                             OWNER_NOVA
//       cn1_0000:85:00.0           CUSTOM_PCI_8086_10FB                             COMPUTE_MANAGED_PCI_DEVICE  OWNER_NOVA
//
// Other services write to the same tree: their providers, classes and traits are left alone. Pure.
import { randomUUID } from 'node:crypto';
import { cardsOf, countWholeDevices, type PciCard } from '../pci/pci-devices.ts';
import { ownerNova } from '../services/owners.ts';
import type { ComputeNodeReport, NumaCell, VgpuDevice } from './compute-node-report.ts';
import type { GivenInventories, GivenInventory, ProviderTree } from './provider-tree.ts';
import { inventoriesOfNode } from './ratios.ts';

/** Input of the edits beside the report and the tree. */
export interface NodeSurroundings {
  /** Classes of the sharing providers that serve the tree. */
  readonly sharedClasses: readonly string[];
  /** Usage of each class of the node itself. */
  readonly used: Readonly<Record<string, number>>;
  /** Traits that the last report gave the node: those that this report omits are removed. */
  readonly formerTraits: readonly string[];
}

/** The trait that distinguishes compute nodes from other roots. */
export const computeNodeTrait = 'COMPUTE_NODE';

const nodeClasses = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB', 'PCI_DEVICE'];

/** Edits the tree of the node with this uuid, creating it if needed. */
export function editNodeTree(tree: ProviderTree, uuid: string, report: ComputeNodeReport, around: NodeSurroundings): void {
  if (!tree.exists(uuid)) tree.newRoot(report.name, uuid);
  renameNode(tree, uuid, report.name);
  tree.updateInventory(uuid, inventoriesOfRoot(tree.data(uuid).inventories, report, around));
  tree.removeTraits(uuid, ...around.formerTraits.filter((trait) => !report.traits.includes(trait)));
  tree.addTraits(uuid, ...report.traits, computeNodeTrait, ownerNova);
  const desired: [pattern: RegExp, children: readonly Child[]][] = [];
  if (report.numaCells) desired.push([/^_numa_\d+$/, report.numaCells.map((cell) => cellProvider(cell))]);
  if (report.vgpus) desired.push([/^_pci_[0-9a-f]+(_[0-9a-f]+){3}$/, report.vgpus.filter(({ total }) => total > 0).map(vgpuProvider)]);
  if (report.pciDevices)
    desired.push([/^_[0-9A-F]+(:[0-9A-F]+){2}\.[0-7]$/, report.pciInPlacement ? cardsOf(report.pciDevices).map(cardProvider) : []]);
  for (const [, children] of desired) for (const child of children) editChild(tree, uuid, report.name, child);
  for (const [pattern, children] of desired) removeOthers(tree, uuid, report.name, pattern, children);
}

/** A renamed node keeps its uuid; children named after it are renamed as well. */
function renameNode(tree: ProviderTree, uuid: string, name: string): void {
  const old = tree.data(uuid).name;
  if (!tree.rename(uuid, name)) return;
  for (const below of ownChildren(tree, uuid)) {
    const child = tree.data(below).name;
    if (child.startsWith(`${old}_`)) tree.rename(below, `${name}${child.slice(old.length)}`);
  }
}

function ownChildren(tree: ProviderTree, uuid: string): string[] {
  return tree.uuidsInSubtree(uuid).filter((below) => below !== uuid && !tree.data(below).traits.some(isForeignOwner));
}

const isForeignOwner = (trait: string) => trait.startsWith('OWNER_') && trait !== ownerNova;

function inventoriesOfRoot(had: GivenInventories, report: ComputeNodeReport, { sharedClasses, used }: NodeSurroundings): GivenInventories {
  const existing = Object.fromEntries(Object.entries(had).map(([name, { allocationRatio }]) => [name, allocationRatio ?? 1]));
  // Until the pool exists, the node itself has the inventory of the shared storage.
  const hasSharedStorage = Boolean(report.resources.hasSharedStorage) && sharedClasses.includes('DISK_GB');
  const rows = inventoriesOfNode({ ...report.resources, hasSharedStorage }, { existing, initial: report.initialRatios });
  const own = Object.fromEntries(rows.map(({ resourceClass, ...inventory }): [string, GivenInventory] => [resourceClass, inventory]));
  const disk = had.DISK_GB;
  // Its allocations must move to the pool first: until then the inventory stays, but admits no new ones.
  if (hasSharedStorage && disk && (used.DISK_GB ?? 0) > 0) own.DISK_GB = disk;
  const devices = report.pciDevices ? deviceInventory(report) : had.PCI_DEVICE;
  if (devices) own.PCI_DEVICE = devices;
  const foreign = Object.entries(had).filter(([name]) => !nodeClasses.includes(name));
  return { ...Object.fromEntries(foreign), ...own };
}

function deviceInventory({ pciDevices, pciInPlacement }: ComputeNodeReport): GivenInventory | undefined {
  const total = pciInPlacement ? 0 : countWholeDevices(pciDevices ?? []);
  return total > 0 ? fullInventory(total) : undefined;
}

/** An inventory without reservation or overcommit. */
function fullInventory(total: number): GivenInventory {
  return { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
}

/** A child that the report describes; `suffix` follows the name of the node. */
interface Child {
  readonly suffix: string;
  readonly numaNode: number | null;
  readonly traits: readonly string[];
  readonly inventories: (had: GivenInventories) => GivenInventories;
}

function cellProvider({ id, cores, threads, memoryMb }: NumaCell): Child {
  const amounts = Object.entries({ NUMA_CORE: cores, NUMA_THREAD: threads, NUMA_MEMORY_MB: memoryMb }).filter(([, total]) => total > 0);
  const inventories = Object.fromEntries(amounts.map(([name, total]) => [name, fullInventory(total)]));
  return { suffix: `_numa_${id}`, numaNode: null, traits: ['HW_NUMA_ROOT'], inventories: () => inventories };
}

function vgpuProvider({ address, total, resourceClass, traits, numaNode }: VgpuDevice): Child {
  const suffix = `_pci_${address.toLowerCase().replace(/[:.]/g, '_')}`;
  return {
    suffix,
    numaNode: numaNode ?? null,
    traits: traits ?? [],
    inventories: () => ({ [resourceClass ?? 'VGPU']: fullInventory(total) }),
  };
}

function cardProvider({ address, numaNode, resourceClass, total, traits, isOneTimeUse, isTaken }: PciCard): Child {
  const inventories = (had: GivenInventories) => {
    const { reserved = 0 } = had[resourceClass] ?? {};
    return { [resourceClass]: { ...fullInventory(total), ...(isOneTimeUse && (isTaken || reserved) ? { reserved: total } : {}) } };
  };
  return { suffix: `_${address.toUpperCase()}`, numaNode, traits, inventories };
}

function editChild(tree: ProviderTree, root: string, nodeName: string, { suffix, numaNode, traits, inventories }: Child): void {
  const name = `${nodeName}${suffix}`;
  const cell = `${nodeName}_numa_${numaNode}`;
  const parent = numaNode !== null && tree.exists(cell) ? cell : root;
  if (tree.exists(name)) tree.move(name, parent);
  else tree.newChild(name, parent, randomUUID());
  tree.updateInventory(name, inventories(tree.data(name).inventories));
  tree.addTraits(name, ...traits, ownerNova);
}

/** Removes children of one kind that the report no longer contains. Their own children move up to the node. */
function removeOthers(tree: ProviderTree, root: string, nodeName: string, pattern: RegExp, children: readonly Child[]): void {
  const wanted = new Set(children.map(({ suffix }) => `${nodeName}${suffix}`));
  for (const uuid of ownChildren(tree, root)) {
    const { name } = tree.data(uuid);
    if (!name.startsWith(nodeName) || !pattern.test(name.slice(nodeName.length)) || wanted.has(name)) continue;
    for (const below of tree.uuidsInSubtree(uuid)) if (tree.data(below).parent === uuid) tree.move(below, root);
    tree.remove(uuid);
  }
}
