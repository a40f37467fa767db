// Translates features that a flavor or an image requests by name, such as a trusted platform module, to resource classes and traits: some are required of the
// providers that serve the instance, others of the root of its host. Refuses a flavor and an image that contradict each other.
import { customName } from '../pci/pci-names.ts';
import { agreedFlag, agreedWord, badFlavor, flavorValue, imageValue, isYes, type Properties } from '../terms/properties.ts';
import type { RequestDraft } from './request-draft.ts';

/** The trait of the processors, by model of encryption. */
const encryptionTraits = {
  'amd-sev': 'HW_CPU_X86_AMD_SEV',
  'amd-sev-es': 'HW_CPU_X86_AMD_SEV_ES',
  'amd-sev-snp': 'HW_CPU_X86_AMD_SEV_SNP',
} as const;

const soundModels = ['sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'];

/** Adds what the features of a flavor and its image require. Refuses INVALID_INPUT for contradictions and invalid values. */
export function addFeatures(draft: RequestDraft, properties: Properties): void {
  const isStateless = statelessFirmwareOf(draft, properties);
  addMemoryEncryption(draft, properties, isStateless);
  addPersistentMemory(draft, properties);
  addTrustedModule(draft, properties);
  addTrait(draft, properties, 'hw:pci_numa_affinity_policy', {
    required: '',
    preferred: '',
    legacy: '',
    socket: 'COMPUTE_SOCKET_PCI_NUMA_AFFINITY',
  });
  addTrait(draft, properties, 'os:secure_boot', { required: 'COMPUTE_SECURITY_UEFI_SECURE_BOOT', disabled: '', optional: '' });
  addTrait(draft, properties, 'hw:maxphysaddr_mode', {
    passthrough: 'COMPUTE_ADDRESS_SPACE_PASSTHROUGH',
    emulate: 'COMPUTE_ADDRESS_SPACE_EMULATED',
  });
  if (isStateless) draft.group('').required.add('COMPUTE_SECURITY_STATELESS_FIRMWARE');
  if (flavorValue(properties, 'accel:device_profile')) draft.rootRequired.add('COMPUTE_ACCELERATORS');
  if (agreedFlag(properties, 'hw:virtio_packed_ring')) draft.rootRequired.add('COMPUTE_NET_VIRTIO_PACKED');
  if (agreedWord(properties, 'hw:sound_model', soundModels) === 'virtio') draft.rootRequired.add('COMPUTE_SOUND_MODEL_VIRTIO');
  addEphemeralEncryption(draft, properties);
}

/** Adds the trait for the value that the flavor and the image agree on, if the value has one. */
function addTrait(draft: RequestDraft, properties: Properties, name: string, traits: Readonly<Record<string, string>>): void {
  const word = agreedWord(properties, name, Object.keys(traits));
  const trait = word && traits[word];
  if (trait) draft.group('').required.add(trait);
}

function statelessFirmwareOf(draft: RequestDraft, properties: Properties): boolean {
  const given = imageValue(properties, 'hw:firmware_stateless');
  if (given === undefined) return false;
  if (imageValue(properties, 'hw:firmware_type') === 'uefi') return isYes(given);
  warnIdle(draft, 'hw_firmware_stateless', 'hw_firmware_type uefi');
  return false;
}

