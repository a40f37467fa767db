// More expectations of Nova's unit tests of ResourceRequest: sizes, amounts and traits of flavors, destinations, and groups requested by other services.
// From the same file and commit as nova-resource-requests.ts.
import type { ResourceRequestVector } from './nova-resource-requests.ts';

const sizes = [1, 1024, 10, 5, 0] as const;
const plain = 'VCPU:1 MEMORY_MB:1024 DISK_GB:15';
const hosted = [1, 1024, 15, 0, 0] as const;
const swapped = [1, 1024, 10, 5, 1024] as const;
const small = [1, 1024, 1, 0, 0] as const;
const smallGroup = 'VCPU:1 MEMORY_MB:1024 DISK_GB:1';
const aggregate = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const ofSizes: ResourceRequestVector[] = [
  { origin: 'process_no_force_hosts_or_force_nodes', sizes: hosted, groups: { '': plain } },
  { origin: 'resources_from_request_spec_flavor_only', sizes, groups: { '': plain } },
  { origin: 'resource_request_from_request_spec', sizes, isBfv: false, groups: { '': plain } },
  { origin: 'resources_from_request_spec_with_no_disk', sizes: [1, 1024, 0, 0, 0], groups: { '': 'VCPU:1 MEMORY_MB:1024' } },
  { origin: 'process_extra_specs_granular_not_called', sizes, groups: { '': plain } },
  {
    origin: 'resources_from_flavor_no_bfv',
    sizes: swapped,
    extraSpecs: {},
    isBfv: false,
    groups: { '': 'VCPU:1 MEMORY_MB:1024 DISK_GB:16' },
  },
  { origin: 'resources_from_flavor_bfv', sizes: swapped, extraSpecs: {}, isBfv: true, groups: { '': 'VCPU:1 MEMORY_MB:1024 DISK_GB:6' } },
  {
    origin: 'resource_request_from_request_spec_is_bfv',
    sizes: [1, 1024, 10, 5, 1555],
    isBfv: true,
    groups: { '': 'VCPU:1 MEMORY_MB:1024 DISK_GB:7' },
  },
];

const ofTraits: ResourceRequestVector[] = [
  {
    origin: 'resources_from_request_spec_flavor_req_traits',
    sizes,
    extraSpecs: { 'trait:CUSTOM_FLAVOR_TRAIT': 'required' },
    groups: { '': `${plain} +CUSTOM_FLAVOR_TRAIT` },
  },
  {
    origin: 'resources_from_request_spec_flavor_and_image_traits',
    sizes,
    extraSpecs: { 'trait:CUSTOM_FLAVOR_TRAIT': 'required', 'trait:CUSTOM_IMAGE_TRAIT2': 'required' },
    image: { traits_required: ['CUSTOM_IMAGE_TRAIT1', 'CUSTOM_IMAGE_TRAIT2'] },
    groups: { '': `${plain} +CUSTOM_IMAGE_TRAIT1 +CUSTOM_IMAGE_TRAIT2 +CUSTOM_FLAVOR_TRAIT` },
  },
  {
    origin: 'resources_from_request_spec_flavor_forbidden_trait',
    sizes,
    extraSpecs: { 'trait:CUSTOM_FLAVOR_TRAIT': 'forbidden' },
    groups: { '': `${plain} -CUSTOM_FLAVOR_TRAIT` },
  },
  {
    origin: 'all_required_traits',
    sizes,
    extraSpecs: { 'trait:HW_CPU_X86_SSE': 'required', 'trait:HW_CPU_X86_AVX': 'required', 'trait:HW_CPU_X86_AVX2': 'forbidden' },
    groups: { '': `${plain} +HW_CPU_X86_SSE +HW_CPU_X86_AVX -HW_CPU_X86_AVX2` },
  },
  {
    origin: 'resource_request_from_request_spec_with_image_props',
    sizes,
    image: { traits_required: ['CUSTOM_TRUSTED'] },
    groups: { '': `${plain} +CUSTOM_TRUSTED` },
  },
];

