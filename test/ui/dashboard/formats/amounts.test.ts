// How amounts are written, on vectors.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactAmount, formatAmount, formatPartOf, formatShare } from '../../../../src/ui/dashboard/formats/amounts.ts';

describe('an amount has three digits and a suitable unit', () => {
  test.each([
    ['MEMORY_MB', 0, '0 MiB'],
    ['MEMORY_MB', 512, '512 MiB'],
    ['MEMORY_MB', 999, '999 MiB'],
    ['MEMORY_MB', 1000, '0.977 GiB'],
    ['MEMORY_MB', 1024, '1 GiB'],
    ['MEMORY_MB', 131_072, '128 GiB'],
    ['MEMORY_MB', 1_023_999, '0.977 TiB'],
    ['MEMORY_MB', 5_164_000_000, '4.81 PiB'],
    ['NUMA_MEMORY_MB', 2048, '2 GiB'],
    ['DISK_GB', 20, '20 GiB'],
    ['DISK_GB', 3_900, '3.81 TiB'],
    ['DISK_GB', 29_674_700, '28.3 PiB'],
    ['VCPU', 17, '17'],
    ['VCPU', 2_560, '2,560'],
    ['VCPU', 99_999, '99,999'],
    ['VCPU', 639_600, '640K'],
    ['VCPU', 2_560_000, '2.56M'],
    ['CUSTOM_MEMORY_MB', 4096, '4,096'],
  ])('%s %i is %s', (resourceClass, amount, text) => {
    expect(formatAmount(amount, resourceClass)).toBe(text);
  });

  test('and a size never has four digits before the point', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.constantFrom('MEMORY_MB', 'DISK_GB'),
        (amount, resourceClass) => {
          expect(formatAmount(amount, resourceClass)).toMatch(/^\d{1,3}(\.\d+)? [MGTPEZY]iB$/);
        },
      ),
    );
  });
});

test('a part is in the unit of its whole unless it would vanish', () => {
  expect(formatPartOf(3_553, 3_900, 'DISK_GB')).toBe('3.47 of 3.81 TiB');
  expect(formatPartOf(1, 29_674_700, 'DISK_GB')).toBe('1 GiB of 28.3 PiB');
  expect(formatPartOf(0, 3_900, 'DISK_GB')).toBe('0 of 3.81 TiB');
  expect(formatPartOf(17, 128, 'VCPU')).toBe('17 of 128');
  expect(formatPartOf(1_700_000, 2_600_000, 'VCPU')).toBe('1.7M of 2.6M');
});

test('the exact amount has the unit of the class', () => {
  expect(exactAmount(5_164_000_000, 'MEMORY_MB')).toBe('5,164,000,000 MiB of MEMORY_MB');
  expect(exactAmount(1_234, 'DISK_GB')).toBe('1,234 GiB of DISK_GB');
  expect(exactAmount(7, 'VGPU')).toBe('7 of VGPU');
});

test('only an empty inventory has 0 %, and only a full one 100 %', () => {
  expect([
    formatShare(0, 10),
    formatShare(0, 0),
    formatShare(1, 1000),
    formatShare(1, 2),
    formatShare(9_999, 10_000),
    formatShare(10, 10),
    formatShare(367, 100),
    formatShare(3, 0),
  ]).toEqual(['0 %', '0 %', '<1 %', '50 %', '>99 %', '100 %', '367 %', 'over']);
});
