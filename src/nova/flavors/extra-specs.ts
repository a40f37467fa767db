// Every extra spec that Nova knows, and its treatment here: a part of the request, a setting of the guest that any host supports, or a demand on hosts that
// providers do not show. docs/extra-specs.md is generated from this file. Other files translate the extra specs and refuse contradictions.
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { flavorValue, type Properties } from '../terms/properties.ts';
import type { RequestDraft } from './request-draft.ts';

/** The valid values: words, a range, or lists of parts separated by commas, each of a given form. Forms are matched in linear time. */
type Values =
  | 'yes or no'
  | 'text'
  | 'whole number'
  | readonly string[]
  | { readonly from: number; readonly to?: number }
  | { readonly parts: RegExp; readonly called: string };

/**
 * REQUESTED: part of the request. CHOSEN: limits hosts by facts that are in their reports but not in providers. GUEST: a setting of the guest that every host
 * supports. UNCHECKED: limits hosts by facts that are unknown here.
 */
export type Treatment = 'REQUESTED' | 'CHOSEN' | 'GUEST' | 'UNCHECKED';

export interface ExtraSpec {
  /** With placeholders in braces. */
  readonly name: string;
  readonly values: Values;
  readonly treatment: Treatment;
  /** Its effect on the request. */
  readonly effect: string;
  /** When it is refused; null if never. */
  readonly refusedWhen: string | null;
}

type Row = readonly [values: Values, effect: string, refusedWhen?: string];

const mask = { parts: /^(\^?\s*\d{1,9}\s*(-\s*\d{1,9})?)?$/, called: 'processors such as 0-3,^1' };
const labels = { parts: /^[a-zA-Z0-9_-]*$/, called: 'labels separated by commas' };
const aliases = { parts: /^[^:]+:\s*\d{1,9}$/, called: 'aliases with their counts, such as gpu:2,nic:1' };
const pageSize = { parts: /^(large|small|any|\d{1,15}([kKMGT]i?)?(b|bit|B)?)$/, called: 'large, small, any or a size such as 2MB' };
const fromZero = { from: 0 };
const fromOne = { from: 1 };
const differs = 'the image says otherwise';
const malformedOr = (rest: string) => `the value is malformed, or ${rest}`;
const unknownOr = (rest: string) => `the value is none of these, or ${rest}`;

