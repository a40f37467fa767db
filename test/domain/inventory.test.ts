import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capacityOf,
  fits,
  hasRoom,
  type InventoryRecord,
  inventoryFaults,
  isOver,
  maxAllocationRatio,
  maxAmount,
  roomIn,
  unitFault,
} from '../../src/domain/inventory.ts';

const plain: InventoryRecord = { total: 16, reserved: 0, minUnit: 1, maxUnit: maxAmount, stepSize: 1, allocationRatio: 1 };
const inventory = (changes: Partial<InventoryRecord>): InventoryRecord => ({ ...plain, ...changes });
const stocked = (record: InventoryRecord, used: number) => ({ ...record, capacity: capacityOf(record), used });

describe('capacity is the unreserved part multiplied by the ratio, truncated towards zero', () => {
  test.each([
    [16, 0, 1, 16],
    [16, 2, 4, 56],
    [10, 0, 0.99, 9],
    [3, 0, 0.5, 1],
    [1, 0, 0.5, 0],
    [16, 16, 4, 0],
    [10, 11, 0.5, 0],
    [10, 12, 0.5, -1],
    [10, 12, 0.9, -1],
    [16, 0, 0, 0],
    [16, 0, -0.001, 0],
    [16, 0, -1, -16],
    [100, 0, 1.1, 110],
    [maxAmount, 0, maxAllocationRatio, Number.MAX_SAFE_INTEGER],
    [1, maxAmount, maxAllocationRatio, Number.MIN_SAFE_INTEGER],
    [1, 0, 2 ** 53, Number.MAX_SAFE_INTEGER],
  ])('(%d - %d) * %d gives %d', (total, reserved, allocationRatio, capacity) => {
    expect(capacityOf({ total, reserved, allocationRatio })).toBe(capacity);
  });

  test('it is always a whole number that is exact in JSON, and never -0', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const capacity = capacityOf(record);
        expect(Number.isSafeInteger(capacity)).toBe(true);
        expect(Object.is(capacity, -0)).toBe(false);
      }),
    );
  });
});

describe('a valid record', () => {
  test.each<[string, Partial<InventoryRecord>]>([
    ['with defaults', {}],
    ['everything reserved, since 1.26', { reserved: 16 }],
    ['slightly more reserved than the total, if truncation leaves 0', { total: 10, reserved: 11, allocationRatio: 0.5 }],
    ['min_unit above max_unit: nothing compares them', { minUnit: 8, maxUnit: 4 }],
    ['max_unit below and above total', { maxUnit: 1 }],
    ['a ratio of zero', { allocationRatio: 0 }],
    ['a negative ratio with a negative rest', { total: 1, reserved: 2, allocationRatio: -1 }],
    [
      'the largest numbers',
      { total: maxAmount, reserved: maxAmount, minUnit: maxAmount, stepSize: maxAmount, allocationRatio: maxAllocationRatio },
    ],
  ])('%s', (_what, changes) => {
    expect(inventoryFaults(inventory(changes))).toEqual([]);
  });
});

describe('an invalid record is refused with the name of the field', () => {
  test.each<[string, Partial<InventoryRecord>, (keyof InventoryRecord)[]]>([
    ['a total of 0', { total: 0 }, ['total']],
    ['a total beyond 2^31-1', { total: 2 ** 31 }, ['total']],
    ['a total that is not whole', { total: 1.5 }, ['total']],
    ['a total that is not a number', { total: Number.NaN }, ['total']],
    ['a negative reserve', { reserved: -1 }, ['reserved']],
    ['units of 0', { minUnit: 0, maxUnit: 0, stepSize: 0 }, ['minUnit', 'maxUnit', 'stepSize']],
    ['a ratio that is not a number', { allocationRatio: Number.NaN }, ['allocationRatio']],
    ['an infinite ratio', { allocationRatio: Number.POSITIVE_INFINITY }, ['allocationRatio']],
    ['a ratio beyond the range', { allocationRatio: 3.5e38 }, ['allocationRatio']],
    ['a ratio beyond the range below', { allocationRatio: -3.5e38 }, ['allocationRatio']],
    ['a negative capacity', { total: 10, reserved: 12, allocationRatio: 0.5 }, ['reserved']],
    ['a negative capacity because of a negative ratio', { allocationRatio: -1 }, ['reserved']],
  ])('%s', (_what, changes, fields) => {
    expect(inventoryFaults(inventory(changes)).map(({ field }) => field)).toEqual(fields);
  });

  test('the message is worded to follow the name of the field', () => {
    expect(inventoryFaults(inventory({ total: 0 }))).toEqual([{ field: 'total', message: 'must be a whole number from 1 to 2147483647' }]);
  });
});

