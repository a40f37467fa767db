// PCI devices of compute nodes, reported and stored one by one. Their form in Placement is in pci-cards.ts; their pools, which are never stored, are in
// pci-pools.ts.

import { Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import type { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import {
  type PciDevice,
  type PciDeviceStatus,
  type PciDeviceType,
  type PciTextField,
  pciDeviceStatuses,
  pciDeviceTypes,
  readPciDevice,
  wirePathOf,
} from './pci-pools.ts';

/** A device of a node, with its operator's specification. */
export interface PciDeviceInput {
  readonly device: Given<PciDeviceFields>;
  readonly tags?: Optional<readonly { readonly key: string; readonly value: string }[]>;
}

export interface PciDeviceFields {
  readonly address: string;
  readonly vendorId: string;
  readonly productId: string;
  readonly devType?: Optional<string>;
  readonly status?: Optional<string>;
  readonly numaNode?: Optional<number>;
  readonly parentAddress?: Optional<string>;
  readonly parentInterface?: Optional<string>;
  readonly remoteManaged?: Optional<boolean>;
  readonly instance?: Optional<string>;
}

/** Domain, bus, slot and function. */
export const pciAddress = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i;

const maxDevices = limits.pciDevices;
const maxTags = limits.pciTags;
/** In characters. A tag becomes part of the name of a class or trait, so there must be room for a prefix. */
const maxTagLength = limits.pciTagLength;
const maxIdLength = limits.pciIdLength;

/** Parses reported devices; problems are added to `check`, and any of them refuses the whole list. */
export function parseDevices(check: InputCheck, path: Path, inputs: readonly PciDeviceInput[]): PciDevice[] {
  check.size(path, inputs, 0, maxDevices);
  const devices = inputs.flatMap((input, index) => parseDevice(check, [...path, index], input) ?? []);
  check.done();
  check.unique(
    path,
    devices.map(({ address }) => address),
    (index) => [index, 'device'],
  );
  return devices;
}

function parseDevice(check: InputCheck, path: Path, input: PciDeviceInput): PciDevice | null {
  check.size([...path, 'tags'], input.tags ?? [], 0, maxTags);
  const read = readDevice(check, [...path, 'device'], input);
  if (read === null) return null;
  const { device, placeOf } = read;
  const { tags } = device;
  for (const field of ['address', 'parentAddress'] as const) {
    const text = device[field];
    if (typeof text === 'string' && !pciAddress.test(text)) check.add(placeOf(field), 'must be like 0000:85:00.0');
  }
  check.text(placeOf('parentInterface'), device.parentInterface, maxNameLength);
  for (const field of ['vendorId', 'productId'] as const) check.text(placeOf(field), device[field], maxIdLength);
  for (const [key, value] of Object.entries(tags ?? {})) {
    check.text([...path, 'tags'], key, maxTagLength);
    if (value !== '') check.text([...path, 'tags'], value, maxTagLength);
  }
  return inLowerCase(device);
}

interface ReadDevice {
  readonly device: PciDevice;
  /** The path of a field of the device in the input. */
  readonly placeOf: (field: PciTextField) => Path;
}

function readDevice(check: InputCheck, path: Path, { device, tags: given }: PciDeviceInput): ReadDevice | null {
  const tags = Object.fromEntries((given ?? []).map(({ key, value }) => [key, value]));
  const { object, fields } = device;
  return object === undefined
    ? deviceFromFields(check, [...path, 'fields'], fields, tags)
    : deviceFromObject(check, [...path, 'object'], object, tags);
}

function deviceFromObject(check: InputCheck, path: Path, json: string, tags: PciDevice['tags']): ReadDevice | null {
  try {
    const object = decodeText('PciDevice', json, path);
    return {
      device: { ...readPciDevice(object, path), tags },
      placeOf: (field) => [...path, 'nova_object.data', ...wirePathOf(object, field)],
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const problem of error.problems) check.add(problem.path, problem.message);
    return null;
  }
}

function deviceFromFields(check: InputCheck, place: Path, fields: PciDeviceFields, tags: PciDevice['tags']): ReadDevice | null {
  const { address, vendorId, productId, numaNode, parentAddress, parentInterface, remoteManaged, instance } = fields;
  for (const [field, text] of Object.entries({ address, vendorId, productId })) {
    if (text === '') check.add([...place, field], `${field} must not be empty`);
  }
  const devType = pciDeviceTypes.find((type): type is PciDeviceType => type === (fields.devType ?? 'type-PCI'));
  const status = pciDeviceStatuses.find((one): one is PciDeviceStatus => one === (fields.status ?? 'available'));
  if (!devType) check.add([...place, 'devType'], `devType must be one of ${pciDeviceTypes.join(', ')}`);
  if (!status) check.add([...place, 'status'], `status must be one of ${pciDeviceStatuses.join(', ')}`);
  if (!address || !vendorId || !productId || !devType || !status) return null;
  return {
    device: { address, vendorId, productId, devType, status, numaNode, parentAddress, parentInterface, remoteManaged, instance, tags },
    placeOf: (field) => [...place, field],
  };
}

/** Addresses are hexadecimal, so spellings that differ in case mean the same device. */
function inLowerCase(device: PciDevice): PciDevice {
  return { ...device, address: device.address.toLowerCase(), parentAddress: device.parentAddress?.toLowerCase() ?? null };
}

/** The devices of a node in its last report, by address. Batched over nodes. */
export async function listPciDevices({ loaders }: RequestScope, computeNode: string): Promise<PciDevice[]> {
  const rows = await loaders.devicesByRoot.load(computeNode);
  return rows.map(({ device }) => device as typeof device & PciDevice);
}
