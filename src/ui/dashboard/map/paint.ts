// Draws the map on a canvas: cells as pixels of one image, then signs and names on top. Knows colours only as they are given.
import { stepOf } from '../parts/bar-model.ts';
import { type Pile, withoutStart } from './arrangement.ts';
import { type CloudColumns, disabledFlag, overFlag } from './columns.ts';
import { cellAt, type Layout } from './layout.ts';

export interface Palette {
  readonly background: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly over: string;
  /** From empty to full. */
  readonly steps: readonly string[];
}

interface Picture {
  readonly columns: CloudColumns;
  readonly resourceClass: string;
  readonly layout: Layout;
  readonly piles: readonly Pile[];
  readonly palette: Palette;
  /** Device pixels in a sixteenth of the size of the page's text, and in the size of small text. */
  readonly scale: number;
  readonly textSize: number;
}

/** In sixteenths of the size of the page's text: from which a cell shows its level as a height, and from which it has room for words. */
const levelFrom = 22;
const wordsFrom = 64;
const smallestTriangle = 10;
const smallestCross = 6;
const font = 'system-ui, sans-serif';

export class MapPainter {
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData | null = null;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser has no canvas');
    this.#context = context;
  }

  paint(picture: Picture): void {
    const { width, height } = picture.layout;
    const { canvas } = this.#context;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    if (width === 0 || height === 0) return;
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = this.#context.createImageData(width, height);
    this.#paintCells(picture, this.#image);
    this.#context.putImageData(this.#image, 0, 0);
    this.#paintSigns(picture);
    this.#paintNames(picture);
  }

  #paintCells({ columns, resourceClass, layout, piles, palette, scale }: Picture, image: ImageData): void {
    const pixels = new Uint32Array(image.data.buffer);
    const steps = palette.steps.map(pixelOf);
    const [background, line, track] = [pixelOf(palette.background), pixelOf(palette.line), steps[0] ?? 0];
    const numbers = columns.classes.get(resourceClass);
    const { cellWidth, cellHeight, gap, width } = layout;
    const hasLevel = cellHeight >= levelFrom * scale;
    const border = Math.max(1, Math.round(scale));
    pixels.fill(background);
    const fill = (x: number, y: number, wide: number, high: number, colour: number) => {
      for (let start = y * width + x, end = start + high * width; start < end; start += width) pixels.fill(colour, start, start + wide);
    };
    for (const [place, pile] of layout.piles.entries()) {
      const hosts = piles[place]?.hosts ?? [];
      for (let index = 0; index < pile.count; index++) {
        const host = hosts[index] ?? 0;
        const x = pile.x + (index % pile.columns) * (cellWidth + gap);
        const y = pile.y + Math.floor(index / pile.columns) * (cellHeight + gap);
        const capacity = numbers?.capacity[host] ?? Number.NaN;
        if (Number.isNaN(capacity)) {
          fill(x, y, cellWidth, cellHeight, line);
          if (cellHeight > 2 * border) fill(x + border, y + border, cellWidth - 2 * border, cellHeight - 2 * border, background);
          continue;
        }
        const used = numbers?.used[host] ?? 0;
        const colour = steps[stepOf(used, capacity)] ?? track;
        if (!hasLevel) {
          fill(x, y, cellWidth, cellHeight, colour);
          continue;
        }
        const level = Math.round(cellHeight * Math.min(1, capacity > 0 ? used / capacity : used > 0 ? 1 : 0));
        fill(x, y, cellWidth, cellHeight - level, track);
        fill(x, y + cellHeight - level, cellWidth, level, colour);
      }
    }
  }

  /** What must be read without colour. */
  #paintSigns({ columns, layout, piles, palette, scale }: Picture): void {
    const { cellWidth, cellHeight } = layout;
    for (const [place, pile] of layout.piles.entries()) {
      const hosts = piles[place]?.hosts ?? [];
      for (const [index, host] of hosts.entries()) {
        const flags = columns.flags[host] ?? 0;
        if (flags === 0) continue;
        const cell = cellAt(layout, pile.first + index);
        if (!cell) continue;
        const [x, y] = [cell.x + cellWidth / 2, cell.y + cellHeight / 2];
        const size = Math.min(cellWidth, cellHeight);
        if (flags & disabledFlag) this.#cross(x, y, Math.max(smallestCross * scale, Math.min(size * 0.5, 18 * scale)), palette, scale);
        if (flags & overFlag) this.#triangle(x, y, Math.max(smallestTriangle * scale, Math.min(size * 0.5, 22 * scale)), palette, scale);
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

  #paintNames({ columns, layout, piles, palette, scale, textSize }: Picture): void {
    const context = this.#context;
    context.font = `${textSize}px ${font}`;
    context.textBaseline = 'alphabetic';
    context.fillStyle = palette.muted;
    for (const [place, pile] of layout.piles.entries()) {
      const label = piles[place]?.label ?? '';
      if (label !== '') context.fillText(this.#fitted(label, pile.labelWidth), pile.x, pile.y - Math.round(textSize * 0.35));
    }
    if (layout.cellWidth < wordsFrom * scale || layout.cellHeight < 2.5 * textSize) return;
    context.textBaseline = 'top';
    const pad = Math.round(textSize * 0.4);
    for (const [place, pile] of layout.piles.entries()) {
      const { hosts, start } = piles[place] ?? { hosts: [], start: '' };
      for (const [index, host] of hosts.entries()) {
        const cell = cellAt(layout, pile.first + index);
        const name = withoutStart(columns.names[host] ?? '', start);
        if (cell) this.#onPlate(this.#fitted(name, layout.cellWidth - 4 * pad), cell.x + pad, cell.y + pad, palette, textSize);
      }
    }
  }

  /** Words that can be read on any colour. */
  #onPlate(text: string, x: number, y: number, palette: Palette, size: number): void {
    const context = this.#context;
    context.fillStyle = palette.background;
    context.fillRect(x - 2, y - 2, context.measureText(text).width + 4, size * 1.25 + 2);
    context.fillStyle = palette.text;
    context.fillText(text, x, y);
  }

  /** Names differ at their end: what is too long loses its head. */
  #fitted(text: string, width: number): string {
    if (this.#context.measureText(text).width <= width) return text;
    for (let start = 1; start < text.length; start++) {
      const rest = `…${text.slice(start)}`;
      if (this.#context.measureText(rest).width <= width) return rest;
    }
    return '';
  }
}

/** As the image has it: red first, in the byte order of all machines that run browsers. */
function pixelOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The colours of the theme in use, as the style sheet has them. */
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
    line: colour('control'),
    text: colour('text'),
    muted: colour('muted'),
    over: colour('over'),
    steps: ['track', 'step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6'].map(colour),
  };
  probe.remove();
  return palette;
}
