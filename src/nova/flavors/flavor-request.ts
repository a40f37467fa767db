// What a flavor with its image requests from placement. A request states what is needed, never from which provider. Properties that cannot be
// understood are left out with a warning; contradictions are refused. The rules are those of Nova's scheduler, with its pre-filters that are always on.
import type { Optional } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { customNameFault } from '../../domain/text.ts';
import type { CandidatesInput } from '../../operations/candidates/candidates.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { warnOfExtraSpecs } from './extra-specs.ts';
import { addFeatures } from './flavor-features.ts';
import { diskGbOf, type Flavor } from './flavors.ts';
import { checkGuestSettings } from './guest-settings.ts';
import { processorsOf } from './processors.ts';
import type { Properties } from './properties.ts';
import { type DraftedRequest, RequestDraft, type RequestGroup } from './request-draft.ts';
import type { RequestWarning } from './request-warnings.ts';

/** Other input of a request. */
export interface RequestFacts {
  /** Traits that the image requires. */
  readonly imageTraits?: Optional<readonly string[]>;
  /** Such as `hw_cpu_policy`. When omitted, nothing is known of the image, and what a flavor needs of it is not checked. */
  readonly imageProperties?: Optional<Readonly<Record<string, string>>>;
  readonly bootedFromVolume?: Optional<boolean>;
  /** Groups for ports and device profiles, passed on unchanged. */
  readonly otherGroups?: Optional<readonly RequestGroup[]>;
}

export interface FlavorRequest {
  readonly request: CandidatesInput;
  /**
   * The same with VCPU instead of dedicated processors, for hosts that do not report PCPU yet; null when no flavor of it is pinned. Whether a host
   * that it finds really has processors to dedicate is for the caller to see.
   */
  readonly fallback: CandidatesInput | null;
  /** The suffixes of the groups that come from the flavor; '' for the unsuffixed group. */
  readonly flavorGroups: readonly string[];
  /** What was ignored, and what will be refused. */
  readonly warnings: readonly RequestWarning[];
}

/** A compute whose service is disabled takes no new instances. */
const disabledTrait = 'COMPUTE_STATUS_DISABLED';

/**
 * The request of a flavor to placement. Its sizes go to the unsuffixed group, except for classes that any group names itself; extra specifications
 * `resources[S]:CLASS` add, `trait[S]:NAME` require or forbid, and `group_policy` says whether groups may share providers. Refuses INVALID_INPUT for
 * what contradicts itself or the image, for other groups without a suffix of their own, and for traits of the image that are not valid names.
 */
export function flavorToRequest(flavor: Flavor, facts: RequestFacts = {}): FlavorRequest {
  const check = new InputCheck();
  check.traits(['imageTraits'], facts.imageTraits ?? []);
  check.done();
  const { isPinned, ...asked } = translate(flavor, facts, true);
  return { ...asked, fallback: isPinned ? translate(flavor, facts, false).request : null };
}

/** `dedicates`: whether the policies of processors count. */
function translate(
  flavor: Flavor,
  facts: RequestFacts,
  dedicates: boolean,
): Omit<FlavorRequest, 'fallback'> & { readonly isPinned: boolean } {
  const properties: Properties = {
    flavor: flavor.extraSpecs,
    image: facts.imageProperties ?? {},
    isImageKnown: Boolean(facts.imageProperties),
  };
  const draft = new RequestDraft();
  draft.rootForbidden.add(disabledTrait);
  const policy = addExtraSpecs(draft, flavor.extraSpecs);
  addImageTraits(draft, properties.image, facts.imageTraits ?? []);
  const isPinned = addProcessors(draft, flavor.vcpus, properties, dedicates);
  for (const [index, group] of (facts.otherGroups ?? []).entries()) draft.addForeign(group, ['otherGroups', index, 'suffix']);
  addSizes(draft, flavor, facts.bootedFromVolume);
  addFeatures(draft, properties);
  checkGuestSettings(flavor.vcpus, properties);
  warnOfExtraSpecs(draft, properties);
  const own = draft.renderOwn();
  const flavorGroups = own.map(({ suffix }) => suffix ?? '');
  const drafted = draft.render(own);
  return {
    request: { ...drafted, ...choosePolicy(draft, policy, flavorGroups, drafted) },
    flavorGroups,
    warnings: draft.warnings,
    isPinned,
  };
}

/** Returns the group policy, if a legal one is given. */
function addExtraSpecs(draft: RequestDraft, extraSpecs: Flavor['extraSpecs']): CandidatesInput['groupPolicy'] {
  for (const [key, value] of Object.entries(extraSpecs)) {
    const [, kind, suffix = '', name = ''] = /^(resources|trait)([a-zA-Z0-9_-]{0,64}):(.*)$/.exec(key) ?? [];
    if (kind === 'resources') addResource(draft, key, suffix, name, value);
    if (kind === 'trait') addTrait(draft, key, suffix, name, value);
  }
  const policy = Object.hasOwn(extraSpecs, 'group_policy') ? extraSpecs.group_policy : undefined;
  if (policy === undefined || policy === 'none' || policy === 'isolate') return policy && (policy === 'none' ? 'NONE' : 'ISOLATE');
  draft.warn('EXTRA_SPEC_LEFT_OUT', 'group_policy', `group_policy ${policy} was left out: it is none or isolate`);
  return undefined;
}

function addResource(draft: RequestDraft, key: string, suffix: string, resourceClass: string, value: string): void {
  const isKnown = standardResourceClasses.some(({ name }) => name === resourceClass) || customNameFault(resourceClass) === null;
  if (!isKnown) {
    draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${resourceClass} is not a resource class`);
    return;
  }
  const amount = /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  if (amount <= maxAmount) draft.group(suffix).resources.set(resourceClass, amount);
  else draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is not a whole number from 0 to ${maxAmount}`);
}

function addTrait(draft: RequestDraft, key: string, suffix: string, trait: string, value: string): void {
  if (value === 'required' || value === 'forbidden') draft.group(suffix)[value].add(trait);
  else draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is neither required nor forbidden`);
}

/** An image can only require traits, as `trait:NAME`. */
function addImageTraits(draft: RequestDraft, image: Properties['image'], traits: readonly string[]): void {
  const { required } = draft.group('');
  for (const trait of traits) required.add(trait);
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

/** The sizes of the flavor, for classes that no group names: whoever names a class in a group of its own wants it there, and only there. */
function addSizes(draft: RequestDraft, flavor: Flavor, bootedFromVolume: Optional<boolean>): void {
  const named = draft.classes;
  const { resources } = draft.group('');
  if (!named.has('VCPU') && !named.has('PCPU')) resources.set('VCPU', flavor.vcpus);
  if (!named.has('MEMORY_MB')) resources.set('MEMORY_MB', flavor.memoryMb);
  if (!named.has('DISK_GB')) resources.set('DISK_GB', diskGbOf(flavor, bootedFromVolume));
}

/**
 * Without a policy groups may share providers. If at most one of them comes from the flavor, its author could not have set a policy; otherwise there
 * is a warning.
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
    const words = 'several groups and no group_policy: Placement refuses such a request; here the groups may share providers';
    draft.warn('GROUP_POLICY_ASSUMED', 'group_policy', words);
  }
  return { groupPolicy: 'NONE' };
}
