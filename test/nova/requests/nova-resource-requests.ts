// The inputs and expectations of Nova's own unit tests of ResourceRequest, as data: nova/tests/unit/scheduler/test_utils.py at commit 00a030403f67 of
// 2026-08-21, by the names of the tests there. A test with several cases has a row for each.

import type { SpecData } from './nova-request-spec.ts';

/** A RequestSpec, and the groups that Nova makes of it, by suffix: amounts, and traits that are required (+) and forbidden (-). */
export interface ResourceRequestVector extends SpecData {
  /** The name of the test, without test_. */
  readonly origin: string;
  /** Whether this is Nova's second request, made if all processors are pinned. */
  readonly isFallback?: boolean;
  /** Aggregates with @ for alternatives of which one is required, and !@ for forbidden ones. Null if Nova refuses. */
  readonly groups: Readonly<Record<string, string>> | null;
  readonly policy?: 'NONE' | 'ISOLATE';
  readonly sameSubtree?: readonly (readonly string[])[];
  /** How the expectation differs from Nova's, and why. */
  readonly differs?: string;
}

const sizes = [1, 1024, 10, 5, 0] as const;
const plain = 'VCPU:1 MEMORY_MB:1024 DISK_GB:15';
const four = [4, 1024, 10, 5, 0] as const;
const [no, yes]: [readonly string[], readonly string[]] = [
  ['0', 'false', 'False'],
  ['1', 'true', 'True'],
];
const firmware = { hw_machine_type: 'q35', hw_firmware_type: 'uefi' };
const models = ['amd-sev', 'amd-sev-es', 'amd-sev-snp'];
const port1 = '4e2f5b6c-0a51-4bd1-8b3f-0c3a4f2c9d01';
const port2 = '4e2f5b6c-0a51-4bd1-8b3f-0c3a4f2c9d02';

/** The additions of encrypted memory. */
const encrypted = (model = 'amd-sev') =>
  `${plain} MEM_ENCRYPTION_CONTEXT:1 +HW_CPU_X86_${model.toUpperCase().replaceAll('-', '_')}${
    model === 'amd-sev-snp' ? ' +COMPUTE_SECURITY_STATELESS_FIRMWARE' : ''
  }`;
const firmwareFor = (model: string) => ({ ...firmware, ...(model === 'amd-sev-snp' ? { hw_firmware_stateless: 'true' } : {}) });

const ofProcessors: ResourceRequestVector[] = [
  ...[false, true].map((isFallback) => ({
    origin: isFallback
      ? 'resource_request_from_rs_with_legacy_extra_specs_no_translate'
      : 'resource_request_from_request_spec_with_legacy_extra_specs',
    sizes,
    extraSpecs: { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'isolate', 'hw:emulator_threads_policy': 'isolate' },
    isFallback,
    groups: { '': isFallback ? plain : 'PCPU:2 MEMORY_MB:1024 DISK_GB:15 -HW_CPU_HYPERTHREADING' },
  })),
  ...[false, true].map((isFallback) => ({
    origin: isFallback
      ? 'resource_request_from_rs_with_legacy_image_props_no_translate'
      : 'resource_request_from_request_spec_with_legacy_image_props',
    sizes,
    image: { hw_cpu_policy: 'dedicated', hw_cpu_thread_policy: 'require' },
    isFallback,
    groups: { '': isFallback ? plain : 'PCPU:1 MEMORY_MB:1024 DISK_GB:15 +HW_CPU_HYPERTHREADING' },
  })),
  {
    origin: 'resource_request_from_request_spec_with_mixed_cpus_dedicated',
    sizes: four,
    extraSpecs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2,3' },
    groups: { '': 'PCPU:2 VCPU:2 MEMORY_MB:1024 DISK_GB:15' },
  },
  {
    origin: 'resource_request_from_request_spec_with_mixed_cpus_realtime',
    sizes: four,
    extraSpecs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '2,3' },
    groups: { '': 'PCPU:2 VCPU:2 MEMORY_MB:1024 DISK_GB:15' },
  },
  {
    origin: 'resource_request_from_rswith_mixed_cpus_iso_emu_realtime',
    sizes: four,
    extraSpecs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2,3', 'hw:emulator_threads_policy': 'isolate' },
    groups: { '': 'PCPU:3 VCPU:2 MEMORY_MB:1024 DISK_GB:15' },
  },
  {
    origin: 'resource_request_from_rs_with_mixed_cpus_iso_emu_dedicated',
    sizes: four,
    extraSpecs: {
      'hw:cpu_policy': 'mixed',
      'hw:cpu_realtime': 'yes',
      'hw:cpu_realtime_mask': '2,3',
      'hw:emulator_threads_policy': 'isolate',
    },
    groups: { '': 'PCPU:3 VCPU:2 MEMORY_MB:1024 DISK_GB:15' },
  },
];

