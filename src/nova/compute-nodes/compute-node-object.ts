// A compute node as a versioned object, for services that read that form. Numbers that the node does not have are unset.

import { encodeObject, makeObject } from '../objects/codec.ts';
import { poolToObject, type StoredPool } from '../pci/stored-pools.ts';
import type { ComputeNode } from './compute-nodes.ts';

/** JSON text of the node with the pools of its devices, in the version that the receiver knows. Refuses INVALID_INPUT for an invalid version. */
export function renderComputeNode(node: ComputeNode, stored: readonly StoredPool[], version: string | null | undefined): string {
  const { facts } = node;
  const pools = makeObject('PciDevicePoolList', { objects: stored.map(poolToObject) });
  const object = makeObject('ComputeNode', {
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
  return JSON.stringify(encodeObject(object, typeof version === 'string' ? { version } : {}));
}
