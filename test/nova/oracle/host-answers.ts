// What this project says about hosts, in the words in which Nova's answers are kept: whether cells, devices, groups and hints fit, and how hosts are weighed.
import { ruleOf } from '../../../src/domain/candidates/affinity.ts';
import { hostStatesIn } from '../../../src/nova/instances/host-states.ts';
import { defaultMultipliers, type Multipliers, multipliersIn, weighHosts } from '../../../src/nova/instances/weighers.ts';
import type { Ratios } from '../../../src/nova/numa/cell-fit.ts';
import { placeOn } from '../../../src/nova/numa/host-rooms.ts';
import type { GuestTopology } from '../../../src/nova/numa/numa-cells.ts';
import { poolsByCard } from '../../../src/nova/numa/pci-filter.ts';
import { takeWay, waysToFit } from '../../../src/nova/numa/topology-fit.ts';
import { decodeText } from '../../../src/nova/objects/codec.ts';
import type { Json } from '../../../src/nova/objects/forms/fields.ts';
import { type HostCell, readHostCells } from '../../../src/nova/objects/host-cells.ts';
import type { PciDevice } from '../../../src/nova/pci/pci-pools.ts';
import { type DeviceRequest, devicesFor } from '../../../src/nova/pci/pci-stats.ts';
import { readHints } from '../../../src/nova/requests/scheduler-hints.ts';
import { type GroupPolicy, groupFromObject } from '../../../src/nova/requests/server-groups.ts';
import { affinityIn } from '../../../src/operations/allocations/affinity.ts';
import type { Holder } from '../../../src/operations/allocations/holdings.ts';
import { uuidOf } from '../../support/seed.ts';
import { type DrawnProvider, drawnInventory, forestOf } from '../../support/tree.ts';

/** A device is available unless it says otherwise. */
type GivenDevice = Omit<PciDevice, 'status'> & Partial<Pick<PciDevice, 'status'>>;

const poolsOfDevices = (devices: readonly GivenDevice[]) =>
  poolsByCard(devices.map((device): PciDevice => ({ status: 'available', ...device })));

export interface GivenDevices {
  /** By cell of the host. */
  readonly sockets: readonly (number | null)[];
  readonly devices: readonly GivenDevice[];
  readonly near: readonly number[];
  readonly requests: readonly DeviceRequest[];
}

export interface DevicesAnswer {
  readonly served: boolean;
}

export function answerToDevices({ sockets, devices, near, requests }: GivenDevices): DevicesAnswer {
  const cells = { guest: near, sockets: new Map(sockets.entries()) };
  return { served: devicesFor(poolsOfDevices(devices), requests, cells) !== null };
}

export interface GivenCells extends Partial<Pick<GivenDevices, 'devices' | 'requests'>> {
  /** Cells with the fields of Nova's objects. */
  readonly host: readonly { readonly mempages: readonly Json[] }[];
  readonly guest: GuestTopology;
  readonly ratios?: Ratios;
}

export interface CellsAnswer {
  readonly fits: boolean;
  readonly cells?: readonly { readonly id: number; readonly pinned: readonly number[]; readonly pageKb: number | null }[];
  readonly after?: readonly object[];
}

const unlimited: Ratios = { cpu: Number.POSITIVE_INFINITY, ram: Number.POSITIVE_INFINITY };
const inOrder = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

export function answerToCells({ host, guest, ratios, devices, requests }: GivenCells): CellsAnswer {
  const cells = readHostCells(JSON.stringify({ cells: host })) ?? [];
  if (devices && requests) {
    const room = { pools: poolsOfDevices(devices), numa: { cells, ratios: ratios ?? unlimited } };
    return { fits: placeOn(room, { guest, devices: requests }) !== null };
  }
  const [way] = waysToFit(cells, guest, ratios ?? null);
  if (!way) return { fits: false };
  const taken = way.map(({ cell: { id }, guest: { pageSize }, fit: { pinned, pageKb } }) => {
    return { id, pinned: inOrder(pinned), pageKb: pageSize === null ? null : pageKb };
  });
  const countsPages = host.some(({ mempages }) => mempages.length > 0);
  return { fits: true, cells: taken, ...(countsPages ? { after: takeWay(cells, way).map(usageOf) } : {}) };
}

function usageOf({ pinned, sharedUsed, memoryUsedMb, pages }: HostCell) {
  return { pinned: inOrder(pinned), sharedUsed, memoryUsedMb, pagesUsed: pages.map(({ used }) => used) };
}

export interface GivenHost {
  readonly vcpus: number;
  readonly pcpus: number;
  readonly memoryMb: number;
  readonly localGb: number;
  readonly cpuRatio: number;
  readonly reserved: { readonly cpus: number; readonly memoryMb: number; readonly diskMb: number };
  readonly instances: readonly GivenInstance[];
  /** How many of the instances are in the group. */
  readonly members: number;
  readonly devices?: number;
  readonly failedBuilds?: number;
  readonly diskAvailableLeast?: number;
  /** Of its aggregates. */
  readonly metadata?: readonly Readonly<Record<string, string>>[];
}

