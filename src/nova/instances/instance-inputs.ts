// Instances as callers describe them: in plain fields, or as the versioned object, with plain fields for what the object does not hold.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { type Flavor, type FlavorInput, flavorFromObject, parseFlavor } from '../flavors/flavors.ts';
import { type Property, readProperties } from '../flavors/properties.ts';
import { decodeText } from '../objects/codec.ts';
import { pciDeviceStatuses, pciDeviceTypes } from '../pci/pci-pools.ts';
import type { InstanceFacts } from './instance-allocations.ts';

export interface InstanceInput {
  /** JSON text of an Instance; then uuid, project, user, flavor and PCI devices are in it. */
  readonly object?: Optional<string>;
  readonly instance?: Optional<string>;
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly flavor?: Optional<FlavorInput>;
  readonly pciDevices?: Optional<readonly PciDeviceState[]>;
  readonly bootedFromVolume?: Optional<boolean>;
  /** Uuid of the pool with its disks, where they are not local. */
  readonly pool?: Optional<string>;
  readonly imageProperties?: Optional<readonly Property[]>;
}

/** A PCI device of an instance, in Nova's words: such as allocated and type-PCI. */
export interface PciDeviceState {
  readonly status: string;
  readonly devType: string;
}

export interface Instance extends InstanceFacts {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly flavor: Flavor;
  readonly pool: string | null;
  readonly imageProperties: Readonly<Record<string, string>>;
}

/** Reads an instance. Refuses INVALID_INPUT below `path` for what is missing, malformed, or given both in the object and in plain fields. */
export function parseInstance(input: InstanceInput, path: Path = []): Instance {
  const { object, bootedFromVolume, pool, imageProperties, ...plain } = input;
  const own = typeof object === 'string' ? ownFromObject(object, plain, path) : ownFromFields(plain, path);
  const check = new InputCheck();
  check.text([...path, 'project'], own.project, maxNameLength);
  check.text([...path, 'user'], own.user, maxNameLength);
  check.done();
  return {
    ...own,
    bootedFromVolume: bootedFromVolume ?? false,
    pool: pool ?? null,
    imageProperties: readProperties(imageProperties ?? [], [...path, 'imageProperties']),
  };
}

type PlainFields = Pick<InstanceInput, 'instance' | 'project' | 'user' | 'flavor' | 'pciDevices'>;
type Own = Omit<Instance, 'bootedFromVolume' | 'pool' | 'imageProperties'>;

function ownFromFields({ instance, project, user, flavor, pciDevices }: PlainFields, path: Path): Own {
  return {
    uuid: required(instance, [...path, 'instance']),
    project: required(project, [...path, 'project']),
    user: required(user, [...path, 'user']),
    flavor: parseFlavor(required(flavor, [...path, 'flavor']), [...path, 'flavor']),
    pciDevices: (pciDevices ?? []).map((device, index) => readDevice(device, [...path, 'pciDevices', index])),
  };
}

function ownFromObject(json: string, plain: PlainFields, path: Path): Own {
  const twice = Object.entries(plain).find(([, value]) => value !== null && value !== undefined);
  if (twice) throw invalidInput([...path, twice[0]], 'is in the object already: give one or the other');
  const { fields } = decodeText('Instance', json, [...path, 'object']);
  const here = [...path, 'object', 'nova_object.data'];
  return {
    uuid: required(fields.uuid, [...here, 'uuid']),
    project: required(fields.project_id, [...here, 'project_id']),
    user: required(fields.user_id, [...here, 'user_id']),
    flavor: flavorFromObject(required(fields.flavor, [...here, 'flavor']), [...here, 'flavor']),
    pciDevices: (fields.pci_devices?.fields.objects ?? []).map(({ fields: device }, index) =>
      readDevice({ status: device.status ?? '', devType: device.dev_type ?? '' }, [...here, 'pci_devices', index]),
    ),
  };
}

function required<Value>(value: Optional<Value>, path: Path): Value {
  if (value === null || value === undefined) throw invalidInput(path, 'is missing');
  return value;
}

function readDevice({ status, devType }: PciDeviceState, path: Path) {
  return { status: oneOf(pciDeviceStatuses, status, [...path, 'status']), devType: oneOf(pciDeviceTypes, devType, [...path, 'devType']) };
}

function oneOf<Word extends string>(words: readonly Word[], word: string, path: Path): Word {
  const known = words.find((candidate) => candidate === word);
  if (known === undefined) throw invalidInput(path, `must be one of ${words.join(', ')}`);
  return known;
}
