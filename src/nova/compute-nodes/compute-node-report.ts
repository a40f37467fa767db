// Parses the report of a compute node: the fields of Nova's ComputeNode object, and others that the object does not have. Checks ranges and names; knows
// nothing of providers.

import type { Optional, Path } from '../../domain/input.ts';
import { maxAllocationRatio, maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck, type InventoryInput } from '../../operations/request/input.ts';
import { decodeText, type ObjectValues } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { checkCards } from '../pci/pci-cards.ts';
import { type PciDeviceInput, parseDevices, pciAddress } from '../pci/pci-devices.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import { checkPools, poolsInObject, type StoredPool } from '../pci/stored-pools.ts';
import type { NodeRatios, NodeResources } from './ratios.ts';

/** A NUMA cell: processors and memory that are close to each other. */
export interface NumaCell {
  readonly id: number;
  readonly cores: number;
  readonly threads: number;
  /** MiB. */
  readonly memoryMb: number;
  readonly socket?: Optional<number>;
}

/** A physical GPU that is divided into virtual GPUs. */
export interface VgpuDevice {
  /** The PCI address, such as 0000:84:00.0. */
  readonly address: string;
  /** The number of virtual GPUs of the enabled type. */
  readonly total: number;
  /** VGPU if omitted. */
  readonly resourceClass?: Optional<string>;
  readonly traits?: Optional<readonly string[]>;
  readonly numaNode?: Optional<number>;
  /** Who has how many of its virtual GPUs. */
  readonly consumers?: Optional<readonly { readonly consumer: string; readonly amount: number }[]>;
}

/** How a host encrypts the memory of guests: AMD SEV; SEV-ES, which also encrypts their registers; or SEV-SNP, which also protects its integrity. */
export type MemoryEncryptionModel = 'AMD_SEV' | 'AMD_SEV_ES' | 'AMD_SEV_SNP';

/** Contexts of one model; each guest takes one. */
export interface MemoryEncryption {
  readonly model: MemoryEncryptionModel;
  readonly total: number;
}

export const vgpuClass = 'VGPU';
export const memoryEncryptionClass = 'MEM_ENCRYPTION_CONTEXT';

/** The fields of Nova's object of a compute node. */
export interface ComputeNodeFields {
  readonly uuid?: Optional<string>;
  readonly serviceHost: string;
  readonly hypervisorHostname: string;
  readonly hypervisorType?: Optional<string>;
  readonly hypervisorVersion?: Optional<number>;
  readonly hostIp?: Optional<string>;
  readonly cpuInfo?: Optional<string>;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly localGb: number;
  readonly ratios?: Optional<NodeRatios>;
}

/** A report as given by a caller. An omitted list leaves what was reported before unchanged. */
export interface ComputeNodeReportInput extends Omit<NodeResources, 'vcpus' | 'memoryMb' | 'localGb' | 'ratios'> {
  readonly computeNodeRecord: Given<ComputeNodeFields>;
  readonly initialRatios?: Optional<NodeRatios>;
  readonly failedBuildCount?: Optional<number>;
  readonly traits?: Optional<readonly string[]>;
  readonly numaCells?: Optional<readonly NumaCell[]>;
  readonly vgpus?: Optional<readonly VgpuDevice[]>;
  readonly memoryEncryption?: Optional<readonly MemoryEncryption[]>;
  /** Inventories of classes that no other part of the report covers. */
  readonly otherInventories?: Optional<readonly InventoryInput[]>;
  readonly pciDevices?: Optional<readonly PciDeviceInput[]>;
  /** Whether each PCI device is a provider of its own; otherwise the node has an inventory of PCI_DEVICE. */
  readonly pciInPlacement?: Optional<boolean>;
}

/** Facts about a node that are neither resources nor traits. */
export interface NodeFacts {
  readonly host: string;
  readonly hypervisorType: string | null;
  readonly hypervisorVersion: number | null;
  readonly hostIp: string | null;
  readonly cpuInfo: string | null;
  /** The socket of each cell, by number; absent if no cells are reported. */
  readonly sockets?: Readonly<Record<string, number | null>>;
  /** The other fields of the node's object, for readers of such objects; absent if the node was reported field by field. */
  readonly object?: ObjectValues<'ComputeNode'>;
}

