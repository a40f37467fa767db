// Draws the map on a canvas: cells as pixels of one image, then names, cards and signs on top.
import { disabledFlag, overFlag } from '../data/map-columns.ts';
import { stepOf } from '../formats/bar-model.ts';
import { visible } from '../formats/names.ts';
import { FittedTexts, font, hasWords, paintCard } from './cards.ts';
import { type Box, cellAt } from './cells.ts';
import type { Layout, PlacedPile } from './layout.ts';
import type { Palette, Picture } from './picture.ts';

/** The height from which a cell shows its level as a height, in sixteenths of the size of the page's text. */
const levelFrom = 22;
const smallestTriangle = 10;
const smallestCross = 6;
/** Milliseconds that a frame of a movement may take. A slower map is drawn with half of the pixels in each direction until it rests. */
const frameTime = 16;
/** The name of the drawing of one frame, for the browser's tools and the benchmark. */
const measured = 'cloud map';

export class MapPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #half = document.createElement('canvas');
  readonly #texts: FittedTexts;
  #image: ImageData | null = null;
  #lastWhole = 0;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser has no canvas');
    this.#context = context;
    this.#texts = new FittedTexts(context);
  }

  paint(picture: Picture, isMoving: boolean): void {
    const start = performance.now();
    const { width, height } = picture.layout;
    const { canvas } = this.#context;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    if (width === 0 || height === 0) return;
    const isHalf = isMoving && this.#lastWhole > frameTime;
    this.#paintImage(picture, isHalf);
    this.#paintNames(picture);
    this.#paintSigns(picture);
    if (!isHalf) this.#lastWhole = performance.now() - start;
    // Only the last frame is kept, because a page stays open for days.
    performance.clearMeasures(measured);
    performance.measure(measured, { start, detail: isHalf ? 'half' : 'whole' });
  }

  #paintImage(picture: Picture, isHalf: boolean): void {
    const { width, height } = picture.layout;
    const [wide, high] = isHalf ? [Math.ceil(width / 2), Math.ceil(height / 2)] : [width, height];
    if (this.#image?.width !== wide || this.#image.height !== high) this.#image = this.#context.createImageData(wide, high);
    this.#paintCells(picture, this.#image, isHalf ? 1 : 0);
    if (!isHalf) {
      this.#context.putImageData(this.#image, 0, 0);
      return;
    }
    this.#half.width = wide;
    this.#half.height = high;
    this.#half.getContext('2d')?.putImageData(this.#image, 0, 0);
    this.#context.imageSmoothingEnabled = false;
    this.#context.drawImage(this.#half, 0, 0, wide * 2, high * 2);
  }

  /** `halvings`: how often the image is half as wide and high as the layout. */
  #paintCells(picture: Picture, image: ImageData, halvings: number): void {
    const { layout, piles, palette, scale } = picture;
    const brush = new Brush(image, halvings);
    brush.pixels.fill(pixelOf(palette.background));
    const colourOf = coloursOf(picture);
    const hasLevels = layout.boxes !== null || layout.cellHeight >= levelFrom * scale;
    for (const [place, pile] of layout.piles.entries()) {
      if (!isInView(pile, layout)) continue;
      const hosts = piles[place]?.hosts ?? [];
      if (hasLevels) paintOneByOne(brush, picture, pile, hosts, colourOf);
      else paintInRows(brush, picture, pile, hosts, colourOf);
    }
  }

  /** Signs of states that must be readable without colour. */
  #paintSigns({ columns, layout, piles, palette, scale }: Picture): void {
    for (const [place, pile] of layout.piles.entries()) {
      if (!isInView(pile, layout)) continue;
      const hosts = piles[place]?.hosts ?? [];
      for (const [index, host] of hosts.entries()) {
        const flags = columns.flags[host] ?? 0;
        if (flags === 0) continue;
        const cell = cellAt(layout, pile.first + index);
        if (!cell || !isInView(cell, layout)) continue;
        const isCard = hasWords(cell, scale);
        // On a card the sign is in the corner, where it hides no word.
        const size = isCard ? 13 * scale : Math.min(cell.width, cell.height) * 0.5;
        const [x, y] = isCard ? [cell.x + cell.width - size, cell.y + 0.9 * size] : [cell.x + cell.width / 2, cell.y + cell.height / 2];
        if (flags & disabledFlag)
          this.#cross(
            isCard && flags & overFlag ? x - 1.5 * size : x,
            y,
            Math.max(smallestCross * scale, Math.min(size, 18 * scale)),
            palette,
            scale,
          );
        if (flags & overFlag) this.#triangle(x, y, Math.max(smallestTriangle * scale, Math.min(size, 22 * scale)), palette, scale);
      }
    }
  }

  #triangle(x: number, y: number, size: number, { over, background }: Palette, scale: number): void {
    const context = this.#context;
    context.beginPath();
    context.moveTo(x, y - size / 2);
    context.lineTo(x + size / 2, y + size / 2);
    context.lineTo(x - size / 2, y + size / 2);
    context.closePath();
    context.lineJoin = 'round';
    context.lineWidth = 2.5 * scale;
    context.strokeStyle = background;
    context.stroke();
    context.fillStyle = over;
    context.fill();
  }

  #cross(x: number, y: number, size: number, { text, background }: Palette, scale: number): void {
    const context = this.#context;
    const half = size / 2;
    context.beginPath();
    context.moveTo(x - half, y - half);
    context.lineTo(x + half, y + half);
    context.moveTo(x + half, y - half);
    context.lineTo(x - half, y + half);
    context.lineCap = 'round';
    context.lineWidth = 3.5 * scale;
    context.strokeStyle = background;
    context.stroke();
    context.lineWidth = 1.5 * scale;
    context.strokeStyle = text;
    context.stroke();
  }

  #paintNames(picture: Picture): void {
    const { layout, piles, scale, textSize } = picture;
    const context = this.#context;
    const equal = { x: 0, y: 0, width: layout.cellWidth, height: layout.cellHeight };
    for (const [place, pile] of layout.piles.entries()) {
      if (!isInView(pile, layout) || !hasWords(layout.boxes ? pile : equal, scale)) continue;
      const { hosts, start } = piles[place] ?? { hosts: [], start: '' };
      for (const [index, host] of hosts.entries()) {
        const cell = cellAt(layout, pile.first + index);
        if (cell && isInView(cell, layout) && hasWords(cell, scale)) paintCard(context, this.#texts, picture, cell, host, start);
      }
    }
    context.font = `${textSize}px ${font}`;
    context.textBaseline = 'alphabetic';
    for (const [place, pile] of layout.piles.entries()) this.#paintLabel(visible(piles[place]?.label ?? ''), pile, picture);
  }

  /** If the top of a pile is out of the window, its name stays above the visible part. */
  #paintLabel(label: string, pile: PlacedPile, { layout, palette, textSize, covered }: Picture): void {
    const context = this.#context;
    const height = Math.round(textSize * 1.3);
    const [x, y] = [Math.max(0, pile.x), Math.max(pile.y, covered + height)];
    const width = pile.x + pile.labelWidth - x;
    if (label === '' || y - height > layout.height || x > layout.width || y > pile.y + pile.height || width <= 0) return;
    const text = this.#texts.fitted(label, width);
    if (y > pile.y) {
      context.fillStyle = palette.background;
      context.fillRect(x, y - height, pile.x + pile.width - x, height);
    }
    context.fillStyle = palette.muted;
    // The last name of a row ends where the map ends.
    const left = x + width > layout.width ? Math.min(x, layout.width - context.measureText(text).width) : x;
    context.fillText(text, left, y - Math.round(textSize * 0.35));
  }
}