function addMemoryEncryption(draft: RequestDraft, properties: Properties, isStateless: boolean): void {
  const isEncrypted = agreedFlag(properties, 'hw:mem_encryption');
  if (!isEncrypted) {
    if (flavorValue(properties, 'hw:mem_encryption_model')) warnIdle(draft, 'hw:mem_encryption_model', 'hw:mem_encryption');
    return;
  }
  const models = Object.keys(encryptionTraits) as (keyof typeof encryptionTraits)[];
  const model = agreedWord(properties, 'hw:mem_encryption_model', models) ?? 'amd-sev';
  const machine = imageValue(properties, 'hw:machine_type');
  if (!properties.isImageKnown) {
    const words = 'the image is unknown, so it was not checked for what encrypted memory needs: UEFI firmware and a q35 machine';
    draft.warn('EXTRA_SPEC_NOT_CHECKED', 'hw:mem_encryption', words);
  } else if (imageValue(properties, 'hw:firmware_type') !== 'uefi') {
    throw badFlavor('encrypted memory needs an image with hw_firmware_type uefi');
  }
  if (machine !== undefined && !machine.includes('q35')) throw badFlavor(`encrypted memory needs a q35 machine, the image has ${machine}`);
  if (model === 'amd-sev-snp' && properties.isImageKnown && !isStateless)
    throw badFlavor(`memory encryption ${model} needs an image with hw_firmware_stateless`);
  draft.group('').resources.set('MEM_ENCRYPTION_CONTEXT', 1);
  draft.group('').required.add(encryptionTraits[model]);
}

/** Labels become classes like other names: any character other than a letter or digit becomes _. */
function addPersistentMemory(draft: RequestDraft, properties: Properties): void {
  const labels = (flavorValue(properties, 'hw:pmem') ?? '').split(',').flatMap((word) => word.trim() || []);
  const amounts = new Map<string, number>();
  for (const label of labels) {
    const resourceClass = customName(`PMEM_NAMESPACE_${label}`);
    amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + 1);
  }
  for (const [resourceClass, amount] of amounts) draft.group('').resources.set(resourceClass, amount);
}

function addTrustedModule(draft: RequestDraft, properties: Properties): void {
  const version = agreedWord(properties, 'hw:tpm_version', ['1.2', '2.0']);
  const secrets = flavorValue(properties, 'hw:tpm_secret_security') || undefined;
  if (version === undefined) {
    for (const name of ['hw:tpm_model', 'hw:tpm_secret_security'])
      if (flavorValue(properties, name)) warnIdle(draft, name, 'hw:tpm_version');
    return;
  }
  const model = agreedWord(properties, 'hw:tpm_model', ['tpm-tis', 'tpm-crb']) ?? 'tpm-tis';
  if (model === 'tpm-crb' && version !== '2.0') throw badFlavor('hw:tpm_model tpm-crb needs hw:tpm_version 2.0');
  const keepers = ['user', 'host', 'deployment'];
  if (secrets !== undefined && !keepers.includes(secrets))
    throw badFlavor(`hw:tpm_secret_security must be one of ${keepers.join(', ')}, is ${secrets}`);
  draft.group('').required.add(model === 'tpm-crb' ? 'COMPUTE_SECURITY_TPM_CRB' : 'COMPUTE_SECURITY_TPM_TIS');
  draft.group('').required.add(version === '2.0' ? 'COMPUTE_SECURITY_TPM_2_0' : 'COMPUTE_SECURITY_TPM_1_2');
  draft.rootRequired.add(`COMPUTE_SECURITY_TPM_SECRET_SECURITY_${(secrets ?? 'user').toUpperCase()}`);
}

function addEphemeralEncryption(draft: RequestDraft, properties: Properties): void {
  const [name, formats] = ['hw:ephemeral_encryption_format', ['plain', 'luks', 'luksv2']] as const;
  if (!agreedFlag(properties, 'hw:ephemeral_encryption')) {
    // That of an image must be known, even if nothing is encrypted.
    const ofImage = agreedWord({ ...properties, flavor: {} }, name, formats);
    if (ofImage || flavorValue(properties, name)) warnIdle(draft, name, 'hw:ephemeral_encryption');
    return;
  }
  draft.rootRequired.add('COMPUTE_EPHEMERAL_ENCRYPTION');
  const format = agreedWord(properties, name, formats);
  if (format) draft.rootRequired.add(`COMPUTE_EPHEMERAL_ENCRYPTION_${format.toUpperCase()}`);
}

function warnIdle(draft: RequestDraft, name: string, needed: string): void {
  draft.warn('POLICY_WITHOUT_EFFECT', name, `${name} has no effect without ${needed}`);
}
