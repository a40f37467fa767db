// Compute nodes: reports become provider trees, and reads return the form that Nova kept before inventories.
//
//   report → read the tree and the record (one statement) → edit a local copy → nothing edited: done
//                          ↑                                                  → flush in one write; on a conflict with another write: again
//
// A node that has never reported may be known from a record that predates inventories; it is read from that record until it reports, and keeps its
// uuid.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalidInput, type Problem, Refusal, refusalOf } from '../../domain/errors.ts';
import type { EventChange } from '../../domain/event-changes.ts';
import type { FilterInput, Groups, Optional, Path } from '../../domain/input.ts';
import type { ShrunkInventory } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { type Page, type PageArguments, withRows } from '../../domain/page.ts';
import type { BesidesTree } from '../../domain/provider.ts';
import type { RecordedFilter, RecordedKey, RecordedRoot, RecordedSortKey } from '../../domain/recorded-root.ts';
import type { KeptRecord, ProviderState, ReportedTree } from '../../domain/reported-tree.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import { findRecordedRoot, listRecordedRoots, loadRecordedRoot } from '../../operations/records/records.ts';
import { mapFilter, parseFilter } from '../../operations/request/filter-groups.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { nameInOrder, type OrderKeyInput, parseOrder } from '../../operations/request/order.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type AppliedTree, findAppliedTree } from '../../operations/trees/provider-tree.ts';
import { keepBesidesTree, keepUnchangedTree, readReportedTree } from '../../operations/trees/reports.ts';
import type { StoredPool } from '../pci/stored-pools.ts';
import { computeNodeKind, computeNodeTrait, computeProgram } from '../services/compute-program.ts';
import { instanceType } from '../terms/consumer-types.ts';
import { ProviderTree } from '../trees/provider-tree.ts';
import { flushTree, isEdited, maxReportAttempts } from '../trees/tree-flush.ts';
import {
  type ComputeNodeReport,
  type ComputeNodeReportInput,
  memoryEncryptionClass,
  type NodeFacts,
  parseReport,
} from './compute-node-report.ts';
import { factsAfter, factsIn, type NodeRecord, poolsAfter, recordAfter } from './node-record.ts';
import { type NodeSizes, type SizedInventory, sizesOfNode } from './node-sizes.ts';
import { editNodeTree, hasCards } from './node-tree.ts';
import { usageIn } from './numa-providers.ts';
import { arrivingOn, movedAllocations, planReshape } from './reshaped-classes.ts';
import { untrackedConsumers } from './untracked-use.ts';

/** A compute node in the form that predates inventories. */
export interface ComputeNode extends NodeSizes {
  /** Also the uuid of its root provider. */
  readonly uuid: string;
  readonly hypervisorHostname: string;
  /** Absent in the answer to a report. */
  readonly reportedAt?: string | null;
  /** Null if the node has never reported, because another service created its provider. */
  readonly facts: NodeFacts | null;
  /** False if it is only known from an old record. */
  readonly hasInventories: boolean;
  /** The pools of its free PCI devices, as its object or its old record has them; null if its devices are known one by one. */
  readonly pools: readonly StoredPool[] | null;
}

export type ComputeNodePage = Page<ComputeNode>;

export interface ReportedNode {
  readonly computeNode: ComputeNode;
  /** Whether anything was written. */
  readonly changed: boolean;
  readonly changes: readonly EventChange[];
  readonly warnings: readonly ShrunkInventory[];
}

export const nodeRecords = { kind: computeNodeKind, trait: computeNodeTrait, standalone: 'sizes', consumerType: instanceType } as const;

/**
 * Sets the tree of a node to what the node reports, in one transaction. An unchanged report is one statement and writes nothing. Refuses
 * INVALID_INPUT; DUPLICATE if another node has the name; IN_USE if an inventory in use would be deleted; PROVIDER_CONFLICT if other writes kept changing the
 * tree.
 */
export async function reportComputeNode(scope: RequestScope, input: ComputeNodeReportInput): Promise<ReportedNode> {
  const report = parseReport(input);
  const first = await findAppliedTree(scope);
  if (first) return reportedBy(first);
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryReport(scope, report);
    if (!(outcome instanceof Refusal)) return outcome;
    if (attempt === maxReportAttempts) throw outcome.relabelled((problem) => placeInReport(problem, report));
  }
}

