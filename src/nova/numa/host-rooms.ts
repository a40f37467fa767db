// The room on hosts that Placement does not count: free PCI devices and NUMA cells. A guest is placed in cells that have room for it and are near enough to
// its devices, in the order in which Nova's filters try them.
import type { Forest } from '../../domain/candidates/forest.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { findRecordedValues } from '../../operations/records/records.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { nodeRecords } from '../compute-nodes/compute-nodes.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import { cellsOfGuest, type DevicePool, type DeviceRequest, devicesFor, type GuestCells, without } from '../pci/pci-stats.ts';
import type { Ratios } from './cell-fit.ts';
import { type GuestTopology, type HostCell, readHostCells } from './numa-cells.ts';
import { takeWay, waysToFit } from './topology-fit.ts';

/** What an instance needs of a host in addition to its candidate. */
export interface AskedOfHosts {
  readonly devices: readonly DeviceRequest[];
  /** Null for a guest without cells. */
  readonly guest: GuestTopology | null;
}

/** The cells of a host with their usage; or only their numbers and sockets, if the host reports no more. */
type HostCells =
  | { readonly cells: readonly HostCell[]; readonly ratios: Ratios; readonly sockets?: undefined }
  | { readonly cells: null; readonly sockets: GuestCells['sockets'] | null };

export interface HostRoom {
  readonly pools: readonly DevicePool[];
  readonly numa: HostCells;
}

/** The devices of a placed guest, and the room that is left. */
interface Placed {
  readonly devices: readonly PciDevice[];
  readonly left: HostRoom;
}

/** Null if the host has no room. */
export function placeOn(room: HostRoom, { devices: requests, guest }: AskedOfHosts): Placed | null {
  for (const { near, numa } of waysInto(room, guest)) {
    const devices = devicesFor(room.pools, requests, near);
    if (devices) return { devices, left: { pools: without(room.pools, devices), numa } };
  }
  return null;
}

/** How many such guests can be placed one after another, up to `most`. Pauses before each. */
export function* timesPlaced(room: HostRoom, asked: AskedOfHosts, most: number): Generator<void, number> {
  let left = room;
  for (let times = 0; times < most; times++) {
    yield;
    const placed = placeOn(left, asked);
    if (!placed) return times;
    ({ left } = placed);
  }
  return most;
}

function* waysInto(
  { pools, numa }: HostRoom,
  guest: GuestTopology | null,
): Generator<{ readonly near: GuestCells; readonly numa: HostCells }> {
  if (!numa.cells || !guest) {
    const known = numa.sockets ?? cellsOfDevices(pools);
    for (const near of cellsOfGuest(guest?.cells.length ?? 0, known)) yield { near, numa };
    return;
  }
  const sockets = new Map(numa.cells.map(({ id, socket }) => [id, socket]));
  for (const way of waysToFit(numa.cells, guest, numa.ratios)) {
    yield { near: { guest: way.map(({ cell }) => cell.id), sockets }, numa: { ...numa, cells: takeWay(numa.cells, way) } };
  }
}

/** The cells of the devices, for a host that reports no cells. */
function cellsOfDevices(pools: readonly DevicePool[]): ReadonlyMap<number, null> {
  return new Map(pools.flatMap(({ numaNode }) => (numaNode === null ? [] : [[numaNode, null] as const])));
}

/** The cells of hosts. As in Nova, a host without cells takes no guest with cells; but if no host reports the usage of its cells, this is not checked. */
export interface CellsOfHosts {
  /** The hosts whose usage of cells is known; null if it is known for none. */
  readonly roots: ReadonlySet<string> | null;
  readonly of: (root: string) => HostCells;
}

/** No statement if the guest has no cells; otherwise one, and a second if no host reports usage. */
export async function readCells(scope: RequestScope, hasCells: boolean): Promise<CellsOfHosts> {
  const nothing = { cells: null, sockets: null };
  if (!hasCells) return { roots: null, of: () => nothing };
  const topologies = await findRecordedValues(scope, nodeRecords, ['object', 'numa_topology']);
  const forest = await forestOf(scope.db).current();
  const known = new Map(
    (
      await mapInTurn(topologies, ({ uuid, value }) => {
        const cells = readHostCells(value);
        return cells ? [[uuid, { cells, ratios: ratiosOf(forest, uuid) }] as const] : [];
      })
    ).flat(),
  );
  if (known.size > 0) return { roots: new Set(known.keys()), of: (root) => known.get(root) ?? { cells: null, sockets: new Map() } };
  const reported = await findRecordedValues(scope, nodeRecords, ['sockets']);
  const sockets = new Map(
    reported.map(({ uuid, value }) => {
      const cells = Object.entries(JSON.parse(value) as Record<string, number | null>);
      return [uuid, new Map(cells.map(([cell, socket]) => [Number(cell), socket] as const))] as const;
    }),
  );
  return { roots: null, of: (root) => ({ cells: null, sockets: sockets.get(root) ?? null }) };
}

/** The cells of a host without guests. */
export function withoutUse(numa: HostCells): HostCells {
  if (!numa.cells) return numa;
  const cells = numa.cells.map((cell) => ({
    ...{ ...cell, pinned: new Set<number>(), sharedUsed: 0, memoryUsedMb: 0 },
    pages: cell.pages.map((pages) => ({ ...pages, used: 0 })),
  }));
  return { ...numa, cells };
}

/** The overcommit ratios of a host; 1 for classes without an inventory. */
function ratiosOf(forest: Forest, root: string): Ratios {
  const inventories = forest.findByUuid(root)?.state.inventories ?? [];
  const ratio = (name: string) => inventories.find(({ className }) => className === name)?.allocationRatio ?? 1;
  return { cpu: ratio('VCPU'), ram: ratio('MEMORY_MB') };
}
