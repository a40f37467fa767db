// Every extra spec that Nova knows, and what becomes of it here: a part of the request, a setting of the guest that any host can make, or a demand
// on hosts that no provider shows. docs/extra-specs.md is generated from here. The parts themselves are made elsewhere, which also refuses what
// contradicts itself.
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { flavorValue, type Properties } from '../terms/properties.ts';
import type { RequestDraft } from './request-draft.ts';

/** Which values mean something: words, a range, or texts in which each part between commas has a form. Forms are matched in linear time. */
type Values =
  | 'yes or no'
  | 'text'
  | 'whole number'
  | readonly string[]
  | { readonly from: number; readonly to?: number }
  | { readonly parts: RegExp; readonly called: string };

/**
 * REQUESTED: part of the request. CHOSEN: limits hosts by what no provider shows but their reports do. GUEST: the host configures the guest, and every host can.
 * UNCHECKED: limits hosts by what is not known here.
 */
export type Treatment = 'REQUESTED' | 'CHOSEN' | 'GUEST' | 'UNCHECKED';

export interface ExtraSpec {
  /** With placeholders in braces. */
  readonly name: string;
  readonly values: Values;
  readonly treatment: Treatment;
  /** What becomes of it. */
  readonly effect: string;
  /** When it is refused; null when it never is. */
  readonly refusedWhen: string | null;
}

type Row = readonly [values: Values, effect: string, refusedWhen?: string];

const mask = { parts: /^(\^?\s*\d{1,9}\s*(-\s*\d{1,9})?)?$/, called: 'processors such as 0-3,^1' };
const labels = { parts: /^[a-zA-Z0-9_-]*$/, called: 'labels with commas between them' };
const aliases = { parts: /^[^:]+:\d{1,9}$/, called: 'aliases with their number, such as gpu:2,nic:1' };
const pageSize = { parts: /^(large|small|any|\d{1,15}([kKMGT]i?)?(b|bit|B)?)$/, called: 'large, small, any or a size such as 2MB' };
const fromZero = { from: 0 };
const fromOne = { from: 1 };
const differs = 'the image says otherwise';
const unknownOr = (rest: string) => `the value is none of these, or ${rest}`;

