// The translation of features of flavors and images, and their contradictions. Nova's own expectations are in nova-vectors.test.ts.
import { describe, expect, test } from 'vitest';
import { standardTraits } from '../../../src/domain/standard-traits.ts';
import { flavorToRequest } from '../../../src/nova/flavors/flavor-request.ts';
import { refusalOf } from '../../support/versioned-objects.ts';

type Texts = Readonly<Record<string, string>>;

const small = { name: 'small', vcpus: 4, memoryMb: 2048, rootGb: 0, ephemeralGb: 0, swapMb: 0 };
const ask = (extraSpecs: Texts, imageProperties?: Texts) => flavorToRequest({ ...small, extraSpecs }, { imageProperties });
const sizes = ['VCPU', 'MEMORY_MB'];
const firmware = { hw_firmware_type: 'uefi' };

/** The amounts and traits without the sizes; traits of the root have a leading /. */
function adds(extraSpecs: Texts, imageProperties?: Texts): string[] {
  const { request } = ask(extraSpecs, imageProperties);
  const [group] = request.groups;
  const amounts = (group?.resources ?? []).filter(({ resourceClass }) => !sizes.includes(resourceClass));
  const traits = [...(group?.traits?.[0]?.allOf ?? []), ...(request.rootTraits?.[0]?.allOf ?? []).map((trait) => `/${trait}`)];
  return [...amounts.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`), ...traits];
}

describe('features', () => {
  test.each<[string, Texts, Texts | undefined, string[]]>([
    ['encrypted memory', { 'hw:mem_encryption': 'true' }, firmware, ['MEM_ENCRYPTION_CONTEXT:1', 'HW_CPU_X86_AMD_SEV']],
    [
      'encrypted memory with an unknown image',
      { 'hw:mem_encryption': 'true' },
      undefined,
      ['MEM_ENCRYPTION_CONTEXT:1', 'HW_CPU_X86_AMD_SEV'],
    ],
    ['labels in any spelling', { 'hw:pmem': '4gb-x, SMALL,' }, {}, ['CUSTOM_PMEM_NAMESPACE_4GB_X:1', 'CUSTOM_PMEM_NAMESPACE_SMALL:1']],
    [
      'a trusted platform module with a secret of the user',
      { 'hw:tpm_version': '2.0' },
      {},
      ['COMPUTE_SECURITY_TPM_TIS', 'COMPUTE_SECURITY_TPM_2_0', '/COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER'],
    ],
    ['no trusted module without a version', { 'hw:tpm_model': 'tpm-crb', 'hw:tpm_secret_security': 'host' }, {}, []],
    ['secure boot of an image', {}, { os_secure_boot: 'required' }, ['COMPUTE_SECURITY_UEFI_SECURE_BOOT']],
    ['optional secure boot', { 'os:secure_boot': 'optional' }, {}, []],
    ['firmware that is not stateless without UEFI', {}, { hw_firmware_stateless: 'yes' }, []],
    ['cards anywhere', { 'hw:pci_numa_affinity_policy': 'preferred' }, {}, []],
    ['a packed ring', { 'hw:virtio_packed_ring': 'yes' }, { hw_virtio_packed_ring: 'True' }, ['/COMPUTE_NET_VIRTIO_PACKED']],
    ['virtio sound of an image', {}, { hw_sound_model: 'virtio' }, ['/COMPUTE_SOUND_MODEL_VIRTIO']],
    ['other sound', { 'hw:sound_model': 'ich9' }, {}, []],
    ['a device profile', { 'accel:device_profile': 'mydp' }, {}, ['/COMPUTE_ACCELERATORS']],
    [
      'encrypted disks',
      { 'hw:ephemeral_encryption': 'on' },
      { hw_ephemeral_encryption_format: 'luksv2' },
      ['/COMPUTE_EPHEMERAL_ENCRYPTION', '/COMPUTE_EPHEMERAL_ENCRYPTION_LUKSV2'],
    ],
  ])('such as %s become classes and traits', (_what, extraSpecs, imageProperties, expected) => {
    expect(adds(extraSpecs, imageProperties)).toEqual(expected);
    const traits = expected.flatMap((word) => (word.includes(':') ? [] : word.replace('/', '')));
    for (const trait of traits) expect(standardTraits).toContain(trait);
  });

  test.each<[string, Texts, Texts]>([
    ['memory that is both encrypted and unencrypted', { 'hw:mem_encryption': 'false' }, { hw_mem_encryption: 'true' }],
    ['encrypted memory without UEFI', { 'hw:mem_encryption': 'true' }, {}],
    ['encrypted memory on an old machine', { 'hw:mem_encryption': 'true' }, { ...firmware, hw_machine_type: 'pc' }],
    ['an unknown model of encryption', { 'hw:mem_encryption': 'true', 'hw:mem_encryption_model': 'x' }, firmware],
    ['a module of version 3.0', { 'hw:tpm_version': '3.0' }, {}],
    ['a module of two versions', { 'hw:tpm_version': '2.0' }, { hw_tpm_version: '1.2' }],
    ['CRB of version 1.2', { 'hw:tpm_version': '1.2', 'hw:tpm_model': 'tpm-crb' }, {}],
    ['an unknown keeper of the secret', { 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'bogus' }, {}],
    ['secure boot that is both required and disabled', { 'os:secure_boot': 'required' }, { os_secure_boot: 'disabled' }],
    ['an unknown affinity', { 'hw:pci_numa_affinity_policy': 'near' }, {}],
    ['rings that are both packed and not packed', { 'hw:virtio_packed_ring': 'true' }, { hw_virtio_packed_ring: 'false' }],
    ['an unknown sound model', { 'hw:sound_model': 'loud' }, {}],
    ['disks that are both encrypted and unencrypted', { 'hw:ephemeral_encryption': 'true' }, { hw_ephemeral_encryption: 'False' }],
    ['an image with an unknown format of encryption, even if nothing is encrypted', {}, { hw_ephemeral_encryption_format: '1.5' }],
    ['an unknown address space', { 'hw:maxphysaddr_mode': 'x' }, {}],
    ['a performance monitoring unit that is both on and off', { 'hw:pmu': 'true' }, { hw_pmu: 'false' }],
    ['two USB controllers', { 'hw:usb_model': 'nec-xhci' }, { hw_usb_model: 'qemu-xhci' }],
    ['more serial ports than the flavor allows', { 'hw:serial_port_count': '2' }, { hw_serial_port_count: '3' }],
    ['a page size of the image that the flavor does not allow', { 'hw:mem_page_size': 'small' }, { hw_mem_page_size: '2MB' }],
    ['a page size only in the image', {}, { hw_mem_page_size: '2MB' }],
    ...['many', '', '1.5', '2 x'].map((count): [string, Texts, Texts] => [`sockets '${count}'`, { 'hw:cpu_sockets': count }, {}]),
    ['a malformed maximum of threads', { 'hw:cpu_max_threads': 'two' }, {}],
    ['an image with more sockets than the flavor allows', { 'hw:cpu_max_sockets': '2' }, { hw_cpu_max_sockets: '4' }],
    ['an image that prefers more cores than the flavor allows', { 'hw:cpu_max_cores': '2' }, { hw_cpu_cores: '4' }],
    ['malformed serial ports', { 'hw:serial_port_count': 'two' }, {}],
    ...['huge', '2M', '2kB', '2 MB', '1e3', '-', 'B'].map((size): [string, Texts, Texts] => [
      `the page size '${size}'`,
      { 'hw:mem_page_size': size },
      {},
    ]),
    ['a malformed page size of the image', { 'hw:mem_page_size': 'any' }, { hw_mem_page_size: 'huge' }],
    ['locked memory without a page size', { 'hw:locked_memory': 'true' }, {}],
    ['NUMA cells in both', { 'hw:numa_cpus.0': '0-1' }, { 'hw_numa_cpus.0': '0-3' }],
  ])('are refused for %s', (_what, extraSpecs, imageProperties) => {
    expect(refusalOf(() => ask(extraSpecs, imageProperties))).toMatchObject([{ code: 'INVALID_INPUT', path: ['flavor'] }]);
  });

  test.each<[string, Texts, Texts]>([
    [
      'a page size that the flavor leaves to the image',
      { 'hw:mem_page_size': 'any', 'hw:locked_memory': 'true' },
      { hw_mem_page_size: '2MB' },
    ],
    ['fewer serial ports', { 'hw:serial_port_count': '3' }, { hw_serial_port_count: '2' }],
    ['no number of serial ports', { 'hw:serial_port_count': '' }, { hw_serial_port_count: '2' }],
    ['a topology', { 'hw:cpu_sockets': ' 2 ', 'hw:cpu_max_cores': '4' }, { hw_cpu_cores: '4', hw_cpu_max_threads: '8' }],
    ...['small', '2048', '2MB', '2MiB', '0.5GB', '16Mbit'].map((size): [string, Texts, Texts] => [
      `the page size '${size}'`,
      { 'hw:mem_page_size': size },
      {},
    ]),
  ])('are not refused for %s', (_what, extraSpecs, imageProperties) => {
    expect(adds(extraSpecs, imageProperties)).toEqual([]);
  });

  test.each<[string, Texts, Texts]>([
    ['hw:tpm_model', { 'hw:tpm_model': 'tpm-crb' }, {}],
    ['hw:mem_encryption_model', { 'hw:mem_encryption_model': 'amd-sev' }, {}],
    ['hw:ephemeral_encryption_format', { 'hw:ephemeral_encryption_format': 'luks' }, {}],
    ['hw:ephemeral_encryption_format', { 'hw:ephemeral_encryption_format': 'luks' }, { hw_ephemeral_encryption_format: 'plain' }],
    ['hw_firmware_stateless', {}, { hw_firmware_stateless: 'true' }],
  ])('without effect, such as %s, cause a warning', (subject, extraSpecs, imageProperties) => {
    expect(ask(extraSpecs, imageProperties).warnings).toMatchObject([{ code: 'POLICY_WITHOUT_EFFECT', subject }]);
  });

  test('with an unknown image cause a warning, and are not refused', () => {
    expect(ask({ 'hw:mem_encryption': 'true' }).warnings).toMatchObject([{ code: 'EXTRA_SPEC_NOT_CHECKED', subject: 'hw:mem_encryption' }]);
  });
});

test('requests exclude hosts whose compute service is disabled', () => {
  expect(ask({}).request.rootTraits).toEqual([{ noneOf: ['COMPUTE_STATUS_DISABLED'] }]);
});
