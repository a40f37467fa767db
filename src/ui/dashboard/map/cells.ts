// Finds cells, piles and names in a layout, by their place or by a point, and where arrow keys lead.
import type { Layout, PlacedPile } from './layout.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box of a cell, by its place in the order of all cells. */
export function cellAt(layout: Layout, place: number): Box | null {
  const { piles, cellWidth, cellHeight, gap, boxes } = layout;
  const pile = piles[pileOf(piles, place)];
  if (!pile || place < pile.first || place >= pile.first + pile.count) return null;
  if (boxes) return boxAt(boxes, place);
  const index = place - pile.first;
  return {
    x: pile.x + (index % pile.columns) * (cellWidth + gap),
    y: pile.y + Math.floor(index / pile.columns) * (cellHeight + gap),
    width: cellWidth,
    height: cellHeight,
  };
}

function boxAt(boxes: Int32Array, place: number): Box {
  const at = 4 * place;
  return { x: boxes[at] ?? 0, y: boxes[at + 1] ?? 0, width: boxes[at + 2] ?? 0, height: boxes[at + 3] ?? 0 };
}

/** The pile that holds a place: the last one that begins at or before it and is not empty. */
export function pileOf(piles: readonly PlacedPile[], place: number): number {
  let [low, high] = [0, piles.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((piles[middle]?.first ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The place of the cell at a point; null if there is none. If cells are equal, the gap after a cell belongs to it. */
export function placeAt({ piles, cellWidth, cellHeight, gap, boxes }: Layout, x: number, y: number): number | null {
  for (const pile of piles) {
    if (x < pile.x || x >= pile.x + pile.width + gap || y < pile.y || y >= pile.y + pile.height + gap) continue;
    if (boxes) {
      for (let place = pile.first; place < pile.first + pile.count; place++) {
        const box = boxAt(boxes, place);
        if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) return place;
      }
      continue;
    }
    const index = Math.floor((y - pile.y) / (cellHeight + gap)) * pile.columns + Math.floor((x - pile.x) / (cellWidth + gap));
    if (index < pile.count) return pile.first + index;
  }
  return null;
}

/** The place of the cell nearest to a point; null without cells. */
export function nearestPlace({ piles, cellWidth, cellHeight, gap, boxes }: Layout, x: number, y: number): number | null {
  const beyond = (at: number, start: number, length: number) => Math.max(start - at, 0, at - start - length);
  const apart = (box: Box) => Math.hypot(beyond(x, box.x, box.width), beyond(y, box.y, box.height));
  let nearest: { readonly pile: PlacedPile; readonly distance: number } | null = null;
  for (const pile of piles) {
    const distance = apart(pile);
    if (pile.count > 0 && (nearest === null || distance < nearest.distance)) nearest = { pile, distance };
  }
  if (nearest === null) return null;
  const { pile } = nearest;
  if (!boxes) {
    const column = clamp(Math.floor((x - pile.x) / (cellWidth + gap)), 0, pile.columns - 1);
    const row = clamp(Math.floor((y - pile.y) / (cellHeight + gap)), 0, Math.ceil(pile.count / pile.columns) - 1);
    return pile.first + Math.min(row * pile.columns + column, pile.count - 1);
  }
  let best = { place: pile.first, distance: Number.POSITIVE_INFINITY };
  for (let place = pile.first; place < pile.first + pile.count; place++) {
    const distance = apart(boxAt(boxes, place));
    if (distance < best.distance) best = { place, distance };
  }
  return best.place;
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** The pile whose name is at a point. */
export function labelAt({ piles }: Layout, label: number, x: number, y: number): number | null {
  const found = piles.findIndex((pile) => y >= pile.y - label && y < pile.y && x >= pile.x && x < pile.x + pile.labelWidth);
  return found < 0 ? null : found;
}

/** The part of a box that is in the window; null if none is. */
export function clipped(box: Box | null, { width, height }: Layout): Box | null {
  if (!box) return null;
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Where an arrow key leads: along the order of the hosts, or to the nearest cell above or below. */
export function stepFrom(layout: Layout, place: number, step: Step): number {
  const last = layout.piles.reduce((sum, { count }) => sum + count, 0) - 1;
  if (step === 'first') return 0;
  if (step === 'last') return last;
  if (step === 'left') return Math.max(0, place - 1);
  if (step === 'right') return Math.min(last, place + 1);
  const from = cellAt(layout, place);
  if (!from) return place;
  const direction = step === 'up' ? -1 : 1;
  if (layout.boxes) return nearestBeyondBox(layout, layout.boxes, from, direction) ?? place;
  const own = layout.piles[pileOf(layout.piles, place)];
  const within = own ? place + direction * own.columns : place;
  if (own && within >= own.first && within < own.first + own.count) return within;
  return nearestBeyond(layout, from, direction) ?? place;
}

/** Rows weigh more than columns: a cell just below comes before one far below. */
const rowWeight = 4;

/** The cell nearest to another among those of the piles that lie wholly above or below it. */
function nearestBeyond(layout: Layout, from: Box, direction: 1 | -1): number | null {
  const pitch = layout.cellHeight + layout.gap;
  let best: { place: number; distance: number } | null = null;
  for (const pile of layout.piles) {
    if (pile.count === 0) continue;
    const rows = Math.ceil(pile.count / pile.columns);
    const bottom = pile.y + (rows - 1) * pitch;
    if (direction === 1 ? pile.y <= from.y : bottom >= from.y) continue;
    const column = clamp(Math.round((from.x - pile.x) / (layout.cellWidth + layout.gap)), 0, pile.columns - 1);
    const index = Math.min(pile.count - 1, direction === 1 ? column : (rows - 1) * pile.columns + column);
    const cell = cellAt(layout, pile.first + index);
    if (!cell || (direction === 1 ? cell.y <= from.y : cell.y >= from.y)) continue;
    const distance = Math.abs(cell.y - from.y) * rowWeight + Math.abs(cell.x - from.x);
    if (best === null || distance < best.distance) best = { place: pile.first + index, distance };
  }
  return best?.place ?? null;
}

/** Likewise among cells of different sizes: by their middles, wholly above or below. */
function nearestBeyondBox({ piles }: Layout, boxes: Int32Array, from: Box, direction: 1 | -1): number | null {
  let best: { place: number; distance: number } | null = null;
  const count = piles.reduce((sum, pile) => sum + pile.count, 0);
  for (let place = 0; place < count; place++) {
    const box = boxAt(boxes, place);
    const below = direction === 1 ? box.y - (from.y + from.height) : from.y - (box.y + box.height);
    if (below < 0) continue;
    const distance = below * rowWeight + Math.abs(box.x + box.width / 2 - from.x - from.width / 2);
    if (best === null || distance < best.distance) best = { place, distance };
  }
  return best?.place ?? null;
}
