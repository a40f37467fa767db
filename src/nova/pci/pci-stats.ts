// Whether the free PCI devices of a host can serve requests: the statistics by which Nova's scheduler filters hosts. A request is served from pools of
// devices, as near to the cells of the instance as its policy demands. Pure: it takes no devices.
import type { Optional } from '../../domain/input.ts';
import { cardsOf, isTrue } from './pci-cards.ts';
import type { PciDevice, PciPool } from './pci-pools.ts';

/** How near devices must be to the cells of the instance. SOCKET: in the same socket. LEGACY: in its cells, or in no known cell. */
export type PciNumaPolicy = 'REQUIRED' | 'LEGACY' | 'PREFERRED' | 'SOCKET';

/** Devices of one kind. */
export interface DeviceRequest {
  readonly count: number;
  /** Sets of properties of pools (`vendor_id`, `product_id`, `dev_type`, tags); a pool must have all properties of at least one set. */
  readonly alternatives: readonly Readonly<Record<string, string>>[];
  /** LEGACY if omitted. */
  readonly numaPolicy?: Optional<PciNumaPolicy>;
  /** The cards that Placement has allocated, each listed as often as it gives a device; if omitted, any card. */
  readonly cards?: Optional<readonly string[]>;
  /** The class and traits of the cards in Placement, and the suffixes of the groups that request them; absent if cards are not in Placement. */
  readonly inPlacement?: { readonly resourceClass: string; readonly traits: readonly string[]; readonly groups: readonly string[] };
}

/** The cells of the instance and of its host. */
export interface GuestCells {
  /** Empty if the instance has no cells; then all devices are near. */
  readonly guest: readonly number[];
  /** The socket of each cell of the host; null if unknown. */
  readonly sockets: ReadonlyMap<number, number | null>;
}

/** A pool by card (poolsOf), and the address of the card if it is in Placement. */
export interface DevicePool {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly numaNode: number | null;
  readonly devType: string;
  readonly card: string | null;
  readonly devices: readonly PciDevice[];
}

/** Properties that Placement has already checked. */
const ofPlacement: ReadonlySet<string> = new Set(['resource_class', 'traits', 'rp_uuids']);

/** `cardOf`: the card of a pool; null if it is not in Placement. */
export function devicePools(pools: readonly PciPool[], cardOf: (pool: PciPool) => string | null): DevicePool[] {
  return pools.map((pool) => ({
    properties: { ...pool.tags, vendor_id: pool.vendorId, product_id: pool.productId, numa_node: pool.numaNode },
    numaNode: pool.numaNode,
    devType: pool.tags.dev_type ?? '',
    card: cardOf(pool),
    devices: pool.devices,
  }));
}

/** The devices that would serve the requests one after another; null if not all of them can be served. */
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

/** The number of combinations of cells that are tried, enough for all pairs of 32 cells. */
const maxCombinations = 512;

/**
 * The combinations of a host's cells for a guest with `count` cells, as Nova's NUMATopologyFilter tries them: a single empty one if the guest has no cells,
 * and none if the host has too few. `sockets`: the socket of each cell of the host.
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

/** The pools that may serve a request, in order of preference; null if they have too few devices. */
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

/** Whether the card of a pool has the class and traits requested from Placement. */
function provides({ devices }: DevicePool, { inPlacement }: DeviceRequest): boolean {
  // What is not known of the card of a counted device, Placement has checked.
  if (!inPlacement || devices[0]?.isCounted) return true;
  const [card] = cardsOf(devices.slice(0, 1));
  return card?.resourceClass === inPlacement.resourceClass && inPlacement.traits.every((trait) => card.traits.includes(trait));
}

/** Ignores case, because operators and Neutron use either. */
function isLike({ properties }: DevicePool, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([property, value]) => {
    const own = textOf(properties[property]);
    // Operators write it in any of Nova's spellings; a device without it cannot migrate live.
    if (property === 'live_migratable') return isTrue(own) === isTrue(value);
    return ofPlacement.has(property) || own?.toLowerCase() === value.toLowerCase();
  });
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
  // Near devices are preferred if there are enough of them, whatever else the policy allows.
  if (policy === 'REQUIRED' || countIn(inCells) >= count) return inCells;
  if (policy === 'SOCKET') return inSockets(pools, guest, sockets);
  const isNearOrUnknown = ({ numaNode }: DevicePool) => numaNode === null || guest.includes(numaNode);
  const nearOrUnknown = pools.filter(isNearOrUnknown);
  if (policy === 'LEGACY' || countIn(nearOrUnknown) >= count) return nearOrUnknown;
  return [...nearOrUnknown, ...pools.filter((pool) => !isNearOrUnknown(pool))];
}

/** The pools in the sockets of the guest; none while the socket of any cell of the host is unknown. */
function inSockets(pools: readonly DevicePool[], guest: readonly number[], sockets: GuestCells['sockets']): DevicePool[] {
  if ([...sockets.values()].includes(null)) return [];
  const own = new Set(guest.map((cell) => sockets.get(cell)));
  return pools.filter(({ numaNode }) => numaNode !== null && sockets.has(numaNode) && own.has(sockets.get(numaNode)));
}

/** Takes devices from any pools, or exactly from the cards of the request. */
function takeFrom(pools: readonly DevicePool[], { count, cards }: DeviceRequest): PciDevice[] | null {
  if (!cards || cards.length === 0) return pools.flatMap(({ devices }) => devices).slice(0, count);
  const perCard = new Map<string, number>();
  for (const card of cards) perCard.set(card, (perCard.get(card) ?? 0) + 1);
  const taken = [...perCard].map(([card, number]) => {
    const [pool, ...others] = pools.filter((one) => one.card === card);
    // If the devices of a card are in several pools, what Placement has allocated does not identify the pool.
    return pool && others.length === 0 && pool.devices.length >= number ? pool.devices.slice(0, number) : null;
  });
  const devices = taken.flatMap((some) => some ?? []);
  return taken.includes(null) || devices.length < count ? null : devices;
}

/** The pools that are left. A taken card also removes its functions, and a taken function its card. */
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