/** A parsed, valid report. */
export interface ComputeNodeReport {
  readonly uuid: string | null;
  readonly name: string;
  /** Those that the report mentions. */
  readonly facts: Partial<NodeFacts> & Pick<NodeFacts, 'host'>;
  readonly resources: NodeResources;
  readonly initialRatios: NodeRatios;
  /** Null if the report does not mention them. */
  readonly failedBuilds: number | null;
  /** Each null if omitted from this report. */
  readonly traits: readonly string[] | null;
  readonly numaCells: readonly NumaCell[] | null;
  readonly vgpus: readonly VgpuDevice[] | null;
  readonly memoryEncryption: readonly MemoryEncryption[] | null;
  readonly otherInventories: readonly InventoryInput[] | null;
  readonly pciDevices: readonly PciDevice[] | null;
  readonly pciInPlacement: boolean;
  /** Those in the node's object; null if unset. */
  readonly pools: readonly StoredPool[] | null;
  /** The path of a field of the node in the input. */
  readonly placeOf: PlaceOfField;
}

type FieldName = Exclude<keyof ComputeNodeFields, 'ratios'> | keyof NodeRatios;
type PlaceOfField = (field: FieldName) => Path;

const maxElements = limits.reportElements;
/** In characters. */
const maxInfoLength = limits.cpuInfoLength;

/** Parses a report. Refuses INVALID_INPUT with all its problems. */
export function parseReport(given: ComputeNodeReportInput): ComputeNodeReport {
  const { node, placeOf, object, pools } = readNode(given.computeNodeRecord);
  const check = new InputCheck();
  if (object) checkKept(check, object, placeInObject);
  if (pools) checkPools(check, [...placeInObject, 'pci_device_pools'], pools);
  if (typeof given.failedBuildCount === 'number') amount(check, ['failedBuildCount'], given.failedBuildCount);
  const cells = given.numaCells ?? null;
  const vgpus = given.vgpus ?? null;
  check.size(['numaCells'], cells ?? [], 0, maxElements);
  check.size(['vgpus'], vgpus ?? [], 0, maxElements);
  check.traits(['traits'], given.traits ?? []);
  const name = required(check, placeOf('hypervisorHostname'), node.hypervisorHostname);
  const host = required(check, placeOf('serviceHost'), node.serviceHost);
  for (const field of ['hypervisorType', 'hostIp'] as const) check.text(placeOf(field), node[field], maxNameLength);
  // That of Ironic is empty.
  if (node.cpuInfo !== '') check.text(placeOf('cpuInfo'), node.cpuInfo, maxInfoLength);
  const resources = parseResources(check, given, node, placeOf);
  const { hypervisorType, hypervisorVersion, hostIp, cpuInfo } = node;
  cells?.forEach(({ id, cores, threads, memoryMb }, index) => {
    for (const [field, value] of Object.entries({ id, cores, threads, memoryMb })) amount(check, ['numaCells', index, field], value);
  });
  check.unique(
    ['numaCells'],
    (cells ?? []).map(({ id }) => String(id)),
    (index) => [index, 'id'],
  );
  vgpus?.forEach(({ address, total, resourceClass, traits, consumers }, index) => {
    const here = ['vgpus', index];
    if (!pciAddress.test(address)) check.add([...here, 'address'], 'address must be like 0000:84:00.0');
    if (!isAmount(total, 0)) check.add([...here, 'total'], `total must be a whole number from 0 to ${maxAmount}`);
    if (resourceClass) check.className([...here, 'resourceClass'], resourceClass);
    check.traits([...here, 'traits'], traits ?? []);
    checkShares(check, [...here, 'consumers'], consumers ?? [], total);
  });
  check.unique(
    ['vgpus'],
    (vgpus ?? []).map(({ address }) => address.toLowerCase()),
    (index) => [index, 'address'],
  );
  checkOthers(check, given);
  const pciDevices = given.pciDevices ? parseDevices(check, ['pciDevices'], given.pciDevices) : null;
  if (given.pciInPlacement) checkCards(check, ['pciDevices'], pciDevices ?? []);
  check.done();
  return {
    uuid: node.uuid ?? null,
    name,
    facts: {
      host,
      ...mentioned({ hypervisorType, hypervisorVersion, hostIp, cpuInfo }),
      ...(object && { object }),
      ...(cells && { sockets: Object.fromEntries(cells.map(({ id, socket }) => [id, socket ?? null])) }),
    },
    resources,
    initialRatios: given.initialRatios ?? {},
    failedBuilds: given.failedBuildCount ?? failedBuildsIn(object?.stats),
    traits: given.traits ? [...new Set(given.traits)].sort() : null,
    numaCells: cells,
    vgpus,
    memoryEncryption: given.memoryEncryption ?? null,
    otherInventories: given.otherInventories ?? null,
    pciDevices,
    pciInPlacement: given.pciInPlacement ?? false,
    pools: pools ?? null,
    placeOf,
  };
}

