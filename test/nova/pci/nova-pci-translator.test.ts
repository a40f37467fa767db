// Runs Nova's own tests of PCI devices in Placement.
import { describe, expect, test } from 'vitest';
import { parseReport } from '../../../src/nova/compute-nodes/compute-node-report.ts';
import { editNodeTree } from '../../../src/nova/compute-nodes/node-tree.ts';
import { cardsOf, checkCards } from '../../../src/nova/pci/pci-cards.ts';
import { pciClassName, pciTraitNames } from '../../../src/nova/pci/pci-names.ts';
import type { PciDevice } from '../../../src/nova/pci/pci-pools.ts';
import { ProviderTree } from '../../../src/nova/trees/provider-tree.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { InputCheck } from '../../../src/operations/request/input.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { refusalOf } from '../../support/versioned-objects.ts';
import {
  cardVectors,
  classVectors,
  oneTimeUse,
  refusedVectors,
  traitVectors,
  translatorLeftOut,
  treeVectors,
  usageVectors,
} from './nova-pci-translator.ts';

const database = useDatabase();

function check(devices: readonly PciDevice[]): void {
  const checking = new InputCheck();
  checkCards(checking, [], devices);
  checking.done();
}

test.each(traitVectors)('the traits %s are %s (trait_normalization)', (list, traits) => {
  expect(new Set(pciTraitNames(list))).toEqual(new Set(traits));
});

test.each(classVectors)('a device %s:%s of the class %s is %s (resource_class_normalization)', (vendor, product, named, resourceClass) => {
  expect(pciClassName(named, vendor, product)).toBe(resourceClass);
});

describe('devices that Nova refuses', () => {
  test.each(refusedVectors)('$origin', ({ devices }) => {
    check(devices.slice(0, -1));
    const problems = refusalOf(() => check(devices));
    expect(problems.map(({ path }) => path[0])).toEqual([String(devices.length - 1)]);
  });
});

describe('devices as cards', () => {
  test.each(cardVectors)('$origin', ({ devices, cards }) => {
    check(devices);
    const found = cardsOf(devices).map(({ address, total, traits, isSpent }) => [
      address,
      total,
      traits.includes('HW_PCI_ONE_TIME_USE'),
      isSpent,
    ]);
    expect(found).toEqual(cards);
  });
});

/** A node whose tree is edited by reports of its devices. */
function nodeWith(children: readonly (readonly [name: string, used: number | null])[]) {
  const root = uuidOf('fake-node');
  const tree = ProviderTree.from([]);
  tree.newRoot('fake-node', root);
  const used = new Map<string, Record<string, number>>();
  for (const [name, amount] of children) {
    tree.newChild(name, root, uuidOf(name));
    if (amount === null) continue;
    tree.updateTraits(name, ['COMPUTE_MANAGED_PCI_DEVICE']);
    const most = Math.max(amount, 1);
    tree.updateInventory(name, { [className]: { total: most, maxUnit: most } });
    used.set(uuidOf(name), amount > 0 ? { [className]: amount } : {});
  }
  const report = (devices: readonly PciDevice[]) => {
    const fields = { uuid: root, serviceHost: 'fake-node', hypervisorHostname: 'fake-node', vcpus: 1, memoryMb: 1024, localGb: 1 };
    const parsed = { ...parseReport({ computeNodeRecord: { fields }, pciInPlacement: true }), pciDevices: devices };
    const around = { sharedClasses: [], formerTraits: [], formerClasses: [], formerGpuTraits: {}, formerRatios: {}, isInService: null };
    editNodeTree(tree, root, parsed, {
      ...around,
      pools: null,
      formerPools: null,
      leaving: [],
      arriving: new Map(),
      used,
      reserved: new Map(),
      usageOfCells: null,
    });
  };
  const inventoryOf = (name: string) => tree.data(name).inventories[className];
  const childNames = () => tree.uuidsInTree(root).flatMap((uuid) => (uuid === root ? [] : tree.data(uuid).name));
  return { report, inventoryOf, childNames };
}
const className = 'CUSTOM_PCI_DEAD_BEEF';

describe('the tree of a node', () => {
  test.each(treeVectors)('$origin', ({ before, devices, after }) => {
    const { report, inventoryOf, childNames } = nodeWith(before);
    report(devices);
    expect(childNames().map((name) => [name, inventoryOf(name)?.total ?? null])).toEqual(after);
  });

  test(oneTimeUse.origin, () => {
    const { report, inventoryOf, childNames } = nodeWith([]);
    for (const { isUsed, reserved } of oneTimeUse.steps) {
      report(
        oneTimeUse.devices.map((device, place) => ({ ...device, ...(isUsed && place === 1 ? { instance: uuidOf('instance') } : {}) })),
      );
      expect(childNames().map((name) => inventoryOf(name)?.reserved)).toEqual(reserved);
    }
  });
});

test.each(usageVectors)('$origin', async ({ allocations, used }) => {
  const scope = () => scopeOf(database.db);
  const seed = createSeed(database.db);
  for (const provider of ['rp1', 'rp2', 'rp3']) {
    if ((await readTree(scope(), uuidOf(provider))).length > 0) continue;
    await seed.provider(provider, { inventories: { CUSTOM_RC1: 100, CUSTOM_RC2: 100, CUSTOM_RC3: 100 } });
  }
  const consumers = Object.entries(allocations).map(([consumer, held]) => ({
    ...{ consumer: uuidOf(consumer), expect: { unchecked: true as const }, project: 'p', user: 'u' },
    hold: {
      allocations: Object.entries(held).map(([provider, amounts]) => ({
        resourceProvider: uuidOf(provider),
        resources: Object.entries(amounts).map(([name, amount]) => ({ resourceClass: `CUSTOM_${name}`, amount })),
      })),
    },
  }));
  if (consumers.length > 0) await replaceAllocations(scope(), { consumers });
  for (const provider of ['rp1', 'rp2', 'rp3']) {
    const [state] = await readTree(scope(), uuidOf(provider));
    const now = Object.entries(state?.used ?? {}).flatMap(([name, amount]) => (amount > 0 ? [[name.slice('CUSTOM_'.length), amount]] : []));
    expect(Object.fromEntries(now)).toEqual(used[provider] ?? {});
  }
});

test('each of the 21 tests is run, or left out for a reason', () => {
  const played = [...refusedVectors, ...cardVectors, ...treeVectors, ...usageVectors, oneTimeUse].map(({ origin }) => origin.split(':')[0]);
  const names = new Set(['trait_normalization', 'resource_class_normalization', ...played]);
  expect({ played: names.size, left: Object.keys(translatorLeftOut).length }).toEqual({ played: 19, left: 2 });
});
