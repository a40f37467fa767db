// Changes of inventories: what is sent, how the preview reads, and which write undoes them.
import { describe, expect, test } from 'vitest';
import { changeWords, countWords, patchOf, undoOf } from '../../../../src/ui/dashboard/actions/inventory-patch.ts';

const uuid = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
const change = (digit: number, reserved = 50, generation = 8) => ({
  resourceProviderUuid: uuid(digit),
  resourceProvider: { name: `host${digit}`, generation },
  inventories: [
    {
      used: 930,
      before: { reserved, allocationRatio: 1, capacity: 1000 - reserved },
      after: { reserved: 100, allocationRatio: 1, capacity: 900 },
    },
  ],
});

test('only values that differ are sent', () => {
  const before = { reserved: 50, allocationRatio: 1.5 };
  expect(patchOf({ reserved: '50', ratio: '1.5' }, before)).toEqual({});
  expect(patchOf({ reserved: '100', ratio: '1.5' }, before)).toEqual({ reserved: 100 });
  expect(patchOf({ reserved: '50', ratio: '' }, before)).toEqual({});
  expect(patchOf({ reserved: '0', ratio: '2' }, before)).toEqual({ reserved: 0, allocationRatio: 2 });
});

test('the preview says what changes, and what that means for allocations', () => {
  expect(changeWords(change(1), 'DISK_GB')).toBe(
    'reserved 50 GiB → 100 GiB, capacity 950 GiB → 900 GiB, 930 GiB used, 30 GiB over capacity',
  );
  const ratio = {
    ...change(1),
    inventories: [
      { used: 5, before: { reserved: 0, allocationRatio: 1, capacity: 32 }, after: { reserved: 0, allocationRatio: 4, capacity: 128 } },
    ],
  };
  expect(changeWords(ratio, 'VCPU')).toBe('ratio 1 → 4, capacity 32 → 128, 5 used');
  expect([countWords(1), countWords(1204)]).toEqual(['1 inventory', '1,204 inventories']);
});

describe('a change is undone', () => {
  test('of one provider, only in the generation that it created', () => {
    expect(undoOf([change(1)], 'DISK_GB')).toEqual({
      select: { many: [{ resourceProvider: uuid(1), expect: { generation: 8 } }] },
      resourceClass: 'DISK_GB',
      patch: { reserved: 50, allocationRatio: 1 },
      expectedCount: 1,
      dryRun: false,
    });
  });

  test('of many, if all had the same values before', () => {
    expect(undoOf([change(1), change(2)], 'DISK_GB')?.select.many?.map(({ resourceProvider }) => resourceProvider)).toEqual([
      uuid(1),
      uuid(2),
    ]);
    expect(undoOf([change(1), change(2, 60)], 'DISK_GB')).toBeNull();
  });

  test('never, if nothing changed or the provider is gone', () => {
    expect(undoOf([], 'DISK_GB')).toBeNull();
    expect(undoOf([{ ...change(1), resourceProvider: null }], 'DISK_GB')).toBeNull();
  });
});
