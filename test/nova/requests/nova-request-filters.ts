// The inputs and expectations of Nova's own unit tests of its pre-filters, as data: nova/tests/unit/scheduler/test_request_filter.py at commit 00a030403f67 of
// 2026-08-21, by the names of the tests there. A test with several cases has a row for each.
import type { Prefilters } from '../../../src/nova/flavors/prefilters.ts';
import type { SpecData } from './nova-request-spec.ts';

/** A RequestSpec, and the result of the filters: traits of the root, aggregates of the host, and the groups that only Nova's providers serve. */
export interface RequestFilterVector {
  /** The name of the test, without test_. */
  readonly origin: string;
  readonly spec: SpecData;
  readonly settings?: Prefilters;
  /** The lowest version of any compute. */
  readonly version?: number;
  readonly isRefused?: true;
  readonly rootRequired?: readonly string[];
  /** @ for alternatives of which one is required, !@ for forbidden ones. */
  readonly aggregates?: readonly string[];
  /** Suffixes; none if omitted. Nova requires its own trait of these groups; here a pool without an owner serves them too. */
  readonly owned?: readonly string[];
}

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
const [agg1, agg2, agg3, agg4] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const required = (...traits: string[]) => Object.fromEntries(traits.map((trait) => [`trait:${trait}`, 'required']));
const hostAggregates = (metadata: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  Object.entries(metadata).map(([aggregate, entries]) => ({
    aggregate,
    metadata: Object.entries(entries).map(([key, value]) => ({ key, value })),
  }));

const ofProject = { [agg1]: { filter_tenant_id: 'owner' }, [agg2]: { 'filter_tenant_id:12': 'owner' }, [agg3]: { other_key: 'owner' } };
const gpuAndNic = required('HW_GPU_API_DXVA', 'HW_NIC_DCB_ETS');
const licensed = required('CUSTOM_WINDOWS_LICENSED_TRAIT');
const licensedXyz = required('CUSTOM_WINDOWS_LICENSED_TRAIT', 'CUSTOM_XYZ_TRAIT');

const ofAggregates: RequestFilterVector[] = [
  { origin: 'require_tenant_aggregate_disabled', spec: { project: 'owner' }, settings: { hostAggregates: hostAggregates(ofProject) } },
  {
    origin: 'require_tenant_aggregate',
    spec: { project: 'owner' },
    settings: { projectAggregates: true, hostAggregates: hostAggregates(ofProject) },
    aggregates: [`@${agg1}|${agg2}`],
  },
  {
    origin: 'require_tenant_aggregate_no_match',
    spec: { project: 'owner' },
    settings: { projectAggregates: true, projectAggregateRequired: true, hostAggregates: [] },
    isRefused: true,
  },
  { origin: 'require_tenant_aggregate_no_match_not_required', spec: { project: 'owner' }, settings: { projectAggregates: true } },
  {
    // In Nova's test a stub decides which aggregates do not match, and returns one that does; here that one admits.
    origin: 'isolate_aggregates',
    spec: { extraSpecs: gpuAndNic, image: { traits_required: [] } },
    settings: {
      isolatedAggregates: true,
      hostAggregates: hostAggregates({ [agg1]: licensed, [agg2]: licensedXyz, [agg3]: {}, [agg4]: gpuAndNic }),
    },
    aggregates: [`!@${agg1}|${agg2}`],
  },
  {
    origin: 'isolate_aggregates_union',
    spec: {
      extraSpecs: required('HW_GPU_API_DXVA', 'CUSTOM_XYZ_TRAIT'),
      image: { traits_required: [] },
      destination: { forbidden_aggregates: [agg1] },
    },
    settings: { isolatedAggregates: true, hostAggregates: hostAggregates({ [agg2]: licensedXyz, [agg4]: gpuAndNic }) },
    aggregates: [`!@${agg1}`, `!@${agg2}|${agg4}`],
  },
  {
    origin: 'isolate_agg_trait_on_flavor_destination_not_set',
    spec: { extraSpecs: gpuAndNic, image: { traits_required: [] } },
    settings: { isolatedAggregates: true, hostAggregates: hostAggregates({ [agg4]: gpuAndNic }) },
  },
  {
    origin: 'isolate_agg_trait_on_flv_img_destination_not_set',
    spec: { extraSpecs: required('HW_GPU_API_DXVA'), image: { traits_required: ['HW_NIC_DCB_ETS'] } },
    settings: { isolatedAggregates: true, hostAggregates: hostAggregates({ [agg4]: gpuAndNic }) },
  },
  {
    origin: 'map_az',
    spec: { availabilityZone: 'fooaz' },
    settings: { hostAggregates: hostAggregates({ [agg1]: { availability_zone: 'fooaz' }, [agg2]: { availability_zone: 'other' } }) },
    aggregates: [`@${agg1}`],
  },
  {
    origin: 'map_az_no_hint',
    spec: { availabilityZone: null },
    settings: { hostAggregates: hostAggregates({ [agg1]: { availability_zone: 'fooaz' } }) },
  },
  { origin: 'map_az_no_aggregates', spec: { availabilityZone: 'fooaz' }, settings: { hostAggregates: [] } },
  {
    origin: 'with_tenant_and_az_and_traits',
    spec: { project: 'owner', availabilityZone: 'myaz', extraSpecs: gpuAndNic, image: { traits_required: [] } },
    settings: {
      projectAggregates: true,
      isolatedAggregates: true,
      hostAggregates: hostAggregates({
        [agg1]: { filter_tenant_id: 'owner', ...licensed },
        [agg2]: { 'filter_tenant_id:12': 'owner', ...licensedXyz },
        [agg3]: { other_key: 'owner', ...required('CUSTOM_XYZ_TRAIT') },
        [agg4]: { availability_zone: 'myaz' },
      }),
    },
    aggregates: [`@${agg1}|${agg2}`, `@${agg4}`, `!@${agg1}|${agg2}|${agg3}`],
  },
];

const devices = (architecture: string, emulated: string) => ({
  hw_disk_bus: 'sata',
  hw_cdrom_bus: 'ide',
  hw_video_model: 'qxl',
  hw_vif_model: 'virtio',
  hw_architecture: architecture,
  hw_emulation_architecture: emulated,
});
const deviceTraits = ['COMPUTE_GRAPHICS_MODEL_QXL', 'COMPUTE_NET_VIF_MODEL_VIRTIO', 'COMPUTE_STORAGE_BUS_IDE', 'COMPUTE_STORAGE_BUS_SATA'];

const ofImages: RequestFilterVector[] = [
  { origin: 'require_image_type_support_disabled', spec: { isBfv: false, diskFormat: 'raw' }, settings: { imageType: false } },
  { origin: 'require_image_type_support_volume_backed', spec: { isBfv: true, diskFormat: 'raw' }, settings: { imageType: true } },
  { origin: 'require_image_type_support_unknown', spec: { isBfv: false, diskFormat: 'danformat' }, settings: { imageType: true } },
  {
    origin: 'require_image_type_support_adds_trait',
    spec: { isBfv: false, diskFormat: 'raw' },
    settings: { imageType: true },
    rootRequired: ['COMPUTE_IMAGE_TYPE_RAW'],
  },
  {
    origin: 'transform_image_metadata_x86',
    spec: { image: devices('x86_64', 'aarch64') },
    settings: { imageMetadata: true },
    rootRequired: [...deviceTraits, 'HW_ARCH_X86_64', 'COMPUTE_ARCH_AARCH64'],
  },
  {
    origin: 'transform_image_metadata_aarch64',
    spec: { image: devices('aarch64', 'x86_64') },
    settings: { imageMetadata: true },
    rootRequired: [...deviceTraits, 'HW_ARCH_AARCH64', 'COMPUTE_ARCH_X86_64'],
  },
  { origin: 'transform_image_metadata__disabled', spec: { image: devices('x86_64', 'aarch64') }, settings: { imageMetadata: false } },
];

const encryption = 'COMPUTE_EPHEMERAL_ENCRYPTION';
const tpm = { 'hw:tpm_model': 'tpm-tis', 'hw:tpm_version': '1.2' };

const ofFeatures: RequestFilterVector[] = [
  { origin: 'compute_status_filter', spec: { extraSpecs: {} } },
  {
    origin: 'accelerators_filter_with_device_profile',
    spec: { extraSpecs: { 'accel:device_profile': 'mydp' } },
    rootRequired: ['COMPUTE_ACCELERATORS'],
  },
  { origin: 'accelerators_filter_no_device_profile', spec: { extraSpecs: {} } },
  {
    origin: 'virtio_filter_with_packed_ring_in_flavor',
    spec: { extraSpecs: { 'hw:virtio_packed_ring': 'true' }, image: {} },
    rootRequired: ['COMPUTE_NET_VIRTIO_PACKED'],
  },
  {
    origin: 'virtio_filter_with_packed_ring_in_image',
    spec: { extraSpecs: {}, image: { hw_virtio_packed_ring: true } },
    rootRequired: ['COMPUTE_NET_VIRTIO_PACKED'],
  },
  { origin: 'ephemeral_encryption_filter_no_encryption', spec: { extraSpecs: {}, image: {} } },
  { origin: 'ephemeral_encryption_filter_encryption_disabled', spec: { image: { hw_ephemeral_encryption: false } } },
  { origin: 'ephemeral_encryption_filter_encryption_disabled', spec: { extraSpecs: { 'hw:ephemeral_encryption': 'False' }, image: {} } },
  {
    origin: 'ephemeral_encryption_filter_encryption_no_format',
    spec: { extraSpecs: { 'hw:ephemeral_encryption': 'True' }, image: {} },
    rootRequired: [encryption],
  },
  {
    origin: 'ephemeral_encryption_filter_encryption_and_format',
    spec: { extraSpecs: { 'hw:ephemeral_encryption': 'True', 'hw:ephemeral_encryption_format': 'luks' }, image: {} },
    rootRequired: [encryption, `${encryption}_LUKS`],
  },
  {
    origin: 'virtio_sound_filter',
    spec: { extraSpecs: { 'hw:sound_model': 'virtio' }, image: {} },
    rootRequired: ['COMPUTE_SOUND_MODEL_VIRTIO'],
  },
  ...['user', 'host', 'deployment'].flatMap((keeper) => {
    const secret = { 'hw:tpm_secret_security': keeper };
    const rootRequired = [`COMPUTE_SECURITY_TPM_SECRET_SECURITY_${keeper.toUpperCase()}`];
    return [
      { origin: 'tpm_secret_security_filter', spec: { extraSpecs: { ...tpm, ...secret }, image: {} }, rootRequired },
      {
        origin: 'tpm_secret_security_filter',
        spec: { extraSpecs: secret, image: { hw_tpm_model: 'tpm-tis', hw_tpm_version: '1.2' } },
        rootRequired,
      },
    ];
  }),
  { origin: 'tpm_secret_security_filter_skip', spec: { extraSpecs: {}, image: {} } },
  {
    origin: 'tpm_secret_security_filter_fail',
    spec: { extraSpecs: { ...tpm, 'hw:tpm_secret_security': 'bogus' }, image: {} },
    isRefused: true,
  },
];

const [req1, req2, port, profile] = [uuid(5), uuid(6), uuid(7), uuid(8)];
const first = { requester: `${req1}-0`, resources: { CUSTOM_PCI_1234_ABCD: 1 } };
const second = { requester: `${req2}-0`, resources: { CUSTOM_PCI_5678_EFGH: 1 } };
const pciRequests = [{ id: req1, alias: 'a1' }];

const ofOwners: RequestFilterVector[] = [
  { origin: 'owner_nova_filter_adds_trait', spec: {}, version: 73, rootRequired: ['OWNER_NOVA'], owned: [''] },
  { origin: 'owner_nova_filter_skips_when_not_upgraded', spec: {}, version: 72 },
  {
    origin: 'owner_nova_filter_preserves_existing_traits',
    spec: { rootRequired: ['CUSTOM_TRAIT_FOO'] },
    version: 73,
    rootRequired: ['CUSTOM_TRAIT_FOO', 'OWNER_NOVA'],
    owned: [''],
  },
  { origin: 'owner_nova_filter_above_min_version', spec: {}, version: 78, rootRequired: ['OWNER_NOVA'], owned: [''] },
  {
    origin: 'owner_nova_filter_skips_version_check_if_present',
    spec: { rootRequired: ['OWNER_NOVA'] },
    version: 1,
    rootRequired: ['OWNER_NOVA'],
    owned: [''],
  },
  {
    origin: 'owner_nova_filter_adds_trait_to_pci_groups',
    spec: { pciRequests: [...pciRequests, { id: req2, alias: 'a2' }], requested: [{ ...first, required: ['CUSTOM_FOO'] }, second] },
    version: 73,
    rootRequired: ['OWNER_NOVA'],
    owned: ['', `${req1}-0`, `${req2}-0`],
  },
  {
    origin: 'owner_nova_filter_skips_non_pci_groups',
    spec: {
      pciRequests,
      requested: [
        first,
        { requester: port, resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 } },
        { requester: profile, resources: { FPGA: 1 } },
      ],
    },
    version: 73,
    rootRequired: ['OWNER_NOVA'],
    owned: ['', `${req1}-0`],
  },
  { origin: 'owner_nova_filter_skips_pci_when_not_upgraded', spec: { pciRequests, requested: [first] }, version: 72 },
  {
    origin: 'get_pci_request_ids_excludes_neutron_port_requests',
    spec: { pciRequests: [...pciRequests, { id: req2, alias: null }], requested: [first, second] },
    version: 73,
    rootRequired: ['OWNER_NOVA'],
    owned: ['', `${req1}-0`],
  },
];

export const requestFilterVectors = [...ofAggregates, ...ofImages, ...ofFeatures, ...ofOwners];