const requested: Readonly<Record<string, Row>> = {
  'resources{group}:{class}': [
    'whole number',
    'An amount of a class in the group. In any group, it replaces the size of the flavor for that class; 0 requests none.',
    'VCPU or PCPU is named together with hw:cpu_policy or each other, or PCPU is not the number of processors',
  ],
  'trait{group}:{trait}': [
    ['required', 'forbidden'],
    'A trait that the group requires or forbids.',
    'it is HW_CPU_HYPERTHREADING, and no processor is dedicated',
  ],
  group_policy: [['none', 'isolate'], 'Whether suffixed groups may share a provider.'],
  'hw:cpu_policy': [
    ['dedicated', 'shared', 'mixed'],
    'Requests PCPU for dedicated processors, VCPU for the others.',
    unknownOr('the image requests more'),
  ],
  'hw:cpu_thread_policy': [
    ['prefer', 'isolate', 'require'],
    'require and isolate require and forbid HW_CPU_HYPERTHREADING.',
    unknownOr('no processor is dedicated, the image says otherwise, or the trait is named as well'),
  ],
  'hw:emulator_threads_policy': [
    ['isolate', 'share'],
    'isolate requests one more PCPU.',
    unknownOr('it is isolate and no processor is dedicated'),
  ],
  'hw:cpu_dedicated_mask': [
    mask,
    'With mixed processors, the ones that are PCPU.',
    'the policy is not mixed, or the mask does not leave processors of each kind',
  ],
  'hw:cpu_realtime': ['yes or no', 'With mixed processors, the real-time ones are PCPU.', 'no processor is dedicated'],
  'hw:cpu_realtime_mask': [
    mask,
    'The real-time processors; the mask of the image takes precedence.',
    'it names no processor, or all of them without an emulator policy',
  ],
  'hw:pci_numa_affinity_policy': [
    ['required', 'preferred', 'legacy', 'socket'],
    'How near PCI devices must be to the cells of the guest, checked when hosts and cards are chosen; socket also requires COMPUTE_SOCKET_PCI_NUMA_AFFINITY.',
    unknownOr(differs),
  ],
  'hw:mem_encryption': [
    'yes or no',
    'Requests one MEM_ENCRYPTION_CONTEXT and the trait of the model.',
    'the image says otherwise, has no UEFI firmware, or has a machine other than q35',
  ],
  'hw:mem_encryption_model': [
    ['amd-sev', 'amd-sev-es', 'amd-sev-snp'],
    'Requires HW_CPU_X86_AMD_SEV, _ES or _SNP.',
    unknownOr('the image says otherwise, or it is amd-sev-snp without stateless firmware'),
  ],
  'hw:pmem': [labels, 'Requests one CUSTOM_PMEM_NAMESPACE_<label> for each label.'],
  'hw:tpm_version': [
    ['1.2', '2.0'],
    'Requires COMPUTE_SECURITY_TPM_1_2 or _2_0, and on the root the trait of hw:tpm_secret_security.',
    unknownOr(differs),
  ],
  'hw:tpm_model': [
    ['tpm-tis', 'tpm-crb'],
    'Requires COMPUTE_SECURITY_TPM_TIS (the default) or _CRB.',
    unknownOr('the image says otherwise, or it is tpm-crb with version 1.2'),
  ],
  'hw:tpm_secret_security': [
    ['user', 'host', 'deployment'],
    'Requires COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER (the default), _HOST or _DEPLOYMENT on the root.',
    'the value is none of these',
  ],
  'hw:virtio_packed_ring': ['yes or no', 'Requires COMPUTE_NET_VIRTIO_PACKED on the root.', differs],
  'hw:sound_model': [
    ['sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'],
    'virtio requires COMPUTE_SOUND_MODEL_VIRTIO on the root; every host supports the others.',
    unknownOr(differs),
  ],
  'hw:ephemeral_encryption': ['yes or no', 'Requires COMPUTE_EPHEMERAL_ENCRYPTION on the root.', differs],
  'hw:ephemeral_encryption_format': [
    ['plain', 'luks', 'luksv2'],
    'With encryption, requires COMPUTE_EPHEMERAL_ENCRYPTION_<format> on the root.',
    unknownOr(differs),
  ],
  'hw:maxphysaddr_mode': [['passthrough', 'emulate'], 'Requires COMPUTE_ADDRESS_SPACE_PASSTHROUGH or _EMULATED.', unknownOr(differs)],
  'os:secure_boot': [['required', 'disabled', 'optional'], 'required requires COMPUTE_SECURITY_UEFI_SECURE_BOOT.', unknownOr(differs)],
  'accel:device_profile': ['text', 'Requires COMPUTE_ACCELERATORS on the root, and adds the groups of the profile if it is given.'],
  'pci_passthrough:alias': [
    aliases,
    'With PCI in Placement, adds a group for each device; without, requests PCI_DEVICE for whole devices. Causes a warning if neither the call nor the settings have aliases.',
    'aliases are known, and the value is malformed or names another one',
  ],
};

