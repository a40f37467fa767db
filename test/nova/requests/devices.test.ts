// Ports, device profiles and PCI devices of a request, without I/O.
import { describe, expect, test } from 'vitest';
import { flavorToRequest, type RequestFacts } from '../../../src/nova/flavors/flavor-request.ts';
import { refusalOf } from '../../support/versioned-objects.ts';

const small = { name: 'small', vcpus: 1, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0 };
const own = {
  resources: [
    { resourceClass: 'VCPU', amount: 1 },
    { resourceClass: 'MEMORY_MB', amount: 512 },
  ],
};
const ask = (facts: RequestFacts, extraSpecs: Readonly<Record<string, string>> = {}) => flavorToRequest({ ...small, extraSpecs }, facts);
const port = '4e2f5b6c-0a51-4bd1-8b3f-0c3a4f2c9d01';
const ofPort = (resourceRequest: unknown) => ({ ports: [{ port, resourceRequest: JSON.stringify(resourceRequest) }] });
const bandwidth = { resourceClass: 'NET_BW_EGR_KILOBIT_PER_SEC', amount: 1000 };

describe('a port', () => {
  test('requests a group named by its uuid in the old form', () => {
    const { request } = ask(ofPort({ resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 }, required: ['CUSTOM_PHYSNET_2'] }));
    expect(request.groups).toEqual([own, { suffix: port, resources: [bandwidth], traits: [{ allOf: ['CUSTOM_PHYSNET_2'] }] }]);
  });

  test('requests groups in one subtree in the extended form', () => {
    const request_groups = [
      { id: 'a', resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 }, required: [] },
      { id: 'b', resources: { NET_PACKET_RATE_KILOPACKET_PER_SEC: 1 }, required: ['CUSTOM_VNIC_TYPE_NORMAL'] },
    ];
    const { request } = ask(ofPort({ request_groups, same_subtree: ['a', 'b'] }));
    expect(request).toMatchObject({
      groups: [own, { suffix: 'a', resources: [bandwidth] }, { suffix: 'b', traits: [{ allOf: ['CUSTOM_VNIC_TYPE_NORMAL'] }] }],
      groupPolicy: 'NONE',
      sameSubtree: [{ suffixes: ['a', 'b'] }],
    });
  });

  test.each([[null], [{}], [{ request_groups: [] }]])('with %j requests nothing', (resourceRequest) => {
    expect(ask(ofPort(resourceRequest)).request.groups).toEqual([own]);
  });

  test('managed by a card needs a host that supports this', () => {
    expect(ask({ ports: [{ port, remoteManaged: true }] }).request.rootTraits).toMatchObject([{ allOf: ['COMPUTE_REMOTE_MANAGED_PORTS'] }]);
  });

  test.each<[string, unknown, (string | number)[]]>([
    ['a list', [], []],
    ['no resources', { request_groups: [{ id: 'a' }] }, ['request_groups', 0, 'resources']],
    ['a group without id', { request_groups: [{ resources: {} }] }, ['request_groups', 0, 'id']],
    ['an empty group', { request_groups: [{ id: 'a', resources: {} }] }, ['request_groups', 0]],
    ['a negative amount', { resources: { VGPU: -1 } }, ['resources', 'VGPU']],
    ['an invalid trait', { resources: { VGPU: 1 }, required: ['no'] }, ['required', 0]],
    ['traits that are not a list', { resources: { VGPU: 1 }, required: 'A' }, ['required']],
  ])('is refused with %s', (_what, resourceRequest, path) => {
    const place = ['ports', '0', 'resourceRequest', ...path.map(String)];
    expect(refusalOf(() => ask(ofPort(resourceRequest)))).toMatchObject([{ code: 'INVALID_INPUT', path: place }]);
  });

  test('is refused if it is listed twice', () => {
    const [each] = ofPort({ resources: { VGPU: 1 } }).ports;
    if (each) expect(refusalOf(() => ask({ ports: [each, each] }))).toMatchObject([{ path: ['ports', '1', 'resourceRequest'] }]);
  });
});

