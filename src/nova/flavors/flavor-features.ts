// Special features that a flavor or an image requests by name, such as a trusted platform module, as resource classes and traits.
import { flavorOrImageValue, flavorValue, imageValue, isYes, type Properties } from './properties.ts';

export interface FeatureDemand {
  /** By class. */
  readonly resources: ReadonlyMap<string, number>;
  readonly traits: readonly string[];
}

/** For each feature, the values that need a trait; other values need none. */
const traitsOfFeatures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'hw:tpm_version': { '1.2': 'COMPUTE_SECURITY_TPM_1_2', '2.0': 'COMPUTE_SECURITY_TPM_2_0' },
  'hw:tpm_model': { 'tpm-tis': 'COMPUTE_SECURITY_TPM_TIS', 'tpm-crb': 'COMPUTE_SECURITY_TPM_CRB' },
  'os:secure_boot': { required: 'COMPUTE_SECURITY_UEFI_SECURE_BOOT' },
  'hw:maxphysaddr_mode': { passthrough: 'COMPUTE_ADDRESS_SPACE_PASSTHROUGH', emulate: 'COMPUTE_ADDRESS_SPACE_EMULATED' },
  'hw:viommu_model': {
    auto: 'COMPUTE_VIOMMU_MODEL_AUTO',
    intel: 'COMPUTE_VIOMMU_MODEL_INTEL',
    smmuv3: 'COMPUTE_VIOMMU_MODEL_SMMUV3',
    virtio: 'COMPUTE_VIOMMU_MODEL_VIRTIO',
  },
};

/** The resources and traits that the features of a flavor and its image require. The flavor takes precedence over the image. */
export function featuresOf(properties: Properties): FeatureDemand {
  const resources = new Map<string, number>();
  if (isYes(flavorOrImageValue(properties, 'hw:mem_encryption'))) resources.set('MEM_ENCRYPTION_CONTEXT', 1);
  for (const label of splitWords(flavorValue(properties, 'hw:pmem'))) {
    const namespace = `CUSTOM_PMEM_NAMESPACE_${label.toUpperCase()}`;
    resources.set(namespace, (resources.get(namespace) ?? 0) + 1);
  }
  const traits = Object.entries(traitsOfFeatures).flatMap(([name, byValue]) => {
    const value = flavorOrImageValue(properties, name)?.trim().toLowerCase();
    return value !== undefined && Object.hasOwn(byValue, value) ? [byValue[value] ?? ''] : [];
  });
  const isStateless = isYes(imageValue(properties, 'hw:firmware_stateless'));
  return { resources, traits: isStateless ? [...traits, 'COMPUTE_SECURITY_STATELESS_FIRMWARE'] : traits };
}

function splitWords(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((word) => word.trim() || []);
}
