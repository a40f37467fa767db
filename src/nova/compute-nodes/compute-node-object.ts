// A compute node as a versioned object, for services that read this form. Numbers that the node does not have are unset.

import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { encodeObject, makeObject, type ObjectValues } from '../objects/codec.ts';
import { poolToObject, type StoredPool } from '../pci/stored-pools.ts';
import type { ComputeNode } from './compute-nodes.ts';

/** The newest versions that a receiver understands: of the node itself, or of every object in it. */
export interface NodeReceiver {
  readonly version?: Optional<string>;
  readonly manifest?: Optional<readonly { readonly name: string; readonly version: string }[]>;
}

/** Default values of the fields that Nova always sets, for a node whose report lacks them. */
const unknownFields: ObjectValues<'ComputeNode'> = {
  ...{ service_id: null, current_workload: 0, disk_available_least: null, metrics: null, stats: {}, numa_topology: null },
  ...{ supported_hv_specs: [], mapped: 0 },
};

/** JSON text of the node with the pools of its devices, in the versions that the receiver understands. Refuses INVALID_INPUT for invalid versions. */
export function renderComputeNode(node: ComputeNode, stored: readonly StoredPool[], { version, manifest }: NodeReceiver): string {
  if (manifest && manifest.length > limits.manifestObjects) throw invalidInput([], `must have at most ${limits.manifestObjects} objects`);
  const { facts } = node;
  const pools = makeObject('PciDevicePoolList', { objects: stored.map(poolToObject) });
  const object = makeObject('ComputeNode', {
    ...unknownFields,
    ...(facts?.object ?? {}),
    uuid: node.uuid,
    hypervisor_hostname: node.hypervisorHostname,
    ...(facts && { host: facts.host, host_ip: facts.hostIp, cpu_info: facts.cpuInfo }),
    ...(facts?.hypervisorType ? { hypervisor_type: facts.hypervisorType } : {}),
    ...(facts?.hypervisorVersion ? { hypervisor_version: facts.hypervisorVersion } : {}),
    vcpus: node.vcpus,
    memory_mb: node.memoryMb,
    local_gb: node.localGb,
    vcpus_used: node.vcpusUsed,
    memory_mb_used: node.memoryMbUsed,
    local_gb_used: node.localGbUsed,
    free_ram_mb: node.freeRamMb,
    free_disk_gb: node.freeDiskGb,
    running_vms: node.runningVms,
    cpu_allocation_ratio: node.cpuAllocationRatio,
    ram_allocation_ratio: node.ramAllocationRatio,
    disk_allocation_ratio: node.diskAllocationRatio,
    pci_device_pools: pools,
  });
  const known = { manifest: Object.fromEntries((manifest ?? []).map((one) => [one.name, one.version])) };
  return JSON.stringify(encodeObject(object, typeof version === 'string' ? { ...known, version } : known));
}
