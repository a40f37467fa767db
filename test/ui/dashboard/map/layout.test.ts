// Where hosts are drawn: by examples, and by what must hold for any cloud on any screen.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAt, labelAt, nearestPlace, placeAt, stepFrom } from '../../../../src/ui/dashboard/map/cells.ts';
import { type Counts, type Layout, layOut, type Measures } from '../../../../src/ui/dashboard/map/layout.ts';
import { sampled } from '../../../support/profile.ts';

const measures: Measures = { width: 1400, height: 500, heading: 24, label: 14, pileGap: 6, largest: 120, smallest: 3 };
const zones = (zoneCount: number, rackCount: number, hosts: number): Counts =>
  Array.from({ length: zoneCount }, () => ({ piles: Array.from({ length: rackCount }, () => hosts) }));

describe('a cloud of 10,000 hosts in four zones with 25 racks each', () => {
  const layout = layOut(zones(4, 25, 100), measures);

  test('fits, with cells that can be told apart', () => {
    expect(layout.height).toBeLessThanOrEqual(measures.height);
    expect(layout.cellHeight).toBeGreaterThanOrEqual(5);
    expect(layout.piles).toHaveLength(100);
  });

  test('has racks below each other, as in aisles', () => {
    const lefts = new Set(layout.piles.map(({ x }) => x));
    expect(lefts.size).toBeLessThanOrEqual(25);
    expect(layout.piles[0]?.x).toBe(layout.piles[25]?.x);
  });
});

test('a handful of hosts gets cells of the largest size, not larger', () => {
  expect(layOut([{ piles: [4] }], measures)).toMatchObject({ cellHeight: 120 });
});

describe('what would be an empty strip at the right', () => {
  const right = ({ piles }: Layout) => Math.max(...piles.map(({ x, width }) => x + width));

  test('is filled by racks that end where the map ends', () => {
    for (const width of [1208, 1248, 1408, 1800, 3794]) {
      for (const counts of [zones(2, 10, 10), zones(4, 25, 100), zones(1, 25, 100)]) {
        expect([width, right(layOut(counts, { ...measures, width }))]).toEqual([width, width]);
      }
    }
  });

  test('is filled by wider cells if there is one rack', () => {
    const layout = layOut(zones(1, 1, 100), { ...measures, width: 1408 });
    expect(right(layout)).toBeGreaterThan(1408 - (layout.piles[0]?.columns ?? 0));
  });
});

test('racks of very different sizes are each as wide as needed', () => {
  const { piles } = layOut([{ piles: [400, 3, 3, 50] }], measures);
  expect(piles[0]?.columns).toBeGreaterThan(piles[1]?.columns ?? 0);
});

test('a cloud that does not fit at all is higher than the room, with the smallest cells', () => {
  const layout = layOut(zones(10, 40, 250), { ...measures, width: 360, height: 300 });
  expect(layout).toMatchObject({ cellHeight: 3 });
  expect(layout.height).toBeGreaterThan(300);
});

test('no room at all places nothing', () => {
  expect(layOut(zones(1, 1, 5), { ...measures, width: 0 }).piles).toEqual([]);
});

const clouds = fc.array(fc.record({ piles: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }) }), {
  minLength: 1,
  maxLength: 5,
});
const screens = fc.record({
  width: fc.integer({ min: 60, max: 2000 }),
  height: fc.integer({ min: 100, max: 1200 }),
  label: fc.constantFrom(0, 12),
});

const cellsOf = (layout: Layout) => layout.piles.reduce((sum, { count }) => sum + count, 0);

describe('on any screen', () => {
  test('each host has one cell, within the width, apart from all others', () => {
    fc.assert(
      fc.property(clouds, screens, (counts, screen) => {
        const layout = layOut(counts, { ...measures, ...screen });
        const total = counts.flatMap(({ piles }) => piles).reduce((sum, count) => sum + count, 0);
        expect(cellsOf(layout)).toBe(total);
        const taken = new Set<string>();
        for (let place = 0; place < total; place++) {
          const cell = cellAt(layout, place);
          if (!cell) throw new Error(`no cell for ${place}`);
          expect(cell.x).toBeGreaterThanOrEqual(0);
          expect(cell.x + layout.cellWidth).toBeLessThanOrEqual(screen.width);
          expect(cell.y + layout.cellHeight).toBeLessThanOrEqual(layout.height);
          // Each cell is at least three pixels wide and high, and so has a point of this grid, which belongs to no other.
          for (let x = 3 * Math.ceil(cell.x / 3); x < cell.x + layout.cellWidth; x += 3) {
            for (let y = 3 * Math.ceil(cell.y / 3); y < cell.y + layout.cellHeight; y += 3) {
              if (taken.has(`${x} ${y}`)) throw new Error(`two hosts at ${x} ${y}`);
              taken.add(`${x} ${y}`);
            }
          }
        }
      }),
      { numRuns: sampled(60) },
    );
  });

  test('a point in the middle of a cell means its host, and one on a name its rack', () => {
    fc.assert(
      fc.property(clouds, screens, (counts, screen) => {
        const layout = layOut(counts, { ...measures, ...screen });
        for (let place = 0; place < cellsOf(layout); place++) {
          const { x, y } = cellAt(layout, place) ?? { x: -1, y: -1 };
          expect(placeAt(layout, x + layout.cellWidth / 2, y + layout.cellHeight / 2)).toBe(place);
          expect(nearestPlace(layout, x + layout.cellWidth / 2, y + layout.cellHeight / 2)).toBe(place);
        }
        if (screen.label > 0) {
          for (const [index, pile] of layout.piles.entries()) expect(labelAt(layout, screen.label, pile.x, pile.y - 1)).toBe(index);
        }
      }),
      { numRuns: sampled(60) },
    );
  });

  test('arrow keys stay among the hosts, and can reach every host', () => {
    fc.assert(
      fc.property(clouds, screens, (counts, screen) => {
        const layout = layOut(counts, { ...measures, ...screen });
        const last = cellsOf(layout) - 1;
        for (let place = 0; place <= last; place += 7) {
          for (const step of ['left', 'right', 'up', 'down'] as const) {
            const next = stepFrom(layout, place, step);
            expect(next).toBeGreaterThanOrEqual(0);
            expect(next).toBeLessThanOrEqual(last);
            const [from, to] = [cellAt(layout, place), cellAt(layout, next)];
            if (step === 'up') expect(to?.y).toBeLessThanOrEqual(from?.y ?? 0);
            if (step === 'down') expect(to?.y).toBeGreaterThanOrEqual(from?.y ?? 0);
          }
        }
        expect(stepFrom(layout, 0, 'last')).toBe(last);
        expect(stepFrom(layout, last, 'right')).toBe(last);
        expect(stepFrom(layout, 0, 'left')).toBe(0);
      }),
      { numRuns: sampled(60) },
    );
  });
});