/** The consumers of a card, which has `total` virtual GPUs. */
function checkShares(check: InputCheck, path: Path, shares: NonNullable<VgpuDevice['consumers']>, total: number): void {
  check.size(path, shares, 0, maxElements);
  check.unique(
    path,
    shares.map(({ consumer }) => consumer),
    (index) => [index, 'consumer'],
  );
  shares.forEach(({ amount: share }, index) => {
    if (!isAmount(share, 1)) check.add([...path, index, 'amount'], `amount must be a whole number from 1 to ${maxAmount}`);
  });
  if (shares.reduce((sum, { amount: share }) => sum + share, 0) > total) check.add(path, 'have more virtual GPUs than the card');
}

/** The facts that are not omitted; null clears one. */
function mentioned<Facts extends object>(facts: Facts): { readonly [Fact in keyof Facts]?: Exclude<Facts[Fact], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts;
}

/** The counter in the stats of Nova's object, which may be a string; null if there are no stats. */
export function failedBuildsIn(stats: Optional<Readonly<Record<string, unknown>>>): number | null {
  if (!stats) return null;
  const count = Number(stats.failed_builds ?? 0);
  return isAmount(count, 0) ? count : 0;
}

/** The classes that other parts of a report cover, and the field of each. */
const reportedElsewhere: Readonly<Record<string, string>> = {
  ...{
    VCPU: 'vcpus',
    PCPU: 'dedicatedCpus',
    MEMORY_MB: 'memoryMb',
    DISK_GB: 'localGb',
    PCI_DEVICE: 'pciDevices',
    SRIOV_NET_VF: 'pciDevices',
  },
  ...{ [vgpuClass]: 'vgpus', [memoryEncryptionClass]: 'memoryEncryption' },
};

function checkOthers(check: InputCheck, { memoryEncryption, otherInventories }: ComputeNodeReportInput): void {
  check.unique(
    ['memoryEncryption'],
    (memoryEncryption ?? []).map(({ model }) => model),
    (index) => [index, 'model'],
  );
  memoryEncryption?.forEach(({ total }, index) => {
    amount(check, ['memoryEncryption', index, 'total'], total);
  });
  check.inventories(['otherInventories'], otherInventories ?? []);
  otherInventories?.forEach(({ resourceClass }, index) => {
    const field = Object.hasOwn(reportedElsewhere, resourceClass) && reportedElsewhere[resourceClass];
    if (field) check.add(['otherInventories', index, 'resourceClass'], `${resourceClass} is reported by ${field}`);
  });
}

function parseResources(check: InputCheck, given: ComputeNodeReportInput, node: KnownOfNode, placeOf: PlaceOfField): NodeResources {
  const sizes = { vcpus: node.vcpus ?? 0, memoryMb: node.memoryMb ?? 0, localGb: node.localGb ?? 0 };
  for (const field of ['vcpus', 'memoryMb', 'localGb'] as const) {
    const value = node[field];
    if (value === null || value === undefined) check.add(placeOf(field), 'is missing');
    else amount(check, placeOf(field), value);
  }
  for (const field of ['dedicatedCpus', 'reservedCpus', 'reservedMemoryMb', 'reservedDiskMb'] as const) {
    if (given[field] !== null && given[field] !== undefined) amount(check, [field], given[field]);
  }
  const kept = {
    reservedCpus: [given.reservedCpus ?? 0, sizes.vcpus],
    reservedMemoryMb: [given.reservedMemoryMb ?? 0, sizes.memoryMb],
    reservedDiskMb: [(given.reservedDiskMb ?? 0) / 1024, given.hasSharedStorage ? maxAmount : sizes.localGb],
  } as const;
  for (const [field, [reserved, total]] of Object.entries(kept)) {
    if (total > 0 && reserved > total) check.add([field], `${field} cannot exceed the total`);
  }
  for (const kind of ['cpu', 'ram', 'disk'] as const) {
    checkRatio(check, placeOf(kind), node.ratios?.[kind]);
    checkRatio(check, ['initialRatios', kind], given.initialRatios?.[kind]);
  }
  const { dedicatedCpus, reservedCpus, reservedMemoryMb, reservedDiskMb, hasSharedStorage } = given;
  return {
    ...sizes,
    dedicatedCpus,
    reservedCpus,
    // A host with less memory than the default reservation reserves all of it.
    reservedMemoryMb: reservedMemoryMb ?? Math.min(512, sizes.memoryMb),
    reservedDiskMb,
    hasSharedStorage,
    ratios: node.ratios,
  };
}

