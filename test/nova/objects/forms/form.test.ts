import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeObject, encodeObject, ownManifest } from '../../../../src/nova/objects/codec.ts';
import type { Json } from '../../../../src/nova/objects/forms/fields.ts';
import { type Data, pool, read, samples, wireOf } from '../../../support/versioned-objects.ts';

/** Each version with the fields that receivers below it do not get. */
const backports: [name: keyof typeof samples, version: string, lost: readonly string[]][] = [
  ['ComputeNode', '1.17', ['mapped']],
  ['ComputeNode', '1.16', ['disk_allocation_ratio']],
  ['ComputeNode', '1.15', ['uuid']],
  ['ComputeNode', '1.14', ['cpu_allocation_ratio', 'ram_allocation_ratio']],
  ['ComputeNode', '1.9', ['pci_device_pools']],
  ['ComputeNode', '1.7', ['host']],
  ['ComputeNode', '1.6', ['supported_hv_specs']],
  ['ComputeNode', '1.5', ['numa_topology']],
  ['ComputeNode', '1.4', ['host_ip']],
  ['ComputeNode', '1.3', ['stats']],
  ['PciDevicePool', '1.1', ['numa_node']],
  ['Flavor', '1.2', ['description']],
  ['Selection', '1.1', ['availability_zone']],
  ['Service', '1.21', ['uuid']],
  ['Service', '1.16', ['version']],
  ['Service', '1.14', ['forced_down']],
  ['Service', '1.13', ['last_seen_up']],
  ['Instance', '2.8', ['compute_id']],
  ['Instance', '2.7', ['resources']],
  ['Instance', '2.6', ['hidden']],
  ['Instance', '2.4', ['trusted_certs']],
  ['Instance', '2.3', ['device_metadata']],
  ['Instance', '2.2', ['keypairs']],
  ['Instance', '2.1', ['services']],
  ['Migration', '1.8', ['dest_compute_id']],
  ['Migration', '1.7', ['user_id', 'project_id']],
  ['Migration', '1.6', ['cross_cell_move']],
  ['Migration', '1.5', ['uuid']],
  ['Migration', '1.4', ['memory_total', 'disk_remaining']],
  ['Migration', '1.2', ['migration_type', 'hidden']],
  ['PciDevice', '1.6', ['uuid']],
  ['PciDevice', '1.4', ['parent_addr']],
  ['PciDevice', '1.2', ['request_id']],
  ['RequestGroup', '1.3', ['forbidden_aggregates']],
  ['RequestGroup', '1.2', ['in_tree']],
  ['RequestGroup', '1.1', ['requester_id', 'provider_uuids']],
  ['RequestLevelParams', '1.1', ['same_subtree']],
  ['RequestSpec', '1.14', ['requested_networks']],
  ['RequestSpec', '1.13', ['request_level_params']],
  ['RequestSpec', '1.12', ['requested_resources']],
  ['RequestSpec', '1.11', ['is_bfv']],
  ['RequestSpec', '1.10', ['network_metadata']],
  ['RequestSpec', '1.9', ['user_id']],
  ['RequestSpec', '1.8', ['security_groups']],
  ['RequestSpec', '1.6', ['requested_destination']],
];

const below = (version: string) => version.replace(/\d+$/, (minor) => String(Number(minor) - 1));