/** The part of the result in addition to the changes of the tree. */
type OwnAnswer = Pick<ReportedNode, 'computeNode' | 'changed'>;

/** The result in an answer, fresh or replayed. */
function reportedBy({ own, changes, warnings }: AppliedTree): ReportedNode {
  return { ...(own as OwnAnswer), changes, warnings };
}

/** A node that reports, as it is known before. */
interface KnownNode {
  readonly uuid: string;
  readonly stored: ReportedTree;
  /** Null before its first report, unless others created its provider. */
  readonly root: ProviderState | null;
  readonly record: KeptRecord | null;
  /** What the record says; nothing without one. */
  readonly body: Partial<NodeRecord>;
}

/** One attempt; returns a conflict instead of throwing it. */
async function tryReport(scope: RequestScope, report: ComputeNodeReport): Promise<ReportedNode | Refusal> {
  const node = await readNode(scope, report);
  const { uuid, stored, record } = node;
  const tree = ProviderTree.from(stored.providers);
  const hasDevices = stored.devices.length > 0;
  // Pools may not say which card their devices are on.
  const pools = hasDevices && hasCards(tree, uuid) ? null : poolsAfter(node.body, report);
  const allocations = await editTree(scope, tree, node, report, pools);
  const sizes = sizesOf(tree, uuid, stored);
  const body = recordAfter(node.body, report, pools, { hasDevices, present: Object.keys(tree.data(uuid).inventories) });
  const known = { facts: factsIn(body), hasInventories: true, pools: body.pools ?? null };
  const computeNode = { uuid, hypervisorHostname: report.name, ...known, ...sizes };
  const isSameRecord = record?.name === report.name && isDeepStrictEqual(record.body, body);
  const expect = record?.uuid === uuid && { expect: { version: record.version } };
  const besides: BesidesTree = {
    ...(isSameRecord && !record.isStale ? {} : { record: { kind: nodeRecords.kind, name: report.name, uuid, body, ...expect } }),
    ...devicesOf(report, stored),
  };
  if (!isEdited(tree, uuid)) {
    const own: OwnAnswer = { computeNode, changed: !isSameRecord || besides.devices !== undefined };
    if (Object.keys(besides).length > 0) return keepBesides(scope, uuid, besides, own);
    const kept = await keepUnchangedTree(scope, uuid, own);
    return kept ? reportedBy(kept) : { ...own, changes: [], warnings: [] };
  }
  const own: OwnAnswer = { computeNode, changed: true };
  const flushed = await flushTree(scope, tree, uuid, stored.providers, { allocations, besides, own }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    if (allocations.length > 0 && error.problems.every(({ code }) => code === 'CONSUMER_CONFLICT')) return { conflict: error };
    // A node reported without a uuid may have been created by a concurrent report, under another uuid.
    if (report.uuid === null && !node.root && error.problems.every(({ code }) => code === 'DUPLICATE')) return { conflict: error };
    throw error.relabelled((problem) => placeInReport(problem, report));
  });
  if ('conflict' in flushed) return flushed.conflict;
  return reportedBy(flushed.applied);
}

/** Writes what is stored beside an unchanged tree; returns a conflict with another report. */
async function keepBesides(scope: RequestScope, uuid: string, besides: BesidesTree, own: OwnAnswer): Promise<ReportedNode | Refusal> {
  try {
    return reportedBy(await keepBesidesTree(scope, uuid, besides, own));
  } catch (error) {
    if (error instanceof Refusal && error.problems.every(({ code }) => code === 'PROVIDER_CONFLICT')) return error;
    throw error;
  }
}

/** One statement. Refuses DUPLICATE. */
async function readNode(scope: RequestScope, report: ComputeNodeReport): Promise<KnownNode> {
  const { uuid: given, name } = report;
  const stored = await readReportedTree(scope, {
    uuid: given,
    name,
    recordKind: nodeRecords.kind,
    consumerType: instanceType,
    program: computeProgram,
    host: report.facts.host,
  });
  const root = stored.providers[0] ?? null;
  const record = stored.records.find(({ uuid }) => uuid === (given ?? root?.uuid)) ?? (given ? null : (stored.records[0] ?? null));
  refuseTakenName(report, stored);
  const uuid = given ?? root?.uuid ?? record?.uuid ?? randomUUID();
  return { uuid, stored, root, record, body: (record?.body ?? {}) as Partial<NodeRecord> };
}

