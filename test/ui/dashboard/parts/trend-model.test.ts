// Trends: what is drawn and said of points, gaps and all.
import { describe, expect, test } from 'vitest';
import { classesIn, pointsIn, type TrendPoint, trendPaths, trendWords } from '../../../../src/ui/dashboard/parts/trend-model.ts';

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
    ['−3 in a day', [point(0, 3, 0), point(24, 0, 100)]],
  ])('%s', (words, points) => {
    expect(trendWords(points, String)).toBe(words);
  });

  test('nothing about one point or none', () => {
    expect([trendWords([], String), trendWords([point(0, 1)], String)]).toEqual([null, null]);
  });
});

describe('a trend draws', () => {
  test('steps up to the use at each moment, the whole height at 100 % and beyond', () => {
    expect(trendPaths([point(0, 50), point(12, 100), point(24, 150)])).toEqual(['M0 24H0V12H144V0H288V0V24Z']);
  });

  test('nothing for times that are unknown', () => {
    expect(trendPaths([point(0, 50), point(6, 50), point(18, 50, 100, true), point(24, 50)])).toEqual([
      'M0 24H0V12H72V12V24Z',
      'M216 24H216V12H288V12V24Z',
    ]);
    expect(trendPaths([point(0, 50), point(24, 50, 100, true)])).toEqual([]);
    expect(trendPaths([])).toEqual([]);
  });

  test('without capacity, the whole height at the largest use', () => {
    expect(trendPaths([point(0, 5, 0), point(24, 10, 0)])).toEqual(['M0 24H0V12H288V0V24Z']);
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
