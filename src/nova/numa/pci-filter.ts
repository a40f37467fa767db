// Which hosts can serve what Placement does not model: PCI devices that are not providers or must be near certain cells, and the NUMA cells of guests. Does the
// work of Nova's PciPassthroughFilter and NUMATopologyFilter. Reads only free devices of the requested kinds.
import type { Forest, ForestProvider, Tree } from '../../domain/candidates/forest.ts';
import type { GroupMapping, RootRule } from '../../domain/candidates/request.ts';
import type { UsedAmount } from '../../domain/candidates/supposed-use.ts';
import { roomIn } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { listFreeDevices } from '../../operations/providers/devices.ts';
import { findRecordedValues } from '../../operations/records/records.ts';
import { mapInTurn, workInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type ComputeNode, computeNodeOfRoot, nodeRecords } from '../compute-nodes/compute-nodes.ts';
import { isNetworkFunction, networkFunctionClass } from '../pci/pci-cards.ts';
import { listPciDevices } from '../pci/pci-devices.ts';
import { cardAddressIn } from '../pci/pci-names.ts';
import { countedPools, type PciDevice, poolsOf } from '../pci/pci-pools.ts';
import { type DevicePool, type DeviceRequest, devicePools } from '../pci/pci-stats.ts';
import type { StoredPool } from '../pci/stored-pools.ts';
import {
  type AskedOfHosts,
  type CellsOfHosts,
  fitsSizes,
  type HostRoom,
  placeOn,
  readCells,
  timesPlaced,
  withoutUse,
} from './host-rooms.ts';

/** Describes the roots that have the devices, near enough to the cells of the guest. */
export const ruleWords = 'able to serve the PCI devices';
/** Describes the roots that have room in their cells. */
const cellWords = 'able to hold the NUMA cells of the guest';

export interface HostRules {
  readonly rules: readonly RootRule[];
  /** Whether the guest has cells, and some host reports the usage of its own. */
  readonly knowsCells: boolean;
}

/**
 * The rule that hosts can serve the devices and cells: for how many of `instances` one after another, and with which cards in Placement. No rule if nothing is
 * asked of hosts. Two statements for devices, and one or two for cells.
 */
export async function rulesOfHosts(scope: RequestScope, asked: AskedOfHosts, instances: number): Promise<HostRules> {
  const { devices, guest } = asked;
  const cells = await readCells(scope, guest !== null);
  const knowsCells = cells.roots !== null;
  if (devices.length === 0 && !knowsCells) {
    await mapInTurn([...cells.sized], (root) => isTooSmall(asked, cells, root));
    return { rules: tooSmall(asked, cells), knowsCells };
  }
  const wanted = devices.reduce((sum, { count }) => sum + count, 0) * instances;
  const byRoot = devices.length > 0 ? await freePools(scope, devices, wanted) : null;
  const forest = byRoot && (await forestOf(scope.db).current());
  const rooms = new Map<string, HostRoom>();
  const times = new Map<string, number>();
  for (const root of byRoot?.keys() ?? cells.roots ?? []) {
    const tree = forest?.findByUuid(root)?.tree;
    const pools = byRoot?.get(root) ?? [];
    const room = { pools: forest && tree ? withinRoom(forest, pools, tree) : pools, numa: cells.of(root) };
    const count = await workInTurn(timesPlaced(room, asked, instances));
    if (count > 0) times.set(root, count);
    rooms.set(root, room);
  }
  const rule = { words: forest ? ruleWords : cellWords, only: new Set(times.keys()), times };
  if (!forest) return { rules: [rule], knowsCells };
  /** `left`: the room left on hosts that were already chosen. */
  const ruleOfDevices = (left: ReadonlyMap<string, HostRoom>): RootRule => {
    const placed = ({ state: { provider } }: ForestProvider, mappings: readonly GroupMapping[]) => {
      const room = left.get(provider.uuid) ?? rooms.get(provider.uuid);
      return room ? placeOn(room, { guest, devices: onCards(devices, mappings) }) : null;
    };
    return {
      ...rule,
      admit: (root, mappings) => {
        const found = placed(root, mappings);
        return found && functionsTaken(forest, root, found.devices.filter(isNetworkFunction).length);
      },
      after: (root, mappings) => {
        const room = placed(root, mappings)?.left;
        return ruleOfDevices(room ? new Map([...left, [root.state.provider.uuid, room]]) : left);
      },
    };
  };
  return { rules: [ruleOfDevices(new Map())], knowsCells };
}

/** The rule that leaves out the hosts of which only the sizes of cells are known, if these are too small. */
export function tooSmall(asked: AskedOfHosts, cells: CellsOfHosts): RootRule[] {
  const except = [...cells.sized].filter((root) => isTooSmall(asked, cells, root));
  return except.length > 0 ? [{ words: cellWords, except: new Set(except) }] : [];
}

