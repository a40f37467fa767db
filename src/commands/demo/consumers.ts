// The servers, moves and ports of the demo cloud, with their allocations. Fills each host to a load of its own, within its capacity. Knows the hosts
// as built; writes nothing.
import { capacityOf, fits, roomIn, type Stock, type Units } from '../../domain/inventory.ts';
import { addressPool, type DemoCloud, type DemoHost } from './hosts.ts';
import { fractionOf, uuidOf } from './names.ts';

/** A new consumer, in the form of replace_allocations. */
export interface DemoConsumer {
  readonly uuid: string;
  readonly expect: { readonly isNew: true };
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly keepType: false;
  readonly allocations: readonly Holding[];
}

interface Holding {
  /** Uuid of the provider. */
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
}

interface Flavor {
  readonly vcpus: number;
  readonly memory: number;
  readonly disk: number;
  /** The percentage of servers that have this flavor or a smaller one. */
  readonly upTo: number;
}

/** Smallest first. */
const flavors: readonly Flavor[] = [
  { vcpus: 2, memory: 4096, disk: 20, upTo: 45 },
  { vcpus: 4, memory: 8192, disk: 40, upTo: 80 },
  { vcpus: 8, memory: 16_384, disk: 80, upTo: 95 },
  { vcpus: 16, memory: 32_768, disk: 160, upTo: 100 },
];

const projects = [
  'web-shop',
  'data-platform',
  'payments',
  'search',
  'mobile-backend',
  'machine-learning',
  'continuous-integration',
  'video',
  'analytics',
  'intranet',
  'monitoring',
  'sandbox',
];

const consumersPerHost = 10;
const moveCount = 12;
const lowestLoad = 0.34;
const highestLoad = 0.84;

/** All inventories with their usage while consumers are placed. */
type Room = Map<string, Units & Stock & { used: number }>;

/**
 * All consumers, in the order of creation: servers, each with a flavor and some with a device; moves in progress or left over; and ports with an
 * address each, up to ten consumers for each host in total. A few servers have no type, like consumers written by old clients.
 */