const ofAmounts: ResourceRequestVector[] = [
  ...['get_resources_from_request_spec_custom_resource_class', 'process_extra_specs_granular_called'].map((origin) => ({
    origin,
    sizes,
    extraSpecs: { 'resources:CUSTOM_TEST_CLASS': '1' },
    groups: { '': `${plain} CUSTOM_TEST_CLASS:1` },
  })),
  { origin: 'process_missing_extra_specs_value', sizes, extraSpecs: { 'resources:CUSTOM_TEST_CLASS': '' }, groups: { '': plain } },
  {
    origin: 'get_resources_from_request_spec_bad_std_resource_class',
    sizes,
    extraSpecs: { 'resources:DOESNT_EXIST': '0' },
    groups: { '': plain },
  },
  {
    origin: 'get_resources_from_request_spec_override_flavor_amounts',
    sizes,
    extraSpecs: { 'resources:VCPU': '99', 'resources:MEMORY_MB': '99', 'resources:DISK_GB': '99' },
    groups: { '': 'VCPU:99 MEMORY_MB:99 DISK_GB:99' },
  },
  {
    origin: 'get_resources_from_request_spec_remove_flavor_amounts',
    sizes,
    extraSpecs: { 'resources:VCPU': '0', 'resources:DISK_GB': '0' },
    groups: { '': 'MEMORY_MB:1024' },
  },
  {
    origin: 'get_resources_from_request_spec_vgpu',
    sizes: [1, 1024, 10, 0, 0],
    extraSpecs: { 'resources:VGPU': '1', 'resources:VGPU_DISPLAY_HEAD': '1' },
    groups: { '': 'VCPU:1 MEMORY_MB:1024 DISK_GB:10 VGPU:1 VGPU_DISPLAY_HEAD:1' },
  },
  {
    origin: 'get_resources_from_request_spec_granular',
    sizes: [1, 1024, 10, 0, 0],
    extraSpecs: {
      'resources1:VGPU': '1',
      'resources1:VGPU_DISPLAY_HEAD': '2',
      'resources3:VCPU': '2',
      'resources42:SRIOV_NET_VF': '1',
      'resources24:SRIOV_NET_VF': '2',
      'some:bogus': 'value',
      'resources:CUSTOM_THING': '123',
      'trait3:CUSTOM_SILVER': 'required',
      'trait3:CUSTOM_GOLD': 'required',
      'resources86:MEMORY_MB': '0',
      'resources:IPV4_ADDRESS': '0',
      'resources:CUSTOM_FOO': '0',
      'resources1:MEMORY_MB': 'bogus',
      group_policy: 'none',
    },
    groups: {
      '': 'DISK_GB:10 CUSTOM_THING:123',
      1: 'VGPU:1 VGPU_DISPLAY_HEAD:2',
      3: 'VCPU:2 +CUSTOM_GOLD +CUSTOM_SILVER',
      24: 'SRIOV_NET_VF:2',
      42: 'SRIOV_NET_VF:1',
    },
    policy: 'NONE',
  },
  {
    // Nova sums the groups, which are checked one by one here.
    origin: 'resources_from_flavor_with_override',
    sizes: swapped,
    extraSpecs: {
      'resources:VCPU': '2',
      'resources42:SRIOV_NET_VF': '1',
      'resources24:SRIOV_NET_VF': '2',
      'some:bogus': 'value',
      'resources:CUSTOM_THING': '123',
      'trait:CUSTOM_GOLD': 'required',
      'resources86:MEMORY_MB': '0',
      'resources:IPV4_ADDRESS': '0',
      'resources:CUSTOM_FOO': '0',
      group_policy: 'none',
    },
    isBfv: false,
    groups: { '': 'VCPU:2 DISK_GB:16 CUSTOM_THING:123 +CUSTOM_GOLD', 24: 'SRIOV_NET_VF:2', 42: 'SRIOV_NET_VF:1' },
    policy: 'NONE',
  },
  {
    origin: 'resource_request_from_request_spec_with_extra_specs',
    sizes,
    extraSpecs: {
      'resources:VCPU': '2',
      'resources:MEMORY_MB': '2048',
      'trait:HW_CPU_X86_AVX': 'required',
      nocolons: '42',
      'trait:CUSTOM_MAGIC': 'required',
      'trait:CUSTOM_BRONZE': 'forbidden',
      'resources86:CUTSOM_MISSPELLED': '86',
      'resources1:SRIOV_NET_VF': '1',
      'resources86:CUSTOM_FOO': 'seven',
      'resources86:CUSTOM_NEGATIVE': '-7',
      'resources1:IPV4_ADDRESS': '1',
      'trait86:CUSTOM_GOLD': 'preferred',
      'trait1:CUSTOM_PHYSNET_NET1': 'required',
      'trait1:CUSTOM_PHYSNET_NET2': 'forbidden',
      'resources2:SRIOV_NET_VF': '1',
      'resources2:IPV4_ADDRESS': '2',
      'trait2:CUSTOM_PHYSNET_NET2': 'required',
      'trait2:HW_NIC_ACCEL_SSL': 'required',
      'resources_*5:SRIOV_NET_VF': '7',
      'traitFoo$:HW_NIC_ACCEL_SSL': 'required',
      'resources3:DISK_GB': '5',
      group_policy: 'isolate',
    },
    isBfv: false,
    groups: {
      '': 'VCPU:2 MEMORY_MB:2048 +HW_CPU_X86_AVX +CUSTOM_MAGIC -CUSTOM_BRONZE',
      1: 'SRIOV_NET_VF:1 IPV4_ADDRESS:1 +CUSTOM_PHYSNET_NET1 -CUSTOM_PHYSNET_NET2',
      2: 'SRIOV_NET_VF:1 IPV4_ADDRESS:2 +CUSTOM_PHYSNET_NET2 +HW_NIC_ACCEL_SSL',
      3: 'DISK_GB:5',
    },
    policy: 'ISOLATE',
  },
];

