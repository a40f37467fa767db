// Coming closer to the map: what is seen, and that nothing is lost on the way.
import { describe, expect, test } from 'vitest';
import { cellAt, placeAt } from '../../../../src/ui/dashboard/map/cells.ts';
import { layOut, type Measures } from '../../../../src/ui/dashboard/map/layout.ts';
import { layOutBySize } from '../../../../src/ui/dashboard/map/sizes.ts';
import { around, enlarged, pointIn, seen, showing, wholeMap, within } from '../../../../src/ui/dashboard/map/zoom.ts';

const measures: Measures = { width: 1400, height: 500, heading: 24, label: 14, pileGap: 6, largest: 120, smallest: 3 };
const counts = Array.from({ length: 4 }, () => ({ piles: Array.from({ length: 25 }, () => 100) }));
const whole = layOut(counts, measures);
const factors = [1.5, 4, 8, 20];

test.each(factors)(
  '%f times as near, cells are as many times larger, in the same rows and columns, and gaps stay as they are',
  (factor) => {
    const large = enlarged(whole, factor, measures);
    expect(Math.abs(large.cellHeight - whole.cellHeight * factor)).toBeLessThanOrEqual(factor);
    expect(large.piles.map(({ columns, count, first }) => [columns, count, first])).toEqual(
      whole.piles.map(({ columns, count, first }) => [columns, count, first]),
    );
    const gaps = (layout: typeof whole) =>
      layout.piles.slice(1, 25).map(({ x }, index) => x - (layout.piles[index]?.x ?? 0) - (layout.piles[index]?.width ?? 0));
    expect(gaps(large)).toEqual(gaps(whole));
    for (let place = 0; place < 10_000; place += 37) {
      const cell = cellAt(large, place);
      expect(cell && placeAt(large, cell.x + 1, cell.y + 1)).toBe(place);
    }
  },
);

test('the whole map is in view unchanged', () => {
  expect(seen(enlarged(whole, 1, measures), wholeMap, whole)).toBe(whole);
});

describe.each(factors)('%f times as near', (factor) => {
  const large = enlarged(whole, factor, measures);

  test('what is under the pointer stays under it', () => {
    for (let place = 0; place < 10_000; place += 271) {
      const { x, y } = cellAt(whole, place) ?? { x: 0, y: 0 };
      const moved = pointIn(whole, large, x + 1, y + 1);
      expect(placeAt(large, moved.x, moved.y)).toBe(place);
      const back = pointIn(large, whole, moved.x, moved.y);
      expect(Math.hypot(back.x - x - 1, back.y - y - 1)).toBeLessThan(2);
    }
  });

  test('nothing beyond the map is in view', () => {
    for (const [x, y] of [
      [-50, -50],
      [1e6, 1e6],
    ] as const) {
      const view = within(large, whole, { zoom: factor, x, y });
      expect(view.x).toBeGreaterThanOrEqual(0);
      expect(view.x + whole.width).toBeLessThanOrEqual(Math.max(large.width, whole.width));
      expect(view.y + whole.height).toBeLessThanOrEqual(Math.max(large.height, whole.height));
    }
  });

  test('a link to a host shows it, and so does an arrow that leads out of view', () => {
    for (let place = 0; place < 10_000; place += 271) {
      const cell = cellAt(large, place);
      if (!cell) throw new Error('no cell');
      for (const view of [around(large, whole, factor, cell), showing(large, whole, { zoom: factor, x: 0, y: 0 }, cell)]) {
        const shown = cellAt(seen(large, view, whole), place);
        expect(
          shown && shown.x >= 0 && shown.y >= 0 && shown.x + shown.width <= whole.width && shown.y + shown.height <= whole.height,
        ).toBe(true);
      }
    }
  });
});

test('cells of different sizes move with the window', () => {
  const sizes = [{ piles: [[1, 2, 3, 4]] }];
  const large = layOutBySize(sizes, { ...measures, width: 2800, height: 1000 });
  const moved = seen(large, { zoom: 2, x: 100, y: 40 }, measures);
  const [before, after] = [cellAt(large, 3), cellAt(moved, 3)];
  expect(after).toEqual(before && { ...before, x: before.x - 100, y: before.y - 40 });
});
