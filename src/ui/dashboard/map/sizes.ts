// Where each host is drawn if its cell is as large as its capacity: sections share the height, piles and hosts the area. Rectangles are cut in two again and
// again, in the order of the hosts, so that neighbours stay neighbours. In device pixels; knows no canvas.
import type { Layout, Measures, PlacedPile } from './layout.ts';

/** What to place: sections with piles, each with the capacities of its hosts. */
export type Sizes = readonly { readonly piles: readonly (readonly number[])[] }[];

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The least pixels of a host on average. If that does not fit, the map is higher than the room. */
const leastArea = 12;
/** The gap after a cell, by its length; the same as between equal cells. */
const gapAfter = (length: number) => (length >= 24 ? 3 : length >= 4 ? 1 : 0);

export function layOutBySize(sizes: Sizes, { width, height: room, heading, label, pileGap }: Measures): Layout {
  const weights = sizes.map(({ piles }) => piles.map(sum));
  const cells = sizes.reduce((all, { piles }) => all + piles.reduce((some, pile) => some + pile.length, 0), 0);
  const total = Math.max(sum(weights.map(sum)), Number.MIN_VALUE);
  const headings = sizes.length * (heading + pileGap);
  const height = Math.max(room, headings + Math.ceil((cells * leastArea) / Math.max(1, width)));
  const boxes = new Int32Array(4 * cells);
  const sections: { y: number }[] = [];
  const piles: PlacedPile[] = [];
  let first = 0;
  let above = 0;
  for (const [section, { piles: inside }] of sizes.entries()) {
    const y = Math.round(((height - headings) * above) / total) + section * (heading + pileGap);
    above += sum(weights[section] ?? []);
    const bottom = Math.round(((height - headings) * above) / total) + section * (heading + pileGap) + heading;
    sections.push({ y });
    const places: Rectangle[] = [];
    split(weights[section] ?? [], { left: 0, top: y + heading, right: width, bottom }, (index, place) => {
      places[index] = place;
    });
    for (const [index, hosts] of inside.entries()) {
      const place = inner(places[index] ?? nowhere, label, inside.length > 1 ? pileGap : 0);
      const { left, top } = place;
      piles.push({
        section,
        x: left,
        y: top,
        width: place.right - left,
        height: place.bottom - top,
        columns: 1,
        count: hosts.length,
        first,
        labelWidth: place.right - left,
      });
      const start = first;
      split(hosts, place, (host, box) => writeBox(boxes, start + host, box));
      first += hosts.length;
    }
  }
  const edge = Math.floor(Math.sqrt((width * height) / Math.max(1, cells)));
  return { cellWidth: edge, cellHeight: edge, gap: 1, boxes, width, height, sections, piles };
}

const nowhere: Rectangle = { left: 0, top: 0, right: 0, bottom: 0 };
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

/** Without the name above and the gap to the neighbours. A pile that is too small for both gets neither. */
function inner({ left, top, right, bottom }: Rectangle, label: number, gap: number): Rectangle {
  const hasRoom = bottom - top > 2 * label && right - left > 2 * gap;
  return hasRoom ? { left, top: top + label, right: right - gap, bottom: bottom - Math.round(gap / 2) } : { left, top, right, bottom };
}

function writeBox(boxes: Int32Array, place: number, { left, top, right, bottom }: Rectangle): void {
  const [width, height] = [right - left, bottom - top];
  boxes.set([left, top, width - gapAfter(width), height - gapAfter(height)], 4 * place);
}

/** Gives each weight its share of a rectangle, which is cut across its longer side where the halves are most alike. */
function split(weights: readonly number[], whole: Rectangle, put: (index: number, place: Rectangle) => void): void {
  const before = [0];
  for (const weight of weights) before.push((before.at(-1) ?? 0) + Math.max(weight, Number.MIN_VALUE));
  const at = (index: number) => before[index] ?? 0;
  const cut = (from: number, to: number, place: Rectangle): void => {
    if (to - from === 1) put(from, place);
    if (to - from <= 1) return;
    const middle = middleOf(at, from, to);
    const share = (at(middle) - at(from)) / Math.max(at(to) - at(from), Number.MIN_VALUE);
    const { left, top, right, bottom } = place;
    if (right - left >= bottom - top) {
      const x = left + Math.round((right - left) * share);
      cut(from, middle, { ...place, right: x });
      cut(middle, to, { ...place, left: x });
    } else {
      const y = top + Math.round((bottom - top) * share);
      cut(from, middle, { ...place, bottom: y });
      cut(middle, to, { ...place, top: y });
    }
  };
  cut(0, weights.length, whole);
}

/** The index at which the weights before and after it are most alike; at least one is on each side. */
function middleOf(at: (index: number) => number, from: number, to: number): number {
  const half = (at(from) + at(to)) / 2;
  let [low, high] = [from + 1, to - 1];
  while (low < high) {
    const index = (low + high) >> 1;
    if (at(index) < half) low = index + 1;
    else high = index;
  }
  return low > from + 1 && half - at(low - 1) < at(low) - half ? low - 1 : low;
}
