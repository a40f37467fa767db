// PCI devices in Placement as Nova keeps them: the part of operators, refusals, and the treatment of devices in use.
import { describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import type { PciDeviceFields, PciDeviceInput } from '../../../src/nova/pci/pci-devices.ts';
import { releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { patchInventories } from '../../../src/operations/providers/inventory-patches.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, scopeOf } from '../../support/ledger.ts';
import { uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);

type Tags = Readonly<Record<string, string>>;
const device = (fields: Partial<PciDeviceFields> & { address: string }, tags: Tags = {}): PciDeviceInput => ({
  device: { fields: { vendorId: '8086', productId: '10ed', ...fields } },
  tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
});
const whole = (tags: Tags = {}, fields: Partial<PciDeviceFields> = {}) => device({ address: '0000:86:00.0', ...fields }, tags);
const part = (number: number, tags: Tags = {}, fields: Partial<PciDeviceFields> = {}) =>
  device({ address: `0000:85:00.${number}`, devType: 'type-VF', parentAddress: '0000:85:00.0', ...fields }, tags);

/** Each test has a node of its own. */
function nodeOf(name: string) {
  const fields = { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, localGb: 100 };
  const tree = () => readTree(scope(), uuidOf(name));
  return {
    report: (pciDevices: readonly PciDeviceInput[], { memoryMb = 4096, pciInPlacement = true } = {}) =>
      reportComputeNode(scope(), { computeNodeRecord: { fields: { ...fields, memoryMb } }, pciDevices, pciInPlacement }),
    tree,
    /** Name, class, total, reserved and traits of each card. */
    cards: async () =>
      (await tree())
        .slice(1)
        .map(({ name: card, inventories, traits }) =>
          [
            card.slice(name.length + 1),
            ...Object.entries(inventories).map(([key, { total, reserved }]) => `${key} ${total}-${reserved}`),
            ...traits.filter((trait) => !['COMPUTE_MANAGED_PCI_DEVICE', 'OWNER_NOVA'].includes(trait)),
          ].join(' '),
        ),
    hold: async (consumer: string, resourceClass: string, amount = 1) => {
      const [root, card] = await tree();
      const resourceProvider = (['PCI_DEVICE', 'SRIOV_NET_VF'].includes(resourceClass) ? root : card)?.uuid ?? '';
      const allocations = [{ resourceProvider, resources: [{ resourceClass, amount }] }];
      const owner = { project: 'p', user: 'u', consumerType: 'INSTANCE' };
      await replaceAllocations(scope(), {
        consumers: [{ consumer: uuidOf(consumer), expect: { unchecked: true }, hold: { allocations }, ...owner }],
      });
    },
    release: (consumer: string) =>
      releaseAllocations(scope(), { consumers: [{ consumer: uuidOf(consumer), expect: { unchecked: true } }] }),
  };
}

describe('the part of operators', () => {
  test('an operator’s reservation of a device outlasts reports', async () => {
    const { report, cards, tree } = nodeOf('reserving');
    await report([part(1), part(2)]);
    const resourceProvider = (await tree())[1]?.uuid ?? '';
    const resourceClass = 'CUSTOM_PCI_8086_10ED';
    await patchInventories(scope(), { select: { filter: { uuids: [resourceProvider] } }, resourceClass, patch: { reserved: 2 } });
    await report([part(1), part(2)]);
    expect(await cards()).toEqual([`0000:85:00.0 ${resourceClass} 2-2`]);
    // If the card has fewer devices, at most all of them are reserved.
    await report([part(1)]);
    expect(await cards()).toEqual([`0000:85:00.0 ${resourceClass} 1-1`]);
  });

  test.each(['True', 'yes', '1'])(
    'a device for one use (%s) is reserved when it is used, and stays so until it is reset',
    async (isOneTime) => {
      const { report, cards } = nodeOf(`once ${isOneTime}`);
      const tags = { one_time_use: isOneTime };
      const line = (reserved: number) => [`0000:86:00.0 CUSTOM_PCI_8086_10ED 1-${reserved} HW_PCI_ONE_TIME_USE`];
      await report([whole(tags)]);
      expect(await cards()).toEqual(line(0));
      await report([whole(tags, { instance: uuidOf('vm') })]);
      expect(await cards()).toEqual(line(1));
      await report([whole(tags)]);
      expect(await cards()).toEqual(line(1));
    },
  );
});

describe('traits', () => {
  test('are those of the last report: removing a tag removes its trait', async () => {
    const { report, cards } = nodeOf('traits');
    await report([whole({ traits: 'gold, HW_NIC_SRIOV', live_migratable: 'yes' })]);
    expect(await cards()).toEqual(['0000:86:00.0 CUSTOM_PCI_8086_10ED 1-0 CUSTOM_GOLD HW_NIC_SRIOV HW_PCI_LIVE_MIGRATABLE']);
    await report([whole({ traits: 'gold', live_migratable: 'false' })]);
    expect(await cards()).toEqual(['0000:86:00.0 CUSTOM_PCI_8086_10ED 1-0 CUSTOM_GOLD']);
  });
});

describe('classes', () => {
  test('functions may have a standard class', async () => {
    const { report, cards } = nodeOf('classes');
    await report([part(1, { resource_class: 'SRIOV_NET_VF' }), part(2, { resource_class: 'sriov_net_vf' })]);
    expect(await cards()).toEqual(['0000:85:00.0 SRIOV_NET_VF 2-0']);
  });

  test('devices of a physical network belong to Neutron and are not providers', async () => {
    const { report, cards } = nodeOf('networks');
    await report([part(1, { physical_network: 'physnet0' }), whole()]);
    expect(await cards()).toEqual(['0000:86:00.0 CUSTOM_PCI_8086_10ED 1-0']);
  });

  test.each<[what: string, devices: readonly PciDeviceInput[], path: string]>([
    ['functions of two classes on one card', [part(1, { resource_class: 'a' }), part(2, { resource_class: 'b' })], 'pciDevices/1/tags'],
    ['functions of a card with other traits', [part(1, { traits: 'a' }), part(2)], 'pciDevices/1/tags'],
    ['a card and its function', [device({ address: '0000:85:00.0', devType: 'type-PF' }), part(1)], 'pciDevices/1/device'],
    ['a function and its card', [part(1), device({ address: '0000:85:00.0', devType: 'type-PF' })], 'pciDevices/1/device'],
    ['a function without its card', [part(1, {}, { parentAddress: null })], 'pciDevices/0/device'],
    ['a function for one use', [part(1, { one_time_use: 'false' })], 'pciDevices/0/tags'],
  ])('%s are refused, as Nova does', async (what, devices, path) => {
    const { report } = nodeOf(what);
    const problems = [expect.objectContaining({ code: 'INVALID_INPUT', path: path.split('/') })];
    expect(await refusalOf(database.db, () => report(devices))).toEqual(problems);
    // Without PCI in Placement there are no cards that could contradict each other.
    await report(devices, { pciInPlacement: false });
  });

  test('without PCI in Placement, functions of a network count as SRIOV_NET_VF of their node, less those taken by ports', async () => {
    const { report, tree, hold, release } = nodeOf('functions');
    const net = { physical_network: 'physnet0' };
    const outside = { pciInPlacement: false };
    const counted = async () => {
      const inventory = (await tree())[0]?.inventories.SRIOV_NET_VF;
      return inventory && [inventory.total, inventory.reserved];
    };
    // Functions of other cards, the card itself and removed devices do not count.
    const others = [part(5), device({ address: '0000:85:00.0', devType: 'type-PF' }, net), part(6, net, { status: 'removed' })];
    await report([part(1, net), part(2, net), part(3, net), ...others], outside);
    expect(await counted()).toEqual([3, 0]);
    expect(await report([part(1, net), part(2, net), part(3, net), ...others], outside)).toMatchObject({ changed: false });
    await report([part(1, net, { status: 'allocated' }), part(2, net), part(3, net)], outside);
    expect(await counted()).toEqual([3, 1]);
    // The taken one is that of the allocation.
    await hold('port', 'SRIOV_NET_VF');
    await report([part(1, net, { status: 'allocated' }), part(2, net), part(3, net)], outside);
    expect(await counted()).toEqual([3, 0]);
    await report([part(1, net, { status: 'allocated' }), part(2, net, { status: 'claimed' })], outside);
    expect(await counted()).toEqual([2, 1]);
    // A taken card takes its functions with it.
    await release('port');
    await report([part(1, net), part(2, net), device({ address: '0000:85:00.0', devType: 'type-PF', status: 'allocated' })], outside);
    expect(await counted()).toEqual([2, 2]);
    await report([part(1, net)]);
    expect(await counted()).toBeUndefined();
  });

  test('devices in Placement do not silently leave it', async () => {
    const { report, tree } = nodeOf('leaving');
    await report([whole()]);
    expect(await refusalOf(database.db, () => report([whole()], { pciInPlacement: false }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['pciInPlacement'] },
    ]);
    await report([]);
    await report([whole()], { pciInPlacement: false });
    expect((await tree()).map(({ inventories }) => inventories.PCI_DEVICE?.total)).toEqual([1]);
  });
});

describe('a device in use that disappears', () => {
  test('keeps its inventory at its usage while the rest of the report takes effect, and is removed after its release', async () => {
    const { report, cards, tree, hold, release } = nodeOf('vanishing');
    await report([part(1), part(2), part(3)]);
    await hold('vm', 'CUSTOM_PCI_8086_10ED', 2);
    await report([part(1)], { memoryMb: 8192 });
    expect(await cards()).toEqual(['0000:85:00.0 CUSTOM_PCI_8086_10ED 2-0']);
    await report([], { memoryMb: 16_384 });
    expect(await cards()).toEqual(['0000:85:00.0 CUSTOM_PCI_8086_10ED 2-0']);
    expect((await tree())[0]?.inventories.MEMORY_MB?.total).toBe(16_384);
    expect(await report([], { memoryMb: 16_384 })).toMatchObject({ changed: false });
    await release('vm');
    await report([], { memoryMb: 16_384 });
    expect(await cards()).toEqual([]);
  });

  test('a card that gets another class keeps the usage of the old one, and offers the rest as the new one', async () => {
    const { report, cards, hold, release } = nodeOf('renaming');
    const devices = (name: string) => [1, 2, 3].map((number) => part(number, { resource_class: name }));
    await report(devices('old'));
    await hold('vm2', 'CUSTOM_OLD');
    await report(devices('new'));
    expect(await cards()).toEqual(['0000:85:00.0 CUSTOM_NEW 2-0 CUSTOM_OLD 1-0']);
    await release('vm2');
    await report(devices('new'));
    expect(await cards()).toEqual(['0000:85:00.0 CUSTOM_NEW 3-0']);
  });

  test('without PCI in Placement the number on the host does not fall below its usage', async () => {
    const { report, tree, hold, release } = nodeOf('counted');
    const outside = { pciInPlacement: false };
    const total = async () => (await tree())[0]?.inventories.PCI_DEVICE?.total;
    await report([whole(), whole({}, { address: '0000:87:00.0' })], outside);
    await hold('vm3', 'PCI_DEVICE', 2);
    await report([whole()], outside);
    expect(await total()).toBe(2);
    await report([], outside);
    expect(await total()).toBe(2);
    await release('vm3');
    await report([], outside);
    expect(await total()).toBeUndefined();
  });
});
