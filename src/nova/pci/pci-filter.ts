// Which hosts can serve requests for PCI devices that Placement does not know of, or not where they are, and with which cards: Nova's PciPassthroughFilter,
// and of its NUMATopologyFilter what concerns devices. Reads only free devices that are asked for.
import type { Tree } from '../../domain/candidates/forest.ts';
import type { GroupMapping, RootRule } from '../../domain/candidates/request.ts';
import { roomIn } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { listFreeDevices } from '../../operations/providers/devices.ts';
import { findRecordedValues } from '../../operations/records/records.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { nodeRecords } from '../compute-nodes/compute-nodes.ts';
import { listPciDevices } from './pci-devices.ts';
import { cardAddressIn } from './pci-names.ts';
import { type PciDevice, poolsOf } from './pci-pools.ts';
import {
  cellsOfGuest,
  type DevicePool,
  type DeviceRequest,
  devicePools,
  devicesInSome,
  type GuestCells,
  timesServed,
} from './pci-stats.ts';

/** What roots are that have the devices. */
export const ruleWords = 'able to serve the PCI devices';

/** What an instance asks hosts for. */
export interface AskedOfHosts {
  readonly devices: readonly DeviceRequest[];
  /** The NUMA cells of the guest; 0 for none. */
  readonly guestCells: number;
}

/**
 * The rule that hosts can serve all of these, for how many of `instances` one after another, and with which cards in Placement; none when nothing is asked
 * for. One statement, and with cells one more.
 */
export async function hostsWithDevices(
  scope: RequestScope,
  { devices: requests, guestCells }: AskedOfHosts,
  instances: number,
): Promise<RootRule[]> {
  if (requests.length === 0) return [];
  const wanted = requests.reduce((sum, { count }) => sum + count, 0) * instances;
  const [byRoot, cellsOf] = await Promise.all([freePools(scope, requests, wanted), hostCells(scope, guestCells > 0)]);
  const served = await mapInTurn([...byRoot], ([root, pools]): [string, number][] => {
    const times = timesServed(pools, requests, cellsOf(guestCells, root, pools), instances);
    return times > 0 ? [[root, times]] : [];
  });
  const times = new Map(served.flat());
  const admits: RootRule['admits'] = ({ tree, state }, mappings) => {
    const root = state.provider.uuid;
    const pools = withinRoom(byRoot.get(root) ?? [], tree);
    return devicesInSome(pools, onCards(requests, mappings), cellsOf(guestCells, root, pools)) !== null;
  };
  return [{ words: ruleWords, only: new Set(times.keys()), times, ...(requests.some(({ inPlacement }) => inPlacement) && { admits }) }];
}

/** The requests with the cards that serve their groups. */
function onCards(requests: readonly DeviceRequest[], mappings: readonly GroupMapping[]): DeviceRequest[] {
  return requests.map((request) => {
    const groups = request.inPlacement?.groups ?? [];
    const serving = mappings.flatMap(({ suffix, providers }) => (groups.includes(suffix) ? providers : []));
    return { ...request, cards: serving.map(({ state }) => cardAddressIn(state.provider.name)) };
  });
}

/** What Placement still has of each card that it knows: a host reports later what was claimed. */
function withinRoom(pools: readonly DevicePool[], { members }: Tree): DevicePool[] {
  const cards = new Map(members.map(({ state }) => [cardAddressIn(state.provider.name), state.inventories] as const));
  return pools.map((pool) => {
    const inventories = cards.get(pool.card ?? '');
    const room = inventories?.reduce((sum, inventory) => sum + Math.max(0, roomIn(inventory)), 0);
    return { ...pool, devices: pool.devices.slice(0, room) };
  });
}

/** By root, the pools of free devices of the kinds that are asked for, as many of each as are `wanted`. One statement. */
export async function freePools(
  scope: RequestScope,
  requests: readonly DeviceRequest[],
  wanted: number,
): Promise<ReadonlyMap<string, readonly DevicePool[]>> {
  const kinds = new Map(
    requests.flatMap(({ alternatives }) =>
      alternatives.map(({ vendor_id, product_id }) => {
        const kind = { vendorId: vendor_id?.toLowerCase() ?? null, productId: product_id?.toLowerCase() ?? null };
        return [JSON.stringify(kind), kind] as const;
      }),
    ),
  );
  const byRoot = await listFreeDevices(scope, [...kinds.values()], Math.min(wanted, limits.pciDevices));
  const pools = await mapInTurn(
    [...byRoot],
    ([root, devices]) => [root, poolsByCard(devices.map((device) => device as typeof device & PciDevice))] as const,
  );
  return new Map(pools);
}

export function poolsByCard(devices: readonly PciDevice[]): DevicePool[] {
  return devicePools(poolsOf(devices, { byCard: true }), ({ tags }) => tags.address ?? null);
}

/** The cells that a guest with so many can be in on a host. */
export type HostCells = (guestCells: number, root: string, pools: readonly DevicePool[]) => readonly GuestCells[];

/** One statement when a guest has some. */
export async function hostCells(scope: RequestScope, hasCells: boolean): Promise<HostCells> {
  if (!hasCells) return () => cellsOfGuest(0, new Map());
  const reported = await findRecordedValues(scope, nodeRecords, 'sockets');
  const sockets = new Map(
    reported.map(({ uuid, value }) => {
      const cells = Object.entries(JSON.parse(value) as Record<string, number | null>);
      return [uuid, new Map(cells.map(([cell, socket]) => [Number(cell), socket] as const))] as const;
    }),
  );
  return (guestCells, root, pools) => cellsOfGuest(guestCells, sockets.get(root) ?? cellsOfDevices(pools));
}

/** Of a host that reports no cells, those that its devices are in. */
function cellsOfDevices(pools: readonly DevicePool[]): Map<number, null> {
  return new Map(pools.flatMap(({ numaNode }) => (numaNode === null ? [] : [[numaNode, null] as const])));
}

/** How often a host like this one could serve them if none of its devices were in use. */
export async function timesOnEmpty(scope: RequestScope, root: string, { devices: requests, guestCells }: AskedOfHosts): Promise<number> {
  const inUse = ['claimed', 'allocated'];
  const all = (await listPciDevices(scope, root)).map((device): PciDevice => {
    return inUse.includes(device.status) ? { ...device, status: 'available', instance: null } : device;
  });
  const [pools, cellsOf] = [poolsByCard(all), await hostCells(scope, guestCells > 0)];
  return timesServed(pools, requests, cellsOf(guestCells, root, pools), limits.pciDevices);
}
