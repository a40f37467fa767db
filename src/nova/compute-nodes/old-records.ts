// Compute nodes as they were stored before inventories existed: imported as records, from which they are read until they report.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { maxAllocationRatio } from '../../domain/inventory.ts';
import { largestPage } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { importRecords } from '../../operations/kept/records.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { decodeText } from '../objects/codec.ts';
import { type NodeRecord, nodeRecords } from './compute-nodes.ts';

/** An old record: its values, or the JSON text of a versioned ComputeNode. */
export interface OldNodeInput {
  readonly object?: Optional<string>;
  readonly uuid?: Optional<string>;
  readonly host?: Optional<string>;
  readonly hypervisorHostname?: Optional<string>;
  readonly hypervisorType?: Optional<string>;
  readonly hypervisorVersion?: Optional<number>;
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
 * Takes over 1 to 1,000 old records, each with its uuid, or with a new one that it keeps from then on. Nodes that are known already stay as
 * they are. Returns how many were new. Refuses INVALID_INPUT.
 */
export async function importComputeNodes(scope: RequestScope, nodes: readonly OldNodeInput[]): Promise<number> {
  if (nodes.length < 1 || nodes.length > largestPage) throw invalidInput(['records'], `must have 1 to ${largestPage} elements`);
  return importRecords(
    scope,
    nodeRecords.kind,
    nodes.map((node, index) => readOldNode(node, index)),
  );
}

function readOldNode(given: OldNodeInput, index: number) {
  const node = typeof given.object === 'string' ? fromObject(given.object, index) : given;
  const name = node.hypervisorHostname ?? node.host;
  if (!name) throw invalidInput(['records', index, 'hypervisorHostname'], 'hypervisorHostname must be given');
  const check = new InputCheck();
  check.name(['records', index, 'hypervisorHostname'], name);
  check.name(['records', index, 'host'], node.host);
  check.text(['records', index, 'hypervisorType'], node.hypervisorType, maxNameLength);
  for (const field of ['cpuAllocationRatio', 'ramAllocationRatio', 'diskAllocationRatio'] as const) {
    const ratio = node[field] ?? 0;
    if (!(ratio >= 0 && ratio <= maxAllocationRatio))
      check.add(['records', index, field], `${field} must be a number from 0 to ${maxAllocationRatio}`);
  }
  check.done();
  const vcpus = amount(node, 'vcpus', index);
  const memoryMb = amount(node, 'memoryMb', index);
  const localGb = amount(node, 'localGb', index);
  const vcpusUsed = amount(node, 'vcpusUsed', index);
  const memoryMbUsed = amount(node, 'memoryMbUsed', index);
  const localGbUsed = amount(node, 'localGbUsed', index);
  const body: NodeRecord = {
    host: node.host ?? name,
    hypervisorType: node.hypervisorType ?? null,
    hypervisorVersion: node.hypervisorVersion ?? null,
    hostIp: null,
    cpuInfo: null,
    traits: [],
    sizes: {
      vcpus,
      memoryMb,
      localGb,
      vcpusUsed,
      memoryMbUsed,
      localGbUsed,
      freeRamMb: memoryMb - memoryMbUsed,
      freeDiskGb: localGb - localGbUsed,
      runningVms: amount(node, 'runningVms', index),
      cpuAllocationRatio: node.cpuAllocationRatio ?? 0,
      ramAllocationRatio: node.ramAllocationRatio ?? 0,
      diskAllocationRatio: node.diskAllocationRatio ?? 0,
    },
  };
  return { name, uuid: node.uuid ?? null, body };
}

type AmountField = 'vcpus' | 'memoryMb' | 'localGb' | 'vcpusUsed' | 'memoryMbUsed' | 'localGbUsed' | 'runningVms';

/** A missing number counts as 0. */
function amount(node: OldNodeInput, field: AmountField, index: number): number {
  const value = node[field] ?? 0;
  if (!Number.isSafeInteger(value)) throw invalidInput(['records', index, field], `${field} must be a whole number`);
  return value;
}

function fromObject(object: string, index: number): OldNodeInput {
  const { fields } = decodeText('ComputeNode', object, ['records', index, 'object']);
  return {
    uuid: fields.uuid,
    host: fields.host,
    hypervisorHostname: fields.hypervisor_hostname,
    hypervisorType: fields.hypervisor_type,
    hypervisorVersion: fields.hypervisor_version,
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
