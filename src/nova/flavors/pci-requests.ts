// PCI devices that a flavor requests by alias. Aliases are defined in nova.conf: a call or the settings say what they mean. With PCI in Placement, every device is a
// group of its own, served by its card. Without it, only the number of whole devices on the host is requested, and Nova's filter does the rest.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { pciClassName, pciTraitNames } from '../pci/pci-names.ts';
import type { DeviceRequest, PciNumaPolicy } from '../pci/pci-stats.ts';
import { badFlavor } from '../terms/properties.ts';
import type { RequestDraft } from './request-draft.ts';

/** An alias with its name. */
export interface PciAlias extends PciSpec {
  readonly name: string;
}

/** Conditions on devices; omitted ones do not restrict. */
export interface PciSpec {
  readonly vendorId?: Optional<string>;
  readonly productId?: Optional<string>;
  /** Such as type-VF. */
  readonly deviceType?: Optional<string>;
  readonly resourceClass?: Optional<string>;
  readonly traits?: Optional<readonly string[]>;
  /** How near a device must be to the cells of the guest, unless the flavor or its image says so; LEGACY if omitted. */
  readonly numaPolicy?: Optional<PciNumaPolicy>;
  /** Whether a device must be able to migrate live, or must not; either if omitted. */
  readonly liveMigratable?: Optional<boolean>;
}

export interface PciFacts {
  readonly inPlacement?: Optional<boolean>;
  readonly aliases: readonly PciAlias[];
}

/** Devices of one kind that an instance requests. */
export interface PciRequest {
  /** Begins the suffixes of its groups. */
  readonly id: string;
  readonly count: number;
  readonly specs: readonly PciSpec[];
  /** The policy decided by a RequestSpec. */
  readonly numaPolicy?: PciNumaPolicy;
}

/** Nova's words for the policies. */
export const pciPolicies = ['required', 'preferred', 'legacy', 'socket'] as const;
type PciPolicy = (typeof pciPolicies)[number];

const policyOfWord = { required: 'REQUIRED', preferred: 'PREFERRED', legacy: 'LEGACY', socket: 'SOCKET' } as const;

/** The policy for one of Nova's words; undefined for a missing or unknown word. */
export function readPciPolicy(word: Optional<string>): PciNumaPolicy | undefined {
  const known = pciPolicies.find((each) => each === word);
  return known && policyOfWord[known];
}

export const pciAliasKey = 'pci_passthrough:alias';
const key = pciAliasKey;
const hexadecimal = /^[\da-f]{4}$/i;
const aliasTypes = ['type-PCI', 'type-PF', 'type-VF'];

/**
 * The requests in the value of a flavor's extra spec; empty, with a warning, if no aliases are given. Refuses INVALID_INPUT below `path` for invalid aliases,
 * and for an alias that is not among them.
 */
export function pciRequestsOf(draft: RequestDraft, value: string, facts: Optional<PciFacts>, path: Path): PciRequest[] {
  if (!facts) {
    draft.warn('EXTRA_SPEC_NOT_CHECKED', key, `${key} was left out: the meaning of its aliases is not given`);
    return [];
  }
  const specs = readAliases(facts, path);
  return value.split(',').map((part, index) => {
    const [, name = '', digits] = /^([^:]+):\s*(\d{1,9})$/.exec(part.trim()) ?? [];
    if (digits === undefined) throw badFlavor(`${key} must be aliases with their counts, such as gpu:2,nic:1, is ${value}`);
    const known = specs.get(name.trim());
    if (!known) throw badFlavor(`${key} names ${name.trim()}, which is not among the known aliases`);
    return { id: `pci_${index}`, count: Number(digits), specs: known };
  });
}

/** The names of the aliases in the value of a flavor's extra spec. */
export function aliasNames(value: string): readonly string[] {
  return value.split(',').flatMap((part) => part.split(':')[0]?.trim() || []);
}

/** The aliases by name; several of one name are alternatives. Refuses INVALID_INPUT below `path` for invalid aliases. */
export function readAliases({ aliases, inPlacement }: PciFacts, path: Path): ReadonlyMap<string, readonly PciSpec[]> {
  const check = new InputCheck();
  check.size([...path, 'aliases'], aliases, 0, limits.pciAliases);
  const byName = new Map<string, PciAlias[]>();
  for (const [index, alias] of aliases.entries()) {
    const here = [...path, 'aliases', index];
    const { name, vendorId, productId, deviceType, resourceClass } = alias;
    for (const [field, text] of Object.entries({ name, vendorId, productId, resourceClass })) {
      check.text([...here, field], text, limits.pciTagLength);
    }
    for (const [field, id] of Object.entries({ vendorId, productId })) {
      if (id && !hexadecimal.test(id)) check.add([...here, field], `${field} must have four hexadecimal digits, such as 10fb`);
    }
    for (const [place, trait] of (alias.traits ?? []).entries()) check.text([...here, 'traits', place], trait, limits.pciTagLength);
    if (deviceType && !aliasTypes.includes(deviceType)) check.add([...here, 'deviceType'], `must be one of ${aliasTypes.join(', ')}`);
    if (!(vendorId && productId) && !(inPlacement && resourceClass)) {
      check.add(here, `must have vendorId and productId${inPlacement ? ', or resourceClass' : ''}`);
    }
    const others = byName.get(name) ?? [];
    if (inPlacement && others.length > 0)
      check.add(here, `${name} is given twice: with PCI in Placement, an alias can mean only one kind of device`);
    if (others.some((other) => other.deviceType !== deviceType))
      check.add([...here, 'deviceType'], `must be the same as in the other ${name}`);
    if (others.some((other) => (other.numaPolicy ?? 'LEGACY') !== (alias.numaPolicy ?? 'LEGACY')))
      check.add([...here, 'numaPolicy'], `must be the same as in the other ${name}`);
    byName.set(name, [...others, alias]);
  }
  check.done();
  return byName;
}

