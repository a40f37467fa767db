// Where each host is drawn: equal cells in piles with a name above, and piles in sections with a heading above. The cells are as large as fits, and larger
// when the viewer zooms in. In device pixels; knows no canvas.

/** What to place: sections with piles, each with its number of cells. */
export type Counts = readonly { readonly piles: readonly number[] }[];

export interface Measures {
  readonly width: number;
  readonly height: number;
  /** Heights of a heading, and of the name of a pile. */
  readonly heading: number;
  readonly label: number;
  /** The least distance between piles. */
  readonly pileGap: number;
  /** Edge length of the largest and the smallest cell. */
  readonly largest: number;
  readonly smallest: number;
}

export interface PlacedPile {
  readonly section: number;
  /** The corner of the first cell; the name stands above it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Number of cells side by side, if they are equal. */
  readonly columns: number;
  readonly count: number;
  /** How many cells are before this pile. */
  readonly first: number;
  /** The width that the name may take. */
  readonly labelWidth: number;
}

export interface Layout {
  /** The size of every cell; if they differ, the size that equal ones would have. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly gap: number;
  /** Left, top, width and height of one cell after another, if they differ in size. Null if piles are grids of equal cells. */
  readonly boxes: Int32Array | null;
  readonly width: number;
  /** More than the available room if even the smallest cells do not fit. */
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

/** The most rows of piles in a section. */
const mostRows = 16;
/** How much smaller cells may become to make the last rows of the piles less ragged. */
const leastHeight = 0.8;
/** Piles of a section are equally wide if the largest has at most this many times the cells of the smallest. */
const mostUneven = 6;
/** The most distance between piles, in widths of a pile, that is used to make a row end where the map ends. */
const mostSpread = 0.5;
/** How many times wider than high cells may become to fill the width: usually, and if they have room for words. */
const widest = { usual: 1.5, withWords: 2.5 };

export function layOut(counts: Counts, measures: Measures): Layout {
  let best: Layout | null = null;
  let smallest: Layout | null = null;
  // Piles wrap, so a larger cell may fit although a smaller one does not. Try from large to small, and take the first that fits.
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
  const found = best ?? smallest;
  return found
    ? heightened(widened(found, counts, measures), counts, measures)
    : { cellWidth: 1, cellHeight: 1, gap: 0, boxes: null, width, height: 0, sections: [], piles: [] };
}

/** With cells as wide as possible without another row of them, so that no strip at the right stays empty that they could fill. */
function widened(layout: Layout, counts: Counts, measures: Measures): Layout {
  const { cellHeight, cellWidth, gap } = layout;
  const ratio = cellHeight >= measures.largest / 2 ? widest.withWords : widest.usual;
  for (let width = Math.floor(cellHeight * ratio); width > cellWidth; width--) {
    const wider = place(counts, measures, { width, height: cellHeight, gap });
    if (wider && wider.height <= layout.height && raggedness(wider) <= raggedness(layout)) return wider;
  }
  return layout;
}

/** With small cells as high as fits. Cells without gaps leave much room, because the next larger size has gaps. */
function heightened(layout: Layout, counts: Counts, measures: Measures): Layout {
  const { cellHeight, cellWidth, gap } = layout;
  if (gap > 0) return layout;
  for (let height = Math.floor(cellWidth * widest.usual); height > cellHeight; height--) {
    const higher = place(counts, measures, { width: cellWidth, height, gap });
    if (higher && higher.height <= measures.height && raggedness(higher) <= raggedness(layout)) return higher;
  }
  return layout;
}

/** The share of places in the grids of the piles that stay empty. */
function raggedness({ piles }: Layout): number {
  const places = piles.reduce((sum, { columns, count }) => sum + columns * Math.ceil(count / columns), 0);
  const cells = piles.reduce((sum, { count }) => sum + count, 0);
  // Rounded, so that invisible differences do not count.
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
        const [wide, high] = [columns * (cell.width + cell.gap) - cell.gap, cells * (cell.height + cell.gap) - cell.gap];
        piles.push({ section, x, y: y + measures.label, width: wide, height: high, columns, count, first, labelWidth });
        first += count;
        size += 1;
      }
      y += height + measures.pileGap;
    }
  }
  return { cellWidth: cell.width, cellHeight: cell.height, gap: cell.gap, boxes: null, width: measures.width, height: y, sections, piles };
}

interface Slot {
  readonly x: number;
  readonly columns: number;
  readonly rows: number;
  readonly labelWidth: number;
}

/** The rows of piles that need the least height; null if a pile is wider than the room. */
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

/** Piles of equal width, one below the other. */
function inColumns(sizes: readonly number[], rowCount: number, { width, pileGap }: Measures, cell: Cell): Slot[][] | null {
  const perRow = Math.ceil(sizes.length / rowCount);
  const pitch = cell.width + cell.gap;
  const room = Math.floor((width + pileGap) / perRow) - pileGap;
  const most = Math.floor((room + cell.gap) / pitch);
  if (most < 1) return null;
  const largest = Math.max(...sizes);
  // As narrow as possible without another row of cells, which makes the last row least ragged.
  const columns = Math.ceil(largest / Math.ceil(largest / most));
  const wide = columns * pitch - cell.gap;
  // The last pile ends where the map ends, unless there are so few that they would stand far apart.
  const step = perRow === 1 ? wide : Math.min((width - wide) / (perRow - 1), wide * (1 + mostSpread) + pileGap);
  const slots = sizes.map((size, index) => ({
    x: Math.floor((index % perRow) * step),
    columns,
    rows: Math.max(1, Math.ceil(size / columns)),
    labelWidth: perRow === 1 ? width : Math.floor(step - pileGap / 2),
  }));
  return Array.from({ length: Math.ceil(sizes.length / perRow) }, (_, row) => slots.slice(row * perRow, (row + 1) * perRow));
}

/** Piles of equal height, each as wide as needed. */
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
