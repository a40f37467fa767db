// The room on hosts that Placement does not count: free PCI devices and NUMA cells. A guest is placed in cells that have room for it and are near enough to
// its devices, in the order in which Nova's filters try them.
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { findRecordedValues } from '../../operations/records/records.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { nodeRecords } from '../compute-nodes/compute-nodes.ts';
import { numberOfCell } from '../compute-nodes/numa-providers.ts';
import { type HostCell, readHostCells } from '../objects/host-cells.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import { cellsOfGuest, type DevicePool, type DeviceRequest, devicesFor, type GuestCells, without } from '../pci/pci-stats.ts';
import type { Ratios } from './cell-fit.ts';
import type { GuestTopology } from './numa-cells.ts';
import { takeWay, waysToFit } from './topology-fit.ts';

/** What an instance needs of a host in addition to its candidate. */
export interface AskedOfHosts {
  readonly devices: readonly DeviceRequest[];
  /** Null for a guest without cells. */
  readonly guest: GuestTopology | null;
}

/** The size of a cell whose usage is not known. */
interface CellSize {
  readonly id: number;
  readonly processors: number;
  readonly memoryMb: number;
}

/** The cells of a host with their usage; or their sizes and sockets, as far as the host reports them. */
type HostCells =
  | { readonly cells: readonly HostCell[]; readonly ratios: Ratios; readonly sockets?: undefined; readonly sizes?: undefined }
  | { readonly cells: null; readonly sockets: GuestCells['sockets'] | null; readonly sizes: readonly CellSize[] | null };

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
  if (guest && numa.sizes) {
    const sockets = numa.sockets ?? new Map();
    for (const way of waysToFit(asEmptyCells(numa.sizes, guest), bySize(guest), null))
      yield { near: { guest: way.map(({ cell }) => cell.id), sockets }, numa };
    return;
  }
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

const fitsOfModels = new WeakMap<GuestTopology, WeakMap<readonly CellSize[], boolean>>();

/** Whether cells of which only the sizes are known can hold a guest; computed once for all hosts of a model. */
export function fitsSizes(sizes: readonly CellSize[], guest: GuestTopology): boolean {
  const models = fitsOfModels.get(guest) ?? new WeakMap<readonly CellSize[], boolean>();
  fitsOfModels.set(guest, models);
  const fits = models.get(sizes) ?? !waysToFit(asEmptyCells(sizes, guest), bySize(guest), null).next().done;
  models.set(sizes, fits);
  return fits;
}

/** What counts where nothing but sizes is known of cells. */
function bySize({ cells, ...guest }: GuestTopology): GuestTopology {
  return { ...guest, cells: cells.map((cell) => ({ ...cell, pageSize: null, threads: null })) };
}

/** Cells of these sizes without usage. They have no more processors than the guest could take, because a host may report any number. */
function asEmptyCells(sizes: readonly CellSize[], { cells }: GuestTopology): HostCell[] {
  const most = 1 + cells.reduce((sum, { shared, dedicated }) => sum + shared + dedicated, 0);
  return sizes.map(({ id, processors, memoryMb }) => {
    const all = Array.from({ length: Math.min(processors, most) }, (_, number) => number);
    const ofProcessors = {
      shared: new Set(all),
      dedicated: new Set(all),
      pinned: new Set<number>(),
      sharedUsed: 0,
      cores: all.map((one) => [one]),
    };
    return { id, memoryMb, memoryUsedMb: 0, ...ofProcessors, pages: [], socket: null, networks: [] };
  });
}

/** The cells of the devices, for a host that reports no cells. */
function cellsOfDevices(pools: readonly DevicePool[]): ReadonlyMap<number, null> {
  return new Map(pools.flatMap(({ numaNode }) => (numaNode === null ? [] : [[numaNode, null] as const])));
}

/**
 * The cells of hosts. As in Nova, a host without cells takes no guest with cells. But if no host reports the usage of its cells, only the sizes of those that are
 * providers are checked.
 */
export interface CellsOfHosts {
  /** The hosts whose usage of cells is known; null if it is known for none. */
  readonly roots: ReadonlySet<string> | null;
  /** Then the hosts with cells of known sizes. */
  readonly sized: ReadonlySet<string>;
  readonly of: (root: string) => HostCells;
}

/** No statement if the guest has no cells; otherwise one, and a second if no host reports usage. */
export async function readCells(scope: RequestScope, hasCells: boolean): Promise<CellsOfHosts> {
  const nothing = { cells: null, sockets: null, sizes: null };
  if (!hasCells) return { roots: null, sized: new Set(), of: () => nothing };
  const topologies = await findRecordedValues(scope, nodeRecords, ['object', 'numa_topology']);
  const forest = await forestOf(scope.db).current();
  const known = new Map(
    (
      await mapInTurn(topologies, ({ uuid, value }) => {
        // An imported node that has not reported is no host yet.
        const cells = forest.findByUuid(uuid) ? readHostCells(value) : null;
        return cells ? [[uuid, { cells, ratios: ratiosOf(forest, uuid) }] as const] : [];
      })
    ).flat(),
  );
  if (known.size > 0) {
    return {
      roots: new Set(known.keys()),
      sized: new Set(),
      of: (root) => known.get(root) ?? { cells: null, sockets: new Map(), sizes: null },
    };
  }
  const reported = await findRecordedValues(scope, nodeRecords, ['sockets']);
  const sockets = new Map(
    reported.map(({ uuid, value }) => {
      const cells = Object.entries(JSON.parse(value) as Record<string, number | null>);
      return [uuid, new Map(cells.map(([cell, socket]) => [Number(cell), socket] as const))] as const;
    }),
  );
  const sizes = await sizesOfCells(forest);
  const of = (root: string) => ({ cells: null, sockets: sockets.get(root) ?? null, sizes: sizes.get(root) ?? null });
  return { roots: null, sized: new Set(sizes.keys()), of };
}

/** The sizes of cells that are providers, by root. Hosts of the same model share one list. */
async function sizesOfCells(forest: Forest): Promise<ReadonlyMap<string, readonly CellSize[]>> {
  const [memory = -1, threads = -1, cores = -1] = ['NUMA_MEMORY_MB', 'NUMA_THREAD', 'NUMA_CORE'].map((name) => forest.classes.idOf(name));
  const sizeOf = (member: ForestProvider): CellSize[] => {
    const memoryMb = member.inventoryOf(memory)?.total;
    const id = memoryMb ? numberOfCell(member.state.provider.name) : null;
    if (!memoryMb || id === null) return [];
    return [{ id, processors: member.inventoryOf(threads)?.total ?? member.inventoryOf(cores)?.total ?? 0, memoryMb }];
  };
  const models = new Map<string, readonly CellSize[]>();
  const found = await mapInTurn([...forest.byClass.listOf(memory).trees], ({ root, members }) => {
    const sizes = members.flatMap(sizeOf);
    const model = sizes.flatMap(({ id, processors, memoryMb }) => [id, processors, memoryMb]).join();
    const shared = models.get(model) ?? sizes;
    models.set(model, shared);
    return [root.state.provider.uuid, shared] as const;
  });
  return new Map(found.filter(([, sizes]) => sizes.length > 0));
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
