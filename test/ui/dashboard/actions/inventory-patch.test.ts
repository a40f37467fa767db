// Changes of inventories: what is sent, how the preview reads, and which write undoes them.
import { describe, expect, test } from 'vitest';
import {
  type Change,
  canUndo,
  changeWords,
  countWords,
  findingOf,
  hasValues,
  patchOf,
  totalWords,
  undoOf,
  undoWords,
  worstFirst,
  writtenWords,
} from '../../../../src/ui/dashboard/actions/inventory-patch.ts';

const uuid = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
const change = (digit: number, reserved = 50, generation = 8) => ({
  resourceProviderUuid: uuid(digit),
  resourceProvider: { name: `host${digit}`, generation, root: { uuid: uuid(digit), name: `host${digit}` } },
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

test('the preview begins with what changes in all, and lists those over capacity first', () => {
  const roomy = { ...change(2), inventories: [{ ...change(2).inventories[0], used: 0 }] } as Change;
  const full = { ...change(3), inventories: [{ ...change(3).inventories[0], used: 990 }] } as Change;
  const changes = [roomy, change(1), full];
  expect(totalWords(changes, 'DISK_GB')).toBe(
    '3 inventories change, 2 would be over capacity. Together: capacity 2.78 TiB → 2.64 TiB, 1.88 TiB used.',
  );
  expect(worstFirst(changes)).toEqual([full, change(1), roomy]);
  expect(totalWords([roomy], 'DISK_GB')).toMatch(/^1 inventory changes, none would be over capacity\./);
  const cells = [change(1), change(2)].map((cell) => ({
    ...cell,
    resourceProvider: { ...cell.resourceProvider, root: { uuid: uuid(9), name: 'host9' } },
  }));
  expect(totalWords(cells, 'DISK_GB')).toMatch(/^2 inventories of 1 host change,/);
});

describe('an undo', () => {
  test('restores the former value of each, with one write for all that had the same', () => {
    expect(undoOf([change(1), change(2, 60), change(3)], { reserved: 100 })).toEqual([
      { patch: { reserved: 50 }, changes: [change(1), change(3)] },
      { patch: { reserved: 60 }, changes: [change(2, 60)] },
    ]);
  });

  test('restores only what the write has changed', () => {
    expect(undoOf([change(1), change(2, 60)], { allocationRatio: 2 })).toEqual([
      { patch: { allocationRatio: 1 }, changes: [change(1), change(2, 60)] },
    ]);
  });

  test('is announced before the write, or denied', () => {
    const many = Array.from({ length: 101 }, (_, reserved) => change(1, reserved));
    expect(undoWords([change(1)], { reserved: 100 })).toBe('Undo restores the former value, until you close or reload this tab.');
    expect(undoWords([change(1), change(2, 60)], { reserved: 100 })).toContain("each one's own value, of 2 different ones");
    expect(undoWords(many, { reserved: 100 })).toMatch(/^There will be no undo: they have 101 different values now/);
    expect([many, many.slice(1)].map((changes) => canUndo(changes, { reserved: 100 }))).toEqual([false, true]);
  });

  test('is named after the write, so that it is known later what it undoes', () => {
    const cells = [1, 2].map((digit) => ({
      ...change(digit),
      resourceProvider: { name: `host9_numa${digit}`, generation: 1, root: { uuid: uuid(9), name: 'host9' } },
    }));
    const ratio = { resourceClass: 'VCPU', patch: { allocationRatio: 6 } };
    expect(writtenWords([change(1), change(2), ...cells], ratio)).toBe('ratio of VCPU to 6 on 3 hosts');
    expect(writtenWords(cells, ratio)).toBe('ratio of VCPU to 6 on host9');
    expect(writtenWords(cells.slice(1), { resourceClass: 'DISK_GB', patch: { allocationRatio: 1.5, reserved: 100 } })).toBe(
      'ratio of DISK_GB to 1.5 and reserved DISK_GB to 100 GiB on host9_numa2',
    );
  });

  test('concerns only inventories that still have what was written', () => {
    const present = { reserved: 100, allocationRatio: 1.5, capacity: 900 };
    expect(hasValues(present, { reserved: 100 })).toBe(true);
    expect(hasValues(present, { reserved: 100, allocationRatio: 1 })).toBe(false);
    expect(hasValues(null, { reserved: 100 })).toBe(false);
  });
});

describe('a write that was refused', () => {
  const shown = { reserved: 50, allocationRatio: 1, capacity: 950 };
  const written = { reserved: 100, allocationRatio: 1, capacity: 900 };
  const present = (...inventories: (typeof shown | null)[]) =>
    new Map(inventories.map((inventory, index) => [uuid(index + 1), { inventory }]));
  const found = (...inventories: (typeof shown | null)[]) => findingOf([change(1), change(2)], present(...inventories), { reserved: 100 });

  test('continues in another generation only if each inventory is as it was shown', () => {
    expect(found(shown, shown)).toBe('as shown');
    expect(found(shown, { ...shown, capacity: 1950 })).toBe('changed');
    expect(found(shown, null)).toBe('changed');
    expect(found(shown)).toBe('changed');
  });

  test('was written without an answer if each inventory has its values', () => {
    expect(found(written, written)).toBe('written');
    expect(found(written, shown)).toBe('changed');
    expect(found(written, { ...written, reserved: 70 })).toBe('changed');
  });
});