describe('the amount of one allocation must respect the units', () => {
  test.each<[number, Partial<InventoryRecord>, ReturnType<typeof unitFault>]>([
    [1, {}, null],
    [3, { minUnit: 4 }, 'minUnit'],
    [4, { minUnit: 4 }, null],
    [9, { maxUnit: 8 }, 'maxUnit'],
    [8, { maxUnit: 8 }, null],
    [2 ** 40, {}, 'maxUnit'],
    [6, { stepSize: 4 }, 'stepSize'],
    [8, { stepSize: 4 }, null],
    [2, { minUnit: 2, stepSize: 4 }, 'stepSize'],
  ])('%d with %j: %s', (amount, limits, fault) => {
    expect(unitFault(inventory(limits), amount)).toBe(fault);
  });
});

describe('an amount fits', () => {
  test.each<[string, Partial<InventoryRecord>, number, number, boolean]>([
    ['into what is left', {}, 12, 4, true],
    ['not into less', {}, 13, 4, false],
    ['into what overcommit adds', { allocationRatio: 2 }, 30, 2, true],
    ['not into what is reserved', { reserved: 2 }, 12, 4, false],
    ['not while over capacity', {}, 20, 1, false],
    ['not if it violates the units', { stepSize: 2 }, 0, 3, false],
  ])('%s', (_what, changes, used, amount, expected) => {
    expect(fits(stocked(inventory(changes), used), amount)).toBe(expected);
  });

  test('only beside what reservations keep, which does not make an inventory over capacity', () => {
    const kept = { ...stocked(plain, 4), promised: 8 };
    expect([4, 5].map((amount) => fits(kept, amount))).toEqual([true, false]);
    expect([roomIn(kept), isOver(kept)]).toEqual([4, false]);
    const shrunk = { ...kept, capacity: 10 };
    expect([roomIn(shrunk), hasRoom(shrunk, 0), isOver(shrunk)]).toEqual([-2, false, false]);
    expect(isOver({ ...shrunk, capacity: 3 })).toBe(true);
  });

  test('in the truncated capacity exactly if it fits in the product itself', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(maxAmount), fc.integer({ min: 1, max: maxAmount }), (record, used, amount) => {
        fc.pre(inventoryFaults(record).length === 0);
        const product = (record.total - record.reserved) * record.allocationRatio;
        expect(fits(stocked(record, used), amount)).toBe(unitFault(record, amount) === null && used + amount <= Math.max(product, 0));
      }),
    );
  });
});

const anyRecord = fc.record({
  total: fc.integer({ min: 1, max: maxAmount }),
  reserved: fc.oneof(fc.constant(0), fc.nat(maxAmount)),
  minUnit: fc.integer({ min: 1, max: 8 }),
  maxUnit: fc.integer({ min: 1, max: maxAmount }),
  stepSize: fc.integer({ min: 1, max: 8 }),
  allocationRatio: fc.oneof(
    fc.double({ min: 0, max: 16, noNaN: true }),
    fc.double({ min: -maxAllocationRatio, max: maxAllocationRatio, noNaN: true }),
  ),
}) satisfies fc.Arbitrary<InventoryRecord>;
