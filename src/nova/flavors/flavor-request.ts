// Translates a flavor and its image to a request to Placement. A request states what is needed, never from which provider. Properties that cannot be
// understood are left out with a warning; contradictions are refused. The rules are those of Nova's scheduler, including the pre-filters that are always on.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { maxNameLength } from '../../domain/text.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { GuestTopology } from '../numa/numa-cells.ts';
import type { DeviceRequest } from '../pci/pci-stats.ts';
import { disabledTrait } from '../services/compute-program.ts';
import { agreedWord, flavorValue, type Properties } from '../terms/properties.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import { addDeviceProfile, type DeviceProfileGroup, profilePrefix } from './device-profiles.ts';
import { warnOfExtraSpecs } from './extra-specs.ts';
import { addFeatures } from './flavor-features.ts';
import { diskGbOf, type Flavor } from './flavors.ts';
import { guestTopologyOf } from './guest-cells.ts';
import { checkGuestSettings } from './guest-settings.ts';
import { addPciRequests, devicesOfHosts, type PciFacts, type PciRequest, pciPolicies, pciRequestsOf } from './pci-requests.ts';
import { addPorts, type Port } from './ports.ts';
import { addPrefilters, type Prefilters } from './prefilters.ts';
import { processorsOf } from './processors.ts';
import { type AggregateClause, type DraftedRequest, RequestDraft, type RequestGroup } from './request-draft.ts';

/** Other input of a request. */
export interface RequestFacts {
  /** Traits that the image requires. */
  readonly imageTraits?: Optional<readonly string[]>;
  /** Such as `hw_cpu_policy`. If omitted, the image is unknown, and the flavor's requirements on it are not checked. */
  readonly imageProperties?: Optional<Readonly<Record<string, string>>>;
  /** For example raw; used by the pre-filter of image types. */
  readonly imageDiskFormat?: Optional<string>;
  readonly bootedFromVolume?: Optional<boolean>;
  readonly ports?: Optional<readonly Port[]>;
  /** The groups of the profile that the flavor names as `accel:device_profile`. */
  readonly deviceProfile?: Optional<readonly DeviceProfileGroup[]>;
  /** The meaning of the aliases in `pci_passthrough:alias`, and whether cards are providers. */
  readonly pciPassthrough?: Optional<PciFacts>;
  /** Requests for devices that were already derived from the flavor; they replace its aliases. */
  readonly pciRequests?: Optional<readonly PciRequest[]>;
  /** Groups made by other services, passed on unchanged. */
  readonly otherGroups?: Optional<readonly RequestGroup[]>;
  readonly sameSubtree?: Optional<readonly (readonly string[])[]>;
  readonly rootRequired?: Optional<readonly string[]>;
  readonly rootForbidden?: Optional<readonly string[]>;
  /** Aggregates of the host. */
  readonly aggregates?: Optional<readonly AggregateClause[]>;
  readonly prefilters?: Optional<Prefilters>;
}

export interface FlavorRequest {
  readonly request: CandidatesInput;
  /**
   * The same with VCPU instead of dedicated processors, for hosts that do not report PCPU yet; null if the processors are not dedicated by policy. The caller
   * must check whether a host found this way really has processors to dedicate.
   */
  readonly fallback: CandidatesInput | null;
  /** The suffixes of the groups that come from the flavor, including those of its PCI devices; '' is the unsuffixed group. */
  readonly flavorGroups: readonly string[];
  /** Those of its PCI devices alone. */
  readonly pciGroups: readonly string[];
  /** The NUMA cells of the guest; null if it has none. */
  readonly guest: GuestTopology | null;
  /** PCI devices to look for on hosts: those that are not in Placement, and all of them if the guest has NUMA cells. */
  readonly devices: readonly DeviceRequest[];
  /** Properties that were ignored, and what will be refused. */
  readonly warnings: readonly RequestWarning[];
}

/**
 * The request of a flavor to Placement. Its sizes go to the unsuffixed group, except for classes that any group names itself. The extra specs
 * `resources[S]:CLASS` add amounts, `trait[S]:NAME` require or forbid traits, and `group_policy` says whether groups may share providers. Refuses
 * INVALID_INPUT for contradictions in the flavor or with the image, for other groups whose suffix is missing or taken, and for invalid names of image traits.
 */
