// ComputeNode on the wire. Ratios of 0.0 mean "not set"; `numa_topology` is JSON text, for historical reasons.
import { dictOf, float, integer, listOf, nullable, type Receiver, text, uuid } from './fields.ts';
import { asSent, type Data, defineForm, defineList, nested } from './form.ts';
import { hvSpecForm } from './hv-spec.ts';
import { pciDevicePoolListForm } from './pci-device-pool.ts';
import { persistentFields } from './persistent.ts';

export const computeNodeForm = defineForm({
  name: 'ComputeNode',
  version: '1.19',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    service_id: nullable(integer),
    host: nullable(text),
    vcpus: integer,
    memory_mb: integer,
    local_gb: integer,
    vcpus_used: integer,
    memory_mb_used: integer,
    local_gb_used: integer,
    hypervisor_type: text,
    hypervisor_version: integer,
    hypervisor_hostname: nullable(text),
    free_ram_mb: nullable(integer),
    free_disk_gb: nullable(integer),
    current_workload: nullable(integer),
    running_vms: nullable(integer),
    cpu_info: nullable(text),
    disk_available_least: nullable(integer),
    metrics: nullable(text),
    stats: nullable(dictOf(nullable(text))),
    host_ip: nullable(text),
    numa_topology: nullable(text),
    supported_hv_specs: listOf(asSent(hvSpecForm)),
    pci_device_pools: nullable(nested(pciDevicePoolListForm)),
    cpu_allocation_ratio: nullable(float),
    ram_allocation_ratio: nullable(float),
    disk_allocation_ratio: nullable(float),
    mapped: integer,
  },
  steps: [
    { below: '1.17', drop: ['mapped'] },
    { below: '1.16', drop: ['disk_allocation_ratio'] },
    { below: '1.15', drop: ['uuid'] },
    { below: '1.14', drop: ['cpu_allocation_ratio', 'ram_allocation_ratio'] },
    { below: '1.13', change: requireService },
    { below: '1.9', drop: ['pci_device_pools'] },
    { below: '1.7', drop: ['host'] },
    { below: '1.6', drop: ['supported_hv_specs'] },
    { below: '1.5', drop: ['numa_topology'] },
    { below: '1.4', drop: ['host_ip'] },
    { below: '1.3', drop: ['stats'] },
  ],
});

export const computeNodeListForm = defineList('ComputeNodeList', '1.17', computeNodeForm);

/** Older versions require the id of a service; -1 stands for a missing one. */
function requireService(data: Data, { serviceIdOf }: Receiver): Data {
  if (data.service_id !== null && data.service_id !== undefined) return data;
  const host = data.host;
  return { ...data, service_id: (typeof host === 'string' ? serviceIdOf(host) : undefined) ?? -1 };
}
