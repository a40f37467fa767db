// Whether the free PCI devices of a host can serve requests: the statistics that Nova's scheduler filters hosts by. A request is served from pools of
// devices, near the cells of the instance as its policy demands. Pure: takes nothing away from anybody.
import type { Optional } from '../../domain/input.ts';
import { cardsOf, isTrue } from './pci-cards.ts';
import type { PciDevice, PciPool } from './pci-pools.ts';

/** How near devices must be to the cells of the instance. SOCKET: in the same socket. LEGACY: in its cells, or in none that is known. */
export type PciNumaPolicy = 'REQUIRED' | 'LEGACY' | 'PREFERRED' | 'SOCKET';

/** Devices of one kind. */
export interface DeviceRequest {
  readonly count: number;
  /** Properties of pools, at least one of which must hold as a whole: `vendor_id`, `product_id`, `dev_type`, tags. */
  readonly alternatives: readonly Readonly<Record<string, string>>[];
  /** LEGACY when omitted. */
  readonly numaPolicy?: Optional<PciNumaPolicy>;
  /** The cards that Placement has allocated, each as often as it gives a device; when omitted, any. */
  readonly cards?: Optional<readonly string[]>;
  /** What the cards must be in Placement, and the suffixes of the groups that ask for them; absent when Placement is not asked. */
  readonly inPlacement?: { readonly resourceClass: string; readonly traits: readonly string[]; readonly groups: readonly string[] };
}

/** The cells of the instance and of its host. */
export interface GuestCells {
  /** Empty when the instance has none: then all devices are near. */
  readonly guest: readonly number[];
  /** The socket of each cell of the host; null when it is not known. */
  readonly sockets: ReadonlyMap<number, number | null>;
}

/** A pool by card (poolsOf), and the address of the card in Placement when it is there. */
export interface DevicePool {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly numaNode: number | null;
  readonly devType: string;
  readonly card: string | null;
  readonly devices: readonly PciDevice[];
}

/** Properties that Placement has looked at already. */
const ofPlacement: ReadonlySet<string> = new Set(['resource_class', 'traits', 'rp_uuids']);

/** `cardOf`: the card of a pool in Placement; null when it is not there. */
export function devicePools(pools: readonly PciPool[], cardOf: (pool: PciPool) => string | null): DevicePool[] {
  return pools.map((pool) => ({
    properties: { ...pool.tags, vendor_id: pool.vendorId, product_id: pool.productId, numa_node: pool.numaNode },
    numaNode: pool.numaNode,
    devType: pool.tags.dev_type ?? '',
    card: cardOf(pool),
    devices: pool.devices,
  }));
}

/** The devices that would serve the requests one after another; null when they cannot all be served. */
export function devicesFor(pools: readonly DevicePool[], requests: readonly DeviceRequest[], cells: GuestCells): PciDevice[] | null {
  let left = pools;
  const taken: PciDevice[] = [];
  for (const request of requests) {
    const from = poolsFor(left, request, cells);
    const devices = from && takeFrom(from, request);
    if (!devices) return null;
    taken.push(...devices);
    left = without(left, devices);
  }
  return taken;
}

/** How many combinations of cells of a host are tried: all pairs of 32. */
const maxCombinations = 512;

/**
 * The cells of a host that a guest with so many can be in, as Nova's NUMATopologyFilter tries them; one without any when the guest has none, and none when
 * the host has too few. `sockets`: of each cell of the host.
 */
export function cellsOfGuest(count: number, sockets: GuestCells['sockets']): GuestCells[] {
  if (count === 0) return [{ guest: [], sockets }];
  const found: GuestCells[] = [];
  const combinations = combine(
    [...sockets.keys()].sort((a, b) => a - b),
    count,
  );
  for (const guest of combinations) if (found.push({ guest, sockets }) === maxCombinations) break;
  return found;
}

function* combine(cells: readonly number[], count: number): Generator<readonly number[]> {
  if (count === 0) yield [];
  else
    for (const [index, cell] of cells.entries()) {
      if (cells.length - index < count) return;
      for (const rest of combine(cells.slice(index + 1), count - 1)) yield [cell, ...rest];
    }
}

