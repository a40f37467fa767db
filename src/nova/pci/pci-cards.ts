// The cards behind PCI devices: their form in Placement, and which devices cannot be in it together. Knows neither trees nor reports.
import type { Path } from '../../domain/input.ts';
import type { InputCheck } from '../../operations/request/input.ts';
import { pciClassName, pciTraitNames } from './pci-names.ts';
import { freeDevices, type PciDevice } from './pci-pools.ts';

/** A card that is a provider of its own in Placement. */
export interface PciCard {
  readonly address: string;
  readonly numaNode: number | null;
  readonly resourceClass: string;
  /** The number of devices that it provides. */
  readonly total: number;
  readonly traits: readonly string[];
  /** Whether it was used and must not be used again until an operator has reset it. */
  readonly isSpent: boolean;
}

/** The trait of every provider that is a card. */
export const pciCardTrait = 'COMPUTE_MANAGED_PCI_DEVICE';

const isPresent = ({ status }: PciDevice) => status !== 'removed' && status !== 'deleted';
/** Devices of a network are not providers, because Neutron manages them. */
const isInPlacement = (device: PciDevice) => isPresent(device) && !device.tags?.physical_network;
const isTaken = ({ status, instance }: PciDevice) => Boolean(instance) || status === 'claimed' || status === 'allocated';
const isFunction = ({ devType }: PciDevice) => devType === 'type-VF' || devType === 'vdpa';
const cardOf = (device: PciDevice) => (isFunction(device) ? (device.parentAddress ?? null) : device.address);

/** The number of whole devices of a node, counted as PCI_DEVICE. Virtual functions do not count. */
export function countWholeDevices(devices: readonly PciDevice[]): number {
  return devices.filter((device) => device.devType === 'type-PCI' && isPresent(device)).length;
}

/** Counts the virtual functions of network cards on a node. */
export const networkFunctionClass = 'SRIOV_NET_VF';
export const isNetworkFunction = ({ devType, tags }: PciDevice) => devType === 'type-VF' && Boolean(tags?.physical_network);

/** The number of virtual functions of network cards on a node, and how many of them are free. */
export function countNetworkFunctions(devices: readonly PciDevice[]): { readonly total: number; readonly free: number } {
  const present = devices.filter((device) => isPresent(device) && isNetworkFunction(device));
  return { total: present.length, free: freeDevices(devices).filter(isNetworkFunction).length };
}

/** Adds the problems for which Nova refuses devices in Placement. Each card must provide either itself or its functions, all of one kind. */
export function checkCards(check: InputCheck, path: Path, devices: readonly PciDevice[]): void {
  const first = new Map<string, PciDevice>();
  for (const [index, device] of devices.entries()) {
    if (!isInPlacement(device)) continue;
    const here = [...path, index];
    const card = cardOf(device);
    if (card === null) {
      check.add([...here, 'device'], `a ${device.devType} in Placement must have the address of its card, which is its provider`);
      continue;
    }
    if (isFunction(device) && device.tags?.one_time_use !== undefined) {
      check.add([...here, 'tags'], 'one_time_use is for whole cards, not for functions of a card');
    }
    const other = first.get(card);
    if (!other) first.set(card, device);
    else checkBeside(check, here, device, other);
  }
}

function checkBeside(check: InputCheck, path: Path, device: PciDevice, other: PciDevice): void {
  if (!isFunction(device) || !isFunction(other)) {
    check.add(
      [...path, 'device'],
      `${device.address} and ${other.address} depend on each other: report the card or its functions, not both`,
    );
    return;
  }
  const same = `${other.address} of the same card has`;
  const [ownClass, otherClass] = [classOf(device), classOf(other)];
  if (ownClass !== otherClass) check.add([...path, 'tags'], `its class is ${ownClass}, ${same} ${otherClass}`);
  const [own, theirs] = [traitsOf(device), traitsOf(other)].map((traits) => traits.toSorted().join(', '));
  if (own !== theirs) check.add([...path, 'tags'], `its traits are ${own}, ${same} ${theirs}`);
}

/** The cards of devices that checkCards has accepted: each card provides either itself or its functions. */
export function cardsOf(devices: readonly PciDevice[]): PciCard[] {
  const cards = new Map<string, PciDevice[]>();
  for (const device of devices.filter(isInPlacement)) {
    const address = cardOf(device) ?? device.address;
    cards.set(address, [...(cards.get(address) ?? []), device]);
  }
  return [...cards].map(([address, members]) => {
    const sample = members[0] as PciDevice;
    const isOneTimeUse = isTrue(sample.tags?.one_time_use);
    return {
      address,
      numaNode: sample.numaNode ?? null,
      resourceClass: classOf(sample),
      total: members.length,
      traits: [...traitsOf(sample), ...(isOneTimeUse ? ['HW_PCI_ONE_TIME_USE'] : [])],
      isSpent: isOneTimeUse && members.some(isTaken),
    };
  });
}

function classOf({ tags, vendorId, productId }: PciDevice): string {
  return pciClassName(tags?.resource_class, vendorId, productId);
}

function traitsOf({ tags }: PciDevice): string[] {
  const live = isTrue(tags?.live_migratable) ? ['HW_PCI_LIVE_MIGRATABLE'] : [];
  return [...new Set([...pciTraitNames(tags?.traits), pciCardTrait, ...live])];
}

/** Whether Nova's settings take the text for true. */
export function isTrue(text: string | undefined): boolean {
  return ['1', 't', 'true', 'on', 'y', 'yes'].includes(text?.trim().toLowerCase() ?? '');
}
