// Trends: what is drawn and said of points, gaps and all.
import { describe, expect, test } from 'vitest';
import {
  classesIn,
  pointsIn,
  type TrendPoint,
  trendCaption,
  trendPaths,
  trendWords,
  withNothing,
} from '../../../../src/ui/dashboard/parts/trend-model.ts';

const point = (hour: number, used: number, capacity = 100, followsGap = false): TrendPoint => ({
  at: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  ...{ used, capacity, followsGap },
});

describe('a trend says', () => {
  test.each([
    ['+1.2 points in a day', [point(0, 50), point(24, 51.2)]],
    ['−1 point in 3 hours', [point(0, 50), point(3, 49)]],
    ['±0 points in an hour', [point(0, 50), point(1, 50)]],
    ['+5 points in a day, with gaps', [point(0, 50), point(9, 60, 100, true), point(24, 55)]],
    ['+12 in 6 hours', [point(0, 3, 0), point(6, 15, 0)]],
    ['+5 points in 30 days', [point(0, 50), point(720, 55)]],
    ['−3 in a day', [point(0, 3, 0), point(24, 0, 100)]],
  ])('%s', (words, points) => {
    expect(trendWords(points, String)).toBe(words);
  });

  test('nothing about one point or none', () => {
    expect([trendWords([], String), trendWords([point(0, 1)], String)]).toEqual([null, null]);
  });
});

test('its caption also says between which bounds the line is, because the picture does not begin at zero', () => {
  expect(trendCaption([point(0, 52), point(12, 58), point(24, 57)], String)).toBe('52 to 58 %, +5 points in a day');
  expect(trendCaption([point(0, 50), point(24, 50)], String)).toBe('50 %, ±0 points in a day');
  expect(trendCaption([point(0, 3, 0), point(6, 15, 0)], String)).toBe('3 to 15, +12 in 6 hours');
  expect(trendCaption([point(0, 3, 0)], String)).toBeNull();
});

describe('a trend draws', () => {
  test('a line from its least at the bottom to its most at the top', () => {
    expect(trendPaths([point(0, 50), point(12, 60), point(24, 55)])).toEqual(['M0 23L144 1L288 12']);
    expect(trendPaths([point(0, 5, 0), point(24, 10, 0)])).toEqual(['M0 23L288 1']);
  });

  test('a flat line in the middle, and hardly more for hardly any difference', () => {
    expect(trendPaths([point(0, 50), point(24, 50)])).toEqual(['M0 12L288 12']);
    expect(trendPaths([point(0, 50), point(24, 50.1)])).toEqual(['M0 13.1L288 10.9']);
  });

  test('nothing for times that are unknown', () => {
    expect(trendPaths([point(0, 50), point(6, 60), point(18, 60, 100, true), point(24, 50)])).toEqual(['M0 23L72 1', 'M216 1L288 23']);
    expect(trendPaths([point(0, 50), point(24, 50, 100, true)])).toEqual([]);
    expect(trendPaths([])).toEqual([]);
  });
});

test('the moments of a class are those with an amount of it', () => {
  const usage = (resourceClassName: string) => ({ resourceClassName, used: 1, capacity: 2 });
  const moments = [
    { at: '2026-01-01T00:00:00Z', followsGap: false, usages: [usage('VCPU')] },
    { at: '2026-01-01T00:01:00Z', followsGap: true, usages: [usage('VCPU'), usage('VGPU')] },
  ];
  expect(classesIn(moments)).toEqual(['VCPU']);
  expect(pointsIn(moments, 'VGPU')).toEqual([{ at: '2026-01-01T00:01:00Z', followsGap: true, used: 1, capacity: 2 }]);
});

test('what was released is drawn as nothing in use, where an answer leaves it out', () => {
  const moments = [1, 2, 3].map((hour) => {
    const [used, capacity] = [10, 0];
    return { at: point(hour, 0).at, followsGap: false, usages: hour === 1 ? [{ resourceClassName: 'VCPU', used, capacity }] : [] };
  });
  expect(pointsIn(withNothing(moments), 'VCPU').map(({ used }) => used)).toEqual([10, 0, 0]);
  expect(classesIn(withNothing(moments))).toEqual(['VCPU']);
});
