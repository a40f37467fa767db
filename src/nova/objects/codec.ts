// Versioned objects, the wire form in which services of different releases talk to each other: all that this gateway understands, by name.
// Does not interpret objects; their fields are in objects/forms.
import { invalidInput } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import { type Json, readRecord } from './fields.ts';
import { type Form, type ObjectOf, readObject, type ValuesOf, type VersionedObject, writeObject } from './form.ts';
import { computeNodeForm, computeNodeListForm } from './forms/compute-node.ts';
import { flavorForm, flavorListForm } from './forms/flavor.ts';
import { instanceForm, instanceListForm } from './forms/instance.ts';
import { migrationForm, migrationListForm } from './forms/migration.ts';
import { pciDeviceForm, pciDeviceListForm } from './forms/pci-device.ts';
import { pciDevicePoolForm, pciDevicePoolListForm } from './forms/pci-device-pool.ts';
import { requestGroupForm, requestLevelParamsForm, requestSpecForm } from './forms/request-spec.ts';
import { selectionForm } from './forms/selection.ts';
import { serviceForm, serviceListForm } from './forms/service.ts';

const forms = {
  ComputeNode: computeNodeForm,
  ComputeNodeList: computeNodeListForm,
  Flavor: flavorForm,
  FlavorList: flavorListForm,
  Instance: instanceForm,
  InstanceList: instanceListForm,
  Migration: migrationForm,
  MigrationList: migrationListForm,
  PciDevice: pciDeviceForm,
  PciDeviceList: pciDeviceListForm,
  PciDevicePool: pciDevicePoolForm,
  PciDevicePoolList: pciDevicePoolListForm,
  RequestGroup: requestGroupForm,
  RequestLevelParams: requestLevelParamsForm,
  RequestSpec: requestSpecForm,
  Selection: selectionForm,
  Service: serviceForm,
  ServiceList: serviceListForm,
};

export type ObjectName = keyof typeof forms;
/** One versioned object, such as `NovaObject<'Flavor'>`: typed fields, of which any may be unset. */
export type NovaObject<Name extends ObjectName = ObjectName> = { readonly [Some in Name]: ObjectOf<(typeof forms)[Some]> }[Name];
export type ObjectValues<Name extends ObjectName> = ValuesOf<(typeof forms)[Name]>;

/** Newest versions that a receiver knows, by object name. */
export type Manifest = Readonly<Record<string, string>>;

/** The receiver of an object: one version for the object itself, or a manifest for it and all objects inside. With neither, it is written as it is. */
export interface EncodeOptions {
  readonly version?: string;
  readonly manifest?: Manifest;
  /** Finds the number of a host's service, which compute nodes below 1.13 cannot be without; -1 stands in for it. */
  readonly serviceIdOf?: (host: string) => number | undefined;
}

/** What this side understands: the manifest to send to others. */
export const ownManifest: Manifest = Object.fromEntries(Object.values(forms).map(({ name, version }) => [name, version]));

/** Reads an object of any kind that is understood. Refuses INVALID_INPUT at the place of the fault, below `path`. */
export function decodeObject(wire: unknown, path: Path = []): NovaObject {
  const name = readRecord(wire, path)['nova_object.name'];
  if (typeof name !== 'string' || !Object.hasOwn(forms, name)) {
    throw invalidInput([...path, 'nova_object.name'], `must be one of ${Object.keys(forms).join(', ')}`);
  }
  return decodeAs(name as ObjectName, wire, path);
}

/** Reads an object that must be of one kind. Refuses as decodeObject does. */
function decodeAs<Name extends ObjectName>(name: Name, wire: unknown, path: Path = []): NovaObject<Name> {
  return readObject(forms[name] as Form, wire, path) as NovaObject<Name>;
}

/** Reads the JSON text of an object of one kind. Refuses as decodeObject does, and whatever is not JSON. */
export function decodeText<Name extends ObjectName>(name: Name, json: string, path: Path = []): NovaObject<Name> {
  return decodeAs(name, parseJson(json, path), path);
}

/** Parses JSON. Refuses INVALID_INPUT at `path`. */
export function parseJson(json: string, path: Path): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidInput(path, 'must be JSON');
  }
}

/** An object made here, in the newest version. */
export function makeObject<Name extends ObjectName>(name: Name, fields: ObjectValues<Name>): NovaObject<Name> {
  return { name, version: forms[name].version, fields, others: {}, changes: [] } as VersionedObject as NovaObject<Name>;
}

/**
 * Writes an object in its own version, or for an older receiver. A newer receiver gets it as it is. Refuses INVALID_INPUT when the major
 * version differs or the receiver cannot be told a value.
 */
export function encodeObject(object: NovaObject, { version, manifest = {}, serviceIdOf = () => undefined }: EncodeOptions = {}): Json {
  const known = version === undefined ? manifest : { ...manifest, [object.name]: version };
  return writeObject(forms[object.name], object, { manifest: known, serviceIdOf });
}
