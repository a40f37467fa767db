// The settings of the cloud: what calls about flavors and instances need of nova.conf, Cyborg and the operators, set once. An argument that a call gives
// counts instead, as a whole.
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { ProgramVersions } from '../../domain/service.ts';
import { maxNameLength } from '../../domain/text.ts';
import { replaceServiceSettings } from '../../operations/records/services.ts';
import { InputCheck, type ProviderExpectation } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { addDeviceProfile, type DeviceProfileGroup, profilePrefix } from '../flavors/device-profiles.ts';
import type { RequestFacts } from '../flavors/flavor-request.ts';
import type { Flavor } from '../flavors/flavors.ts';
import { aliasNames, type PciFacts, pciAliasKey, readAliases } from '../flavors/pci-requests.ts';
import { type Prefilters, readHostAggregates } from '../flavors/prefilters.ts';
import { RequestDraft } from '../flavors/request-draft.ts';
import { settingsKind } from '../services/compute-program.ts';
import { firstVersionWithOwner, ownerNova } from '../services/owners.ts';
import { computeVersions } from '../services/services.ts';

export interface NovaSettings {
  /** Uuids of the aggregates that are the cells. */
  readonly cells?: Optional<readonly string[]>;
  readonly pciPassthrough?: Optional<PciFacts>;
  readonly deviceProfiles?: Optional<readonly DeviceProfile[]>;
  readonly prefilters?: Optional<Omit<Prefilters, 'availabilityZone' | 'project' | 'isOfCloud'>>;
  readonly weightMultipliers?: Optional<Readonly<Record<string, Optional<number>>>>;
}

/** A device profile of Cyborg. */
export interface DeviceProfile {
  readonly name: string;
  readonly groups: readonly DeviceProfileGroup[];
}

/** The settings with the number of their replacements. */
export interface StoredNovaSettings extends NovaSettings {
  readonly generation: number;
}

/** The record with the settings, of which there is one. */
const uuidOfSettings = '5f0d3c0e-6f39-4b1d-9c0c-6a2f7a1e9b54';

/** Replaces the settings. Equal ones are not written. Refuses INVALID_INPUT and SETTINGS_CONFLICT. */
export async function replaceNovaSettings(
  scope: RequestScope,
  { expect, settings }: { readonly expect: ProviderExpectation; readonly settings: NovaSettings },
): Promise<StoredNovaSettings> {
  checkSettings(settings);
  const { cells, pciPassthrough, deviceProfiles, prefilters, weightMultipliers } = settings;
  const all = { cells, pciPassthrough, deviceProfiles, prefilters, weightMultipliers };
  // A setting that is not given is stored as null, so that no replacement is the same as none.
  const body = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value ?? null]));
  const stored = await replaceServiceSettings(scope, { kind: settingsKind, uuid: uuidOfSettings, body, expect });
  return stored as StoredNovaSettings;
}

function checkSettings({ cells, pciPassthrough, deviceProfiles, prefilters }: NovaSettings): void {
  const check = new InputCheck();
  const profiles = deviceProfiles ?? [];
  check.size(['settings', 'cells'], cells ?? [], 0, limits.claimAggregates);
  check.size(['settings', 'deviceProfiles'], profiles, 0, limits.deviceProfiles);
  const names = profiles.map(({ name }) => name);
  check.unique(['settings', 'deviceProfiles'], names, (index) => [index, 'name']);
  for (const [index, name] of names.entries()) check.text(['settings', 'deviceProfiles', index, 'name'], name, maxNameLength);
  check.done();
  if (pciPassthrough) readAliases(pciPassthrough, ['settings', 'pciPassthrough']);
  for (const [index, { groups }] of profiles.entries()) {
    addDeviceProfile(new RequestDraft(), groups, ['settings', 'deviceProfiles', index, 'groups']);
  }
  readHostAggregates(prefilters?.hostAggregates ?? [], ['settings', 'prefilters', 'hostAggregates']);
}

/** What is the same for all calls: the versions of the compute services, and the settings. */
export interface Cloud {
  readonly versions: ProgramVersions;
  readonly settings: StoredNovaSettings;
}

/** For what the cloud is read. */
export interface CloudQuestion {
  /** Whether the request itself requires the owner of its tree. */
  readonly isOwned?: boolean;
  /** Whether the call will return its first answer, whatever the settings are now. */
  readonly isRepeated?: boolean;
}

/** Reads both, usually in one small statement. A caller that is limited to its own project sees no settings: they name the aggregates of others. */
export async function readCloud(scope: RequestScope, { isOwned = false, isRepeated = false }: CloudQuestion = {}): Promise<Cloud> {
  const versions = await computeVersions(scope, ownerNova, isOwned ? 0 : firstVersionWithOwner);
  const isHidden = isRepeated || scope.ownProject !== null;
  const stored = isHidden ? null : (versions.settings as StoredNovaSettings | null);
  return { versions, settings: stored ?? { generation: 0 } };
}

/** Where an instance is to be and whose it is, as the optional pre-filters need it. */
export interface PlaceOfInstance {
  readonly availabilityZone?: Optional<string>;
  readonly project?: Optional<string>;
}

/** The pre-filters of a call: those that it gives, or those of the settings, for the zone and project of the instance unless the pre-filters have others. */
export function settledPrefilters(
  given: Optional<Prefilters>,
  { prefilters }: NovaSettings,
  { availabilityZone, project }: PlaceOfInstance,
): Optional<Prefilters> {
  const own: Optional<Prefilters> = given ?? (prefilters && { ...prefilters, isOfCloud: true });
  if (!own && !availabilityZone) return own;
  return { ...own, availabilityZone: own?.availabilityZone ?? availabilityZone, project: own?.project ?? project };
}

type DeviceFacts = Pick<RequestFacts, 'pciPassthrough' | 'deviceProfile' | 'otherGroups'>;

/** Whether a flavor names an alias or a device profile whose meaning is not given. */
export function lacksDevices({ extraSpecs }: Flavor, { pciPassthrough, deviceProfile }: DeviceFacts): boolean {
  return Boolean((extraSpecs[pciAliasKey] && !pciPassthrough) || (extraSpecs[profileKey] && !deviceProfile));
}

/** The meaning of the aliases and of the device profile that a flavor names, as given or else as set. */
export function settledDevices(
  { extraSpecs }: Flavor,
  { pciPassthrough, deviceProfile, otherGroups }: DeviceFacts,
  settings: NovaSettings,
): Pick<RequestFacts, 'pciPassthrough' | 'deviceProfile'> {
  // Nova's conductor has already made the groups of a RequestSpec.
  const isMade = otherGroups?.some(({ suffix }) => suffix?.startsWith(profilePrefix));
  const profile = settings.deviceProfiles?.find(({ name }) => name === extraSpecs[profileKey]);
  return {
    pciPassthrough: pciPassthrough ?? settings.pciPassthrough,
    deviceProfile: deviceProfile ?? (isMade ? null : profile?.groups),
  };
}

/** Whether the settings have all aliases of a flavor. An instance may be older than the settings. */
export function knowsAliases({ extraSpecs }: Flavor, { pciPassthrough }: NovaSettings): boolean {
  return aliasNames(extraSpecs[pciAliasKey] ?? '').every((name) => pciPassthrough?.aliases.some((alias) => alias.name === name));
}

const profileKey = 'accel:device_profile';