export function flavorToRequest(flavor: Flavor, facts: RequestFacts = {}): FlavorRequest {
  const check = new InputCheck();
  check.traits(['imageTraits'], facts.imageTraits ?? []);
  check.text(['imageDiskFormat'], facts.imageDiskFormat || null, maxNameLength);
  check.done();
  const { isPinned, ...asked } = translate(flavor, facts, true);
  return { ...asked, fallback: isPinned ? translate(flavor, facts, false).request : null };
}

/** `dedicates`: whether to apply the policies of processors. */
function translate(
  flavor: Flavor,
  facts: RequestFacts,
  dedicates: boolean,
): Omit<FlavorRequest, 'fallback'> & { readonly isPinned: boolean } {
  const properties: Properties = {
    flavor: flavor.extraSpecs,
    image: { ...Object.fromEntries((facts.imageTraits ?? []).map((trait) => [`trait:${trait}`, 'required'])), ...facts.imageProperties },
    isImageKnown: Boolean(facts.imageProperties),
  };
  const draft = new RequestDraft();
  addOfHost(draft, facts);
  const policy = addExtraSpecs(draft, flavor.extraSpecs);
  addImageTraits(draft, properties.image);
  const isPinned = addProcessors(draft, flavor.vcpus, properties, dedicates);
  const guest = guestTopologyOf(flavor, properties);
  const { pciGroups, devices } = addDevices(draft, properties, facts, guest?.cells.length ?? 0);
  addSizes(draft, flavor, facts.bootedFromVolume);
  addFeatures(draft, properties);
  checkGuestSettings(flavor.vcpus, properties);
  warnOfExtraSpecs(draft, properties);
  const image = { properties: facts.imageProperties ?? {}, diskFormat: facts.imageDiskFormat, isVolume: Boolean(facts.bootedFromVolume) };
  if (facts.prefilters) addPrefilters(draft, facts.prefilters, image, ['prefilters']);
  const own = draft.renderOwn();
  const ownGroups = own.map(({ suffix }) => suffix ?? '');
  const drafted = draft.render(own);
  return {
    request: { ...drafted, ...choosePolicy(draft, policy, ownGroups, drafted) },
    flavorGroups: [...ownGroups, ...pciGroups],
    pciGroups,
    guest,
    devices,
    warnings: draft.warnings,
    isPinned,
  };
}

function addOfHost(draft: RequestDraft, { rootRequired, rootForbidden, aggregates, sameSubtree }: RequestFacts): void {
  draft.rootForbidden.add(disabledTrait);
  for (const trait of rootRequired ?? []) draft.rootRequired.add(trait);
  for (const trait of rootForbidden ?? []) draft.rootForbidden.add(trait);
  draft.group('').aggregates.push(...(aggregates ?? []));
  draft.sameSubtree.push(...(sameSubtree ?? []).map((suffixes) => ({ suffixes })));
}

/** Adds the groups of ports, profiles, PCI devices and other services. Returns the suffixes of those for PCI devices, and the devices to look for on hosts. */
function addDevices(draft: RequestDraft, properties: Properties, facts: RequestFacts, guestCells: number) {
  for (const [index, group] of (facts.otherGroups ?? []).entries()) draft.addForeign(group, ['otherGroups', index, 'suffix']);
  addPorts(draft, facts.ports ?? [], ['ports']);
  const profile = flavorValue(properties, 'accel:device_profile');
  if (facts.deviceProfile) {
    if (!profile) throw invalidInput(['deviceProfile'], 'must not be given: the flavor has no accel:device_profile');
    addDeviceProfile(draft, facts.deviceProfile, ['deviceProfile']);
  } else if (profile && !(facts.otherGroups ?? []).some(({ suffix }) => suffix?.startsWith(profilePrefix))) {
    const words = `the groups of the device profile ${profile} are not given, so its devices are not requested`;
    draft.warn('EXTRA_SPEC_NOT_CHECKED', 'accel:device_profile', words);
  }
  const alias = flavorValue(properties, 'pci_passthrough:alias');
  const requests = facts.pciRequests ?? (alias ? pciRequestsOf(draft, alias, facts.pciPassthrough, ['pciPassthrough']) : []);
  const { inPlacement } = facts.pciPassthrough ?? {};
  const hasGroups = ({ id }: PciRequest) => facts.otherGroups?.some(({ suffix }) => suffix?.startsWith(`${id}-`));
  const policy = agreedWord(properties, 'hw:pci_numa_affinity_policy', pciPolicies);
  return {
    pciGroups: addPciRequests(
      draft,
      requests.filter((request) => !hasGroups(request)),
      inPlacement,
      ['flavor'],
    ),
    devices: devicesOfHosts(requests, { inPlacement, policy, guestCells }),
  };
}

