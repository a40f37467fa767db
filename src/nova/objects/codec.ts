// Versioned objects, the wire format between services of different releases: all kinds that this gateway understands, by name. Does not interpret
// objects; their fields are in objects/forms.
import { invalidInput } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import { computeNodeForm, computeNodeListForm } from './forms/compute-node.ts';
import { type Json, readRecord } from './forms/fields.ts';
import { flavorForm, flavorListForm } from './forms/flavor.ts';
import { type Form, type ObjectOf, readObject, type ValuesOf, type VersionedObject, writeObject } from './forms/form.ts';
import { hvSpecForm } from './forms/hv-spec.ts';
import { imageMetaForm, imageMetaPropsForm } from './forms/image-meta.ts';
import { instanceForm, instanceListForm } from './forms/instance.ts';
import { instanceGroupForm } from './forms/instance-group.ts';
import { migrationForm, migrationListForm } from './forms/migration.ts';
import { networkMetadataForm } from './forms/network-metadata.ts';
import { pciDeviceForm, pciDeviceListForm } from './forms/pci-device.ts';
import { pciDevicePoolForm, pciDevicePoolListForm } from './forms/pci-device-pool.ts';
import {
  destinationForm,
  instancePciRequestForm,
  instancePciRequestsForm,
  requestGroupForm,
  requestLevelParamsForm,
  requestSpecForm,
} from './forms/request-spec.ts';
import { schedulerLimitsForm, schedulerRetriesForm } from './forms/scheduler.ts';
import { selectionForm } from './forms/selection.ts';
import { serviceForm, serviceListForm } from './forms/service.ts';

const forms = {
  ComputeNode: computeNodeForm,
  ComputeNodeList: computeNodeListForm,
  Destination: destinationForm,
  Flavor: flavorForm,
  FlavorList: flavorListForm,
  HVSpec: hvSpecForm,
  ImageMeta: imageMetaForm,
  ImageMetaProps: imageMetaPropsForm,
  Instance: instanceForm,
  InstanceGroup: instanceGroupForm,
  InstanceList: instanceListForm,
  InstancePCIRequest: instancePciRequestForm,
  InstancePCIRequests: instancePciRequestsForm,
  Migration: migrationForm,
  MigrationList: migrationListForm,
  NetworkMetadata: networkMetadataForm,
  PciDevice: pciDeviceForm,
  PciDeviceList: pciDeviceListForm,
  PciDevicePool: pciDevicePoolForm,
  PciDevicePoolList: pciDevicePoolListForm,
  RequestGroup: requestGroupForm,
  RequestLevelParams: requestLevelParamsForm,
  RequestSpec: requestSpecForm,
  SchedulerLimits: schedulerLimitsForm,
  SchedulerRetries: schedulerRetriesForm,
  Selection: selectionForm,
  Service: serviceForm,
  ServiceList: serviceListForm,
};

export type ObjectName = keyof typeof forms;
/** A versioned object, such as `NovaObject<'Flavor'>`: typed fields, any of which may be unset. */
export type NovaObject<Name extends ObjectName = ObjectName> = { readonly [Some in Name]: ObjectOf<(typeof forms)[Some]> }[Name];
export type ObjectValues<Name extends ObjectName> = ValuesOf<(typeof forms)[Name]>;

/** The newest versions that a receiver understands, by object name. */
export type Manifest = Readonly<Record<string, string>>;

/**
 * The receiver of an object: one version for the object itself, or a manifest for it and all nested objects. With neither, it is written in its own
 * version.
 */
export interface EncodeOptions {
  readonly version?: string;
  readonly manifest?: Manifest;
  /** Finds the id of a host's service, which compute nodes below 1.13 require; -1 stands in for it. */
  readonly serviceIdOf?: (host: string) => number | undefined;
}

/** The versions that this gateway understands: the manifest to send to other services. */
export const ownManifest: Manifest = Object.fromEntries(Object.values(forms).map(({ name, version }) => [name, version]));

/** Reads an object of any supported kind. Refuses INVALID_INPUT at the path of the fault, below `path`. */
export function decodeObject(wire: unknown, path: Path = []): NovaObject {
  const name = readRecord(wire, path)['nova_object.name'];
  if (typeof name !== 'string' || !Object.hasOwn(forms, name)) {
    throw invalidInput([...path, 'nova_object.name'], `must be one of ${Object.keys(forms).join(', ')}`);
  }
  return decodeAs(name as ObjectName, wire, path);
}

/** Reads an object that must be of one kind. Refuses what decodeObject refuses. */
function decodeAs<Name extends ObjectName>(name: Name, wire: unknown, path: Path = []): NovaObject<Name> {
  return readObject(forms[name] as Form, wire, path) as NovaObject<Name>;
}

/** Reads the JSON text of an object of one kind. Refuses what decodeObject refuses, and malformed JSON. */
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

/** Creates an object in the newest version. */
export function makeObject<Name extends ObjectName>(name: Name, fields: ObjectValues<Name>): NovaObject<Name> {
  return { name, version: forms[name].version, fields, others: {}, changes: [] } as VersionedObject as NovaObject<Name>;
}

/**
 * Writes an object in its own version, or in an older one for an older receiver. A newer receiver gets it unchanged. Refuses INVALID_INPUT if the major
 * version differs or the receiver's version cannot represent a value.
 */
export function encodeObject(object: NovaObject, { version, manifest = {}, serviceIdOf = () => undefined }: EncodeOptions = {}): Json {
  const known = version === undefined ? manifest : { ...manifest, [object.name]: version };
  return writeObject(forms[object.name], object, { manifest: known, serviceIdOf });
}