/**
 * Adds the requested devices. With PCI in Placement, adds a group for each device and returns the suffixes; otherwise adds the number of whole devices, with
 * a warning. With PCI in Placement, refuses INVALID_INPUT at `path` for more devices than a request can have groups, and for alternatives.
 */
export function addPciRequests(draft: RequestDraft, requests: readonly PciRequest[], inPlacement: Optional<boolean>, path: Path): string[] {
  if (requests.length === 0) return [];
  if (!inPlacement) {
    addWholeDevices(draft, requests);
    return [];
  }
  const devices = requests.reduce((sum, { count }) => sum + count, 0);
  if (devices > limits.searchGroups)
    throw invalidInput(path, `must ask for at most ${limits.searchGroups} PCI devices, asks for ${devices}`);
  return requests.flatMap((request) => {
    if (request.specs.length !== 1) throw invalidInput(path, 'must ask for one kind of device: Placement has no alternatives');
    const { resourceClass, traits, groups } = inPlacementOf(request);
    for (const suffix of groups) {
      const resources = [{ resourceClass, amount: 1 }];
      const clause = { ...(traits.length > 0 && { allOf: traits }), ...(isStill(request) && { noneOf: [liveTrait] }) };
      draft.addForeign({ suffix, resources, ...(Object.keys(clause).length > 0 && { traits: [clause] }) }, path);
    }
    return groups;
  });
}

const liveTrait = 'HW_PCI_LIVE_MIGRATABLE';
const isStill = ({ specs: [spec] }: PciRequest) => spec?.liveMigratable === false;

/** The class, traits and groups that a request needs in Placement; each device has a group. */
function inPlacementOf({ id, count, specs: [spec] }: PciRequest): NonNullable<DeviceRequest['inPlacement']> {
  return {
    resourceClass: pciClassName(spec?.resourceClass, spec?.vendorId, spec?.productId),
    traits: [...pciTraitNames(spec?.traits?.join(',')), ...(spec?.liveMigratable ? [liveTrait] : [])],
    groups: Array.from({ length: count }, (_, device) => `${id}-${device}`),
  };
}

/** How devices are looked for on hosts. */
interface Asking {
  readonly inPlacement: Optional<boolean>;
  /** The policy of the flavor or its image, which takes precedence over that of an alias. */
  readonly policy: PciPolicy | undefined;
  readonly guestCells: number;
}

/**
 * The devices to look for on hosts: all of them if cards are not providers; otherwise all of them if the guest has cells, because Placement knows nothing of
 * cells.
 */
export function devicesOfHosts(requests: readonly PciRequest[], { inPlacement, policy, guestCells }: Asking): DeviceRequest[] {
  const asked = inPlacement && guestCells === 0 ? [] : requests;
  return asked.map((request) => ({
    count: request.count,
    numaPolicy: readPciPolicy(policy) ?? request.numaPolicy ?? request.specs[0]?.numaPolicy ?? 'LEGACY',
    ...(inPlacement && { inPlacement: inPlacementOf(request) }),
    alternatives: request.specs.map(({ vendorId, productId, deviceType, liveMigratable }) => ({
      ...(vendorId ? { vendor_id: vendorId } : {}),
      ...(productId ? { product_id: productId } : {}),
      ...(deviceType ? { dev_type: deviceType } : {}),
      ...(typeof liveMigratable === 'boolean' ? { live_migratable: String(liveMigratable) } : {}),
    })),
  }));
}

/** Nodes whose cards are not providers have PCI_DEVICE for whole devices of any kind. */
function addWholeDevices(draft: RequestDraft, requests: readonly PciRequest[]): void {
  const isWhole = ({ specs }: PciRequest) => specs.every(({ deviceType }) => deviceType === 'type-PCI');
  const whole = requests.filter(isWhole).reduce((sum, { count }) => sum + count, 0);
  if (whole > 0 && !draft.classes.has('PCI_DEVICE')) draft.group('').resources.set('PCI_DEVICE', whole);
  const words =
    'without PCI in Placement, only the number of whole devices is requested; Nova looks for the devices itself (PciPassthroughFilter)';
  draft.warn('EXTRA_SPEC_NOT_CHECKED', key, words);
}