const foo = { requester: 'The-first-group', resources: { CUSTOM_FOO: 1 } };
const bar = { required: ['CUSTOM_BAR'] };
const havingRequestedResources = 'resources_from_request_spec_having_requested_resources';

const ofOthers: ResourceRequestVector[] = [
  { origin: havingRequestedResources, sizes, requested: [foo, { ...bar, requester: null }], groups: null },
  { origin: havingRequestedResources, sizes, requested: [foo, { ...bar, requester: 'The-first-group' }], groups: null },
  {
    origin: havingRequestedResources,
    sizes,
    requested: [foo, { ...bar, requester: 'The-second-group' }],
    groups: { '': plain, 'The-first-group': 'CUSTOM_FOO:1', 'The-second-group': '+CUSTOM_BAR' },
    policy: 'NONE',
  },
  { origin: 'resources_from_request_spec_requested_resources_unfilled', sizes, groups: { '': plain } },
  { origin: 'resources_from_request_spec_requested_resources_unfilled', sizes, requested: [], groups: { '': plain } },
  {
    origin: 'resource_request_add_group_inserts_the_group',
    sizes,
    isBfv: false,
    requested: [
      { requester: 'foo', required: ['CUSTOM_FOO'] },
      { requester: 'bar', forbidden: ['CUSTOM_BAR'] },
    ],
    groups: { '': plain, foo: '+CUSTOM_FOO', bar: '-CUSTOM_BAR' },
    policy: 'NONE',
  },
  { origin: 'empty_groups_forbidden', sizes, isBfv: false, requested: [{ requester: 'foo' }], groups: null },
  {
    origin: 'resources_from_request_spec_with_same_subtree',
    sizes: hosted,
    sameSubtree: [
      ['group1', 'group2'],
      ['group3', 'group4'],
    ],
    groups: { '': plain },
  },
  ...[
    { group: ['fake'] },
    { same_host: ['fake'], 'fake-hint': ['fake-value'] },
    { same_host: ['server1'], different_host: ['server2'] },
  ].map((hints) => ({ origin: 'resources_from_request_spec_no_limit_based_on_hint', sizes: hosted, hints, groups: { '': plain } })),
];

const [one, two, three] = [aggregate(1), aggregate(2), aggregate(3)];
const nowhere = [undefined, null, {}];

const ofAggregates: ResourceRequestVector[] = [
  {
    origin: 'resources_from_request_spec_aggregates',
    sizes: small,
    destination: { aggregates: [`${one},${two}`] },
    groups: { '': `${smallGroup} @${one}|${two}` },
  },
  {
    origin: 'resources_from_request_spec_aggregates',
    sizes: small,
    destination: { aggregates: [`${one},${two}`, three] },
    groups: { '': `${smallGroup} @${one}|${two} @${three}` },
  },
  {
    origin: 'resources_from_request_spec_forbidden_aggregates',
    sizes: small,
    destination: { forbidden_aggregates: [one, two] },
    groups: { '': `${smallGroup} !@${one}|${two}` },
  },
  ...[...nowhere, { aggregates: null }].map((destination) => ({
    origin: 'resources_from_request_spec_no_aggregates',
    sizes: small,
    destination,
    groups: { '': smallGroup },
  })),
  ...[...nowhere, { forbidden_aggregates: null }].map((destination) => ({
    origin: 'resources_from_request_spec_no_forbidden_aggregates',
    sizes: small,
    destination,
    groups: { '': smallGroup },
  })),
];

export const flavorRequestVectors = [...ofSizes, ...ofTraits, ...ofAmounts, ...ofOthers, ...ofAggregates];
