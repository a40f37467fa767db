// Versioned objects in their wire format: an example of each kind, and functions to build and inspect them.
import { Refusal } from '../../src/domain/errors.ts';
import type { Json } from '../../src/nova/objects/forms/fields.ts';

export type Data = Record<string, Json>;

export const wireOf = (name: string, version: string, data: Data, changes?: readonly string[]): Data => ({
  'nova_object.name': name,
  'nova_object.namespace': 'nova',
  'nova_object.version': version,
  'nova_object.data': data,
  ...(changes ? { 'nova_object.changes': changes } : {}),
});

/** The contents of an object in wire format, by the last part of its keys. */
export function read(wire: Json): { readonly version: string; readonly data: Data; readonly changes: readonly string[] | undefined } {
  const record = wire as Data;
  return {
    version: record['nova_object.version'] as string,
    data: record['nova_object.data'] as Data,
    changes: record['nova_object.changes'] as readonly string[] | undefined,
  };
}

const poolData = { product_id: '10fb', vendor_id: '8086', numa_node: 0, tags: { dev_type: 'type-VF' }, count: 4 };
export const pool = wireOf('PciDevicePool', '1.1', poolData, ['count']);
const uuid = '11111111-1111-4111-8111-111111111111';

/** The wire format of each kind in its newest version. */
export const samples = {
  ComputeNode: wireOf('ComputeNode', '1.19', {
    id: 1,
    uuid,
    service_id: null,
    host: 'cn1',
    vcpus: 8,
    stats: { failed_builds: '0', other: null },
    host_ip: '10.0.0.1',
    numa_topology: '{"cells": []}',
    supported_hv_specs: [wireOf('HVSpec', '1.2', { arch: 'x86_64' })],
    pci_device_pools: wireOf('PciDevicePoolList', '1.1', { objects: [pool] }),
    cpu_allocation_ratio: 16.5,
    ram_allocation_ratio: 0.0,
    disk_allocation_ratio: 1.0,
    mapped: 1,
    created_at: '2026-08-21T21:01:48Z',
    deleted_at: null,
    deleted: false,
  }),
  Flavor: wireOf('Flavor', '1.2', {
    flavorid: 'm1',
    vcpus: 1,
    swap: 512,
    extra_specs: { 'hw:cpu_policy': 'dedicated' },
    description: null,
  }),
  Instance: wireOf('Instance', '2.8', {
    uuid,
    compute_id: 3,
    resources: null,
    hidden: false,
    trusted_certs: null,
    device_metadata: null,
    keypairs: null,
    services: null,
    flavor: wireOf('Flavor', '1.2', { vcpus: 1, description: 'small' }),
    old_flavor: null,
    pci_devices: wireOf('PciDeviceList', '1.3', { objects: [wireOf('PciDevice', '1.7', { uuid, address: '0000:01:00.0' })] }),
  }),
  Migration: wireOf('Migration', '1.8', {
    uuid,
    dest_compute_id: 4,
    user_id: 'u',
    project_id: 'p',
    cross_cell_move: false,
    memory_total: 1,
    disk_remaining: 2,
    migration_type: 'resize',
    hidden: false,
    status: 'migrating',
  }),
  PciDevice: wireOf('PciDevice', '1.7', {
    uuid,
    address: '0000:01:02.0',
    dev_type: 'type-VF',
    status: 'available',
    extra_info: { parent_ifname: 'ens1' },
    numa_node: 1,
    parent_addr: '0000:01:00.0',
    request_id: null,
  }),
  PciDevicePool: pool,
  RequestGroup: wireOf('RequestGroup', '1.3', {
    resources: { VGPU: 1 },
    aggregates: [[uuid]],
    forbidden_aggregates: [],
    in_tree: null,
    requester_id: 'port1',
    provider_uuids: [uuid],
  }),
  RequestLevelParams: wireOf('RequestLevelParams', '1.1', { root_required: ['COMPUTE_NODE'], same_subtree: [['_a', '_b']] }),
  RequestSpec: wireOf('RequestSpec', '1.15', {
    num_instances: 2,
    requested_networks: null,
    request_level_params: wireOf('RequestLevelParams', '1.1', { root_required: [] }),
    requested_resources: [wireOf('RequestGroup', '1.3', { resources: { VGPU: 1 } })],
    is_bfv: true,
    network_metadata: null,
    user_id: 'u',
    security_groups: null,
    requested_destination: null,
  }),
  Selection: wireOf('Selection', '1.1', { service_host: 'cn1', limits: null, allocation_request: '{}', availability_zone: 'nova' }),
  Service: wireOf('Service', '1.22', {
    uuid,
    host: 'cn1',
    version: 73,
    forced_down: false,
    last_seen_up: '2026-08-21T21:01:48Z',
    compute_node: wireOf('ComputeNode', '1.19', { uuid, vcpus: 8 }),
  }),
} as const;

/** The problems of the refusal that a function throws. */
export function refusalOf(act: () => unknown): Refusal['problems'] {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.problems;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** A RequestSpec of one instance, with a flavor and nothing else. */
export const smallRequestSpec = wireOf('RequestSpec', '1.14', {
  num_instances: 1,
  flavor: wireOf('Flavor', '1.1', { vcpus: 1, memory_mb: 0, root_gb: 0, ephemeral_gb: 0, swap: 0, extra_specs: {} }),
});
