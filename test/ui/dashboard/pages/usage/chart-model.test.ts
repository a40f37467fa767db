// What a chart draws and says.
import { describe, expect, test } from 'vitest';
import { chartOf, forecastWords, nearest, readoutOf } from '../../../../../src/ui/dashboard/pages/usage/chart-model.ts';
import { day, forecastOf } from '../../../../../src/ui/dashboard/pages/usage/forecast.ts';
import { earlier, timesSince, timesUntil } from '../../../../../src/ui/dashboard/pages/usage/ranges.ts';
import type { TrendPoint } from '../../../../../src/ui/dashboard/parts/trend-model.ts';

const now = Date.UTC(2026, 10, 26, 14, 10);
const point = (daysAgo: number, used: number, capacity = 1000, followsGap = false): TrendPoint => ({
  at: new Date(now - daysAgo * day).toISOString(),
  ...{ used, capacity, followsGap },
});
const line = (days: number, usedAt: (daysAgo: number) => number, capacity = 1000) =>
  Array.from({ length: days * 4 + 1 }, (_, place) => point(days - place / 4, usedAt(days - place / 4), capacity));
const forecast = (points: readonly TrendPoint[]) => forecastOf(points.map(({ at, used }) => ({ at: Date.parse(at), amount: used })));

describe('a chart', () => {
  test('fits its axis to the use, and breaks its line at gaps', () => {
    const { axis, use, capacity } = chartOf([point(3, 500), point(2, 510), point(1, 520, 1000, true), point(0, 560)], [], null, 'VCPU');
    expect([axis.low, axis.high, capacity]).toEqual([500, 560, '']);
    expect(use.match(/M/g)).toHaveLength(2);
  });

  test('has the capacity where it changed, as steps, or where it is nearly used up', () => {
    expect(chartOf([point(2, 500), point(1, 500, 1200), point(0, 500, 1200)], [], null, 'VCPU').capacity).toMatch(
      /^M0 [\d.]+L0 ([\d.]+)L500 \1L500/,
    );
    expect(chartOf([point(1, 940), point(0, 950)], [], null, 'VCPU').capacity).not.toBe('');
    expect(chartOf([point(1, 5, 0), point(0, 6, 0)], [], null, 'VCPU').capacity).toBe('');
  });

  test('draws the week before a week later, as far as it is known', () => {
    const { before } = chartOf([point(2, 500), point(0, 500)], [point(9, 400), point(8, 400), point(7, 400), point(6, 400)], null, 'VCPU');
    expect(before.match(/^M0 [\d.]+L500 [\d.]+L1000 [\d.]+$/)).not.toBeNull();
  });

  test('goes on for thirty days with an estimate', () => {
    const points = line(30, (daysAgo) => 600 - daysAgo);
    const { xOf, middle, axis } = chartOf(points, [], forecast(points), 'VCPU');
    expect([xOf(now), xOf(now + 30 * day)]).toEqual([0.5, 1]);
    expect(middle).not.toBe('');
    expect(axis.high).toBeGreaterThanOrEqual(630);
  });
});

test('a moment is read at the nearest point, beside the week before', () => {
  const points = [point(1, 500), point(0, 560)];
  expect(nearest(points, now - 0.6 * day)).toBe(0);
  expect(readoutOf(points[1] as TrendPoint, [point(7, 400)], 'VCPU')).toBe(
    '26 Nov 14:10 UTC: 56 %, 560 of 1,000; a week before 40 %, 400 of 1,000',
  );
});

describe('an estimate in words', () => {
  const words = (points: readonly TrendPoint[], title = 'VCPU') => {
    const found = forecast(points);
    return found && forecastWords(title, points.at(-1) as TrendPoint, found, title);
  };

  test.each([
    ['VCPU: 71 % now. At the rate of the last 30 days: 74 % in thirty days, not full within 90 days', line(30, (daysAgo) => 710 - daysAgo)],
    ['VCPU: 71 % now. At the rate of the last 30 days: 86 % in thirty days, full on 23 Jan', line(30, (daysAgo) => 710 - 5 * daysAgo)],
    ['VCPU: 85 % now. At the rate of the last 20 days: full on 11 Dec', line(20, (daysAgo) => 850 - 10 * daysAgo)],
    ['VCPU: 95 % now. At the rate of the last 20 days: 95 % in thirty days, not full within 90 days', line(20, () => 950)],
    ['VCPU: 100 % now: it is full', line(20, () => 1000)],
    ['VCPU: 50 now. At the rate of the last 20 days: 80 in thirty days', line(20, (daysAgo) => 50 - daysAgo, 0)],
  ])('%s', (expected, points) => {
    expect(words(points)).toBe(expected);
  });

  test('has whole amounts without a capacity, as well', () => {
    expect(words(line(30, (daysAgo) => 50 + (Math.floor(daysAgo * 7.3) % 3), 0))).toMatch(/ now\. At .*: \d+ to \d+ in thirty days/);
  });

  test('has a range if the amounts are noisy', () => {
    expect(words(line(30, (daysAgo) => 710 + 20 * (Math.floor(daysAgo * 7.3) % 3)))).toMatch(
      /: \d+ to \d+ % in thirty days, not full within/,
    );
  });

  test('names no single day if the amounts are noisy: between which days, or only the earliest', () => {
    const noise = (daysAgo: number) => 20 * (Math.floor(daysAgo * 7.3) % 3);
    expect(words(line(60, (daysAgo) => 860 - 6 * daysAgo + noise(daysAgo)))).toMatch(/full between \d+ \w+ and \d+ \w+$/);
    expect(words(line(30, (daysAgo) => 930 - daysAgo / 2 + 2 * noise(daysAgo)))).toMatch(/full (at any time|on \d+ \w+ at the earliest)$/);
  });
});

test('the times of a range stay the same for a while, and are cut where nothing older is known', () => {
  const times = timesUntil('day', now + 59_000);
  expect(times).toEqual({ from: '2026-11-25T14:10:00.000Z', until: '2026-11-26T14:10:00.000Z', stepSeconds: 600 });
  expect(timesUntil('day', now + 9 * 60_000)).toEqual(times);
  expect(earlier(times, 7 * day)).toEqual({ from: '2026-11-18T14:10:00.000Z', until: '2026-11-19T14:20:00.000Z', stepSeconds: 600 });
  expect(timesSince(times, '2026-11-26T11:11:00Z')?.from).toBe('2026-11-26T11:20:00.000Z');
  expect(timesSince(times, '2026-11-26T15:00:00Z')).toBeNull();
});
