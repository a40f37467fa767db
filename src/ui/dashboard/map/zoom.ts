// Zooming in: the same arrangement with larger cells, of which the viewer sees a part. Gaps, names and headings keep their size.
import { type Box, cellAt, nearestPlace } from './cells.ts';
import type { Layout, Measures, PlacedPile } from './layout.ts';

/** How near the viewer is, and which point of the enlarged map is at the top left of the window. */
export interface View {
  /** 1 for the whole map. */
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** The factor of one press of a key or a button. */
export const zoomStep = 1.5;

export const wholeMap: View = { zoom: 1, x: 0, y: 0 };

/** A layout with larger cells in the same rows and columns. */
export function enlarged(
  layout: Layout,
  zoom: number,
  { heading, label, pileGap }: Pick<Measures, 'heading' | 'label' | 'pileGap'>,
): Layout {
  if (zoom === 1) return layout;
  const { gap } = layout;
  const cellWidth = Math.floor((layout.cellWidth + gap) * zoom) - gap;
  const cellHeight = Math.floor((layout.cellHeight + gap) * zoom) - gap;
  const piles: PlacedPile[] = [];
  const sections: { y: number }[] = [];
  let [y, width, start] = [0, 0, 0];
  for (const section of layout.sections.keys()) {
    sections.push({ y });
    y += heading;
    for (const row of rowsOf(layout.piles, section)) {
      let [right, oldRight] = [0, 0];
      for (const pile of row) {
        const x = right + pile.x - oldRight;
        const wide = pile.columns * (cellWidth + gap) - gap;
        const high = Math.ceil(pile.count / pile.columns) * (cellHeight + gap) - gap;
        piles[start] = { ...pile, x, y: y + label, width: wide, height: high, labelWidth: pile.labelWidth - pile.width + wide };
        start += 1;
        [right, oldRight] = [x + wide, pile.x + pile.width];
      }
      width = Math.max(width, right);
      y += label + Math.max(...row.map(({ count, columns }) => Math.ceil(count / columns))) * (cellHeight + gap) + pileGap;
    }
  }
  return { ...layout, cellWidth, cellHeight, width: Math.max(width, layout.width), height: y, sections, piles };
}

function rowsOf(piles: readonly PlacedPile[], section: number): PlacedPile[][] {
  const rows = new Map<number, PlacedPile[]>();
  for (const pile of piles) if (pile.section === section) rows.set(pile.y, [...(rows.get(pile.y) ?? []), pile]);
  return [...rows.values()];
}

/** The part of an enlarged layout that is in the window, measured from the window's top left. */
export function seen(large: Layout, { x, y }: View, { width, height }: Pick<Layout, 'width' | 'height'>): Layout {
  if (x === 0 && y === 0 && large.width === width && large.height === height) return large;
  const boxes = large.boxes?.slice() ?? null;
  for (let at = 0; boxes && at < boxes.length; at += 4) {
    boxes[at] = (boxes[at] ?? 0) - x;
    boxes[at + 1] = (boxes[at + 1] ?? 0) - y;
  }
  return {
    ...large,
    boxes,
    width,
    height,
    sections: large.sections.map((section) => ({ y: section.y - y })),
    piles: large.piles.map((pile) => ({ ...pile, x: pile.x - x, y: pile.y - y })),
  };
}

/** The view moved so that it shows nothing beyond the map. */
export function within(large: Layout, { width, height }: Pick<Layout, 'width' | 'height'>, { zoom, x, y }: View): View {
  const clamp = (at: number, most: number) => Math.round(Math.max(0, Math.min(at, most)));
  return { zoom, x: clamp(x, large.width - width), y: clamp(y, large.height - height) };
}

/** Where a point of one enlarged layout is in another, relative to the nearest cell because gaps do not grow. */
export function pointIn(from: Layout, to: Layout, x: number, y: number): { readonly x: number; readonly y: number } {
  const place = nearestPlace(from, x, y);
  const [old, next] = place === null ? [null, null] : [cellAt(from, place), cellAt(to, place)];
  if (!old || !next) return { x, y };
  const scaled = (at: number, start: number, length: number, toStart: number, toLength: number) =>
    at < start
      ? toStart + at - start
      : at > start + length
        ? toStart + toLength + at - start - length
        : toStart + ((at - start) / Math.max(1, length)) * toLength;
  return { x: scaled(x, old.x, old.width, next.x, next.width), y: scaled(y, old.y, old.height, next.y, next.height) };
}

/** The view in which a cell is in the middle. */
export function around(large: Layout, window: Pick<Layout, 'width' | 'height'>, zoom: number, { x, y, width, height }: Box): View {
  return within(large, window, { zoom, x: x + width / 2 - window.width / 2, y: y + height / 2 - window.height / 2 });
}

/** The view moved as little as needed to show a cell with some of its surroundings. */
export function showing(large: Layout, window: Pick<Layout, 'width' | 'height'>, view: View, { x, y, width, height }: Box): View {
  const reach = (from: number, length: number, at: number, size: number) => {
    const margin = Math.min(size, (length - size) / 2);
    return Math.max(Math.min(from, at - margin), at + size + margin - length);
  };
  return within(large, window, { zoom: view.zoom, x: reach(view.x, window.width, x, width), y: reach(view.y, window.height, y, height) });
}
