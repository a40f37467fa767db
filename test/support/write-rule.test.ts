import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNewUse } from './write-rule.ts';

describe('a write is allowed when the new usage is within capacity or not above the previous one', () => {
  test.each([
    ['a first claim', 10, 0, 0, 10, null],
    ['a claim beyond the capacity', 10, 8, 8, 3, { requested: 3, available: 2 }],
    ['a replacement that uses what it releases', 10, 10, 4, 6, null],
    ['a replacement that requests more than it releases', 10, 10, 4, 7, { requested: 7, available: 6 }],
    ['nothing new while over capacity', 10, 20, 20, 1, { requested: 1, available: 0 }],
    ['a consumer kept while over capacity', 10, 20, 15, 5, null],
    ['a consumer shrunk while over capacity', 10, 20, 15, 3, null],
    ['a consumer grown while over capacity', 10, 20, 15, 6, { requested: 6, available: 5 }],
    ['a move between consumers while over capacity', 0, 4, 0, 4, null],
    ['growth within the capacity after others were released', 10, 12, 2, 8, null],
  ])('%s', (_what, capacity, usedBefore, usedAfterRelease, requested, expected) => {
    expect(checkNewUse({ capacity, usedBefore, usedAfterRelease, requested })).toEqual(expected);
  });

  test('for any numbers, and the reported available amount is the maximum that would be allowed', () => {
    const amount = fc.nat(1000);
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 1000 }), amount, amount, amount, (capacity, released, remaining, requested) => {
        const use = { capacity, usedBefore: remaining + released, usedAfterRelease: remaining };
        const newUse = remaining + requested;
        const violation = checkNewUse({ ...use, requested });
        expect(violation === null).toBe(newUse <= capacity || newUse <= use.usedBefore);
        if (violation === null) return;
        expect(checkNewUse({ ...use, requested: violation.available })).toBeNull();
        expect(checkNewUse({ ...use, requested: violation.available + 1 })).not.toBeNull();
      }),
    );
  });
});
