// The names of all extra specs that Nova validates, by namespace: what nova/api/validation/extra_specs/*.py registers at commit 00a030403f67 of
// 2026-08-21, besides one for each standard class and trait.

const namesByNamespace = {
  accel: ['device_profile'],
  aggregate_instance_extra_specs: ['{key}'],
  capabilities: [
    'aggregates cell_uuid cpu_allocation_ratio cpu_info{filter} current_workload disk_allocation_ratio',
    'disk_available_least disk_mb_used failed_builds free_disk_gb free_disk_mb free_ram_mb host host_ip',
    'hypervisor_hostname hypervisor_type hypervisor_version id instances{filter} limits{filter} local_gb local_gb_used',
    'mapped memory_mb memory_mb_used metrics{filter} nodename{filter} num_instances num_io_ops numa_topology{filter}',
    'pci_device_pools{filter} pci_stats{filter} ram_allocation_ratio running_vms service_id stats{filter}',
    'supported_hv_specs{filter} supported_instances{filter} total_usable_disk_gb total_usable_ram_mb updated uuid vcpus',
    'vcpus_total vcpus_used',
  ],
  '': ['group_policy hide_hypervisor_id'],
  hw: [
    'boot_menu cpu_cores cpu_dedicated_mask cpu_max_cores cpu_max_sockets cpu_max_threads cpu_policy cpu_realtime',
    'cpu_realtime_mask cpu_sockets cpu_thread_policy cpu_threads emulator_threads_policy ephemeral_encryption',
    'ephemeral_encryption_format hide_hypervisor_id locked_memory mem_encryption mem_encryption_model mem_page_size',
    'numa_cpus.{num} numa_mem.{num} numa_nodes pci_numa_affinity_policy pmem pmu redirected_usb_ports serial_port_count',
    'sound_model tpm_model tpm_secret_security tpm_version usb_model vif_multiqueue_enabled viommu_model',
    'virtio_packed_ring watchdog_action',
  ],
  hw_rng: ['allowed rate_bytes rate_period'],
  hw_video: ['ram_max_mb'],
  os: ['secure_boot'],
  pci_passthrough: ['alias'],
  quota: [
    'cpu_limit cpu_period cpu_quota cpu_reservation cpu_shares cpu_shares_level cpu_shares_share disk_io_limit',
    'disk_io_reservation disk_io_shares_level disk_io_shares_share disk_read_bytes_sec disk_read_iops_sec',
    'disk_total_bytes_sec disk_total_iops_sec disk_write_bytes_sec disk_write_iops_sec memory_limit memory_reservation',
    'memory_shares_level memory_shares_share vif_inbound_average vif_inbound_burst vif_inbound_peak vif_limit',
    'vif_outbound_average vif_outbound_burst vif_outbound_peak vif_reservation vif_shares_level vif_shares_share',
  ],
  'resources{group}': ['CUSTOM_{resource}'],
  'trait{group}': ['CUSTOM_{trait}'],
  vmware: ['hw_version storage_policy'],
};

export const novaExtraSpecs = Object.entries(namesByNamespace).flatMap(([namespace, lines]) =>
  lines.flatMap((line) => line.split(' ').map((name) => (namespace === '' ? name : `${namespace}:${name}`))),
);