const guest: Readonly<Record<string, Row>> = {
  'hw:hide_hypervisor_id': ['yes or no', 'Hides the hypervisor.'],
  hide_hypervisor_id: ['yes or no', 'Hides the hypervisor; older name.'],
  'hw:locked_memory': ['yes or no', 'Locks the memory of the guest.', 'the image says otherwise, or there is no hw:mem_page_size'],
  'hw:cpu_sockets': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:cpu_cores': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:cpu_threads': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:cpu_max_sockets': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:cpu_max_cores': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:cpu_max_threads': [fromOne, 'Topology of the guest.', malformedOr('the image has more')],
  'hw:boot_menu': ['yes or no', 'The boot menu.'],
  'hw:vif_multiqueue_enabled': ['yes or no', 'Queues of network interfaces.', 'the image says otherwise, with two processors or more'],
  'hw:pmu': ['yes or no', 'The performance monitoring unit.', differs],
  'hw:serial_port_count': [fromZero, 'Serial ports.', malformedOr('the image has more')],
  'hw:watchdog_action': [['none', 'pause', 'poweroff', 'reset', 'disabled'], 'The watchdog.'],
  'hw:usb_model': [['none', 'nec-xhci', 'qemu-xhci'], 'The USB controller.', unknownOr(differs)],
  'hw:redirected_usb_ports': [{ from: 0, to: 15 }, 'Redirected USB ports.', differs],
  'hw:maxphysaddr_bits': [fromOne, 'Physical address bits.'],
  'hw_rng:allowed': ['yes or no', 'The random number generator.'],
  'hw_rng:rate_bytes': [fromZero, 'The random number generator.'],
  'hw_rng:rate_period': [fromZero, 'The random number generator.'],
  'hw_video:ram_max_mb': [fromZero, 'The limit of the video memory that an image may request.'],
  'vmware:hw_version': ['text', 'Hardware version, VMware.'],
  'vmware:storage_policy': ['text', 'Storage policy, VMware.'],
  ...Object.fromEntries(
    ['cpu', 'memory', 'disk_io', 'vif'].flatMap((what): [string, Row][] => [
      [`quota:${what}_limit`, [fromZero, 'Quota, VMware.']],
      [`quota:${what}_reservation`, [{ from: Number.MIN_SAFE_INTEGER }, 'Reservation, VMware.']],
      [`quota:${what}_shares_level`, [['custom', 'high', 'normal', 'low'], 'Share, VMware.']],
      [`quota:${what}_shares_share`, [fromZero, 'Share, VMware.']],
    ]),
  ),
  'quota:cpu_shares': [fromZero, 'Quota, libvirt.'],
  'quota:cpu_period': [fromZero, 'Quota, libvirt.'],
  'quota:cpu_quota': [{ from: Number.MIN_SAFE_INTEGER }, 'Quota, libvirt.'],
  ...Object.fromEntries(
    ['read', 'write', 'total'].flatMap((way): [string, Row][] => [
      [`quota:disk_${way}_bytes_sec`, [fromZero, 'Quota, libvirt.']],
      [`quota:disk_${way}_iops_sec`, [fromZero, 'Quota, libvirt.']],
    ]),
  ),
  ...Object.fromEntries(
    ['inbound', 'outbound'].flatMap((way) =>
      ['average', 'peak', 'burst'].map((what): [string, Row] => [`quota:vif_${way}_${what}`, [fromZero, 'Quota, libvirt.']]),
    ),
  ),
};

const described = 'the image says it as well, or the cells do not add up to the guest';

const chosen: Readonly<Record<string, Row>> = {
  'hw:numa_nodes': [
    fromOne,
    'The number of NUMA cells of the guest, each in a cell of the host.',
    'the value is invalid, the image says it as well, or the cells cannot be equal',
  ],
  'hw:numa_cpus.{number}': [mask, 'The processors of a cell.', described],
  'hw:numa_mem.{number}': [fromOne, 'The memory of a cell, in MiB.', described],
  'hw:mem_page_size': [
    pageSize,
    'The page size of the memory of each cell.',
    malformedOr('the image has a size, and the flavor has neither any nor large'),
  ],
};
const capability = 'Nova compares it with the state of a host (ComputeCapabilitiesFilter).';

const unchecked: Readonly<Record<string, Row>> = {
  'hw:viommu_model': [
    ['intel', 'smmuv3', 'virtio', 'auto'],
    'Hosts differ in the models that they support; Nova checks only the model of an image.',
  ],
  'aggregate_instance_extra_specs:{key}': [
    'text',
    'Nova compares it with the metadata of host aggregates (AggregateInstanceExtraSpecsFilter).',
  ],
  ...Object.fromEntries(
    [
      ...['id', 'uuid', 'service_id', 'host', 'vcpus', 'memory_mb', 'local_gb', 'vcpus_used', 'memory_mb_used', 'local_gb_used'],
      ...['hypervisor_type', 'hypervisor_version', 'hypervisor_hostname', 'free_ram_mb', 'free_disk_gb', 'current_workload', 'running_vms'],
      ...['disk_available_least', 'host_ip', 'mapped', 'cpu_allocation_ratio', 'ram_allocation_ratio', 'disk_allocation_ratio'],
      ...['total_usable_ram_mb', 'total_usable_disk_gb', 'disk_mb_used', 'free_disk_mb', 'vcpus_total', 'num_instances', 'num_io_ops'],
      ...['failed_builds', 'aggregates', 'cell_uuid', 'updated'],
    ].map((name): [string, Row] => [`capabilities:${name}`, ['text', capability]]),
  ),
  ...Object.fromEntries(
    [
      ...['cpu_info', 'metrics', 'stats', 'numa_topology', 'supported_hv_specs', 'pci_device_pools', 'nodename', 'pci_stats'],
      ...['supported_instances', 'limits', 'instances'],
    ].map((name): [string, Row] => [`capabilities:${name}{filter}`, ['text', capability]]),
  ),
};

