// Edits a local tree into the provider tree that a compute node's report describes. Each kind of child is identified by its name:
//
//   cn1                            VCPU, PCPU, MEMORY_MB, DISK_GB,                  COMPUTE_NODE  OWNER_NOVA
//                                  PCI_DEVICE, SRIOV_NET_VF
//     cn1_numa_0                   NUMA_CORE, NUMA_THREAD, NUMA_MEMORY_MB           HW_NUMA_ROOT  OWNER_NOVA
//       cn1_pci_0000_84_00_0       VGPU                                             OWNER_NOVA
//       cn1_0000:85:00.0           CUSTOM_PCI_8086_10FB                             COMPUTE_MANAGED_PCI_DEVICE  OWNER_NOVA
//     cn1_amd_sev                  MEM_ENCRYPTION_CONTEXT                           HW_CPU_X86_AMD_SEV  OWNER_NOVA
//
// Other services write to the same tree; their providers, classes and traits are left unchanged. Pure.
import { randomUUID } from 'node:crypto';
import { cardsOf, type PciCard, pciCardTrait } from '../pci/pci-cards.ts';
import { computeNodeTrait, disabledTrait } from '../services/compute-program.ts';
import { ownerNova } from '../services/owners.ts';
import type { GivenInventories, GivenInventory, ProviderTree } from '../trees/provider-tree.ts';
import {
  type ComputeNodeReport,
  type MemoryEncryption,
  type MemoryEncryptionModel,
  memoryEncryptionClass,
  type NumaCell,
  type VgpuDevice,
  vgpuClass,
} from './compute-node-report.ts';
import { deviceInventories, fullInventory, type KnownPools, reservedAsBefore, type Used } from './device-inventories.ts';
import { inventoriesOfCell, noUsage, numberOfCell, suffixOfCell, type UsageOfCells, withUsage } from './numa-providers.ts';
import { inventoriesOfNode } from './ratios.ts';

/** Input of the edits in addition to the report and the tree; without pools if a card is a provider. */
export interface NodeSurroundings extends KnownPools {
  /** Classes of the sharing providers that serve the tree. */
  readonly sharedClasses: readonly string[];
  /** Usage by class, of each provider that exists. */
  readonly used: ReadonlyMap<string, Used>;
  /** The classes of which reservations keep something, of each provider where they do. */
  readonly reserved: ReadonlyMap<string, readonly string[]>;
  /** The node's traits in the last report; those that this report omits are removed. */
  readonly formerTraits: readonly string[];
  /** The node's other classes in the last report, treated likewise. */
  readonly formerClasses: readonly string[];
  /** The traits of physical GPUs in the last report, by address, treated likewise. */
  readonly formerGpuTraits: Readonly<Record<string, readonly string[]>>;
  /** The ratios in the node's old record, by class. */
  readonly formerRatios: Readonly<Record<string, number>>;
  /** The classes that leave the node itself. */
  readonly leaving: readonly string[];
  /** What arrives on its children in the same write, by the end of their name. */
  readonly arriving: ReadonlyMap<string, Used>;
  /** What its guests use of its NUMA cells. */
  readonly usageOfCells: UsageOfCells;
  /** Whether its service gets work; null if the service is unknown. */
  readonly isInService: boolean | null;
}

const nodeClasses = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB', 'PCI_DEVICE', 'SRIOV_NET_VF'];

/** Edits the tree of the node with this uuid, creating it if needed. */
export function editNodeTree(tree: ProviderTree, uuid: string, report: ComputeNodeReport, around: NodeSurroundings): void {
  if (!tree.exists(uuid)) tree.newRoot(report.name, uuid);
  renameNode(tree, uuid, report.name);
  const had = without(tree.data(uuid).inventories, around.leaving);
  const used = without(around.used.get(uuid) ?? {}, around.leaving);
  tree.updateInventory(uuid, keepHeld(inventoriesOfRoot(had, report, around, used), had, used, around.reserved.get(uuid)));
  const { traits } = report;
  if (traits) tree.removeTraits(uuid, ...around.formerTraits.filter((trait) => !traits.includes(trait)));
  if (around.leaving.includes(memoryEncryptionClass)) tree.removeTraits(uuid, traitOfModel('AMD_SEV'));
  tree.addTraits(uuid, ...(traits ?? []), computeNodeTrait, ownerNova);
  if (around.isInService === true) tree.removeTraits(uuid, disabledTrait);
  if (around.isInService === false) tree.addTraits(uuid, disabledTrait);
  const desired: [pattern: RegExp, children: readonly Child[]][] = [];
  if (report.numaCells) desired.push([/^_numa_\d+$/, report.numaCells.map((cell) => cellProvider(cell, around))]);
  else reserveInCells(tree, uuid, around);
  if (report.vgpus)
    desired.push([
      /^_pci_[0-9a-f]+(_[0-9a-f]+){3}$/,
      report.vgpus.filter(({ total }) => total > 0).map((gpu) => vgpuProvider(gpu, around)),
    ]);
  if (report.memoryEncryption)
    desired.push([
      /^_amd_sev(_es|_snp)?$/,
      report.memoryEncryption.filter(({ total }) => total > 0).map((model) => encryptionProvider(model)),
    ]);
  if (report.pciDevices)
    desired.push([
      /^_[0-9A-F]+(:[0-9A-F]+){2}\.[0-7]$/,
      report.pciInPlacement ? cardsOf(report.pciDevices).map((card) => cardProvider(card)) : [],
    ]);
  for (const [, children] of desired) for (const child of children) editChild(tree, uuid, report.name, child, around);
  for (const [pattern, children] of desired) removeOthers(tree, uuid, report.name, pattern, children, around);
}