describe('a device profile', () => {
  const profile = (...groups: Record<string, string>[]) =>
    groups.map((group) => ({ properties: Object.entries(group).map(([key, value]) => ({ key, value })) }));
  const fpga = { 'resources:FPGA': '1', 'trait:CUSTOM_FPGA_INTEL': 'required', 'accel:bitstream_id': 'x' };

  test('requests a group for each of its own, on hosts with accelerators', () => {
    const { request, warnings } = ask({ deviceProfile: profile(fpga, { 'resources7:PGPU': '2' }) }, { 'accel:device_profile': 'mydp' });
    expect(request).toMatchObject({
      groups: [
        own,
        { suffix: 'device_profile_0', resources: [{ resourceClass: 'FPGA', amount: 1 }], traits: [{ allOf: ['CUSTOM_FPGA_INTEL'] }] },
        { suffix: 'device_profile_1', resources: [{ resourceClass: 'PGPU', amount: 2 }] },
      ],
      rootTraits: [{ allOf: ['COMPUTE_ACCELERATORS'] }],
    });
    expect(warnings).toEqual([]);
  });

  test('of a port is named after it', () => {
    const { request } = ask({ ports: [{ port, deviceProfile: profile(fpga) }] });
    expect(request.groups[1]).toMatchObject({ suffix: `device_profile_0${port}` });
  });

  test('whose groups are not given causes a warning', () => {
    const { warnings } = ask({}, { 'accel:device_profile': 'mydp' });
    expect(warnings).toMatchObject([{ code: 'EXTRA_SPEC_NOT_CHECKED', subject: 'accel:device_profile' }]);
  });

  test('that the flavor does not name is refused', () => {
    expect(refusalOf(() => ask({ deviceProfile: profile(fpga) }))).toMatchObject([{ path: ['deviceProfile'] }]);
  });
});