describe('an older receiver', () => {
  test.each(backports)('of %s below %s does not get %s; one of that version does', (name, version, lost) => {
    const object = decodeObject(samples[name]);
    const [at, under] = [version, below(version)].map((target) => read(encodeObject(object, { version: target })));
    expect(at?.version).toBe(version);
    expect(under?.version).toBe(below(version));
    expect(Object.keys(at?.data ?? {})).toEqual(expect.arrayContaining([...lost]));
    expect(Object.keys(at?.data ?? {}).filter((field) => !Object.hasOwn(under?.data ?? {}, field))).toEqual(
      expect.arrayContaining([...lost]),
    );
    expect(Object.keys(under?.data ?? {}).length).toBe(Object.keys(at?.data ?? {}).length - lost.length);
  });

  const service = (data: Data, version: string, ids: Record<string, number> = {}) => {
    const object = decodeObject(wireOf('ComputeNode', '1.19', data));
    return read(encodeObject(object, { version, serviceIdOf: (host) => ids[host] })).data.service_id;
  };

  test('of ComputeNode below 1.13 gets the number of the service of its host instead of null', () => {
    expect(service({ service_id: null, host: 'cn1' }, '1.12', { cn1: 7 })).toBe(7);
    expect(service({ service_id: null, host: 'cn1' }, '1.5', { cn1: 7 })).toBe(7);
    expect(service({ service_id: null, host: 'cn1' }, '1.13', { cn1: 7 })).toBeNull();
  });

  test('of ComputeNode below 1.13 gets -1 for an unknown service, and a number unchanged', () => {
    expect(service({ service_id: null, host: 'cn2' }, '1.12', { cn1: 7 })).toBe(-1);
    expect(service({ service_id: null }, '1.12')).toBe(-1);
    expect(service({ service_id: 5, host: 'cn1' }, '1.12', { cn1: 7 })).toBe(5);
  });

  test('of PciDevice below 1.4 gets the physical function in extra_info', () => {
    const { data } = read(encodeObject(decodeObject(samples.PciDevice), { version: '1.3' }));
    expect(data.extra_info).toEqual({ parent_ifname: 'ens1', phys_function: '0000:01:00.0' });
  });

  test.each([
    ['PciDevice', '1.6', { dev_type: 'vdpa' }],
    ['PciDevice', '1.4', { status: 'unclaimable', parent_addr: null }],
    ['PciDevice', '1.4', { status: 'unavailable', parent_addr: null }],
    ['ImageMetaProps', '1.42', { hw_mem_encryption_model: 'amd-sev-snp' }],
    ['ImageMetaProps', '1.38', { hw_vif_model: 'igb' }],
    ['ImageMetaProps', '1.25', { hw_cpu_policy: 'mixed' }],
  ])('of %s %s is not sent %s, which it cannot represent', (name, version, data) => {
    const object = decodeObject(wireOf(name, ownManifest[name] ?? '', data));
    expect(() => encodeObject(object, { version })).toThrow('cannot be sent to this receiver');
  });

  test('gets nested objects and lists in the versions that it understands', () => {
    const object = decodeObject(samples.ComputeNode);
    const { version, data } = read(
      encodeObject(object, { manifest: { ComputeNode: '1.16', PciDevicePoolList: '1.0', PciDevicePool: '1.0' } }),
    );
    const list = read(data.pci_device_pools ?? null);
    const [first] = (list.data.objects as Json[]).map(read);
    expect([version, list.version, first?.version]).toEqual(['1.16', '1.0', '1.0']);
    expect(first?.data).toEqual({ product_id: '10fb', vendor_id: '8086', tags: { dev_type: 'type-VF' }, count: 4 });
  });

  test('gets objects three deep likewise', () => {
    const compute = wireOf('ComputeNode', '1.19', { pci_device_pools: wireOf('PciDevicePoolList', '1.1', { objects: [pool] }), mapped: 1 });
    const object = decodeObject(wireOf('Service', '1.22', { compute_node: compute }));
    const { version, data } = read(encodeObject(object, { manifest: { ComputeNode: '1.16', PciDevicePool: '1.0' } }));
    expect(version).toBe('1.22');
    const node = read(data.compute_node ?? null);
    expect(Object.keys(node.data)).toEqual(['pci_device_pools']);
    const [first] = (read(node.data.pci_device_pools ?? null).data.objects as Json[]).map(read);
    expect(first?.data).not.toHaveProperty('numa_node');
  });

  test('gets an object that encoding for it again does not change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...backports), ([name, version]) => {
        const once = encodeObject(decodeObject(samples[name]), { version: below(version) });
        expect(encodeObject(decodeObject(once))).toEqual(once);
        expect(encodeObject(decodeObject(once), { version: below(version) })).toEqual(once);
      }),
    );
  });

  test('may send a third number in its version', () => {
    expect(read(encodeObject(decodeObject(samples.Flavor), { version: '1.1.3' })).version).toBe('1.1');
  });

  test('that is newer gets the object unchanged', () => {
    const old = wireOf('ComputeNode', '1.4', { vcpus: 1 });
    expect(encodeObject(decodeObject(old), { version: '1.19' })).toEqual(old);
  });

  test('of another major version gets nothing', () => {
    expect(() => encodeObject(decodeObject(samples.Instance), { version: '1.30' })).toThrow('the major versions differ');
  });
});