/** Whether the node already has cards as providers. */
export function hasCards(tree: ProviderTree, uuid: string): boolean {
  return tree.exists(uuid) && ownChildren(tree, uuid).some((below) => tree.hasTraits(below, [pciCardTrait]));
}

/**
 * Adds the classes that are gone but still held, or kept by a reservation, so that no other consumer gets them and the report is not refused because of them.
 */
function keepHeld(desired: GivenInventories, had: GivenInventories, used: Used, reserved: readonly string[] = []): GivenInventories {
  const kept = reserved.map((name): [string, GivenInventory] => [name, withoutRoom(had[name] ?? fullInventory(1))]);
  const held = Object.entries(used).flatMap(([name, amount]): [string, GivenInventory][] =>
    amount > 0 ? [[name, frozenAt(had[name] ?? fullInventory(amount), amount)]] : [],
  );
  return { ...Object.fromEntries(kept), ...Object.fromEntries(held), ...desired };
}

function without<Value>(byClass: Readonly<Record<string, Value>>, classes: readonly string[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(byClass).filter(([name]) => !classes.includes(name)));
}

/** The inventory reduced to its usage. Units stay, so that its consumers can be rewritten. */
function frozenAt(inventory: GivenInventory, used: number): GivenInventory {
  return { ...inventory, total: used, reserved: 0, allocationRatio: 1 };
}