interface GivenInstance {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
  readonly swapMb: number;
}

export interface GivenHosts {
  readonly hosts: readonly GivenHost[];
  readonly policy?: string;
  readonly multipliers?: Partial<Multipliers>;
}

export interface HostsAnswer {
  readonly hosts: readonly {
    readonly freeRamMb: number;
    readonly freeVcpus: number;
    readonly freeDiskMb: number;
    /** Rounded. */
    readonly weight: number;
  }[];
}

export function answerToHosts({ hosts, policy, multipliers }: GivenHosts): HostsAnswer {
  const uuids = hosts.map((_, number) => uuidOf(`host${number}`));
  const of = (uuid: string) => hosts[uuids.indexOf(uuid)] as GivenHost;
  const forest = forestOf(hosts.map((host, number) => drawnHost(`host${number}`, host)));
  const stateOf = hostStatesIn(forest);
  const states = uuids.flatMap((uuid) => forest.findByUuid(uuid)?.tree ?? []).map(stateOf);
  const sums = weighHosts(states, {
    multipliers: { ...defaultMultipliers, ...multipliers },
    multipliersOf: (uuid) => multipliersIn(of(uuid).metadata ?? []),
    policy: (policy?.toUpperCase().replaceAll('-', '_') as GroupPolicy | undefined) ?? null,
    membersOn: (uuid) => of(uuid).members,
    failedBuilds: new Map(hosts.map(({ failedBuilds = 0 }, number) => [uuids[number] ?? '', failedBuilds])),
  }).sums();
  return {
    hosts: states.map(({ freeRamMb, freeVcpus, freeDiskMb }, number) => {
      return { freeRamMb, freeVcpus, freeDiskMb, weight: Math.round((sums[number] ?? 0) * 1e6) / 1e6 + 0 };
    }),
  };
}

/** The provider that such a host reports, with what its instances hold. */
function drawnHost(name: string, { vcpus, pcpus, memoryMb, localGb, cpuRatio, reserved, instances, devices }: GivenHost): DrawnProvider {
  const held = (amountOf: (instance: GivenInstance) => number) => instances.reduce((sum, instance) => sum + amountOf(instance), 0);
  const processors = { reserved: reserved.cpus, used: held((instance) => instance.vcpus) };
  const disk = held(({ rootGb, ephemeralGb, swapMb }) => rootGb + ephemeralGb + Math.ceil(swapMb / 1024));
  return {
    ...{ name, parent: null, traits: [], aggregates: [] },
    inventories: [
      ...(vcpus > 0 ? [drawnInventory('VCPU', vcpus, { ...processors, allocationRatio: cpuRatio })] : []),
      ...(pcpus > 0 ? [drawnInventory('PCPU', pcpus, vcpus > 0 ? {} : processors)] : []),
      drawnInventory('MEMORY_MB', memoryMb, { reserved: reserved.memoryMb, used: held((instance) => instance.memoryMb) }),
      drawnInventory('DISK_GB', localGb, { reserved: reserved.diskMb / 1024, used: disk }),
      ...(devices === undefined ? [] : [drawnInventory('PCI_DEVICE', devices)]),
    ],
  };
}

export interface GivenGroup {
  /** An InstanceGroup on the wire. */
  readonly group: Json;
  /** The instances on each host. */
  readonly hosts: readonly (readonly string[])[];
}

export interface GroupAnswer {
  /** The numbers of the hosts that may take one more member. */
  readonly hosts: readonly number[];
}

export function answerToGroup({ group, hosts }: GivenGroup): GroupAnswer {
  const affinity = groupFromObject(decodeText('InstanceGroup', JSON.stringify(group)), [])?.affinity;
  const uuids = hosts.map((_, number) => uuidOf(`host${number}`));
  const forest = forestOf(hosts.map((_, number) => ({ name: `host${number}`, parent: null, inventories: [], traits: [], aggregates: [] })));
  const holders = hosts.flatMap((instances, number) =>
    instances.filter((one) => affinity?.members.includes(one)).map((one) => holderOn(uuids[number] ?? '', one)),
  );
  const rule = affinity ? ruleOf(affinityIn(forest, affinity, holders)) : null;
  const admits = (uuid: string) => (rule?.only?.has(uuid) ?? true) && !rule?.except?.has(uuid);
  return { hosts: uuids.flatMap((uuid, number) => (admits(uuid) ? number : [])) };
}

const holderOn = (resourceProvider: string, uuid: string): Holder => ({
  ...{ id: 1, uuid, generation: 1, project: 'p', user: 'u', type: null, expiresAt: null, reservation: null },
  allocations: [{ resourceProvider, resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
});

export interface GivenHint {
  readonly hints: Readonly<Record<string, readonly string[]>>;
  readonly hostIp: string;
}

export interface HintAnswer {
  readonly near: boolean;
}

export function answerToHint({ hints, hostIp }: GivenHint): HintAnswer {
  return { near: readHints(hints, []).near?.(hostIp) ?? true };
}
