// The PCI devices in a plan that are not in Placement, and the NUMA cells of hosts; the forest has neither. A consumer with devices needs such devices at its
// destination: those of its flavor, or else of the kinds that it holds. Devices that hosts report as available are free; a planned move takes some of them,
// and frees those of its source.
import type { Forest, Tree } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import type { Occupant } from '../../domain/plans/consumers.ts';
import type { Move } from '../../domain/plans/moves.ts';
import { listHeldDevices } from '../../operations/providers/devices.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type AskedOfHosts, type CellsOfHosts, type HostRoom, placeOn, readCells } from '../numa/host-rooms.ts';
import { freePools, isTooSmall, poolsByCard, ruleWords, tooSmall } from '../numa/pci-filter.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import type { DevicePool, DeviceRequest } from '../pci/pci-stats.ts';

interface DeviceNeed {
  readonly asked: AskedOfHosts;
  /** The devices that a move frees. */
  readonly held: readonly PciDevice[];
}

/**
 * Reads the devices of a plan. `asked`: the known requests of consumers, by uuid. One statement, two more if some consumer needs devices, and up to two for
 * guests with cells.
 */
export async function readPlannedDevices(
  scope: RequestScope,
  forest: Forest,
  trees: readonly Tree[],
  asked: ReadonlyMap<string, AskedOfHosts>,
): Promise<PlannedDevices> {
  const held = new Map<string, PciDevice[]>();
  for (const { root, device } of await listHeldDevices(
    scope,
    trees.map(({ root: { state } }) => state.provider.uuid),
  )) {
    const known = device as typeof device & PciDevice;
    const instance = known.instance ?? '';
    if (!isProvider(forest, root, known)) held.set(instance, [...(held.get(instance) ?? []), known]);
  }
  const cells = await readCells(
    scope,
    [...asked.values()].some(({ guest }) => guest),
  );
  const needs = new Map<string, DeviceNeed>();
  for (const uuid of new Set([...held.keys(), ...asked.keys()])) {
    const devices = held.get(uuid) ?? [];
    const given = asked.get(uuid);
    const wanted = { devices: given?.devices.length ? given.devices : devices.map(requestLike), guest: given?.guest ?? null };
    if (wanted.devices.length > 0 || (wanted.guest && (cells.roots || cells.sized.size > 0)))
      needs.set(uuid, { asked: wanted, held: devices });
  }
  const requests = [...needs.values()].flatMap((need) => need.asked.devices);
  const wanted = requests.reduce((sum, { count }) => sum + count, 0);
  return new PlannedDevices(needs, wanted > 0 ? await freePools(scope, requests, wanted) : new Map(), cells);
}

/** Whether the card of a device is a provider, so that the device is a resource like any other. */
function isProvider(forest: Forest, root: string, { address, parentAddress }: PciDevice): boolean {
  const suffix = `_${(parentAddress ?? address).toUpperCase()}`;
  return forest.findByUuid(root)?.tree.members.some(({ state }) => state.provider.name.endsWith(suffix)) ?? false;
}

/** A request for another device of the same kind. */
function requestLike({ vendorId, productId, devType, tags }: PciDevice): DeviceRequest {
  const network = tags?.physical_network;
  const kind = { vendor_id: vendorId, product_id: productId, dev_type: devType };
  return { count: 1, alternatives: [network ? { ...kind, physical_network: network } : kind] };
}

/** Tracks the free devices and cells of hosts at each step of a plan. */
export class PlannedDevices {
  private readonly needs: ReadonlyMap<string, DeviceNeed>;
  /** By root, the room on hosts that moves have changed. */
  private readonly rooms = new Map<string, HostRoom>();
  private readonly pools: ReadonlyMap<string, readonly DevicePool[]>;
  private readonly cells: CellsOfHosts;
  private readonly undone: (() => void)[] = [];

  constructor(needs: ReadonlyMap<string, DeviceNeed>, pools: ReadonlyMap<string, readonly DevicePool[]>, cells: CellsOfHosts) {
    this.needs = needs;
    this.pools = pools;
    this.cells = cells;
  }

  /** Whether some guest has cells, and some host reports the usage of its own. */
  get knowsCells(): boolean {
    return this.cells.roots !== null;
  }

  /** Whether a tree has the devices and cells that a consumer needs. */
  mayServe({ uuid }: Pick<Occupant, 'uuid'>, tree: Tree): boolean {
    const need = this.needs.get(uuid);
    return !need || this.placedOn(need, tree.root.state.provider.uuid) !== null;
  }

  /** Records a move (1), or undoes the last one (-1). */
  moved({ occupant, from, to }: Pick<Move, 'occupant' | 'from' | 'to'>, sign: 1 | -1): void {
    const need = this.needs.get(occupant.uuid);
    if (!need) return;
    if (sign < 0) {
      this.undone.pop()?.();
      return;
    }
    const [source, destination] = [from, to].map(({ root }) => root.state.provider.uuid) as [string, string];
    const before = [source, destination].map((root) => [root, this.roomOn(root)] as const);
    this.undone.push(() => {
      for (const [root, room] of before) this.rooms.set(root, room);
    });
    const placed = this.placedOn(need, destination);
    if (placed) this.rooms.set(destination, placed.left);
    const freed = need.held.map((device): PciDevice => ({ ...device, status: 'available', instance: null }));
    const room = this.roomOn(source);
    // Only the host knows what is pinned for a guest in its cells, so this stays taken.
    this.rooms.set(source, { ...room, pools: poolsByCard([...room.pools.flatMap(({ devices }) => devices), ...freed]) });
  }

  /** The request of a consumer with the rule for devices that applies now, for its explanation. */
  requestNow({ uuid, request }: Occupant): CandidateRequest {
    const need = this.needs.get(uuid);
    if (!need) return request;
    const roots = [...this.pools.keys(), ...this.rooms.keys(), ...(this.cells.roots ?? [])];
    if (!this.limitsRoots(need)) return { ...request, rootRules: [...(request.rootRules ?? []), ...tooSmall(need.asked, this.cells)] };
    const only = new Set(roots.filter((root) => this.placedOn(need, root) !== null));
    return { ...request, rootRules: [...(request.rootRules ?? []), { words: ruleWords, only }] };
  }

  private roomOn(root: string): HostRoom {
    return this.rooms.get(root) ?? { pools: this.pools.get(root) ?? [], numa: this.cells.of(root) };
  }

  private placedOn(need: DeviceNeed, root: string) {
    const left = this.roomOn(root);
    if (!this.limitsRoots(need)) return isTooSmall(need.asked, this.cells, root) ? null : { devices: [], left };
    return placeOn(left, need.asked);
  }

  /** Whether a host of which nothing is known cannot serve. */
  private limitsRoots({ asked }: DeviceNeed): boolean {
    return asked.devices.length > 0 || this.cells.roots !== null;
  }
}