/** The least inventory, and nothing of it to claim. What operators have reserved stays for when it is reported again; the ratio counts as not set then. */
function withoutRoom(inventory: GivenInventory): GivenInventory {
  return { ...inventory, total: 1, reserved: Math.min(inventory.reserved ?? 0, 1), allocationRatio: 0 };
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

function inventoriesOfRoot(
  had: GivenInventories,
  report: ComputeNodeReport,
  { sharedClasses, formerClasses, formerRatios, pools, formerPools }: NodeSurroundings,
  used: Used,
): GivenInventories {
  const ofInventories = Object.fromEntries(Object.entries(had).map(([name, { allocationRatio }]) => [name, allocationRatio ?? 1]));
  const existing = { ...formerRatios, ...ofInventories };
  // Until a pool serves the node, the node itself has the inventory of the shared storage.
  const hasSharedStorage = Boolean(report.resources.hasSharedStorage) && sharedClasses.includes('DISK_GB');
  const rows = inventoriesOfNode({ ...report.resources, hasSharedStorage }, { existing, initial: report.initialRatios });
  const own = Object.fromEntries(rows.map(({ resourceClass, ...inventory }): [string, GivenInventory] => [resourceClass, inventory]));
  const replaced = report.otherInventories ? [...nodeClasses, ...formerClasses] : nodeClasses;
  const foreign = Object.entries(had).filter(([name]) => !replaced.includes(name));
  const others = (report.otherInventories ?? []).map(({ resourceClass, ...inventory }): [string, GivenInventory] => [
    resourceClass,
    inventory,
  ]);
  return { ...Object.fromEntries([...foreign, ...others]), ...own, ...deviceInventories(report, { pools, formerPools }, had, used) };
}

/** A child that the report describes; `suffix` follows the name of the node. */
interface Child {
  readonly suffix: string;
  readonly numaNode: number | null;
  readonly traits: readonly string[];
  /** Traits of the last report that this report omits. */
  readonly noLonger?: readonly string[];
  /** Whether all other traits are removed. */
  readonly hasOnlyThese?: boolean;
  readonly inventories: (had: GivenInventories, used: Used) => GivenInventories;
}

function cellProvider(cell: NumaCell, { usageOfCells }: NodeSurroundings): Child {
  const inventories = (_: GivenInventories, held: Used) => withUsage(inventoriesOfCell(cell), usageOfCells?.get(cell.id), held);
  return { suffix: suffixOfCell(cell.id), numaNode: null, traits: ['HW_NUMA_ROOT'], inventories };
}

/** Reserves in the cells of an earlier report what guests use of them now. */
function reserveInCells(tree: ProviderTree, root: string, { usageOfCells, used }: NodeSurroundings): void {
  for (const uuid of ownChildren(tree, root)) {
    const { name, inventories } = tree.data(uuid);
    const number = numberOfCell(name);
    if (number === null || !usageOfCells) continue;
    tree.updateInventory(uuid, withUsage(inventories, usageOfCells.get(number) ?? noUsage, used.get(uuid) ?? {}));
  }
}

/** The end of the name of a physical GPU. */
export function suffixOfCard(address: string): string {
  return `_pci_${address.toLowerCase().replace(/[:.]/g, '_')}`;
}

function vgpuProvider({ address, total, resourceClass, traits, numaNode }: VgpuDevice, { formerGpuTraits }: NodeSurroundings): Child {
  return {
    suffix: suffixOfCard(address),
    numaNode: numaNode ?? null,
    traits: traits ?? [],
    noLonger: (formerGpuTraits[address.toLowerCase()] ?? []).filter((trait) => !traits?.includes(trait)),
    inventories: (_, used) => {
      const left = total - heldAsOther(resourceClass ?? vgpuClass, used);
      return left > 0 ? { [resourceClass ?? vgpuClass]: fullInventory(left) } : {};
    },
  };
}

/** The devices of a card that are held under a former class; they do not count in the present one. */
function heldAsOther(resourceClass: string, used: Used): number {
  return Object.entries(used).reduce((sum, [name, amount]) => sum + (name === resourceClass ? 0 : amount), 0);
}

/** The end of the name of a model of encrypted memory. */
export function suffixOfModel(model: MemoryEncryptionModel): string {
  return `_${model.toLowerCase()}`;
}

const traitOfModel = (model: MemoryEncryptionModel) => `HW_CPU_X86_${model}`;

function encryptionProvider({ model, total }: MemoryEncryption): Child {
  const inventories = { [memoryEncryptionClass]: { ...fullInventory(total), maxUnit: 1 } };
  return { suffix: suffixOfModel(model), numaNode: null, traits: [traitOfModel(model)], inventories: () => inventories };
}

function cardProvider({ address, numaNode, resourceClass, total, traits, isSpent }: PciCard): Child {
  const inventories = (had: GivenInventories, used: Used): GivenInventories => {
    const all = Math.max(total - heldAsOther(resourceClass, used), used[resourceClass] ?? 0);
    if (all === 0) return {};
    const inventory = reservedAsBefore(fullInventory(all), had[resourceClass]);
    return { [resourceClass]: isSpent ? { ...inventory, reserved: all } : inventory };
  };
  return { suffix: `_${address.toUpperCase()}`, numaNode, traits, hasOnlyThese: true, inventories };
}

function editChild(tree: ProviderTree, root: string, nodeName: string, child: Child, around: NodeSurroundings): void {
  const { suffix, numaNode, traits, noLonger = [], hasOnlyThese, inventories } = child;
  const name = `${nodeName}${suffix}`;
  const cell = numaNode === null ? null : `${nodeName}${suffixOfCell(numaNode)}`;
  const parent = cell !== null && tree.exists(cell) ? cell : root;
  if (tree.exists(name)) tree.move(name, parent);
  else tree.newChild(name, parent, randomUUID());
  const { uuid, inventories: had } = tree.data(name);
  const used = plus(around.used.get(uuid) ?? {}, around.arriving.get(suffix) ?? {});
  tree.updateInventory(name, keepHeld(inventories(had, used), had, used, around.reserved.get(uuid)));
  if (hasOnlyThese) tree.updateTraits(name, [...traits, ownerNova]);
  else {
    tree.removeTraits(name, ...noLonger);
    tree.addTraits(name, ...traits, ownerNova);
  }
}

function plus(used: Used, more: Used): Used {
  return Object.fromEntries(Object.keys({ ...used, ...more }).map((name) => [name, (used[name] ?? 0) + (more[name] ?? 0)]));
}

/**
 * Removes children of one kind that the report does not contain; their own children move up to the node. Children in use stay, reduced to their usage, until
 * it is released.
 */
function removeOthers(
  tree: ProviderTree,
  root: string,
  nodeName: string,
  pattern: RegExp,
  children: readonly Child[],
  around: NodeSurroundings,
): void {
  const wanted = new Set(children.map(({ suffix }) => `${nodeName}${suffix}`));
  for (const uuid of ownChildren(tree, root)) {
    const { name, inventories: had } = tree.data(uuid);
    if (!name.startsWith(nodeName) || !pattern.test(name.slice(nodeName.length)) || wanted.has(name)) continue;
    const held = keepHeld({}, had, around.used.get(uuid) ?? {}, around.reserved.get(uuid));
    if (Object.keys(held).length > 0) {
      tree.updateInventory(uuid, held);
      continue;
    }
    for (const below of tree.uuidsInSubtree(uuid)) if (tree.data(below).parent === uuid) tree.move(below, root);
    tree.remove(uuid);
  }
}
