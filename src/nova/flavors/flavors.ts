// Flavors, and what a flavor with its image requests from placement. A request states what is needed, never from which provider. Properties that
// cannot be understood are ignored with a warning; contradictions are refused.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { customNameFault, maxNameLength } from '../../domain/text.ts';
import type { CandidatesInput } from '../../operations/candidates/candidates.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { decodeText, type NovaObject } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { featuresOf } from './flavor-features.ts';
import { processorsOf } from './processors.ts';
import { type Properties, type Property, readProperties } from './properties.ts';
import type { RequestWarning, RequestWarningCode } from './request-warnings.ts';

/** The sizes of a flavor. */
export interface FlavorNumbers {
  readonly vcpus: number;
  /** MiB. */
  readonly memoryMb: number;
  /** GiB. */
  readonly rootGb: number;
  /** GiB. */
  readonly ephemeralGb: number;
  /** MiB. */
  readonly swapMb: number;
}

export interface Flavor extends FlavorNumbers {
  readonly name: string | null;
  /** Such as `resources:VGPU` or `hw:cpu_policy`. */
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** A flavor as given by a caller. */
export type FlavorInput = Given<FlavorFields>;

export interface FlavorFields {
  readonly name?: Optional<string>;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb?: Optional<number>;
  readonly ephemeralGb?: Optional<number>;
  readonly swapMb?: Optional<number>;
  readonly extraSpecs?: Optional<readonly ExtraSpec[]>;
}

/** An extra specification as given by a caller. */
export type ExtraSpec = Property;

type Group = CandidatesInput['groups'][number];

/** Other input of a request. */
export interface RequestFacts {
  /** Traits that the image requires. */
  readonly imageTraits?: Optional<readonly string[]>;
  /** Such as `hw_cpu_policy`. */
  readonly imageProperties?: Optional<Readonly<Record<string, string>>>;
  readonly bootedFromVolume?: Optional<boolean>;
  /** Groups for ports and device profiles, passed on unchanged. */
  readonly otherGroups?: Optional<readonly Group[]>;
}

export interface FlavorRequest {
  readonly request: CandidatesInput;
  /** The suffixes of the groups that come from the flavor; '' for the unsuffixed group. */
  readonly flavorGroups: readonly string[];
  /** What was ignored, and what will be refused. */
  readonly warnings: readonly RequestWarning[];
}

/**
 * Parses a flavor. Root disk, ephemeral disk and swap default to 0. Refuses INVALID_INPUT below `path` for numbers out of range, a malformed object,
 * or a duplicate extra specification.
 */
export function parseFlavor({ object, fields }: FlavorInput, path: Path): Flavor {
  if (object !== undefined) return flavorFromObject(decodeText('Flavor', object, [...path, 'object']), [...path, 'object']);
  const { extraSpecs, ...numbers } = fields;
  const specs = readProperties(extraSpecs ?? [], [...path, 'fields', 'extraSpecs']);
  return checkNumbers({ ...numbers, name: numbers.name ?? null, extraSpecs: specs }, (field) => [...path, 'fields', field]);
}

/** A flavor from its versioned object; refuses INVALID_INPUT below `path` like parseFlavor. */
export function flavorFromObject({ fields }: NovaObject<'Flavor'>, path: Path = []): Flavor {
  const { vcpus, memory_mb: memoryMb, root_gb: rootGb, ephemeral_gb: ephemeralGb, swap: swapMb } = fields;
  const numbers = { vcpus, memoryMb, rootGb, ephemeralGb, swapMb, name: fields.name ?? null, extraSpecs: fields.extra_specs ?? {} };
  const wireNames: Record<string, string> = { memoryMb: 'memory_mb', rootGb: 'root_gb', ephemeralGb: 'ephemeral_gb', swapMb: 'swap' };
  return checkNumbers(numbers, (field) => [...path, 'nova_object.data', wireNames[field] ?? field]);
}

type Unchecked = Omit<Flavor, keyof FlavorNumbers> & { readonly [Field in keyof FlavorNumbers]?: Optional<number> };

function checkNumbers({ vcpus, memoryMb, rootGb, ephemeralGb, swapMb, name, extraSpecs }: Unchecked, at: (field: string) => Path): Flavor {
  const numbers = { vcpus, memoryMb, rootGb: rootGb ?? 0, ephemeralGb: ephemeralGb ?? 0, swapMb: swapMb ?? 0 };
  const check = new InputCheck();
  check.text(at('name'), name, maxNameLength);
  check.done();
  for (const [field, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > maxAmount) {
      throw invalidInput(at(field), `must be a whole number from 0 to ${maxAmount}`);
    }
  }
  return { ...numbers, vcpus: vcpus ?? 0, memoryMb: memoryMb ?? 0, name, extraSpecs };
}

/** The disk space of a flavor in GiB: root (0 when booted from a volume), ephemeral, and swap rounded up to whole GiB. */
export function diskGbOf({ rootGb, ephemeralGb, swapMb }: FlavorNumbers, bootedFromVolume: Optional<boolean>): number {
  return (bootedFromVolume ? 0 : rootGb) + ephemeralGb + Math.ceil(swapMb / 1024);
}

/**
 * The request of a flavor to placement. Its sizes go to the unsuffixed group; extra specifications `resources[S]:CLASS` override or add,
 * `trait[S]:NAME` require or forbid, and `group_policy` says whether groups may share providers. Refuses INVALID_INPUT for contradicting processor
 * policies, and for traits of the image that are not valid names.
 */
export function flavorToRequest(flavor: Flavor, facts: RequestFacts = {}): FlavorRequest {
  const properties = { flavor: flavor.extraSpecs, image: facts.imageProperties ?? {} };
  const check = new InputCheck();
  check.traits(['imageTraits'], facts.imageTraits ?? []);
  check.done();
  const draft = new Draft();
  addNumbers(draft, flavor, properties, facts.bootedFromVolume);
  const features = featuresOf(properties);
  for (const [resourceClass, amount] of features.resources) draft.group('').resources.set(resourceClass, amount);
  for (const trait of [...features.traits, ...(facts.imageTraits ?? [])]) draft.group('').required.add(trait);
  const policy = addExtraSpecs(draft, flavor.extraSpecs);
  addImageProperties(draft, properties.image);
  const groups = draft.render();
  const flavorGroups = groups.map(({ suffix }) => suffix ?? '');
  const others = facts.otherGroups ?? [];
  return {
    request: { groups: [...groups, ...others], ...choosePolicy(draft, policy, flavorGroups, others) },
    flavorGroups,
    warnings: draft.warnings,
  };
}

interface DraftGroup {
  readonly resources: Map<string, number>;
  readonly required: Set<string>;
  readonly forbidden: Set<string>;
}

/** A request under construction, group by group. */
class Draft {
  readonly warnings: RequestWarning[] = [];
  readonly #groups = new Map<string, DraftGroup>();