/** Whether the cells of a host are too small for a guest, as far as only their sizes are known. */
export function isTooSmall({ guest }: AskedOfHosts, { of }: CellsOfHosts, root: string): boolean {
  const { sizes } = of(root);
  return Boolean(sizes && guest && !fitsSizes(sizes, guest));
}

/** What the claim of network functions takes from the inventory that counts them, if the host has it. */
function functionsTaken(forest: Forest, root: ForestProvider, amount: number): UsedAmount[] {
  const inventory = functionsOf(forest, root);
  return amount > 0 && inventory ? [{ provider: root, classId: inventory.classId, amount }] : [];
}

const functionsOf = (forest: Forest, root: ForestProvider) => root.inventoryOf(forest.classes.idOf(networkFunctionClass) ?? -1);

/** The requests with the cards that serve their groups. */
function onCards(requests: readonly DeviceRequest[], mappings: readonly GroupMapping[]): DeviceRequest[] {
  return requests.map((request) => {
    const groups = request.inPlacement?.groups ?? [];
    const serving = mappings.flatMap(({ suffix, providers }) => (groups.includes(suffix) ? providers : []));
    return { ...request, cards: serving.map(({ state }) => cardAddressIn(state.provider.name)) };
  });
}

/** Limits devices to the room of their card or, for network functions, of their host in Placement, because a host reports claimed devices only later. */
function withinRoom(forest: Forest, pools: readonly DevicePool[], { root, members }: Tree): DevicePool[] {
  const cards = new Map(members.map(({ state }) => [cardAddressIn(state.provider.name), state.inventories] as const));
  const functions = functionsOf(forest, root);
  return pools.map((pool) => {
    const inventories = pool.devices.some(isNetworkFunction) ? functions && [functions] : cards.get(pool.card ?? '');
    const room = inventories?.reduce((sum, inventory) => sum + Math.max(0, roomIn(inventory)), 0);
    return { ...pool, devices: pool.devices.slice(0, room) };
  });
}

/** The pools of free devices of the requested kinds, by root; at most `wanted` devices of each kind. Two statements. */
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
  const most = Math.min(wanted, limits.pciDevices);
  const [byRoot, recorded] = await Promise.all([
    listFreeDevices(scope, [...kinds.values()], most),
    findRecordedValues(scope, nodeRecords, ['pools']),
  ]);
  const isWanted = ({ vendorId, productId }: StoredPool) =>
    [...kinds.values()].some((kind) => isLike(kind.vendorId, vendorId) && isLike(kind.productId, productId));
  const pools = await mapInTurn(
    [...byRoot],
    ([root, devices]) => [root, poolsByCard(devices.map((device) => device as typeof device & PciDevice))] as const,
  );
  const counted = await mapInTurn(
    recorded,
    ({ uuid, value }) => [uuid, poolsByCount((JSON.parse(value) as readonly StoredPool[]).filter(isWanted), most)] as const,
  );
  return new Map([...pools, ...counted.filter(([, free]) => free.length > 0)]);
}

const isLike = (wanted: string | null, id: string) => wanted === null || wanted === id.toLowerCase();

export function poolsByCard(devices: readonly PciDevice[]): DevicePool[] {
  return devicePools(poolsOf(devices, { byCard: true }), cardOf);
}

function poolsByCount(pools: readonly StoredPool[], most: number = limits.pciDevices): DevicePool[] {
  return devicePools(countedPools(pools, most), cardOf);
}

const cardOf = ({ tags }: StoredPool) => tags.address?.toLowerCase() ?? null;

/** The pools of a node: those that are recorded of it, or those of its devices. */
export async function poolsOnNode(
  scope: RequestScope,
  { uuid, pools }: Pick<ComputeNode, 'uuid' | 'pools'>,
  stateOf: (device: PciDevice) => PciDevice = (device) => device,
): Promise<DevicePool[]> {
  return pools ? poolsByCount(pools) : poolsByCard((await listPciDevices(scope, uuid)).map(stateOf));
}

/** How many such guests a host like this one could serve if nothing on it were in use. */
export async function timesOnEmpty(scope: RequestScope, root: string, asked: AskedOfHosts): Promise<number> {
  const inUse = ['claimed', 'allocated'];
  const freed = (device: PciDevice): PciDevice =>
    inUse.includes(device.status) ? { ...device, status: 'available', instance: null } : device;
  const node = await computeNodeOfRoot(scope, root);
  const pools = node ? await poolsOnNode(scope, node, freed) : [];
  const cells = await readCells(scope, asked.guest !== null);
  return workInTurn(timesPlaced({ pools, numa: withoutUse(cells.of(root)) }, asked, limits.pciDevices));
}
