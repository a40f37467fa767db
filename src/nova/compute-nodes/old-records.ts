// Compute nodes without inventories, as Nova recorded them: imported as records, which are read until the nodes report.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxAllocationRatio } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { maxPageSize } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { importRecords } from '../../operations/records/records.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { decodeText, type ObjectValues } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { checkPools, poolsInObject, readStoredPools, type StoredPool } from '../pci/stored-pools.ts';
import { computeProgram, failedBuildsFact } from '../services/compute-program.ts';
import { checkKept, failedBuildsIn, keptOf } from './compute-node-report.ts';
import { nodeRecords } from './compute-nodes.ts';
import type { NodeRecord } from './node-record.ts';

/** An old record as given by a caller. */
export type OldNodeInput = Given<OldNodeFields>;

export interface OldNodeFields {
  readonly uuid?: Optional<string>;
  readonly serviceHost?: Optional<string>;
  readonly hypervisorHostname?: Optional<string>;
  readonly hypervisorType?: Optional<string>;
  readonly hypervisorVersion?: Optional<number>;
  readonly hostIp?: Optional<string>;
  readonly cpuInfo?: Optional<string>;
  /** The pools of PCI devices, in any of the forms that were stored. */
  readonly pciStats?: Optional<string>;
  readonly vcpus?: Optional<number>;
  readonly memoryMb?: Optional<number>;
  readonly localGb?: Optional<number>;
  readonly vcpusUsed?: Optional<number>;
  readonly memoryMbUsed?: Optional<number>;
  readonly localGbUsed?: Optional<number>;
  readonly runningVms?: Optional<number>;
  readonly cpuAllocationRatio?: Optional<number>;
  readonly ramAllocationRatio?: Optional<number>;
  readonly diskAllocationRatio?: Optional<number>;
}

/**
 * Imports 1 to 1,000 old records. A record without a uuid gets a new one, which the node keeps. Known nodes stay unchanged. Returns the number of new nodes.
 * Refuses INVALID_INPUT.
 */
export async function importComputeNodes(scope: RequestScope, nodes: readonly OldNodeInput[]): Promise<number> {
  if (nodes.length < 1 || nodes.length > maxPageSize) throw invalidInput(['records'], `must have 1 to ${maxPageSize} elements`);
  return importRecords(
    scope,
    nodeRecords.kind,
    nodes.map(({ object, fields }, index) => {
      const place = ['records', index, object === undefined ? 'fields' : 'object'];
      if (object === undefined) return readOldNode(fromFields(fields, place), (field) => [...place, field]);
      return readOldNode(fromObject(object, place), (field) => [...place, 'nova_object.data', wireNames[field]]);
    }),
  );
}

/** The path of a field of a record in the input. */
type PlaceOfField = (field: keyof OldNodeFields) => Path;

interface OldNode extends Omit<OldNodeFields, 'pciStats'> {
  readonly pools: Optional<readonly StoredPool[]>;
  readonly object?: ObjectValues<'ComputeNode'> | undefined;
}

