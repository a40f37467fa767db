// Instances as given by callers, with fields that Nova's Instance object does not have.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { DeviceProfileGroup } from '../flavors/device-profiles.ts';
import { type Flavor, type FlavorInput, flavorFromObject, parseFlavor } from '../flavors/flavors.ts';
import { type PciFacts, pciAliasKey, readAliases } from '../flavors/pci-requests.ts';
import type { Port } from '../flavors/ports.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { pciDeviceStatuses, pciDeviceTypes } from '../pci/pci-pools.ts';
import { knowsAliases, lacksDevices, type NovaSettings, readCloud, settledDevices } from '../settings/nova-settings.ts';
import { type Property, readProperties } from '../terms/properties.ts';
import { countWholeDevicesInUse, type InstanceFacts } from './instance-allocations.ts';

export interface InstanceInput {
  readonly instanceRecord: Given<InstanceFields>;
  readonly bootedFromVolume?: Optional<boolean>;
  /** Uuid of the pool with its disks, unless they are local. */
  readonly pool?: Optional<string>;
  readonly imageProperties?: Optional<readonly Property[]>;
  /** The meaning of the aliases of its flavor. If given, the aliases count instead of the number of its devices. */
  readonly pciPassthrough?: Optional<PciFacts>;
  readonly ports?: Optional<readonly Port[]>;
  /** The groups of the profile that the flavor names as `accel:device_profile`. */
  readonly deviceProfile?: Optional<readonly DeviceProfileGroup[]>;
}

export interface InstanceFields {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly flavor: FlavorInput;
  readonly pciDeviceCount?: Optional<number>;
}

export interface Instance extends InstanceFacts {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly flavor: Flavor;
  readonly pool: string | null;
  /** Null if unknown. */
  readonly imageProperties: Readonly<Record<string, string>> | null;
  readonly pciPassthrough: PciFacts | null;
  /** Null if unknown. */
  readonly ports: readonly Port[] | null;
  /** The number of its virtual functions; null if unknown. */
  readonly functionCount: number | null;
  readonly deviceProfile: readonly DeviceProfileGroup[] | null;
  /** The path of the whole instance in the input. */
  readonly path: Path;
  /** The path under which the input has its uuid and flavor. */
  readonly place: Path;
}

/**
 * Parses an instance. `flavor`: the field of an object from which to read the flavor; if it is unset or null, the current flavor is read. Refuses
 * INVALID_INPUT below `path` for missing or malformed fields.
 */
export function parseInstance(
  { instanceRecord, bootedFromVolume, pool, imageProperties, pciPassthrough, ports, deviceProfile }: InstanceInput,
  path: Path,
  flavor: FlavorOfObject = 'flavor',
): Instance {
  if (pciPassthrough) readAliases(pciPassthrough, [...path, 'pciPassthrough']);
  const { object, fields } = instanceRecord;
  const below = [...path, 'instanceRecord'];
  const own = object === undefined ? ownFromFields(fields, [...below, 'fields']) : ownFromObject(object, [...below, 'object'], flavor);
  const check = new InputCheck();
  const [project, user] = object === undefined ? ['project', 'user'] : ['project_id', 'user_id'];
  check.text([...own.place, project], own.project, maxNameLength);
  check.text([...own.place, user], own.user, maxNameLength);
  check.done();
  return {
    ...own,
    bootedFromVolume: bootedFromVolume ?? false,
    pool: pool ?? null,
    imageProperties: imageProperties ? readProperties(imageProperties, [...path, 'imageProperties']) : null,
    pciPassthrough: pciPassthrough ?? null,
    ports: ports ?? null,
    deviceProfile: deviceProfile ?? null,
    path,
  };
}

/** What the settings say about the devices of instances. */
export type DeviceSettings = Pick<NovaSettings, 'pciPassthrough' | 'deviceProfiles'>;

/** The settings about devices, if a flavor names some whose meaning the call does not give. At most two statements. */
export async function deviceSettingsFor(scope: RequestScope, instances: readonly Instance[]): Promise<DeviceSettings> {
  if (!instances.some((instance) => lacksDevices(instance.flavor, instance))) return {};
  const { pciPassthrough, deviceProfiles } = (await readCloud(scope)).settings;
  return { pciPassthrough, deviceProfiles };
}

/** An instance with the meaning of what its flavor names. Without that of all its aliases, its whole devices count instead. */
export function settledInstance(instance: Instance, settings: DeviceSettings): Instance {
  const { flavor, pciPassthrough } = instance;
  if (!lacksDevices(flavor, instance)) return instance;
  const settled = settledDevices(flavor, instance, settings);
  const isKnown = pciPassthrough || (flavor.extraSpecs[pciAliasKey] && knowsAliases(flavor, settings));
  return { ...instance, pciPassthrough: (isKnown && settled.pciPassthrough) || null, deviceProfile: settled.deviceProfile ?? null };
}

/** While an instance is being resized, its object has the flavors of both sides. */
export type FlavorOfObject = 'flavor' | 'old_flavor' | 'new_flavor';

type Own = Omit<Instance, 'bootedFromVolume' | 'pool' | 'imageProperties' | 'pciPassthrough' | 'ports' | 'deviceProfile' | 'path'>;

function ownFromFields({ flavor, pciDeviceCount, ...rest }: InstanceFields, place: Path): Own {
  if ((pciDeviceCount ?? 0) < 0) throw invalidInput([...place, 'pciDeviceCount'], 'must not be negative');
  return { ...rest, flavor: parseFlavor(flavor, [...place, 'flavor']), pciDeviceCount, functionCount: null, place };
}

function ownFromObject(json: string, path: Path, side: FlavorOfObject): Own {
  const { fields } = decodeText('Instance', json, path);
  const here = [...path, 'nova_object.data'];
  const flavor = fields[side] ? side : 'flavor';
  const devices = fields.pci_devices?.fields.objects?.map(({ fields: device }, index) => readDevice(device, placeOfDevice(here, index)));
  return {
    place: here,
    uuid: required(fields.uuid, [...here, 'uuid']),
    project: required(fields.project_id, [...here, 'project_id']),
    user: required(fields.user_id, [...here, 'user_id']),
    flavor: flavorFromObject(required(fields[flavor], [...here, flavor]), [...here, flavor]),
    pciDeviceCount: countWholeDevicesInUse(devices ?? []),
    // During a task, such as a build, devices that it will have may be missing.
    functionCount: devices && !fields.task_state ? devices.filter(({ devType }) => devType === 'type-VF').length : null,
  };
}

function required<Value>(value: Optional<Value>, path: Path): Value {
  if (value === null || value === undefined) throw invalidInput(path, 'is missing');
  return value;
}

function placeOfDevice(instance: Path, index: number): Path {
  return [...instance, 'pci_devices', 'nova_object.data', 'objects', index, 'nova_object.data'];
}

function readDevice({ status, dev_type: devType }: Readonly<Partial<Record<'status' | 'dev_type', string | null>>>, path: Path) {
  return { status: oneOf(pciDeviceStatuses, status, [...path, 'status']), devType: oneOf(pciDeviceTypes, devType, [...path, 'dev_type']) };
}

function oneOf<Word extends string>(words: readonly Word[], word: Optional<string>, path: Path): Word {
  const known = words.find((candidate) => candidate === word);
  if (known === undefined) throw invalidInput(path, `must be one of ${words.join(', ')}`);
  return known;
}