const ofFeatures: ResourceRequestVector[] = [
  {
    origin: 'resource_request_from_request_spec_with_vpmems',
    sizes,
    extraSpecs: { 'hw:pmem': '4GB, 4GB,SMALL' },
    groups: { '': `${plain} CUSTOM_PMEM_NAMESPACE_4GB:2 CUSTOM_PMEM_NAMESPACE_SMALL:1` },
  },
  {
    origin: 'resource_request_from_request_spec_with_pci_numa_policy',
    sizes,
    extraSpecs: { 'hw:pci_numa_affinity_policy': 'socket' },
    groups: { '': `${plain} +COMPUTE_SOCKET_PCI_NUMA_AFFINITY` },
  },
  {
    origin: 'resource_request_from_request_spec_with_stateless_firmware',
    sizes,
    image: { hw_firmware_type: 'uefi', hw_firmware_stateless: true },
    groups: { '': `${plain} +COMPUTE_SECURITY_STATELESS_FIRMWARE` },
  },
  {
    origin: 'resource_request_from_request_spec_with_secure_boot',
    sizes,
    extraSpecs: { 'os:secure_boot': 'required' },
    groups: { '': `${plain} +COMPUTE_SECURITY_UEFI_SECURE_BOOT` },
  },
  {
    origin: 'resource_request_from_request_spec_with_vtpm_version_only',
    sizes,
    extraSpecs: { 'hw:tpm_version': '1.2' },
    image: { hw_tpm_version: '1.2' },
    groups: { '': `${plain} +COMPUTE_SECURITY_TPM_1_2 +COMPUTE_SECURITY_TPM_TIS` },
  },
  {
    origin: 'resource_request_from_request_spec_with_vtpm_1_2',
    sizes,
    extraSpecs: { 'hw:tpm_version': '1.2', 'hw:tpm_model': 'tpm-tis' },
    image: { hw_tpm_version: '1.2', hw_tpm_model: 'tpm-tis' },
    groups: { '': `${plain} +COMPUTE_SECURITY_TPM_1_2 +COMPUTE_SECURITY_TPM_TIS` },
  },
  {
    origin: 'resource_request_from_request_spec_with_vtpm_2_0',
    sizes,
    extraSpecs: { 'hw:tpm_version': '2.0', 'hw:tpm_model': 'tpm-crb' },
    image: { hw_tpm_version: '2.0', hw_tpm_model: 'tpm-crb' },
    groups: { '': `${plain} +COMPUTE_SECURITY_TPM_2_0 +COMPUTE_SECURITY_TPM_CRB` },
  },
  {
    origin: 'resource_request_from_request_spec_with_maxphysaddr_passthrough',
    sizes,
    extraSpecs: { 'hw:maxphysaddr_mode': 'passthrough' },
    groups: { '': `${plain} +COMPUTE_ADDRESS_SPACE_PASSTHROUGH` },
  },
  {
    origin: 'resource_request_from_request_spec_with_maxphysaddr_emulate',
    sizes,
    extraSpecs: { 'hw:maxphysaddr_mode': 'emulate', hw_maxphysaddr_bits: '42' },
    groups: { '': `${plain} +COMPUTE_ADDRESS_SPACE_EMULATED` },
  },
];

const ofEncryptedMemory: ResourceRequestVector[] = [
  { origin: 'encrypted_memory_support_empty_extra_specs', sizes, extraSpecs: {}, groups: { '': plain } },
  ...no.map((answer) => ({
    origin: 'encrypted_memory_support_false_extra_spec',
    sizes,
    extraSpecs: { 'hw:mem_encryption': answer },
    groups: { '': plain },
  })),
  { origin: 'encrypted_memory_support_empty_image_props', sizes, image: {}, groups: { '': plain } },
  ...no.map((answer) => ({
    origin: 'encrypted_memory_support_false_image_prop',
    sizes,
    image: { hw_mem_encryption: answer },
    groups: { '': plain },
  })),
  ...pairs(no, no, 'encrypted_memory_support_both_false', { '': plain }),
  ...pairs(yes, no, 'encrypted_memory_support_conflict1', null),
  ...pairs(no, yes, 'encrypted_memory_support_conflict2', null),
  ...yes.map((answer) => ({
    origin: 'encrypted_memory_support_extra_spec',
    sizes,
    extraSpecs: { 'hw:mem_encryption': answer },
    image: firmware,
    groups: { '': encrypted() },
  })),
  ...yes.map((answer) => ({
    origin: 'encrypted_memory_support_image_prop',
    sizes,
    image: { ...firmware, hw_mem_encryption: answer },
    groups: { '': encrypted() },
  })),
  ...pairs(yes, yes, 'encrypted_memory_support_both_required', { '': encrypted() }, firmware),
  ...models.flatMap((model) => {
    const ofFlavor = { 'hw:mem_encryption': 'true', 'hw:mem_encryption_model': model };
    const ofImage = { ...firmwareFor(model), hw_mem_encryption: 'true', hw_mem_encryption_model: model };
    const groups = { '': encrypted(model) };
    return [
      { origin: 'encrypted_memory_model_extra_spec', sizes, extraSpecs: ofFlavor, image: firmwareFor(model), groups },
      { origin: 'encrypted_memory_model_image_prop', sizes, image: ofImage, groups },
      { origin: 'encrypted_memory_model_both_required', sizes, extraSpecs: ofFlavor, image: ofImage, groups },
    ];
  }),
  ...models.flatMap((ofFlavor) =>
    models
      .filter((ofImage) => ofImage !== ofFlavor)
      .map((ofImage) => ({
        origin: 'encrypted_memory_model_conflict_1',
        sizes,
        extraSpecs: { 'hw:mem_encryption': 'true', 'hw:mem_encryption_model': ofFlavor },
        image: { ...firmware, hw_mem_encryption: 'true', hw_mem_encryption_model: ofImage },
        groups: null,
      })),
  ),
  {
    origin: 'encrypted_memory_model_snp_but_stateful',
    sizes,
    image: { ...firmware, hw_mem_encryption: 'true', hw_mem_encryption_model: 'amd-sev-snp' },
    groups: null,
  },
  {
    origin: 'encrypted_memory_model_snp_but_stateful',
    sizes,
    extraSpecs: { 'hw:mem_encryption': 'true', 'hw:mem_encryption_model': 'amd-sev-snp' },
    image: firmware,
    groups: null,
  },
];