export function buildConsumers(cloud: DemoCloud): DemoConsumer[] {
  const room = roomOf(cloud);
  const servers = new Map(cloud.hosts.map((host) => [host, fillHost(host, room)]));
  const moves = buildMoves(servers, room);
  const placed = [...servers.values()].flat().concat(moves);
  return placed.concat(range(consumersPerHost * cloud.hosts.length - placed.length).map((number) => buildPort(cloud, number)));
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const keyOf = ({ provider, resourceClass }: Pick<Holding, 'provider' | 'resourceClass'>) => `${provider} ${resourceClass}`;
const hold = (provider: string, resourceClass: string, amount: number): Holding => ({ provider: uuidOf(provider), resourceClass, amount });

function roomOf({ hosts, pools }: DemoCloud): Room {
  const providers = [...hosts.flatMap(({ tree }) => tree), ...pools];
  return new Map(
    providers.flatMap(({ uuid, inventories }) =>
      inventories.map(
        (inventory) => [keyOf({ ...inventory, provider: uuid }), { ...inventory, capacity: capacityOf(inventory), used: 0 }] as const,
      ),
    ),
  );
}

function isFree(room: Room, holding: Holding): boolean {
  const place = room.get(keyOf(holding));
  return place !== undefined && fits(place, holding.amount);
}

/** Takes all of the allocations, or none if any of them does not fit. */
function take(room: Room, holdings: readonly Holding[]): boolean {
  if (!holdings.every((holding) => isFree(room, holding))) return false;
  for (const holding of holdings) {
    const place = room.get(keyOf(holding));
    if (place) place.used += holding.amount;
  }
  return true;
}

/** Free processors of a cell. */
function processorsLeft(room: Room, cell: string): number {
  const place = room.get(keyOf(hold(cell, 'VCPU', 0)));
  return place ? roomIn(place) : 0;
}

/** Picks an item by the digest of a name. */
function pick<Item>(items: readonly Item[], decision: string): Item {
  const item = items[Math.floor(fractionOf(decision) * items.length)];
  if (item === undefined) throw new RangeError(`nothing to pick from for ${decision}`);
  return item;
}

/** Picks the owner of a consumer; the first projects own more than the last. */
function ownerOf(name: string): Pick<DemoConsumer, 'project' | 'user'> {
  const project = projects[Math.floor(fractionOf(`${name} project`) ** 2 * projects.length)] ?? 'sandbox';
  return { project, user: `${project}-${pick(['deployer', 'operator'], `${name} user`)}` };
}

function consumer(name: string, type: string | null, allocations: readonly Holding[]): DemoConsumer {
  return { uuid: uuidOf(name), expect: { isNew: true }, ...ownerOf(name), type, keepType: false, allocations };
}

/** Adds servers until the host has reached its load. A server that does not fit is replaced by a smaller one. */
function fillHost(host: DemoHost, room: Room): DemoConsumer[] {
  const processors = host.cells.reduce((sum, cell) => sum + processorsLeft(room, cell), 0);
  let wanted = processors * (lowestLoad + (highestLoad - lowestLoad) * fractionOf(`${host.name} load`));
  const servers: DemoConsumer[] = [];
  for (;;) {
    const name = `${host.name} server ${servers.length + 1}`;
    const device = findDevice(host, name, room);
    const holdings = flavorsFor(name)
      .filter(({ vcpus }) => vcpus <= wanted)
      .map((flavor) => [...placeFlavor(host, flavor, name, room), ...device])
      .find((choice) => take(room, choice));
    if (!holdings) return servers;
    for (const { resourceClass, amount } of holdings) if (resourceClass === 'VCPU') wanted -= amount;
    servers.push(consumer(name, fractionOf(`${name} age`) < 0.005 ? null : 'INSTANCE', holdings));
  }
}

/** The flavor chosen for this server, and all smaller ones, largest first. */
function flavorsFor(name: string): Flavor[] {
  const percent = fractionOf(`${name} flavor`) * 100;
  return flavors.slice(0, flavors.findIndex(({ upTo }) => percent < upTo) + 1).toReversed();
}

/** The allocations of a server of this flavor, in the emptier cell. Some servers get dedicated processors, if the cell has any. */
function placeFlavor(host: DemoHost, { vcpus, memory, disk }: Flavor, name: string, room: Room): Holding[] {
  const cell = host.cells.toSorted((a, b) => processorsLeft(room, b) - processorsLeft(room, a))[0] ?? host.name;
  const pinned = hold(cell, 'PCPU', vcpus);
  const isPinned = fractionOf(`${name} pinning`) < 0.3 && isFree(room, pinned);
  return [
    isPinned ? pinned : hold(cell, 'VCPU', vcpus),
    hold(cell, 'MEMORY_MB', memory),
    hold(pick(host.disks, `${name} disk`), 'DISK_GB', disk),
  ];
}

/** Half of the servers on a host with devices get a device, as long as there are any. */
function findDevice({ tree, cells }: DemoHost, name: string, room: Room): Holding[] {
  const devices = tree.filter((one) => one.parent !== null && !cells.includes(one.name));
  if (devices.length === 0 || fractionOf(`${name} device`) < 0.5) return [];
  const { name: device, inventories } = pick(devices, `${name} slot`);
  return inventories.map(({ resourceClass }) => hold(device, resourceClass, 1)).filter((holding) => isFree(room, holding));
}

/**
 * Half of the moves are migrations in progress: the migration has the same allocations on the source as the server has on its target. The others are
 * left over: one server with allocations on two hosts.
 */
function buildMoves(servers: ReadonlyMap<DemoHost, readonly DemoConsumer[]>, room: Room): DemoConsumer[] {
  const hosts = [...servers.keys()].filter(({ name, disks, tree }) => tree.length === 1 && disks.includes(name));
  return range(moveCount).flatMap((move) => {
    const [source, target] = [hosts[move * 8], hosts[move * 8 + 3]];
    if (!source || !target) throw new RangeError('there are too few hosts for the moves');
    const place = (host: DemoHost) => [hold(host.name, 'VCPU', 2), hold(host.name, 'MEMORY_MB', 4096), hold(host.name, 'DISK_GB', 20)];
    const name = `move ${move + 1}`;
    const onBoth = [...place(source), ...place(target)];
    if (!take(room, onBoth)) throw new RangeError(`${name} does not fit`);
    if (move % 2 === 1) return consumer(name, 'INSTANCE', onBoth);
    const server = consumer(name, 'INSTANCE', place(target));
    return [server, { ...server, uuid: uuidOf(`migration of ${name}`), type: 'MIGRATION', allocations: place(source) }];
  });
}

function buildPort({ zones }: DemoCloud, number: number): DemoConsumer {
  const name = `port ${number + 1}`;
  return consumer(name, 'PORT', [hold(addressPool(pick(zones, `${name} zone`)), 'IPV4_ADDRESS', 1)]);
}