  warn(code: RequestWarningCode, subject: string | null, message: string): void {
    this.warnings.push({ code, subject, message });
  }

  group(suffix: string): DraftGroup {
    const group = this.#groups.get(suffix) ?? { resources: new Map(), required: new Set(), forbidden: new Set() };
    this.#groups.set(suffix, group);
    return group;
  }

  /** The groups that request something. One with traits only is kept: dropping it would weaken the request. */
  render(): Group[] {
    return [...this.#groups].flatMap(([suffix, { resources, required, forbidden }]) => {
      const amounts = [...resources].flatMap(([resourceClass, amount]) => (amount > 0 ? { resourceClass, amount } : []));
      const hasTraits = required.size + forbidden.size > 0;
      if (amounts.length === 0 && !hasTraits) return [];
      if (amounts.length === 0) {
        const words = `the group ${suffix || 'without suffix'} has traits but asks for no resources: such a request is refused`;
        this.warn('GROUP_WITHOUT_RESOURCES', suffix || null, words);
      }
      const clause = { ...(required.size > 0 ? { allOf: [...required] } : {}), ...(forbidden.size > 0 ? { noneOf: [...forbidden] } : {}) };
      return [{ ...(suffix ? { suffix } : {}), resources: amounts, ...(hasTraits ? { traits: [clause] } : {}) }];
    });
  }
}

function addNumbers(draft: Draft, flavor: Flavor, properties: Properties, bootedFromVolume: Optional<boolean>): void {
  const { shared, dedicated, hyperthreading, warnings } = processorsOf(flavor.vcpus, properties);
  const { resources, ...traits } = draft.group('');
  resources.set('VCPU', shared).set('PCPU', dedicated).set('MEMORY_MB', flavor.memoryMb).set('DISK_GB', diskGbOf(flavor, bootedFromVolume));
  if (hyperthreading) traits[hyperthreading].add('HW_CPU_HYPERTHREADING');
  draft.warnings.push(...warnings);
}

/** Returns the group policy, if a legal one is given. */
function addExtraSpecs(draft: Draft, extraSpecs: Flavor['extraSpecs']): CandidatesInput['groupPolicy'] {
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

function addResource(draft: Draft, key: string, suffix: string, resourceClass: string, value: string): void {
  const isKnown = standardResourceClasses.some(({ name }) => name === resourceClass) || customNameFault(resourceClass) === null;
  if (!isKnown) {
    draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${resourceClass} is not a resource class`);
    return;
  }
  const amount = /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  if (amount <= maxAmount) draft.group(suffix).resources.set(resourceClass, amount);
  else draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is not a whole number from 0 to ${maxAmount}`);
}

function addTrait(draft: Draft, key: string, suffix: string, trait: string, value: string): void {
  if (value === 'required' || value === 'forbidden') draft.group(suffix)[value].add(trait);
  else draft.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${value} is neither required nor forbidden`);
}

/** An image can only require traits, as `trait:NAME`. */
function addImageProperties(draft: Draft, image: Properties['image']): void {
  for (const [key, value] of Object.entries(image)) {
    const [, trait] = /^trait:(.*)$/.exec(key) ?? [];
    if (trait === undefined) continue;
    if (value === 'required') draft.group('').required.add(trait);
    else draft.warn('IMAGE_PROPERTY_LEFT_OUT', key, `${key} of the image was left out: ${value} is not required`);
  }
}

/**
 * Without a policy groups may share providers. If at most one of them comes from the flavor, its author could not have set a policy; otherwise there
 * is a warning.
 */
function choosePolicy(
  draft: Draft,
  policy: CandidatesInput['groupPolicy'],
  flavorGroups: readonly string[],
  others: readonly Group[],
): Pick<CandidatesInput, 'groupPolicy'> {
  if (policy) return { groupPolicy: policy };
  const own = flavorGroups.filter((suffix) => suffix !== '').length;
  if (own + others.filter(({ suffix }) => suffix).length < 2) return {};
  if (own > 1) {
    const words = 'several groups and no group_policy: Placement refuses such a request; here the groups may share providers';
    draft.warn('GROUP_POLICY_ASSUMED', 'group_policy', words);
  }
  return { groupPolicy: 'NONE' };
}
