// Sorted numbers contain the same as an array that is sorted after each change.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedNumbers } from '../../../src/domain/candidates/sorted-numbers.ts';

test('the neighbours of any number are found after any history', () => {
  const number = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -3000, max: 3000 }));
  const change = fc.record({ value: number, removes: fc.boolean() });
  fc.assert(
    fc.property(fc.boolean(), fc.array(change, { maxLength: 400 }), fc.array(number, { maxLength: 20 }), (isLarge, changes, asked) => {
      const sorted = new SortedNumbers();
      const model = new Set<number>();
      // More than fit in one run, unsorted.
      for (let index = 0; isLarge && index < 2000; index++) {
        const value = ((index * 7919) % 4001) - 2000;
        sorted.add(value);
        model.add(value);
      }
      for (const { value, removes } of changes) {
        if (removes) sorted.remove(value);
        else if (!model.has(value)) sorted.add(value);
        if (removes) model.delete(value);
        else model.add(value);
      }
      const expected = [...model].sort((a, b) => a - b);
      for (const value of [...asked, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]) {
        expect([sorted.below(value), sorted.atLeast(value), sorted.above(value)]).toEqual([
          expected.findLast((one) => one < value),
          expected.find((one) => one >= value),
          expected.find((one) => one > value),
        ]);
      }
    }),
    { numRuns: 100 },
  );
});
