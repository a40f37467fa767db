// What a compute node reports about itself, and how it is read: as plain values, or as the JSON text of the versioned object, with what that
// object never held beside it. Checks ranges and names; knows nothing of providers.

import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { maxAllocationRatio, maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { decodeText } from '../objects/codec.ts';
import { type PciDeviceInput, parseDevices, pciAddress } from '../pci/pci-devices.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import type { NodeRatios, NodeResources } from './ratios.ts';

/** A NUMA cell: processors and memory that are near each other. */
export interface NumaCell {
  readonly id: number;
  readonly cores: number;
  readonly threads: number;
  /** MiB. */
  readonly memoryMb: number;
}

/** A physical GPU that is given out in parts. */
export interface VgpuDevice {
  /** On the PCI bus, such as 0000:84:00.0. */
  readonly address: string;
  /** How many parts of the enabled type it gives. */
  readonly total: number;
  /** VGPU when not given. */
  readonly resourceClass?: Optional<string>;
  readonly traits?: Optional<readonly string[]>;
  readonly numaNode?: Optional<number>;
}

/** A report as a caller gives it. A list that is not given leaves what was reported before as it is. */
export interface ComputeNodeReportInput extends Partial<Omit<NodeResources, 'vcpus' | 'memoryMb' | 'localGb'>> {
  /** JSON text of a versioned ComputeNode; what it holds may not be given beside it. */
  readonly object?: Optional<string>;
  readonly uuid?: Optional<string>;
  readonly host?: Optional<string>;
  readonly hypervisorHostname?: Optional<string>;
  readonly hypervisorType?: Optional<string>;
  readonly hypervisorVersion?: Optional<number>;
  readonly hostIp?: Optional<string>;
  readonly cpuInfo?: Optional<string>;
  readonly vcpus?: Optional<number>;
  readonly memoryMb?: Optional<number>;
  readonly localGb?: Optional<number>;
  readonly initialRatios?: Optional<NodeRatios>;
  readonly traits?: Optional<readonly string[]>;
  readonly numaCells?: Optional<readonly NumaCell[]>;
  readonly vgpus?: Optional<readonly VgpuDevice[]>;
  readonly pciDevices?: Optional<readonly PciDeviceInput[]>;
  /** Each PCI device a provider of its own; otherwise the node has PCI_DEVICE for them. */
  readonly pciInPlacement?: Optional<boolean>;
}

/** What of a node is neither a resource nor a trait. */
export interface NodeFacts {
  readonly host: string;
  readonly hypervisorType: string | null;
  readonly hypervisorVersion: number | null;
  readonly hostIp: string | null;
  readonly cpuInfo: string | null;
}

/** A report that has been read and is valid. */
export interface ComputeNodeReport {
  readonly uuid: string | null;
  readonly name: string;
  readonly facts: NodeFacts;
  readonly resources: NodeResources;
  readonly initialRatios: NodeRatios;
  readonly traits: readonly string[];
  /** Null: not part of this report. */
  readonly numaCells: readonly NumaCell[] | null;
  readonly vgpus: readonly VgpuDevice[] | null;
  readonly pciDevices: readonly PciDevice[] | null;
  readonly pciInPlacement: boolean;
}

const mostElements = limits.reportElements;
/** Characters. */
const longestInfo = limits.cpuInfoLength;

/** Reads a report. Refuses INVALID_INPUT with everything that is wrong with it. */
export function parseReport(input: ComputeNodeReportInput): ComputeNodeReport {
  const given = typeof input.object === 'string' ? { ...input, ...fromObject(input, input.object) } : input;
  const check = new InputCheck();
  const cells = given.numaCells ?? null;
  const vgpus = given.vgpus ?? null;
  check.size(['numaCells'], cells ?? [], 0, mostElements);
  check.size(['vgpus'], vgpus ?? [], 0, mostElements);
  check.traits(['traits'], given.traits ?? []);
  const name = required(check, 'hypervisorHostname', given.hypervisorHostname);
  const host = required(check, 'host', given.host);
  for (const field of ['hypervisorType', 'hostIp'] as const) check.text([field], given[field], maxNameLength);
  check.text(['cpuInfo'], given.cpuInfo, longestInfo);
  const resources = parseResources(check, given);
  cells?.forEach(({ id, cores, threads, memoryMb }, index) => {
    for (const [field, value] of Object.entries({ id, cores, threads, memoryMb })) amount(check, ['numaCells', index, field], value);
  });
  check.unique(
    ['numaCells'],
    (cells ?? []).map(({ id }) => String(id)),
    (index) => [index, 'id'],
  );
  vgpus?.forEach(({ address, total, resourceClass, traits }, index) => {
    const here = ['vgpus', index];
    if (!pciAddress.test(address)) check.add([...here, 'address'], 'address must be like 0000:84:00.0');
    if (!isAmount(total, 0)) check.add([...here, 'total'], `total must be a whole number from 0 to ${maxAmount}`);
    if (resourceClass) check.className([...here, 'resourceClass'], resourceClass);
    check.traits([...here, 'traits'], traits ?? []);
  });
  check.unique(
    ['vgpus'],
    (vgpus ?? []).map(({ address }) => address.toLowerCase()),
    (index) => [index, 'address'],
  );
  const pciDevices = given.pciDevices ? parseDevices(check, ['pciDevices'], given.pciDevices) : null;
  check.done();
  return {
    uuid: given.uuid ?? null,
    name,
    facts: {
      host,
      hypervisorType: given.hypervisorType ?? null,
      hypervisorVersion: given.hypervisorVersion ?? null,
      hostIp: given.hostIp ?? null,
      cpuInfo: given.cpuInfo ?? null,
    },
    resources,
    initialRatios: given.initialRatios ?? {},
    traits: [...new Set(given.traits)].sort(),
    numaCells: cells,
    vgpus,
    pciDevices,
    pciInPlacement: given.pciInPlacement ?? false,
  };
}

function parseResources(check: InputCheck, given: ComputeNodeReportInput): NodeResources {
  const sizes = { vcpus: given.vcpus ?? 0, memoryMb: given.memoryMb ?? 0, localGb: given.localGb ?? 0 };
  for (const field of ['vcpus', 'memoryMb', 'localGb'] as const) {
    if (given[field] === null || given[field] === undefined) check.add([field], `${field} must be given`);
    else amount(check, [field], given[field]);
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
    if (total > 0 && reserved > total) check.add([field], `${field} cannot be more than there is`);
  }
  for (const list of ['ratios', 'initialRatios'] as const) {
    for (const [kind, ratio] of Object.entries(given[list] ?? {})) {
      if (ratio !== null && ratio !== undefined && !(ratio >= 0 && ratio <= maxAllocationRatio)) {
        check.add([list, kind], `${kind} must be a number from 0 to ${maxAllocationRatio}`);
      }
    }
  }
  const { dedicatedCpus, reservedCpus, reservedMemoryMb, reservedDiskMb, hasSharedStorage, ratios } = given;
  return {
    ...sizes,
    dedicatedCpus,
    reservedCpus,
    // A host with less memory than is usually reserved reserves all of it.
    reservedMemoryMb: reservedMemoryMb ?? Math.min(512, sizes.memoryMb),
    reservedDiskMb,
    hasSharedStorage,
    ratios,
  };
}

function required(check: InputCheck, field: string, text: Optional<string>): string {
  if (text === null || text === undefined) check.add([field], `${field} must be given`);
  check.text([field], text, limits.nameLength);
  return text ?? '';
}

function amount(check: InputCheck, path: readonly (string | number)[], value: number): void {
  if (!isAmount(value, 0)) check.add(path, `${path.at(-1)} must be a whole number from 0 to ${maxAmount}`);
}

function isAmount(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least && value <= maxAmount;
}

/** The fields of a versioned object, by our names; those that it leaves unset are absent. */
function fromObject(input: ComputeNodeReportInput, object: string): Partial<ComputeNodeReportInput> {
  const { fields } = decodeText('ComputeNode', object, ['object']);
  const read: Partial<ComputeNodeReportInput> = {
    uuid: fields.uuid,
    host: fields.host,
    hypervisorHostname: fields.hypervisor_hostname,
    hypervisorType: fields.hypervisor_type,
    hypervisorVersion: fields.hypervisor_version,
    hostIp: fields.host_ip,
    cpuInfo: fields.cpu_info,
    vcpus: fields.vcpus,
    memoryMb: fields.memory_mb,
    localGb: fields.local_gb,
    ratios: { cpu: fields.cpu_allocation_ratio, ram: fields.ram_allocation_ratio, disk: fields.disk_allocation_ratio },
  };
  const twice = Object.keys(read).find((field) => isGiven(read[field as keyof typeof read]) && isGiven(input[field as keyof typeof read]));
  if (twice) throw invalidInput([twice], 'is in the object already: give one or the other');
  return Object.fromEntries(Object.entries(read).filter(([, value]) => isGiven(value)));
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