const requested: Readonly<Record<string, Row>> = {
  'resources{group}:{class}': [
    'whole number',
    'An amount of the group. Of any group, it replaces the size of the flavor for the class; 0 asks for none.',
    'VCPU or PCPU are named beside hw:cpu_policy or each other, or PCPU is not the number of processors',
  ],
  'trait{group}:{trait}': [['required', 'forbidden'], 'A trait that the group requires or forbids.'],
  group_policy: [['none', 'isolate'], 'Whether suffixed groups may share a provider.'],
  'hw:cpu_policy': [
    ['dedicated', 'shared', 'mixed'],
    'PCPU for dedicated processors, VCPU for the others.',
    unknownOr('the image asks for more'),
  ],
  'hw:cpu_thread_policy': [
    ['prefer', 'isolate', 'require'],
    'require and isolate require and forbid HW_CPU_HYPERTHREADING.',
    unknownOr('no processor is dedicated, the image says otherwise, or the trait is named as well'),
  ],
  'hw:emulator_threads_policy': [
    ['isolate', 'share'],
    'isolate takes one more PCPU.',
    unknownOr('it is isolate and no processor is dedicated'),
  ],
  'hw:cpu_dedicated_mask': [
    mask,
    'With mixed processors, those that are PCPU.',
    'the policy is not mixed, or the mask does not leave some of each kind',
  ],
  'hw:cpu_realtime': ['yes or no', 'With mixed processors, those that work in real time are PCPU.', 'no processor is dedicated'],
  'hw:cpu_realtime_mask': [
    mask,
    'Which processors work in real time; the mask of the image goes first.',
    'it names none, or all without an emulator policy',
  ],
  'hw:pci_numa_affinity_policy': [
    ['required', 'preferred', 'legacy', 'socket'],
    'How near PCI devices are to the cells of the guest, which decides about hosts and cards when they are chosen; socket requires COMPUTE_SOCKET_PCI_NUMA_AFFINITY, too.',
    unknownOr(differs),
  ],
  'hw:mem_encryption': [
    'yes or no',
    'One MEM_ENCRYPTION_CONTEXT and the trait of the model.',
    'the image says otherwise, has no UEFI firmware, or has a machine other than q35',
  ],
  'hw:mem_encryption_model': [
    ['amd-sev', 'amd-sev-es', 'amd-sev-snp'],
    'HW_CPU_X86_AMD_SEV, _ES or _SNP.',
    unknownOr('the image says otherwise, or it is amd-sev-snp without stateless firmware'),
  ],
  'hw:pmem': [labels, 'One CUSTOM_PMEM_NAMESPACE_<label> for each label.'],
  'hw:tpm_version': [['1.2', '2.0'], 'COMPUTE_SECURITY_TPM_1_2 or _2_0, and on the root who keeps the secret.', unknownOr(differs)],
  'hw:tpm_model': [
    ['tpm-tis', 'tpm-crb'],
    'COMPUTE_SECURITY_TPM_TIS, also when omitted, or _CRB.',
    unknownOr('the image says otherwise, or it is tpm-crb with version 1.2'),
  ],
  'hw:tpm_secret_security': [
    ['user', 'host', 'deployment'],
    'COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER, also when omitted, _HOST or _DEPLOYMENT on the root.',
    'the value is none of these',
  ],
  'hw:virtio_packed_ring': ['yes or no', 'COMPUTE_NET_VIRTIO_PACKED on the root.', differs],
  'hw:sound_model': [
    ['sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'],
    'virtio requires COMPUTE_SOUND_MODEL_VIRTIO on the root; the others are for the host.',
    unknownOr(differs),
  ],
  'hw:ephemeral_encryption': ['yes or no', 'COMPUTE_EPHEMERAL_ENCRYPTION on the root.', differs],
  'hw:ephemeral_encryption_format': [
    ['plain', 'luks', 'luksv2'],
    'COMPUTE_EPHEMERAL_ENCRYPTION_<format> on the root, if there is encryption.',
    unknownOr(differs),
  ],
  'hw:maxphysaddr_mode': [['passthrough', 'emulate'], 'COMPUTE_ADDRESS_SPACE_PASSTHROUGH or _EMULATED.', unknownOr(differs)],
  'os:secure_boot': [['required', 'disabled', 'optional'], 'required requires COMPUTE_SECURITY_UEFI_SECURE_BOOT.', unknownOr(differs)],
  'accel:device_profile': ['text', 'COMPUTE_ACCELERATORS on the root, and a group for each of the profile, if it is given.'],
  'pci_passthrough:alias': [
    aliases,
    'With PCI in Placement, a group for each device; without, PCI_DEVICE for whole devices. A warning, when the aliases are not given.',
    'aliases are given, and the value is malformed or names another one',
  ],
};

