import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FlavorNumbers } from '../../../src/nova/flavors/flavors.ts';
import { allocationsForInstance, amountsOfInstance, countWholeDevicesInUse } from '../../../src/nova/instances/instance-allocations.ts';
import { type PciDevice, pciDeviceStatuses, pciDeviceTypes } from '../../../src/nova/pci/pci-pools.ts';

const flavor: FlavorNumbers = { vcpus: 2, memoryMb: 2048, rootGb: 10, ephemeralGb: 5, swapMb: 1 };
const diskless: FlavorNumbers = { vcpus: 1, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0 };
const device = (status: PciDevice['status'], devType: PciDevice['devType']) => ({ status, devType });

const disk = (numbers: FlavorNumbers, bootedFromVolume: boolean) =>
  amountsOfInstance(numbers, { bootedFromVolume }).find(({ resourceClass }) => resourceClass === 'DISK_GB')?.amount;

describe('the amounts of an instance', () => {
  test('are those of its flavor: root 10, ephemeral 5 and swap 1 MB are 16 GB of disk', () => {
    expect(amountsOfInstance(flavor)).toEqual([
      { resourceClass: 'VCPU', amount: 2 },
      { resourceClass: 'MEMORY_MB', amount: 2048 },
      { resourceClass: 'DISK_GB', amount: 16 },
    ]);
  });

  test('count no root disk if it was booted from a volume: 6 GB', () => {
    expect(disk(flavor, true)).toBe(6);
  });

  test.each([
    [0, 15],
    [1, 16],
    [1024, 16],
    [1025, 17],
  ])('round %i MB of swap up: %i GB in all', (swapMb, amount) => {
    expect(disk({ ...flavor, swapMb }, false)).toBe(amount);
  });

  test('have no disk if its size is 0', () => {
    expect(disk(diskless, false)).toBeUndefined();
    expect(disk({ ...diskless, rootGb: 10 }, true)).toBeUndefined();
  });

  test('are two PCI devices for two generic devices', () => {
    const pciDeviceCount = countWholeDevicesInUse([device('allocated', 'type-PCI'), device('allocated', 'type-PCI')]);
    expect(amountsOfInstance(diskless, { pciDeviceCount })).toContainEqual({ resourceClass: 'PCI_DEVICE', amount: 2 });
  });

  test('count a device only if it is allocated and generic', () => {
    for (const status of pciDeviceStatuses) {
      for (const devType of pciDeviceTypes) {
        const counted = countWholeDevicesInUse([device(status, devType)]);
        expect(counted, `${status} ${devType}`).toBe(status === 'allocated' && devType === 'type-PCI' ? 1 : 0);
      }
    }
  });
});

describe('an instance takes its disk', () => {
  const amounts = amountsOfInstance(flavor);
  const [vcpu, memory] = amounts;

  test('from the compute node if it is local', () => {
    expect(allocationsForInstance(flavor, { computeNode: 'cn1', pool: null })).toEqual([{ resourceProvider: 'cn1', resources: amounts }]);
  });

  test('from the pool if it is shared', () => {
    expect(allocationsForInstance(flavor, { computeNode: 'cn1', pool: 'ss1' })).toEqual([
      { resourceProvider: 'cn1', resources: [vcpu, memory] },
      { resourceProvider: 'ss1', resources: [{ resourceClass: 'DISK_GB', amount: 16 }] },
    ]);
  });

  test('from the compute node if it was booted from a volume, although storage is shared', () => {
    expect(allocationsForInstance(flavor, { computeNode: 'cn1', pool: 'ss1', bootedFromVolume: true })).toEqual([
      { resourceProvider: 'cn1', resources: [vcpu, memory, { resourceClass: 'DISK_GB', amount: 6 }] },
    ]);
  });

  test('from no provider if it has none', () => {
    expect(allocationsForInstance(diskless, { computeNode: 'cn1', pool: 'ss1' }).map(({ resourceProvider: provider }) => provider)).toEqual(
      ['cn1'],
    );
  });
});

test('the allocations of an instance add up to its amounts, whatever the provider, and never have an amount of 0', () => {
  const size = fc.integer({ min: 0, max: 100_000 });
  const flavors = fc.record({ vcpus: size, memoryMb: size, rootGb: size, ephemeralGb: size, swapMb: size });
  const places = fc.record({ pool: fc.constantFrom(null, 'ss1'), bootedFromVolume: fc.boolean() });
  fc.assert(
    fc.property(flavors, places, (numbers, place) => {
      const rows = allocationsForInstance(numbers, { computeNode: 'cn1', ...place });
      const given = rows.flatMap(({ resources }) => resources);
      expect(given).toEqual(amountsOfInstance(numbers, place));
      expect(given.every(({ amount }) => amount > 0)).toBe(true);
      expect(rows.every(({ resources }) => resources.length > 0)).toBe(true);
    }),
  );
});