/** Edits the tree to what is reported. Returns the allocations that move with it, or that an old record implies. */
async function editTree(
  scope: RequestScope,
  tree: ProviderTree,
  { uuid, stored, root, body }: KnownNode,
  report: ComputeNodeReport,
  pools: readonly StoredPool[] | null,
): Promise<ConsumerAllocations[]> {
  const { providers, service, sharedClasses, reserved } = stored;
  if (report.pciDevices && !report.pciInPlacement && hasCards(tree, uuid)) throw cardsStay();
  const used = new Map(providers.map((provider) => [provider.uuid, provider.used]));
  const old = root ? undefined : body.sizes;
  const reshape = await planReshape(scope, report, root);
  editNodeTree(tree, uuid, report, {
    sharedClasses,
    used,
    reserved: new Map(Object.entries(reserved)),
    formerTraits: body.traits ?? [],
    formerClasses: body.classes ?? [],
    formerGpuTraits: body.gpuTraits ?? {},
    formerRatios: old ? ratiosOf(old) : {},
    pools: report.pciInPlacement || hasCards(tree, uuid) ? null : pools,
    // Empty pools are not recorded without devices.
    formerPools: body.pools ?? (stored.devices.length > 0 ? null : []),
    leaving: reshape.classes,
    arriving: arrivingOn(reshape),
    usageOfCells: usageIn(factsAfter(body, report).object?.numa_topology, body.object?.numa_topology),
    isInService: service && !service.disabled && !service.forcedDown,
  });
  if (old) return untrackedConsumers(old, uuid, tree.data(uuid).inventories);
  return movedAllocations(reshape, uuid, (suffix) => tree.data(`${report.name}${suffix}`).uuid);
}

/** The ratios in an old record, by class; 0 is "not set". */
function ratiosOf({ cpuAllocationRatio, ramAllocationRatio, diskAllocationRatio }: NodeSizes): Readonly<Record<string, number>> {
  return { VCPU: cpuAllocationRatio, MEMORY_MB: ramAllocationRatio, DISK_GB: diskAllocationRatio };
}

/** Like Nova, refuses to turn PCI in Placement off while cards exist: their devices would be offered twice while some are held. */
function cardsStay(): Refusal {
  const message =
    'must stay true: cards of the node are providers already. First report pciDevices [] with pciInPlacement true, to remove them';
  return invalidInput(['pciInPlacement'], message);
}

/** A node that is known only from its record also reserves its name: no other node may take it. */
function refuseTakenName({ uuid, name, placeOf }: ComputeNodeReport, { records }: ReportedTree): void {
  const taken = records.find((record) => record.name === name && record.uuid !== uuid && nodeRecords.standalone in record.body);
  if (uuid === null || !taken) return;
  const details = { noun: 'resourceProvider', field: 'name', key: name, existing: taken.uuid } as const;
  throw refusalOf({ code: 'DUPLICATE', details }, placeOf('hypervisorHostname'));
}

function sizesOf(tree: ProviderTree, uuid: string, { providers, holders }: ReportedTree): NodeSizes {
  const used = providers[0]?.used ?? {};
  const inventories = Object.entries(tree.data(uuid).inventories).map(
    ([name, { total, reserved, allocationRatio }]): [string, SizedInventory] => [
      name,
      { total, reserved: reserved ?? 0, allocationRatio: allocationRatio ?? 1, used: used[name] ?? 0 },
    ],
  );
  return sizesOfNode(Object.fromEntries(inventories), holders);
}

/** The reported devices, if they differ from the stored ones. */
function devicesOf({ pciDevices }: ComputeNodeReport, { devices }: ReportedTree): BesidesTree {
  if (!pciDevices) return {};
  const reported = pciDevices.map((device) => JSON.parse(JSON.stringify(device)) as typeof device);
  const isSame = isDeepStrictEqual(byAddress(reported), byAddress(devices));
  return isSame ? {} : { devices: reported };
}