/** Fills rectangles of an image, given in pixels of the layout. */
class Brush {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly #halvings: number;

  constructor({ data, width, height }: ImageData, halvings: number) {
    this.pixels = new Uint32Array(data.buffer);
    this.width = width;
    this.height = height;
    this.#halvings = halvings;
  }

  /** The start and end of a span in the image, clipped to it and at least a pixel long. */
  span(start: number, length: number, most: number): [from: number, to: number] {
    const from = start >> this.#halvings;
    return [Math.max(0, from), Math.min(most, Math.max(from + 1, (start + length) >> this.#halvings))];
  }

  fill(x: number, y: number, wide: number, high: number, colour: number): void {
    if (wide <= 0 || high <= 0) return;
    const [left, right] = this.span(x, wide, this.width);
    const [top, bottom] = this.span(y, high, this.height);
    if (right <= left) return;
    for (let row = top; row < bottom; row++) this.pixels.fill(colour, row * this.width + left, row * this.width + right);
  }
}

/** The pixel of a host by its use; null if it has none of the class. */
type ColourOf = (host: number) => number | null;

function coloursOf({ columns, resourceClass, palette }: Picture): ColourOf {
  const numbers = columns.classes.get(resourceClass);
  const steps = palette.steps.map(pixelOf);
  return (host) => {
    const capacity = numbers?.capacity[host] ?? Number.NaN;
    return Number.isNaN(capacity) ? null : (steps[stepOf(numbers?.used[host] ?? 0, capacity)] ?? 0);
  };
}

/** What is inside the frame of a host that has none: the use of the pools that serve it, or nothing. */
function insideOf({ columns, shared, palette }: Picture, host: number): number {
  const pool = shared[columns.aggregateSet[host] ?? 0];
  return pixelOf(pool ? (palette.steps[stepOf(pool.used, pool.capacity)] ?? palette.background) : palette.background);
}

/** Cells that show their level as a height, or that differ in size. */
function paintOneByOne(brush: Brush, picture: Picture, pile: PlacedPile, hosts: readonly number[], colourOf: ColourOf): void {
  const { columns, resourceClass, layout, palette, scale } = picture;
  const numbers = columns.classes.get(resourceClass);
  const track = pixelOf(palette.track);
  for (const [index, host] of hosts.entries()) {
    const cell = cellAt(layout, pile.first + index);
    if (!cell || !isInView(cell, layout)) continue;
    const { x, y, width, height } = cell;
    const colour = colourOf(host);
    if (colour === null) paintHollow(brush, cell, picture, insideOf(picture, host));
    else if (height < levelFrom * scale) brush.fill(x, y, width, height, colour);
    else {
      const [used, capacity] = [numbers?.used[host] ?? 0, numbers?.capacity[host] ?? 0];
      const level = Math.round(height * Math.min(1, capacity > 0 ? used / capacity : used > 0 ? 1 : 0));
      brush.fill(x, y, width, height - level, track);
      brush.fill(x, y + height - level, width, level, colour);
    }
  }
}

/** Equal cells of one colour: paints the top line of each row of cells and copies it to the lines below. Takes 0.4 of the time of filling each cell. */
function paintInRows(brush: Brush, picture: Picture, pile: PlacedPile, hosts: readonly number[], colourOf: ColourOf): void {
  const { layout } = picture;
  const { pixels, width } = brush;
  const { cellWidth, cellHeight, gap } = layout;
  const [start, end] = brush.span(pile.x, pile.width, width);
  for (let first = 0; first < hosts.length; first += pile.columns) {
    const y = pile.y + (first / pile.columns) * (cellHeight + gap);
    const [top, bottom] = brush.span(y, cellHeight, brush.height);
    if (top >= bottom) continue;
    const line = top * width;
    const last = Math.min(hosts.length, first + pile.columns);
    const hollow: { readonly x: number; readonly host: number }[] = [];
    for (let index = first; index < last; index++) {
      const x = pile.x + (index - first) * (cellWidth + gap);
      const host = hosts[index] ?? 0;
      const colour = colourOf(host);
      if (colour === null) hollow.push({ x, host });
      const [left, right] = brush.span(x, cellWidth, width);
      for (let at = line + left; at < line + right; at++) pixels[at] = colour ?? 0;
    }
    for (let row = top + 1; row < bottom; row++) pixels.copyWithin(row * width + start, line + start, line + end);
    for (const { x, host } of hollow) {
      paintHollow(brush, { x, y, width: cellWidth, height: cellHeight }, picture, insideOf(picture, host));
    }
  }
}

/** A host that has none of the class itself: a frame. */
function paintHollow(brush: Brush, { x, y, width, height }: Box, { palette, scale }: Picture, inside: number): void {
  const border = Math.max(1, Math.round(scale));
  brush.fill(x, y, width, height, pixelOf(palette.line));
  if (height > 2 * border) brush.fill(x + border, y + border, width - 2 * border, height - 2 * border, inside);
}

function isInView({ x, y, width, height }: Box, layout: Layout): boolean {
  return x < layout.width && y < layout.height && x + width > 0 && y + height > 0;
}

const known = new Map<string, number>();

/** A pixel as the image stores it: red first, in the byte order of all machines that run browsers. */
function pixelOf(colour: string): number {
  const found = known.get(colour);
  if (found !== undefined) return found;
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const pixel = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  known.set(colour, pixel);
  return pixel;
}

/** The colours of the current theme, from the style sheet. */
export function readPalette(near: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  near.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    background: colour('background'),
    line: colour('line'),
    text: colour('text'),
    muted: colour('muted'),
    over: colour('over'),
    warning: colour('warning'),
    track: colour('track'),
    steps: ['track', 'step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6'].map(colour),
  };
  probe.remove();
  return palette;
}