function readOldNode(node: OldNode, placeOf: PlaceOfField) {
  const name = node.hypervisorHostname ?? node.serviceHost;
  if (!name) throw invalidInput(placeOf('hypervisorHostname'), 'must be given');
  const check = new InputCheck();
  check.name(placeOf('hypervisorHostname'), name);
  check.name(placeOf('serviceHost'), node.serviceHost);
  for (const field of ['hypervisorType', 'hostIp'] as const) check.text(placeOf(field), node[field], maxNameLength);
  if (node.cpuInfo !== '') check.text(placeOf('cpuInfo'), node.cpuInfo, limits.cpuInfoLength);
  for (const field of ['cpuAllocationRatio', 'ramAllocationRatio', 'diskAllocationRatio'] as const) {
    const ratio = node[field] ?? 0;
    if (!(ratio >= 0 && ratio <= maxAllocationRatio)) check.add(placeOf(field), `must be a number from 0 to ${maxAllocationRatio}`);
  }
  checkPools(check, placeOf('pciStats'), node.pools ?? []);
  if (node.object) checkKept(check, node.object, placeOf('uuid').slice(0, -1));
  check.done();
  const vcpus = amount(node, 'vcpus', placeOf);
  const memoryMb = amount(node, 'memoryMb', placeOf);
  const localGb = amount(node, 'localGb', placeOf);
  const vcpusUsed = amount(node, 'vcpusUsed', placeOf);
  const memoryMbUsed = amount(node, 'memoryMbUsed', placeOf);
  const localGbUsed = amount(node, 'localGbUsed', placeOf);
  const failedBuilds = failedBuildsIn(node.object?.stats);
  const body: NodeRecord = {
    host: node.serviceHost ?? name,
    hypervisorType: node.hypervisorType ?? null,
    hypervisorVersion: node.hypervisorVersion ?? null,
    hostIp: node.hostIp ?? null,
    cpuInfo: node.cpuInfo ?? null,
    program: computeProgram,
    traits: [],
    ...(node.object && { object: node.object }),
    ...(failedBuilds ? { [failedBuildsFact]: failedBuilds } : {}),
    ...(node.pools && { pools: node.pools }),
    sizes: {
      vcpus,
      memoryMb,
      localGb,
      vcpusUsed,
      memoryMbUsed,
      localGbUsed,
      freeRamMb: memoryMb - memoryMbUsed,
      freeDiskGb: localGb - localGbUsed,
      runningVms: amount(node, 'runningVms', placeOf),
      cpuAllocationRatio: node.cpuAllocationRatio ?? 0,
      ramAllocationRatio: node.ramAllocationRatio ?? 0,
      diskAllocationRatio: node.diskAllocationRatio ?? 0,
    },
  };
  return { name, uuid: node.uuid ?? null, body };
}

type AmountField = 'vcpus' | 'memoryMb' | 'localGb' | 'vcpusUsed' | 'memoryMbUsed' | 'localGbUsed' | 'runningVms';

/** A missing number counts as 0. */
function amount(node: OldNodeFields, field: AmountField, placeOf: PlaceOfField): number {
  const value = node[field] ?? 0;
  if (!Number.isSafeInteger(value)) throw invalidInput(placeOf(field), 'must be a whole number');
  return value;
}

const wireNames: Readonly<Record<keyof OldNodeFields, keyof ObjectValues<'ComputeNode'>>> = {
  uuid: 'uuid',
  serviceHost: 'host',
  hypervisorHostname: 'hypervisor_hostname',
  hypervisorType: 'hypervisor_type',
  hypervisorVersion: 'hypervisor_version',
  hostIp: 'host_ip',
  cpuInfo: 'cpu_info',
  pciStats: 'pci_device_pools',
  vcpus: 'vcpus',
  memoryMb: 'memory_mb',
  localGb: 'local_gb',
  vcpusUsed: 'vcpus_used',
  memoryMbUsed: 'memory_mb_used',
  localGbUsed: 'local_gb_used',
  runningVms: 'running_vms',
  cpuAllocationRatio: 'cpu_allocation_ratio',
  ramAllocationRatio: 'ram_allocation_ratio',
  diskAllocationRatio: 'disk_allocation_ratio',
};

function fromFields({ pciStats, ...fields }: OldNodeFields, place: Path): OldNode {
  return { ...fields, pools: pciStats ? readStoredPools(pciStats, [...place, 'pciStats']) : null };
}

function fromObject(object: string, place: Path): OldNode {
  const { fields } = decodeText('ComputeNode', object, place);
  const pools = fields.pci_device_pools;
  return {
    object: keptOf(fields),
    uuid: fields.uuid,
    serviceHost: fields.host,
    hypervisorHostname: fields.hypervisor_hostname,
    hypervisorType: fields.hypervisor_type,
    hypervisorVersion: fields.hypervisor_version,
    hostIp: fields.host_ip,
    cpuInfo: fields.cpu_info,
    pools: pools && poolsInObject(pools, [...place, 'nova_object.data', wireNames.pciStats]),
    vcpus: fields.vcpus,
    memoryMb: fields.memory_mb,
    localGb: fields.local_gb,
    vcpusUsed: fields.vcpus_used,
    memoryMbUsed: fields.memory_mb_used,
    localGbUsed: fields.local_gb_used,
    runningVms: fields.running_vms,
    cpuAllocationRatio: fields.cpu_allocation_ratio,
    ramAllocationRatio: fields.ram_allocation_ratio,
    diskAllocationRatio: fields.disk_allocation_ratio,
  };
}