const rowsOf = (treatment: Treatment, rows: Readonly<Record<string, Row>>): ExtraSpec[] =>
  Object.entries(rows).map(([name, [values, effect, refusedWhen = null]]) => ({ name, values, treatment, effect, refusedWhen }));

/** All extra specs, in the order of their treatment. */
export const extraSpecs: readonly ExtraSpec[] = [
  ...rowsOf('REQUESTED', requested),
  ...rowsOf('CHOSEN', chosen),
  ...rowsOf('UNCHECKED', unchecked),
  ...rowsOf('GUEST', guest),
];

const group = '([a-zA-Z0-9_-]{1,64})?';
const standardClasses = standardResourceClasses.map(({ name }) => name).join('|');
const placeholders: Readonly<Record<string, string>> = {
  '{group}': group,
  '{class}': `(${standardClasses}|CUSTOM_[A-Z0-9_]+)`,
  '{trait}': '.+',
  '{number}': '\\d+',
  '{key}': '.+',
  '{filter}': '(:\\w+)*',
};

const isPlain = ({ name }: ExtraSpec) => !name.includes('{');
const plainSpecs = new Map(extraSpecs.filter(isPlain).map((spec) => [spec.name, spec]));
const patterns = extraSpecs
  .filter((spec) => !isPlain(spec))
  .map((spec) => {
    const escaped = spec.name.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, (placeholder) => placeholders[placeholder] ?? '');
    return { spec, pattern: new RegExp(`^${escaped}$`) };
  });

/** The extra spec with this key; undefined if Nova knows none. */
function extraSpecOf(key: string): ExtraSpec | undefined {
  return plainSpecs.get(key) ?? patterns.find(({ pattern }) => pattern.test(key))?.spec;
}

/** Warns of extra specs that are unknown, have invalid values, or limit hosts in ways that are not checked. */
export function warnOfExtraSpecs(draft: RequestDraft, properties: Properties): void {
  for (const key of Object.keys(properties.flavor)) {
    // The code that adds resources and traits to groups warns of these.
    if (/^(resources|trait)([a-zA-Z0-9_-]{1,64})?:/.test(key) || key === 'group_policy') continue;
    const spec = extraSpecOf(key);
    const value = flavorValue(properties, key) ?? '';
    if (spec === undefined) draft.warn('EXTRA_SPEC_UNKNOWN', key, `${key} was left out: Nova does not know this extra spec`);
    else if (!isMeant(spec.values, value))
      draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is not ${describeValues(spec.values)}`);
    else if (spec.treatment === 'UNCHECKED' || spec.treatment === 'CHOSEN')
      draft.warn('EXTRA_SPEC_NOT_CHECKED', key, `${key} is not checked, so hosts may be found that do not meet it. ${spec.effect}`);
  }
}

const answers = ['0', '1', 'f', 't', 'false', 'true', 'off', 'on', 'n', 'y', 'no', 'yes'];

function isMeant(values: Values, text: string): boolean {
  if (values === 'text') return true;
  if (values === 'yes or no') return answers.includes(text.trim().toLowerCase());
  if (values === 'whole number') return /^\d+$/.test(text);
  if ('parts' in values) return text.split(',').every((part) => values.parts.test(part.trim()));
  if ('from' in values)
    return /^[+-]?\d{1,15}$/.test(text) && Number(text) >= values.from && Number(text) <= (values.to ?? Number.MAX_SAFE_INTEGER);
  return values.includes(text);
}

/** The valid values in words. */
export function describeValues(values: Values): string {
  if (typeof values === 'string') return values === 'whole number' ? 'a whole number' : values;
  if ('parts' in values) return values.called;
  if (!('from' in values)) return `one of ${values.join(', ')}`;
  if (values.from === Number.MIN_SAFE_INTEGER) return 'a whole number';
  return values.to === undefined ? `a whole number from ${values.from}` : `a whole number from ${values.from} to ${values.to}`;
}