const guest: Readonly<Record<string, Row>> = {
  'hw:hide_hypervisor_id': ['yes or no', 'Hides the hypervisor.'],
  hide_hypervisor_id: ['yes or no', 'Hides the hypervisor; older name.'],
  'hw:locked_memory': ['yes or no', 'Locks the memory of the guest.', 'the image says otherwise, or there is no hw:mem_page_size'],
  'hw:cpu_sockets': [fromOne, 'Topology of the guest.'],
  'hw:cpu_cores': [fromOne, 'Topology of the guest.'],
  'hw:cpu_threads': [fromOne, 'Topology of the guest.'],
  'hw:cpu_max_sockets': [fromOne, 'Topology of the guest.'],
  'hw:cpu_max_cores': [fromOne, 'Topology of the guest.'],
  'hw:cpu_max_threads': [fromOne, 'Topology of the guest.'],
  'hw:boot_menu': ['yes or no', 'The boot menu.'],
  'hw:vif_multiqueue_enabled': ['yes or no', 'Queues of network interfaces.', 'the image says otherwise, with two processors or more'],
  'hw:pmu': ['yes or no', 'The performance monitoring unit.', differs],
  'hw:serial_port_count': [fromZero, 'Serial ports.', 'the image has more'],
  'hw:watchdog_action': [['none', 'pause', 'poweroff', 'reset', 'disabled'], 'The watchdog.'],
  'hw:usb_model': [['none', 'nec-xhci', 'qemu-xhci'], 'The USB controller.', unknownOr(differs)],
  'hw:redirected_usb_ports': [{ from: 0, to: 15 }, 'Redirected USB ports.', differs],
  'hw:maxphysaddr_bits': [fromOne, 'Physical address bits.'],
  'hw_rng:allowed': ['yes or no', 'The random number generator.'],
  'hw_rng:rate_bytes': [fromZero, 'The random number generator.'],
  'hw_rng:rate_period': [fromZero, 'The random number generator.'],
  'hw_video:ram_max_mb': [fromZero, 'Limit of the video memory that an image may ask for.'],
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

const described = 'the image says it as well, or the cells are not all of the guest';

const chosen: Readonly<Record<string, Row>> = {
  'hw:numa_nodes': [
    fromOne,
    'How many NUMA cells the guest has, each in a cell of the host.',
    'the value is none, the image says it as well, or equal cells are impossible',
  ],
  'hw:numa_cpus.{number}': [mask, 'The processors of a cell.', described],
  'hw:numa_mem.{number}': [fromOne, 'The memory of a cell, in MiB.', described],
  'hw:mem_page_size': [pageSize, 'The pages that the memory of each cell is in.', 'the image has a size, and it is not any or large'],
};
const capability = 'Nova compares it with the state of a host (ComputeCapabilitiesFilter).';

const unchecked: Readonly<Record<string, Row>> = {
  'hw:viommu_model': [['intel', 'smmuv3', 'virtio', 'auto'], 'Not every host has every model; Nova asks only for that of an image.'],
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

/** The extra spec that this is the key of; undefined when Nova knows none. */
function extraSpecOf(key: string): ExtraSpec | undefined {
  return plainSpecs.get(key) ?? patterns.find(({ pattern }) => pattern.test(key))?.spec;
}

/** Warns of the extra specs that are unknown, limit hosts in ways that are not checked, or have values that mean nothing. */
export function warnOfExtraSpecs(draft: RequestDraft, properties: Properties): void {
  for (const key of Object.keys(properties.flavor)) {
    // What becomes part of a group is warned of where it does.
    if (/^(resources|trait)([a-zA-Z0-9_-]{1,64})?:/.test(key) || key === 'group_policy') continue;
    const spec = extraSpecOf(key);
    const value = flavorValue(properties, key) ?? '';
    if (spec === undefined) draft.warn('EXTRA_SPEC_UNKNOWN', key, `${key} was left out: Nova knows no such extra spec`);
    else if (!isMeant(spec.values, value))
      draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is not ${describeValues(spec.values)}`);
    else if (spec.treatment === 'UNCHECKED' || spec.treatment === 'CHOSEN')
      draft.warn('EXTRA_SPEC_NOT_CHECKED', key, `${key} is not checked: hosts may be found that do not fit it. ${spec.effect}`);
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

/** Which values mean something, in words. */
export function describeValues(values: Values): string {
  if (typeof values === 'string') return values === 'whole number' ? 'a whole number' : values;
  if ('parts' in values) return values.called;
  if (!('from' in values)) return `one of ${values.join(', ')}`;
  if (values.from === Number.MIN_SAFE_INTEGER) return 'a whole number';
  return values.to === undefined ? `a whole number from ${values.from}` : `a whole number from ${values.from} to ${values.to}`;
}
