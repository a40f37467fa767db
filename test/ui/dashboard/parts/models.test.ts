// What bars and funnels show, as plain data.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barOf } from '../../../../src/ui/dashboard/formats/bar-model.ts';
import { funnelOf } from '../../../../src/ui/dashboard/parts/funnel-model.ts';

const vcpu = { resourceClass: { name: 'VCPU' }, total: 32, reserved: 0, allocationRatio: 4, capacity: 128, used: 17 };

describe('a bar', () => {
  test('is as long as the total times the ratio, with a notch where over-commit begins', () => {
    expect(barOf(vcpu)).toEqual({
      used: 17 / 128,
      capacity: 1,
      notch: 0.25,
      isOver: false,
      step: 1,
      percent: '13 %',
      amounts: '17 of 128',
      room: '111 free',
      words: 'VCPU: 13 % used, 17 of 128, 111 free, over-commit begins at 32',
    });
  });

  test('ends with what is reserved', () => {
    const disk = { resourceClass: { name: 'DISK_GB' }, total: 4000, reserved: 100, allocationRatio: 1, capacity: 3900, used: 3553 };
    const { capacity, notch, step, words } = barOf(disk);
    expect([capacity, notch, step]).toEqual([0.975, null, 5]);
    expect(words).toBe('DISK_GB: 91 % used, 3,553 of 3,900, 347 GiB free, 100 GiB reserved');
  });

  test('is full and says so if it is over capacity', () => {
    const over = barOf({ ...vcpu, allocationRatio: 1, capacity: 32, used: 40 });
    expect(over).toMatchObject({ used: 1, capacity: 1, notch: null, isOver: true, step: 6, percent: '125 %', room: '8 over capacity' });
  });

  test('of a sum deduces its length from the capacity', () => {
    const { allocationRatio: _, ...sum } = { ...vcpu, total: 100, reserved: 20, capacity: 160, used: 80 };
    expect(barOf(sum)).toMatchObject({ used: 0.4, capacity: 0.8, notch: 0.4 });
  });

  test('of nothing is empty', () => {
    expect(barOf({ ...vcpu, total: 1, reserved: 1, capacity: 0, used: 0 })).toMatchObject({ used: 0, capacity: 0, notch: null, step: 0 });
  });

  test('keeps within its length whatever the amounts are', () => {
    const amount = fc.integer({ min: 0, max: 2_147_483_647 });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        amount,
        fc.double({ min: 0, max: 3.4e38, noNaN: true }),
        (total, reserved, capacity, used, allocationRatio) => {
          const bar = barOf({ resourceClass: { name: 'VCPU' }, total, reserved, capacity, used, allocationRatio });
          for (const share of [bar.used, bar.capacity, bar.notch ?? 0]) expect(share >= 0 && share <= 1).toBe(true);
          expect(bar.used).toBeLessThanOrEqual(bar.capacity);
        },
      ),
    );
  });

  test('has seven steps of colour', () => {
    const stepOf = (used: number, capacity = 100) => barOf({ ...vcpu, total: 100, allocationRatio: 1, capacity, used }).step;
    expect([0, 1, 19, 20, 40, 60, 80, 94, 95, 100, 300].map((used) => stepOf(used))).toEqual([0, 1, 1, 2, 3, 4, 5, 5, 6, 6, 6]);
    expect(stepOf(1, 0)).toBe(6);
  });
});

describe('a funnel', () => {
  test('shows the conditions that ruled out trees, and marks the one that left none', () => {
    const { rows, harmless } = funnelOf([
      { suffix: null, filter: 'inventory of VCPU', rootsBefore: 10_000, rootsAfter: 9_996 },
      { suffix: null, filter: 'units of VCPU', rootsBefore: 9_996, rootsAfter: 9_996 },
      { suffix: '_gpu', filter: '9 VGPU', rootsBefore: 9_996, rootsAfter: 0 },
      { suffix: '_gpu', filter: 'room', rootsBefore: 0, rootsAfter: 0 },
    ]);
    expect(harmless).toBe(2);
    expect(rows).toEqual([
      { words: 'inventory of VCPU', left: 9_996, lost: 4, before: 1, after: 0.9996, empties: false },
      { words: '9 VGPU (group _gpu)', left: 0, lost: 9_996, before: 0.9996, after: 0, empties: true },
    ]);
  });

  test('of an empty cloud has no row and does not divide by zero', () => {
    expect(funnelOf([{ suffix: null, filter: 'inventory of VCPU', rootsBefore: 0, rootsAfter: 0 }])).toEqual({ rows: [], harmless: 1 });
  });
});