/** Returns the group policy, if a valid one is given. */
function addExtraSpecs(draft: RequestDraft, extraSpecs: Flavor['extraSpecs']): CandidatesInput['groupPolicy'] {
  for (const [key, value] of Object.entries(extraSpecs)) draft.readKey(key, value);
  const policy = Object.hasOwn(extraSpecs, 'group_policy') ? extraSpecs.group_policy : undefined;
  if (policy === undefined || policy === 'none' || policy === 'isolate') return policy && (policy === 'none' ? 'NONE' : 'ISOLATE');
  draft.warn('EXTRA_SPEC_LEFT_OUT', 'group_policy', `group_policy ${policy} was left out: it must be none or isolate`);
  return undefined;
}

/** An image can only require traits, with `trait:NAME`. */
function addImageTraits(draft: RequestDraft, image: Properties['image']): void {
  const { required } = draft.group('');
  for (const [key, value] of Object.entries(image)) {
    const [, trait] = /^trait:(.*)$/.exec(key) ?? [];
    if (trait === undefined) continue;
    if (value === 'required') required.add(trait);
    else draft.warn('IMAGE_PROPERTY_LEFT_OUT', key, `${key} of the image was left out: ${value} is not required`);
  }
}

/** Returns whether all processors are dedicated by policy. */
function addProcessors(draft: RequestDraft, vcpus: number, properties: Properties, dedicates: boolean): boolean {
  const { shared, dedicated, hyperthreading, isPinned } = processorsOf(vcpus, properties);
  if (!dedicates) return isPinned;
  const { resources, ...traits } = draft.group('');
  if (shared !== null) resources.set('VCPU', shared);
  if (dedicated !== null) resources.set('PCPU', dedicated);
  if (hyperthreading) traits[hyperthreading].add('HW_CPU_HYPERTHREADING');
  return isPinned;
}

/** Adds the sizes of the flavor for classes that no group names. A class named in a group is requested there, and only there. */
function addSizes(draft: RequestDraft, flavor: Flavor, bootedFromVolume: Optional<boolean>): void {
  const named = draft.classes;
  const { resources } = draft.group('');
  if (!named.has('VCPU') && !named.has('PCPU')) resources.set('VCPU', flavor.vcpus);
  if (!named.has('MEMORY_MB')) resources.set('MEMORY_MB', flavor.memoryMb);
  if (!named.has('DISK_GB')) resources.set('DISK_GB', diskGbOf(flavor, bootedFromVolume));
}

/**
 * Without a policy, groups may share providers. If several groups come from the flavor, its author should have set a policy, so this adds a warning.
 */
function choosePolicy(
  draft: RequestDraft,
  policy: CandidatesInput['groupPolicy'],
  flavorGroups: readonly string[],
  { groups }: DraftedRequest,
): Pick<CandidatesInput, 'groupPolicy'> {
  if (policy) return { groupPolicy: policy };
  if (groups.filter(({ suffix }) => suffix).length < 2) return {};
  if (flavorGroups.filter((suffix) => suffix !== '').length > 1) {
    const words = 'several groups and no group_policy: Placement would refuse this request; here the groups may share providers';
    draft.warn('GROUP_POLICY_ASSUMED', 'group_policy', words);
  }
  return { groupPolicy: 'NONE' };
}