function byAddress<Device extends { readonly address: string }>(devices: readonly Device[]): Device[] {
  return devices.toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

/** The path of the value in the report that caused a problem of the tree; the whole report if no part can be identified. */
function placeInReport(problem: Problem, { traits, vgpus, placeOf }: ComputeNodeReport): Path {
  if (problem.code === 'DUPLICATE') return placeOf(problem.field === 'uuid' ? 'uuid' : 'hypervisorHostname');
  // All other input has been checked. Only the name of a child can still be too long, because it starts with the name of the node.
  if (problem.code === 'INVALID_INPUT') return placeOf('hypervisorHostname');
  if (problem.code === 'IN_USE' && problem.key === 'PCI_DEVICE') return ['pciDevices'];
  if ('consumer' in problem) {
    if ('resourceClass' in problem && problem.resourceClass === memoryEncryptionClass) return ['memoryEncryption'];
    const card = vgpus?.findIndex(({ consumers }) => consumers?.some(({ consumer }) => consumer === problem.consumer)) ?? -1;
    return card < 0 ? [] : ['vgpus', card, 'consumers'];
  }
  if (problem.code !== 'NOT_FOUND') return [];
  const { key } = problem;
  if (traits?.includes(key)) return ['traits', traits.indexOf(key)];
  const gpu = vgpus?.findIndex(({ resourceClass, traits: own }) => resourceClass === key || own?.includes(key)) ?? -1;
  return gpu < 0 ? [] : ['vgpus', gpu];
}

/** The node with a uuid or name; null if there is none. One statement. Refuses INVALID_INPUT. */
export async function findComputeNode(scope: RequestScope, key: RecordedKey): Promise<ComputeNode | null> {
  const check = new InputCheck();
  check.name(['name'], key.name);
  check.done();
  const found = await findRecordedRoot(scope, nodeRecords, key);
  return found && asComputeNode(found);
}

/** The node whose root provider has this uuid; null if the root is not a node. Batched over roots. */
export async function computeNodeOfRoot(scope: RequestScope, rootUuid: string): Promise<ComputeNode | null> {
  const found = await loadRecordedRoot(scope, nodeRecords, rootUuid);
  return found && asComputeNode(found);
}

export interface ComputeNodeListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<ComputeNodeFilter>>;
  /** By name if omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<'NAME' | 'HOST'>[]>;
}

/** Conditions on a node; all that are given must hold. */
interface ComputeNodeFilter extends Omit<RecordedFilter, 'facts' | keyof Groups<unknown>>, Groups<ComputeNodeFilter> {
  readonly hosts?: readonly string[];
}

/** A page of the nodes that meet all conditions. One statement. Refuses INVALID_INPUT. */
export async function listComputeNodes(
  scope: RequestScope,
  { filter, orderBy, ...args }: ComputeNodeListArguments,
): Promise<Page<ComputeNode>> {
  const keys = parseOrder(orderBy, 'NAME');
  const sort = keys.map(({ field, descending }): RecordedSortKey => ({ by: field === 'NAME' ? field : { fact: 'host' }, descending }));
  const page = await listRecordedRoots(scope, nodeRecords, {
    ...args,
    name: nameInOrder('computeNodes', keys),
    filter: mapFilter<ComputeNodeFilter, RecordedFilter>(parseFilter(filter, checkNodeFilter), ({ hosts, ...own }) => ({
      ...own,
      ...(hosts && { facts: [{ fact: 'host', values: hosts }] }),
    })),
    sort,
  });
  return withRows(page, page.rows.map(asComputeNode));
}

function checkNodeFilter(
  check: InputCheck,
  path: Path,
  { uuids, names, nameContains, nameStartsWith, hosts }: FilterInput<ComputeNodeFilter>,
): void {
  check.size([...path, 'uuids'], uuids ?? [], 0, limits.filterKeys);
  check.nameFilters(path, { names, hosts });
  check.nameFilters(path, { nameContains, nameStartsWith }, limits.nameLength);
}

/** The numbers come from the inventories, or from the record if there are none. */
function asComputeNode({ uuid, name, body, reportedAt, isProvider, inventories, holders }: RecordedRoot): ComputeNode {
  const record = body as (RecordedRoot['body'] & NodeRecord) | null;
  return {
    uuid,
    reportedAt,
    hypervisorHostname: name,
    facts: record && factsIn(record),
    hasInventories: isProvider,
    pools: record?.pools ?? null,
    ...(!isProvider && record?.sizes ? record.sizes : sizesOfNode(inventories, holders)),
  };
}