/** Every value of the image with every value of the flavor. */
function pairs(
  ofImages: readonly string[],
  ofFlavors: readonly string[],
  origin: string,
  groups: ResourceRequestVector['groups'],
  others: Readonly<Record<string, string>> = {},
): ResourceRequestVector[] {
  return ofImages.flatMap((image) =>
    ofFlavors.map((flavor) => ({
      origin,
      sizes,
      extraSpecs: { 'hw:mem_encryption': flavor },
      image: { ...others, hw_mem_encryption: image },
      groups,
    })),
  );
}

const bandwidth = (amount: number, traits: readonly string[]) => ({
  resources: { NET_BW_IGR_KILOBIT_PER_SEC: amount, NET_BW_EGR_KILOBIT_PER_SEC: amount },
  required: traits,
});
const onPort1 = { requester: port1, ...bandwidth(1000, ['CUSTOM_PHYSNET_2', 'CUSTOM_VNIC_TYPE_NORMAL']) };
const onPort2 = { requester: port2, ...bandwidth(2000, ['CUSTOM_PHYSNET_3', 'CUSTOM_VNIC_TYPE_DIRECT']) };
const asPort1 = 'NET_BW_IGR_KILOBIT_PER_SEC:1000 NET_BW_EGR_KILOBIT_PER_SEC:1000 +CUSTOM_PHYSNET_2 +CUSTOM_VNIC_TYPE_NORMAL';
const asPort2 = 'NET_BW_IGR_KILOBIT_PER_SEC:2000 NET_BW_EGR_KILOBIT_PER_SEC:2000 +CUSTOM_PHYSNET_3 +CUSTOM_VNIC_TYPE_DIRECT';

const ofPolicies: ResourceRequestVector[] = [
  {
    origin: 'one_group_from_flavor_dont_warn',
    sizes,
    extraSpecs: { 'resources1:CUSTOM_BAR': '2' },
    image: {},
    groups: { '': plain, 1: 'CUSTOM_BAR:2' },
  },
  { origin: 'one_group_from_port_dont_warn', sizes, image: {}, requested: [onPort1], groups: { '': plain, [port1]: asPort1 } },
  {
    origin: 'one_group_from_flavor_one_from_port_policy_defaulted',
    sizes,
    extraSpecs: { 'resources1:CUSTOM_BAR': '2' },
    image: {},
    requested: [onPort1],
    groups: { '': plain, 1: 'CUSTOM_BAR:2', [port1]: asPort1 },
    policy: 'NONE',
  },
  {
    origin: 'two_groups_from_ports_policy_defaulted',
    sizes,
    image: {},
    requested: [onPort1, onPort2],
    groups: { '': plain, [port1]: asPort1, [port2]: asPort2 },
    policy: 'NONE',
  },
  {
    origin: 'two_groups_from_flavor_only_warns',
    sizes,
    extraSpecs: { 'resources1:CUSTOM_BAR': '2', 'resources2:CUSTOM_FOO': '1' },
    image: {},
    groups: { '': plain, 1: 'CUSTOM_BAR:2', 2: 'CUSTOM_FOO:1' },
    policy: 'NONE',
    differs: 'Nova sends no policy, which Placement refuses; here the groups may share, with a warning',
  },
];

/** The tests of features, processors and policies; others are in nova-flavor-requests.ts. */
export const resourceRequestVectors = [...ofProcessors, ...ofFeatures, ...ofEncryptedMemory, ...ofPolicies];
