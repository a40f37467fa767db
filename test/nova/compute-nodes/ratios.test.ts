import { describe, expect, test } from 'vitest';
import { inventoryFaults, maxAmount } from '../../../src/domain/inventory.ts';
import { chooseRatio, inventoriesOfNode, type NodeResources } from '../../../src/nova/compute-nodes/ratios.ts';

const node: NodeResources = { vcpus: 8, memoryMb: 16_384, localGb: 500 };

describe('the ratio of an inventory', () => {
  test.each([
    ['is the configured one, if there is one', 2, 3, 4, 2],
    ['is that of the inventory if none is configured', null, 3, 4, 3],
    ['is that of the inventory if 0.0 is configured, which means "not set"', 0, 3, 4, 3],
    ['is the initial one if nothing is set', undefined, undefined, 4, 4],
    ['is the initial one if the inventory has 0.0', null, 0, 4, 4],
  ])('%s', (_what, configured, existing, initial, ratio) => {
    expect(chooseRatio(configured, existing, initial)).toBe(ratio);
  });

  test('is chosen for each class separately', () => {
    const inventories = inventoriesOfNode(
      { ...node, ratios: { cpu: 2, ram: 0, disk: null } },
      { existing: { VCPU: 9, MEMORY_MB: 1.5 }, initial: { disk: 0.9 } },
    );
    expect(inventories.map(({ resourceClass, allocationRatio }) => [resourceClass, allocationRatio])).toEqual([
      ['VCPU', 2],
      ['MEMORY_MB', 1.5],
      ['DISK_GB', 0.9],
    ]);
  });
});

describe('the inventories of a node', () => {
  test('allow the whole node in one allocation, reserve 512 MiB, and start with Nova’s current ratios', () => {
    expect(inventoriesOfNode(node)).toEqual([
      { resourceClass: 'VCPU', total: 8, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 4 },
      { resourceClass: 'MEMORY_MB', total: 16_384, reserved: 512, minUnit: 1, maxUnit: 16_384, stepSize: 1, allocationRatio: 1 },
      { resourceClass: 'DISK_GB', total: 500, reserved: 0, minUnit: 1, maxUnit: 500, stepSize: 1, allocationRatio: 1 },
    ]);
  });

  test('reserve what the host reports, disk rounded up to whole GiB', () => {
    const kept = inventoriesOfNode({ ...node, reservedCpus: 2, reservedMemoryMb: 0, reservedDiskMb: 1025 });
    expect(kept.map(({ reserved }) => reserved)).toEqual([2, 0, 2]);
  });

  test('count dedicated processors as PCPU, never overcommitted and never reserved', () => {
    const [, dedicated] = inventoriesOfNode({ ...node, dedicatedCpus: 4, reservedCpus: 1, ratios: { cpu: 16 } });
    expect(dedicated).toEqual({
      resourceClass: 'PCPU',
      total: 4,
      reserved: 0,
      minUnit: 1,
      maxUnit: 4,
      stepSize: 1,
      allocationRatio: 1,
    });
  });

  test.each([
    ['a class with a total of 0', { ...node, vcpus: 0 }, ['MEMORY_MB', 'DISK_GB']],
    ['the disk of a host on shared storage', { ...node, hasSharedStorage: true }, ['VCPU', 'MEMORY_MB']],
    ['everything of an empty node', { vcpus: 0, memoryMb: 0, localGb: 0 }, []],
  ])('omit %s', (_what, report, classes) => {
    expect(inventoriesOfNode(report).map(({ resourceClass }) => resourceClass)).toEqual(classes);
  });

  test('do not hide invalid numbers, which the write refuses', () => {
    const [row] = inventoriesOfNode({ ...node, vcpus: -1 });
    expect(
      inventoryFaults({ reserved: 0, minUnit: 1, maxUnit: maxAmount, stepSize: 1, allocationRatio: 1, total: row?.total ?? 1 }),
    ).toEqual([expect.objectContaining({ field: 'total' })]);
  });
});