describe('PCI devices', () => {
  const gpu = { name: 'gpu', vendorId: '10de', productId: '1db6', deviceType: 'type-PCI' };
  const nic = { name: 'nic', resourceClass: 'fast nic', traits: ['hw_nic_sriov', 'blue-nic'], deviceType: 'type-VF' };
  const alias = (value: string) => ({ 'pci_passthrough:alias': value });

  test('are one group each with PCI in Placement', () => {
    const { request, flavorGroups, warnings } = ask({ pciPassthrough: { inPlacement: true, aliases: [gpu, nic] } }, alias('gpu:2, nic: 1'));
    const card = [{ resourceClass: 'CUSTOM_PCI_10DE_1DB6', amount: 1 }];
    const nicTraits = [{ allOf: ['HW_NIC_SRIOV', 'CUSTOM_BLUE_NIC'] }];
    expect(request).toMatchObject({
      groups: [
        own,
        { suffix: 'pci_0-0', resources: card },
        { suffix: 'pci_0-1', resources: card },
        { suffix: 'pci_1-0', resources: [{ resourceClass: 'CUSTOM_FAST_NIC', amount: 1 }], traits: nicTraits },
      ],
      groupPolicy: 'NONE',
    });
    expect(flavorGroups).toEqual(['', 'pci_0-0', 'pci_0-1', 'pci_1-0']);
    expect(warnings).toEqual([]);
  });

  test('are a number of whole devices without it, with a warning about the rest', () => {
    const card = { ...nic, vendorId: '8086', productId: '1572' };
    const { request, warnings } = ask({ pciPassthrough: { aliases: [gpu, card] } }, alias('gpu:2,nic:1'));
    expect(request.groups).toEqual([{ resources: [...own.resources, { resourceClass: 'PCI_DEVICE', amount: 2 }] }]);
    expect(warnings).toMatchObject([{ code: 'EXTRA_SPEC_NOT_CHECKED', subject: 'pci_passthrough:alias' }]);
  });

  test('that must be able to migrate live, or must not, are so on their cards and on their hosts', () => {
    const askFor = (liveMigratable: boolean | null, inPlacement: boolean) =>
      ask({ pciPassthrough: { inPlacement, aliases: [{ ...gpu, liveMigratable }] } }, alias('gpu:1'));
    const traitsOf = (liveMigratable: boolean | null) => askFor(liveMigratable, true).request.groups[1]?.traits;
    expect([traitsOf(true), traitsOf(false), traitsOf(null)]).toEqual([
      [{ allOf: ['HW_PCI_LIVE_MIGRATABLE'] }],
      [{ noneOf: ['HW_PCI_LIVE_MIGRATABLE'] }],
      undefined,
    ]);
    const wantedOf = (liveMigratable: boolean | null) => askFor(liveMigratable, false).devices[0]?.alternatives[0]?.live_migratable;
    expect([wantedOf(true), wantedOf(false), wantedOf(null)]).toEqual(['true', 'false', undefined]);
  });

  test('whose aliases are not given cause a warning', () => {
    const { request, warnings } = ask({}, alias('gpu:1'));
    expect(request.groups).toEqual([own]);
    expect(warnings).toMatchObject([{ code: 'EXTRA_SPEC_NOT_CHECKED', subject: 'pci_passthrough:alias' }]);
  });

  test.each<[string, string, NonNullable<RequestFacts['pciPassthrough']>, (string | number)[]]>([
    ['an alias that is not given', 'fpga:1', { aliases: [gpu] }, ['flavor']],
    ['no number', 'gpu', { aliases: [gpu] }, ['flavor']],
    ['more devices than groups', 'gpu:129', { inPlacement: true, aliases: [gpu] }, ['flavor']],
    ['an alias without a kind of device', 'gpu:1', { aliases: [{ name: 'gpu' }] }, ['pciPassthrough', 'aliases', 0]],
    [
      'a vendor that is not hexadecimal',
      'gpu:1',
      { aliases: [{ ...gpu, vendorId: 'g111' }] },
      ['pciPassthrough', 'aliases', 0, 'vendorId'],
    ],
    ['a product of five digits', 'gpu:1', { aliases: [{ ...gpu, productId: '11db6' }] }, ['pciPassthrough', 'aliases', 0, 'productId']],
    ['an alias with a class, without PCI in Placement', 'nic:1', { aliases: [nic] }, ['pciPassthrough', 'aliases', 0]],
    ['alternatives with PCI in Placement', 'gpu:1', { inPlacement: true, aliases: [gpu, gpu] }, ['pciPassthrough', 'aliases', 1]],
    [
      'alternatives of two types',
      'gpu:1',
      { aliases: [gpu, { ...gpu, deviceType: 'type-VF' }] },
      ['pciPassthrough', 'aliases', 1, 'deviceType'],
    ],
    ['an unknown type of device', 'gpu:1', { aliases: [{ ...gpu, deviceType: 'vdpa' }] }, ['pciPassthrough', 'aliases', 0, 'deviceType']],
  ])('are refused for %s', (_what, value, pci, path) => {
    expect(refusalOf(() => ask({ pciPassthrough: pci }, alias(value)))).toMatchObject([{ code: 'INVALID_INPUT', path: path.map(String) }]);
  });
});

describe('pre-filters', () => {
  test('accept the spellings of an image that Nova accepts, and warn of unknown traits', () => {
    const imageProperties = {
      hw_architecture: 'amd64',
      hw_vif_model: 'VirtualE1000',
      hw_viommu_model: 'intel',
      hw_video_model: 'none',
      hw_disk_bus: 'x-y',
    };
    const { request, warnings } = ask({ imageProperties, prefilters: { imageMetadata: true } });
    const traits = ['COMPUTE_GRAPHICS_MODEL_NONE', 'COMPUTE_NET_VIF_MODEL_E1000', 'HW_ARCH_X86_64', 'COMPUTE_VIOMMU_MODEL_INTEL'];
    expect(request.rootTraits).toMatchObject([{ allOf: traits }]);
    expect(warnings).toMatchObject([{ code: 'IMAGE_PROPERTY_LEFT_OUT', subject: 'hw_disk_bus' }]);
  });

  test('need the project whose aggregates are used', () => {
    expect(refusalOf(() => ask({ prefilters: { projectAggregates: true } }))).toMatchObject([{ path: ['prefilters', 'project'] }]);
  });

  test('warn of a zone without an aggregate', () => {
    const { warnings } = ask({ prefilters: { availabilityZone: 'north' } });
    expect(warnings).toMatchObject([{ code: 'POLICY_WITHOUT_EFFECT', subject: 'availabilityZone' }]);
  });
});