function checkRatio(check: InputCheck, path: Path, ratio: Optional<number>): void {
  if (ratio === null || ratio === undefined || (ratio >= 0 && ratio <= maxAllocationRatio)) return;
  check.add(path, `must be a number from 0 to ${maxAllocationRatio}`);
}

function required(check: InputCheck, path: Path, text: Optional<string>): string {
  if (text === null || text === undefined) check.add(path, 'is missing');
  check.text(path, text, limits.nameLength);
  return text ?? '';
}

function amount(check: InputCheck, path: readonly (string | number)[], value: number): void {
  if (!isAmount(value, 0)) check.add(path, `${path.at(-1)} must be a whole number from 0 to ${maxAmount}`);
}

function isAmount(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least && value <= maxAmount;
}

/** The known fields of a node: an object may leave any of them unset. */
type KnownOfNode = { readonly [Field in keyof ComputeNodeFields]?: Optional<ComputeNodeFields[Field]> };

const wireNames: Readonly<Record<FieldName, string>> = {
  uuid: 'uuid',
  serviceHost: 'host',
  hypervisorHostname: 'hypervisor_hostname',
  hypervisorType: 'hypervisor_type',
  hypervisorVersion: 'hypervisor_version',
  hostIp: 'host_ip',
  cpuInfo: 'cpu_info',
  vcpus: 'vcpus',
  memoryMb: 'memory_mb',
  localGb: 'local_gb',
  cpu: 'cpu_allocation_ratio',
  ram: 'ram_allocation_ratio',
  disk: 'disk_allocation_ratio',
};

const pathInFields = (field: FieldName): Path => (field === 'cpu' || field === 'ram' || field === 'disk' ? ['ratios', field] : [field]);

/** Fields that are kept as sent. */
const keptFields = [
  ...['id', 'service_id', 'current_workload', 'disk_available_least', 'metrics', 'stats', 'numa_topology', 'supported_hv_specs'],
  ...['mapped', 'created_at', 'updated_at', 'deleted_at', 'deleted'],
];

const placeInObject = ['computeNodeRecord', 'object', 'nova_object.data'];

/** The fields of a node's object that are kept as sent; undefined without any. */
export function keptOf(sent: ObjectValues<'ComputeNode'>): ObjectValues<'ComputeNode'> | undefined {
  const kept = Object.entries(sent).filter(([name]) => keptFields.includes(name));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** `path`: that of the fields of the object. */
export function checkKept(check: InputCheck, object: ObjectValues<'ComputeNode'>, path: Path): void {
  if (JSON.stringify(object).length > maxInfoLength)
    check.add(path, `the fields that are kept as sent, such as stats, must have at most ${maxInfoLength} characters in all`);
  for (const [field, value] of Object.entries(object)) for (const text of textsIn(value)) check.text([...path, field], text, maxInfoLength);
}

/** All strings in a JSON value, including keys; empty ones need no check. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(key === '' || Array.isArray(value) ? [] : [key]), ...textsIn(inner)]);
}

interface ReadNode {
  readonly node: KnownOfNode;
  readonly placeOf: PlaceOfField;
  readonly object?: ObjectValues<'ComputeNode'> | undefined;
  readonly pools?: readonly StoredPool[] | null;
}

function readNode({ object, fields }: Given<ComputeNodeFields>): ReadNode {
  if (object === undefined) return { node: fields, placeOf: (field) => ['computeNodeRecord', 'fields', ...pathInFields(field)] };
  const { fields: sent } = decodeText('ComputeNode', object, ['computeNodeRecord', 'object']);
  const node = {
    uuid: sent.uuid,
    serviceHost: sent.host,
    hypervisorHostname: sent.hypervisor_hostname,
    hypervisorType: sent.hypervisor_type,
    hypervisorVersion: sent.hypervisor_version,
    hostIp: sent.host_ip,
    cpuInfo: sent.cpu_info,
    vcpus: sent.vcpus,
    memoryMb: sent.memory_mb,
    localGb: sent.local_gb,
    ratios: { cpu: sent.cpu_allocation_ratio, ram: sent.ram_allocation_ratio, disk: sent.disk_allocation_ratio },
  };
  const { pci_device_pools: list } = sent;
  const pools = list ? poolsInObject(list, [...placeInObject, 'pci_device_pools']) : list === null ? [] : null;
  return { node, placeOf: (field) => [...placeInObject, wireNames[field]], object: keptOf(sent), pools };
}
