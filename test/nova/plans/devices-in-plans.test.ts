// PCI devices in plans that are not in Placement: consumers with devices go only to hosts with such devices, and each device is used once.
import { beforeAll, describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { drainPlan } from '../../../src/nova/plans/drain-plan.ts';
import { rebalancePlan } from '../../../src/nova/plans/rebalance-plan.ts';
import { whatIf } from '../../../src/nova/plans/what-if.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/ledger.ts';
import { reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);

interface Device {
  readonly instance?: string;
  readonly numaNode?: number;
  readonly network?: string;
}

/** A host with these GPUs, each with its instance. */
async function report(name: string, vcpus: number, devices: readonly Device[], pciInPlacement = false): Promise<void> {
  await reportComputeNode(scope(), {
    ...reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus, memoryMb: 8192, localGb: 0 }),
    numaCells: [0, 1].map((id) => ({ id, cores: 4, threads: 4, memoryMb: 4096, socket: id })),
    pciInPlacement,
    pciDevices: devices.map(({ instance, numaNode = 0, network }, place) => ({
      device: {
        fields: {
          ...{ address: `0000:9${place}:00.0`, vendorId: '10de', productId: '1eb8', numaNode },
          ...(instance && { status: 'allocated', instance: uuidOf(instance) }),
        },
      },
      ...(network && { tags: [{ key: 'physical_network', value: network }] }),
    })),
  });
}

const hold = (consumer: string, name: string, vcpus: number) => createSeed(database.db).claim(consumer, { [name]: { VCPU: vcpus } });
const nameOf = new Map<string, string>();
const named = (uuid: string) => nameOf.get(uuid) ?? uuid;
const drain = async (name: string, rest: object = {}) => {
  const { moves, stuck } = await drainPlan(scope(), { computeNodes: [uuidOf(name)], rootTraits: [], ...rest });
  return {
    moves: Object.fromEntries(moves.map(({ consumer, selection }) => [named(consumer), selection.candidate.root.name])),
    stuck: stuck.map(({ consumer, reason }) => [named(consumer), reason]),
    explained: stuck[0]?.explanation,
  };
};
const gpus = { aliases: [{ name: 'gpu', vendorId: '10de', productId: '1eb8', deviceType: 'type-PCI' }] };
const flavor = (alias: string, specs: Readonly<Record<string, string>> = {}) => {
  const extraSpecs = Object.entries({ 'pci_passthrough:alias': alias, ...specs }).map(([key, value]) => ({ key, value }));
  const cells = Number(specs['hw:numa_nodes'] ?? 1);
  const fields = { vcpus: cells, memoryMb: cells, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs };
  return { flavorToRequest: { flavor: { fields }, pciPassthrough: gpus } };
};

beforeAll(async () => {
  for (const name of ['large', 'small', 'other', 'plain', 'wired']) nameOf.set(uuidOf(name), name);
  await report('old', 16, [{ instance: 'large' }, { instance: 'small' }]);
  await report('roomy', 64, []);
  await report('equipped', 16, [{ instance: 'other' }, {}]);
  await hold('large', 'old', 4);
  await hold('small', 'old', 2);
  await hold('plain', 'old', 1);
  await hold('other', 'equipped', 8);
});

describe('draining a host', () => {
  test('moves a consumer with a device to a free one, once, and reports that the others have none', async () => {
    const { moves, stuck, explained } = await drain('old');
    expect(moves).toEqual({ large: 'equipped', plain: 'roomy' });
    expect(stuck).toEqual([['small', 'NO_DESTINATION']]);
    expect(JSON.stringify(explained)).toContain('able to serve the PCI devices');
  });

  test('follows the given flavor, with the cells of its guest', async () => {
    const given = (...asks: [string, Readonly<Record<string, string>>?]) => ({
      requests: [{ consumers: ['large', 'small'].map(uuidOf), asks: flavor(...asks) }],
    });
    expect((await drain('old', given('gpu:2'))).stuck).toEqual([
      ['large', 'NO_DESTINATION'],
      ['small', 'NO_DESTINATION'],
    ]);
    const near = { 'hw:numa_nodes': '1', 'hw:pci_numa_affinity_policy': 'required' };
    expect((await drain('old', given('gpu:1', near))).moves).toMatchObject({ large: 'equipped' });
    expect((await drain('old', given('gpu:1', { ...near, 'hw:numa_nodes': '3' }))).moves).toEqual({ plain: 'roomy' });
  });

  test('requires the same network, and ignores devices that are providers', async () => {
    await report('networked', 8, [{ instance: 'wired', network: 'net1' }]);
    await hold('wired', 'networked', 1);
    expect((await drain('networked')).stuck).toEqual([['wired', 'NO_DESTINATION']]);
    await report('target', 8, [{ network: 'net1' }]);
    expect((await drain('networked')).moves).toEqual({ wired: 'target' });
    await report('placed', 8, [{ instance: 'in placement' }], true);
    await hold('in placement', 'placed', 1);
    expect((await drain('placed')).stuck).toEqual([]);
  });
});

test('rebalancing frees the devices of leaving consumers for arriving ones', async () => {
  await report('full', 8, [{ instance: 'first' }, { instance: 'second' }]);
  await report('empty', 8, [{}]);
  await hold('first', 'full', 3);
  await hold('second', 'full', 3);
  await hold('resident', 'empty', 1);
  const input = { computeNodes: ['full', 'empty'].map(uuidOf), stayingConsumers: [uuidOf('resident')] };
  const { moves, after } = await rebalancePlan(scope(), input);
  expect(moves).toHaveLength(1);
  expect(after.highest).toBeLessThan(0.75);
  const emptied = async () => (await rebalancePlan(scope(), { ...input, goal: 'PACK' })).emptied.map(({ name }) => name);
  // That takes two devices.
  expect(await emptied()).toEqual([]);
  await report('empty', 8, [{}, {}]);
  expect(await emptied()).toEqual(['full']);
});

test('what-if counts as many as there are devices, also on added hosts', async () => {
  const asked = async (alias: string, changes: object = {}) => {
    const { before, after, onAdded } = await whatIf(scope(), { asks: flavor(alias), ...changes });
    return [before.total, after.total, onAdded.map(({ count }) => count)];
  };
  // Free: one on each of equipped and target, two on empty.
  expect(await asked('gpu:1')).toEqual([4, 4, []]);
  expect(await asked('gpu:2')).toEqual([1, 1, []]);
  expect(await asked('gpu:1', { lost: [uuidOf('empty')] })).toEqual([4, 2, []]);
  const added = [
    { count: 3, like: uuidOf('old') },
    { count: 5, inventories: [{ resourceClass: 'VCPU', total: 8 }] },
  ];
  expect(await asked('gpu:1', { added })).toEqual([4, 10, [6, 0]]);
});
