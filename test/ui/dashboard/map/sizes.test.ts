// Cells as large as capacities: what must hold for any cloud on any screen.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAt, nearestPlace, placeAt, stepFrom } from '../../../../src/ui/dashboard/map/cells.ts';
import type { Measures } from '../../../../src/ui/dashboard/map/layout.ts';
import { layOutBySize, type Sizes } from '../../../../src/ui/dashboard/map/sizes.ts';
import { sampled } from '../../../support/profile.ts';

const measures: Measures = { width: 1200, height: 500, heading: 24, label: 12, pileGap: 6, largest: 120, smallest: 3 };
const area = (place: number, sizes: Sizes, screen = measures) => {
  const { width, height } = cellAt(layOutBySize(sizes, screen), place) ?? { width: 0, height: 0 };
  return width * height;
};

test('a host with four times the capacity has four times the area', () => {
  const sizes = [{ piles: [[64, 16, 16, 64, 16, 256]] }];
  const unit = area(1, sizes) / 16;
  for (const [place, capacity] of [64, 16, 16, 64, 16, 256].entries()) {
    expect(area(place, sizes) / unit).toBeGreaterThan(capacity * 0.95);
    expect(area(place, sizes) / unit).toBeLessThan(capacity * 1.05);
  }
});

test('cells of equal hosts are not stripes', () => {
  const sizes = [{ piles: Array.from({ length: 25 }, () => Array.from({ length: 40 }, () => 64)) }];
  const layout = layOutBySize(sizes, measures);
  for (let place = 0; place < 1000; place++) {
    const { width, height } = cellAt(layout, place) ?? { width: 1, height: 99 };
    expect(Math.max(width, height) / Math.min(width, height)).toBeLessThan(4);
  }
});

test('no host at all places nothing', () => {
  expect(layOutBySize([], measures).piles).toEqual([]);
  expect(layOutBySize([{ piles: [[]] }], measures).piles).toHaveLength(1);
});

const clouds = fc.array(
  fc.record({
    piles: fc.array(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const screens = fc.record({ width: fc.integer({ min: 60, max: 2000 }), height: fc.integer({ min: 100, max: 1200 }) });

describe('on any screen', () => {
  test('each host has one cell, within the map, apart from all others, and a point in it means the host', () => {
    fc.assert(
      fc.property(clouds, screens, (sizes, screen) => {
        const layout = layOutBySize(sizes, { ...measures, ...screen });
        const total = sizes.flatMap(({ piles }) => piles.flat()).length;
        expect(layout.piles.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        for (let place = 0; place < total; place++) {
          const cell = cellAt(layout, place);
          if (!cell) throw new Error(`no cell for ${place}`);
          expect(cell.x).toBeGreaterThanOrEqual(0);
          expect(cell.y).toBeGreaterThanOrEqual(0);
          expect(cell.x + cell.width).toBeLessThanOrEqual(layout.width);
          expect(cell.y + cell.height).toBeLessThanOrEqual(layout.height);
          // Where there are fewer pixels than hosts, some have none.
          if (cell.width < 1 || cell.height < 1) continue;
          const middle = [cell.x + cell.width / 2, cell.y + cell.height / 2] as const;
          expect(placeAt(layout, ...middle)).toBe(place);
          expect(nearestPlace(layout, ...middle)).toBe(place);
        }
      }),
      { numRuns: sampled(40) },
    );
  });

  test('arrow keys stay among the hosts, and go up and down', () => {
    fc.assert(
      fc.property(clouds, screens, (sizes, screen) => {
        const layout = layOutBySize(sizes, { ...measures, ...screen });
        const total = sizes.flatMap(({ piles }) => piles.flat()).length;
        for (let place = 0; place < total; place += 5) {
          const from = cellAt(layout, place);
          const [up, down] = [cellAt(layout, stepFrom(layout, place, 'up')), cellAt(layout, stepFrom(layout, place, 'down'))];
          expect(up?.y).toBeLessThanOrEqual(from?.y ?? 0);
          expect(down?.y).toBeGreaterThanOrEqual(from?.y ?? 0);
        }
      }),
      { numRuns: sampled(20) },
    );
  });
});
