// Where each host is drawn: equal cells, in piles with a name above, in sections with a heading above. The cells are as large as fits. In device pixels;
// knows no canvas.

/** What is to be placed: sections with piles, each with its number of cells. */
export type Counts = readonly { readonly piles: readonly number[] }[];

export interface Measures {
  readonly width: number;
  readonly height: number;
  /** Heights of a heading, and of the name of a pile. */
  readonly heading: number;
  readonly label: number;
  /** Between piles, at least. */
  readonly pileGap: number;
  /** Edge length of the largest and the smallest cell. */
  readonly largest: number;
  readonly smallest: number;
}

export interface PlacedPile {
  readonly section: number;
  /** Of the first cell; the name stands above. */
  readonly x: number;
  readonly y: number;
  /** Cells side by side. */
  readonly columns: number;
  readonly rows: number;
  readonly count: number;
  /** How many cells are before this pile. */
  readonly first: number;
  /** Until where the name may reach. */
  readonly labelWidth: number;
}

export interface Layout {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly gap: number;
  readonly width: number;
  /** More than there is room for when even the smallest cells do not fit. */
  readonly height: number;
  /** The top of each section. */
  readonly sections: readonly { readonly y: number }[];
  readonly piles: readonly PlacedPile[];
}

interface Cell {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

/** Rows of piles in a section. */
const mostRows = 16;
/** How much smaller cells may be so that the last rows of the piles are less ragged. */
const leastHeight = 0.8;
/** Piles of a section are equally wide when the largest has at most so many times the cells of the smallest. */
const mostUneven = 6;
const mostSpread = 3;

export function layOut(counts: Counts, measures: Measures): Layout {
  let best: Layout | null = null;
  let smallest: Layout | null = null;
  // Blocks wrap, so a larger cell may fit where a smaller does not: from large to small, and the first is taken.
  const cells = counts.reduce((sum, { piles }) => sum + piles.reduce((all, count) => all + count, 0), 0);
  for (const cell of cellsDownFrom(measures.largest, measures.smallest)) {
    if (best && cell.height < leastHeight * best.cellHeight) break;
    const area = cells * (cell.width + cell.gap) * (cell.height + cell.gap);
    if (cell.height > measures.smallest && area > measures.width * measures.height) continue;
    const layout = place(counts, measures, cell);
    if (layout === null) continue;
    smallest = layout;
    if (layout.height <= measures.height && (best === null || raggedness(layout) < raggedness(best))) best = layout;
  }
  const { width } = measures;
  return best ?? smallest ?? { cellWidth: 1, cellHeight: 1, gap: 0, width, height: 0, sections: [], piles: [] };
}

/** The share of places in the grids of the piles that stay empty. */
function raggedness({ piles }: Layout): number {
  const places = piles.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
  const cells = piles.reduce((sum, { count }) => sum + count, 0);
  // Differences that nobody sees are none.
  return Math.round((1 - cells / Math.max(1, places)) * 10);
}

function* cellsDownFrom(largest: number, smallest: number): Generator<Cell> {
  for (let height = largest; height >= smallest; height -= height > 32 ? 4 : 1) {
    const gap = height >= 24 ? 3 : height >= 4 ? 1 : 0;
    const widths = new Set([1.5, 1.25, 1].map((ratio) => Math.floor(height * ratio)));
    for (const width of widths) yield { width, height, gap };
  }
}

function place(counts: Counts, measures: Measures, cell: Cell): Layout | null {
  const sections: { y: number }[] = [];
  const piles: PlacedPile[] = [];
  let y = 0;
  let first = 0;
  for (const [section, { piles: sizes }] of counts.entries()) {
    const rows = bestRows(sizes, measures, cell);
    if (rows === null) return null;
    sections.push({ y });
    y += measures.heading;
    let size = 0;
    for (const row of rows) {
      const height = measures.label + Math.max(...row.map(({ rows: cells }) => cells)) * (cell.height + cell.gap);
      for (const { x, columns, rows: cells, labelWidth } of row) {
        const count = sizes[size] ?? 0;
        piles.push({ section, x, y: y + measures.label, columns, rows: cells, count, first, labelWidth });
        first += count;
        size += 1;
      }
      y += height + measures.pileGap;
    }
  }
  return { cellWidth: cell.width, cellHeight: cell.height, gap: cell.gap, width: measures.width, height: y, sections, piles };
}

interface Slot {
  readonly x: number;
  readonly columns: number;
  readonly rows: number;
  readonly labelWidth: number;
}

/** The rows of piles that need the least height; null when a pile is wider than there is room for. */
function bestRows(sizes: readonly number[], measures: Measures, cell: Cell): Slot[][] | null {
  if (sizes.length === 0) return [];
  const isEven = Math.max(...sizes) <= mostUneven * Math.max(1, Math.min(...sizes));
  let best: { rows: Slot[][]; height: number } | null = null;
  const consider = (rows: Slot[][] | null) => {
    if (rows === null) return;
    const height = rows.reduce((sum, row) => sum + heightOf(row, measures, cell), 0);
    if (best === null || height < best.height) best = { rows, height };
  };
  if (isEven) for (let rows = 1; rows <= Math.min(mostRows, sizes.length); rows++) consider(inColumns(sizes, rows, measures, cell));
  else for (let cells = 1; cells <= Math.max(...sizes); cells = Math.ceil(cells * 1.3)) consider(flowing(sizes, cells, measures, cell));
  return (best as { rows: Slot[][] } | null)?.rows ?? null;
}

function heightOf(row: readonly Slot[], { label, pileGap }: Measures, { height, gap }: Cell): number {
  return label + Math.max(...row.map(({ rows }) => rows)) * (height + gap) + pileGap;
}

/** Equal widths, so that piles stand below each other. */
function inColumns(sizes: readonly number[], rowCount: number, { width, pileGap }: Measures, cell: Cell): Slot[][] | null {
  const perRow = Math.ceil(sizes.length / rowCount);
  const pitch = cell.width + cell.gap;
  const room = Math.floor((width + pileGap) / perRow) - pileGap;
  const most = Math.floor((room + cell.gap) / pitch);
  if (most < 1) return null;
  const largest = Math.max(...sizes);
  // As narrow as it can be without another row of cells: then the last row is least ragged.
  const columns = Math.ceil(largest / Math.ceil(largest / most));
  const wide = columns * pitch - cell.gap;
  const step = Math.min(Math.floor((width + pileGap) / perRow), Math.round(wide * 1.25) + mostSpread * pileGap);
  const slots = sizes.map((size, index) => ({
    x: (index % perRow) * step,
    columns,
    rows: Math.max(1, Math.ceil(size / columns)),
    labelWidth: step - pileGap / 2,
  }));
  return Array.from({ length: Math.ceil(sizes.length / perRow) }, (_, row) => slots.slice(row * perRow, (row + 1) * perRow));
}

/** Equal heights, each as wide as it must be. */
function flowing(sizes: readonly number[], cells: number, { width, pileGap }: Measures, cell: Cell): Slot[][] | null {
  const pitch = cell.width + cell.gap;
  const most = Math.floor((width + cell.gap) / pitch);
  if (most < 1) return null;
  const rows: Slot[][] = [];
  let row: Slot[] = [];
  let x = 0;
  for (const size of sizes) {
    const columns = Math.min(most, Math.max(1, Math.ceil(size / cells)));
    const wide = columns * pitch - cell.gap;
    if (row.length > 0 && x + wide > width) {
      rows.push(row);
      row = [];
      x = 0;
    }
    row.push({ x, columns, rows: Math.max(1, Math.ceil(size / columns)), labelWidth: wide });
    x += wide + pileGap;
  }
  rows.push(row);
  return rows;
}

/** The top left corner of a cell, by its place in the order of all cells. */
export function cellAt({ piles, cellWidth, cellHeight, gap }: Layout, place: number): { readonly x: number; readonly y: number } | null {
  const pile = piles[pileOf(piles, place)];
  if (!pile || place < pile.first || place >= pile.first + pile.count) return null;
  const index = place - pile.first;
  return {
    x: pile.x + (index % pile.columns) * (cellWidth + gap),
    y: pile.y + Math.floor(index / pile.columns) * (cellHeight + gap),
  };
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

/** The place of the cell at a point; the gap after a cell belongs to it. Null beside all cells. */
export function placeAt({ piles, cellWidth, cellHeight, gap }: Layout, x: number, y: number): number | null {
  for (const pile of piles) {
    const column = Math.floor((x - pile.x) / (cellWidth + gap));
    const row = Math.floor((y - pile.y) / (cellHeight + gap));
    if (column < 0 || column >= pile.columns || row < 0 || row >= pile.rows) continue;
    const index = row * pile.columns + column;
    if (index < pile.count) return pile.first + index;
  }
  return null;
}

/** The pile whose name is at a point. */
export function labelAt({ piles }: Layout, label: number, x: number, y: number): number | null {
  const found = piles.findIndex((pile) => y >= pile.y - label && y < pile.y && x >= pile.x && x < pile.x + pile.labelWidth);
  return found < 0 ? null : found;
}

export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Where an arrow leads: along the order of the hosts, or to the nearest cell above or below. */
export function stepFrom(layout: Layout, place: number, step: Step): number {
  const last = layout.piles.reduce((sum, { count }) => sum + count, 0) - 1;
  if (step === 'first') return 0;
  if (step === 'last') return last;
  if (step === 'left') return Math.max(0, place - 1);
  if (step === 'right') return Math.min(last, place + 1);
  const from = cellAt(layout, place);
  if (!from) return place;
  const pitch = layout.cellHeight + layout.gap;
  const direction = step === 'up' ? -1 : 1;
  const own = layout.piles[pileOf(layout.piles, place)];
  const within = own ? place + direction * own.columns : place;
  if (own && within >= own.first && within < own.first + own.count) return within;
  return nearestBeyond(layout, from, direction, pitch) ?? place;
}

/** The cell nearest to a point among those of the piles that lie wholly above or below it. */
function nearestBeyond(layout: Layout, from: { x: number; y: number }, direction: 1 | -1, pitch: number): number | null {
  let best: { place: number; distance: number } | null = null;
  for (const pile of layout.piles) {
    if (pile.count === 0) continue;
    const bottom = pile.y + (pile.rows - 1) * pitch;
    if (direction === 1 ? pile.y <= from.y : bottom >= from.y) continue;
    const column = Math.min(pile.columns - 1, Math.max(0, Math.round((from.x - pile.x) / (layout.cellWidth + layout.gap))));
    const index = Math.min(pile.count - 1, direction === 1 ? column : (pile.rows - 1) * pile.columns + column);
    const cell = cellAt(layout, pile.first + index);
    if (!cell || (direction === 1 ? cell.y <= from.y : cell.y >= from.y)) continue;
    // Rows count more than columns: what is just below comes before what is far below.
    const distance = Math.abs(cell.y - from.y) * 4 + Math.abs(cell.x - from.x);
    if (best === null || distance < best.distance) best = { place: pile.first + index, distance };
  }
  return best?.place ?? null;
}