/** The pools that may serve a request, in the order in which they should; null when they have too few devices. */
function poolsFor(pools: readonly DevicePool[], request: DeviceRequest, cells: GuestCells): readonly DevicePool[] | null {
  const enough = (some: readonly DevicePool[]) => countIn(some) >= request.count;
  const like = pools.filter((pool) => provides(pool, request) && request.alternatives.some((wanted) => isLike(pool, wanted)));
  if (!enough(like)) return null;
  const near = nearPools(like, request, cells);
  if (!enough(near)) return null;
  const asked = (property: string, matches: (value: string | undefined) => boolean) =>
    request.alternatives.some((wanted) => matches(wanted[property]));
  const fit = near.filter(
    ({ devType, properties }) =>
      (devType !== 'type-PF' || asked('dev_type', (value) => value === 'type-PF')) &&
      (devType !== 'vdpa' || asked('dev_type', (value) => value === 'vdpa')) &&
      (!isTrue(textOf(properties.remote_managed)) || asked('remote_managed', isTrue)),
  );
  return enough(fit) ? fit : null;
}

function textOf(value: string | number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

/** Whether the card of a pool is what Placement is asked for. */
function provides({ devices }: DevicePool, { inPlacement }: DeviceRequest): boolean {
  if (!inPlacement) return true;
  const [card] = cardsOf(devices.slice(0, 1));
  return card?.resourceClass === inPlacement.resourceClass && inPlacement.traits.every((trait) => card.traits.includes(trait));
}

/** Upper and lower case are the same: operators and Neutron write as they like. */
function isLike({ properties }: DevicePool, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(
    ([property, value]) => ofPlacement.has(property) || textOf(properties[property])?.toLowerCase() === value.toLowerCase(),
  );
}

function countIn(pools: readonly DevicePool[]): number {
  return pools.reduce((sum, { devices }) => sum + devices.length, 0);
}

function nearPools(
  pools: readonly DevicePool[],
  { count, numaPolicy }: DeviceRequest,
  { guest, sockets }: GuestCells,
): readonly DevicePool[] {
  if (guest.length === 0) return pools;
  const policy = numaPolicy ?? 'LEGACY';
  const inCells = pools.filter(({ numaNode }) => numaNode !== null && guest.includes(numaNode));
  // Near devices are taken whenever they are enough, whatever the policy allows besides.
  if (policy === 'REQUIRED' || countIn(inCells) >= count) return inCells;
  if (policy === 'SOCKET') return inSockets(pools, guest, sockets);
  const isNearOrUnknown = ({ numaNode }: DevicePool) => numaNode === null || guest.includes(numaNode);
  const nearOrUnknown = pools.filter(isNearOrUnknown);
  if (policy === 'LEGACY' || countIn(nearOrUnknown) >= count) return nearOrUnknown;
  return [...nearOrUnknown, ...pools.filter((pool) => !isNearOrUnknown(pool))];
}

/** None while the socket of any cell of the host is unknown: then nothing can be said of any. */
function inSockets(pools: readonly DevicePool[], guest: readonly number[], sockets: GuestCells['sockets']): DevicePool[] {
  if ([...sockets.values()].includes(null)) return [];
  const own = new Set(guest.map((cell) => sockets.get(cell)));
  return pools.filter(({ numaNode }) => numaNode !== null && sockets.has(numaNode) && own.has(sockets.get(numaNode)));
}

/** From any pools, or exactly from the cards of the request. */
function takeFrom(pools: readonly DevicePool[], { count, cards }: DeviceRequest): PciDevice[] | null {
  if (!cards || cards.length === 0) return pools.flatMap(({ devices }) => devices).slice(0, count);
  const perCard = new Map<string, number>();
  for (const card of cards) perCard.set(card, (perCard.get(card) ?? 0) + 1);
  const taken = [...perCard].map(([card, number]) => {
    const [pool, ...others] = pools.filter((one) => one.card === card);
    // Devices of one card in several pools cannot be told apart by what Placement has allocated.
    return pool && others.length === 0 && pool.devices.length >= number ? pool.devices.slice(0, number) : null;
  });
  const devices = taken.flatMap((some) => some ?? []);
  return taken.includes(null) || devices.length < count ? null : devices;
}

/** What is left: a card that is taken takes its functions with it, and a function its card. */
export function without(pools: readonly DevicePool[], taken: readonly PciDevice[]): DevicePool[] {
  const gone = new Set(taken.map(({ address }) => address));
  const cards = new Set(taken.map(({ parentAddress }) => parentAddress));
  const isFree = ({ address, parentAddress }: PciDevice) =>
    !gone.has(address) && !cards.has(address) && !(parentAddress && gone.has(parentAddress));
  return pools.flatMap((pool) => {
    const devices = pool.devices.filter(isFree);
    return devices.length > 0 ? [{ ...pool, devices }] : [];
  });
}
