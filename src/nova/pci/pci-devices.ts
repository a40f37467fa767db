// PCI devices of compute nodes, reported and stored one by one, and their representation in placement: a number on the node, or a provider for each
// card. Pools are never stored; see pci-pools.ts.

import { Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import type { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { pciClassName, pciTraitNames } from './pci-names.ts';
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

/** A card that is a provider of its own in placement. */
export interface PciCard {
  readonly address: string;
  readonly numaNode: number | null;
  readonly resourceClass: string;
  /** The number of devices that it provides. */
  readonly total: number;
  readonly traits: readonly string[];
  /** Whether it becomes unavailable after its first use until its operator has reset it. */
  readonly isOneTimeUse: boolean;
  readonly isTaken: boolean;
}

/** Domain, bus, slot and function. */
export const pciAddress = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i;

const maxDevices = limits.pciDevices;
const maxTags = limits.pciTags;
/** In characters: it becomes part of the name of a class or trait, so there must be room for a prefix. */
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

/** Addresses are hexadecimal: spellings that differ in case are the same device. */
function inLowerCase(device: PciDevice): PciDevice {
  return { ...device, address: device.address.toLowerCase(), parentAddress: device.parentAddress?.toLowerCase() ?? null };
}

const isPresent = ({ status }: PciDevice) => status !== 'removed' && status !== 'deleted';

/** The number of whole devices of a node, counted as PCI_DEVICE. Virtual functions do not count. */
export function countWholeDevices(devices: readonly PciDevice[]): number {
  return devices.filter((device) => device.devType === 'type-PCI' && isPresent(device)).length;
}

/**
 * The cards behind the devices: a card provides its virtual functions if it has any, or else itself. Often only the functions are reported, because
 * the card itself is not offered to instances.
 */
export function cardsOf(devices: readonly PciDevice[]): PciCard[] {
  const cards = new Map<string, PciDevice[]>();
  for (const device of devices.filter(isPresent)) {
    const address = device.parentAddress ?? device.address;
    const members = cards.get(address);
    if (members) members.push(device);
    else cards.set(address, [device]);
  }
  return [...cards].map(([address, members]) => {
    const functions = members.filter(({ parentAddress }) => parentAddress);
    const given = functions.length > 0 ? functions : members;
    const sample = given[0] as PciDevice;
    const isOneTimeUse = sample.tags?.one_time_use === 'true';
    return {
      address,
      numaNode: sample.numaNode ?? null,
      resourceClass: classOf(sample),
      total: given.length,
      traits: [...traitsOf(sample), 'COMPUTE_MANAGED_PCI_DEVICE', ...(isOneTimeUse ? ['HW_PCI_ONE_TIME_USE'] : [])],
      isOneTimeUse,
      isTaken: given.some(({ status }) => status === 'claimed' || status === 'allocated'),
    };
  });
}

function classOf({ tags, vendorId, productId }: PciDevice): string {
  return pciClassName(tags?.resource_class, vendorId, productId);
}

function traitsOf({ tags }: PciDevice): string[] {
  return pciTraitNames(tags?.traits);
}

/** The devices of a node in its last report, by address. Batched over nodes. */
export async function listPciDevices({ loaders }: RequestScope, computeNode: string): Promise<PciDevice[]> {
  const rows = await loaders.devicesByRoot.load(computeNode);
  return rows.map(({ device }) => device as typeof device & PciDevice);
}
