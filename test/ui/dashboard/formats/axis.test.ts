// Axes enclose what they show, with round labels that differ.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountAxis, timeTicks } from '../../../../src/ui/dashboard/formats/axis.ts';

const labels = (least: number, most: number, resourceClass: string) =>
  amountAxis(least, most, resourceClass).ticks.map(({ label }) => label);

test.each([
  ['VCPU', 1_401_000, 1_496_000, ['1.40M', '1.45M', '1.50M']],
  ['VCPU', 57, 63, ['56', '58', '60', '62', '64']],
  ['VCPU', 3, 40, ['0', '20', '40']],
  ['VCPU', 7, 7, ['6', '7', '8']],
  ['VCPU', 0, 0, ['0', '1']],
  ['VGPU', 12_790, 12_800, ['12,600', '12,700', '12,800', '12,900', '13,000']],
  ['MEMORY_MB', 2.8 * 1024 ** 3, 2.87 * 1024 ** 3, ['2.75 PiB', '2.80 PiB', '2.85 PiB', '2.90 PiB']],
])('%s from %d to %d', (resourceClass, least, most, expected) => {
  const found = labels(least, most, resourceClass);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expected);
});

test('an axis encloses its amounts, at ticks with different labels', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 ** 40), fc.constantFrom('VCPU', 'MEMORY_MB'), (one, other, resourceClass) => {
      const [least, most] = [Math.min(one, other), Math.max(one, other)];
      const { low, high, ticks } = amountAxis(least, most, resourceClass);
      expect(low).toBeLessThanOrEqual(least);
      expect(high).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks[0]?.at).toBe(low);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }),
  );
});

test('times are round, and at most ten', () => {
  const at = Date.UTC(2026, 10, 26, 13, 7);
  const hour = 3_600_000;
  const words = (hours: number) => timeTicks(at - hours * hour, at).map(({ label }) => label);
  expect(words(1)).toEqual(['12:10', '12:20', '12:30', '12:40', '12:50', '13:00']);
  expect(words(24)).toEqual(['15:00', '18:00', '21:00', '26 Nov', '03:00', '06:00', '09:00', '12:00']);
  expect(words(7 * 24)).toEqual(['20 Nov', '21 Nov', '22 Nov', '23 Nov', '24 Nov', '25 Nov', '26 Nov']);
  expect(words(90 * 24)).toEqual(['31 Aug', '14 Sept', '28 Sept', '12 Oct', '26 Oct', '9 Nov', '23 Nov']);
  fc.assert(fc.property(fc.integer({ min: 60_000, max: 2e11 }), (span) => timeTicks(at - span, at).length <= 10));
});
