// A host as a card, once its cell has room for words: its name, and a bar for each class. Also fits texts into the available width.
import { formatShare } from '../formats/amounts.ts';
import { stepOf } from '../formats/bar-model.ts';
import { visible, withoutHead, withoutTail } from '../formats/names.ts';
import { withoutStart } from './arrangement.ts';
import type { Box } from './cells.ts';
import type { Picture } from './picture.ts';

export const font = 'system-ui, sans-serif';
/** In sixteenths of the size of the page's text: the smallest card, and one with room to spare. */
const smallest = { width: 64, height: 40 };
const roomy = { width: 160, height: 96, growth: 1.2 };

export function hasWords({ width, height }: Box, scale: number): boolean {
  return width >= smallest.width * scale && height >= smallest.height * scale;
}

interface Line {
  readonly name: string;
  readonly used: number;
  readonly capacity: number;
}

export function paintCard(
  context: CanvasRenderingContext2D,
  texts: FittedTexts,
  picture: Picture,
  { x, y, width, height }: Box,
  host: number,
  start: string,
): void {
  const { columns, palette, scale } = picture;
  // Words on a large card are as large as on the page.
  const textSize =
    width >= roomy.width * scale && height >= roomy.height * scale ? Math.round(picture.textSize * roomy.growth) : picture.textSize;
  const pad = Math.round(textSize * 0.5);
  // The left edge of the cell shows its level, like the cells around it: the eye finds the full hosts before it reads.
  const level = Math.round(Math.max(6 * scale, Math.min(width * 0.06, 14 * scale)));
  const [left, right] = [x + level + pad, x + width - pad];
  context.fillStyle = palette.background;
  context.fillRect(x + level, y, width - level, height);
  context.strokeStyle = palette.track;
  context.lineWidth = Math.max(1, Math.round(scale));
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  context.textBaseline = 'top';
  context.fillStyle = palette.text;
  context.font = `600 ${textSize}px ${font}`;
  const signs = (columns.flags[host] ?? 0) === 0 ? 0 : 2 * textSize;
  const name = texts.fitted(visible(withoutStart(columns.names[host] ?? '', start)), right - left - signs);
  context.fillText(name, left, y + pad);
  const nameWidth = context.measureText(`${name} `).width;
  context.font = `${textSize}px ${font}`;
  const below = (columns.memberCounts[host] ?? 1) - 1;
  if (below > 0) {
    context.fillStyle = palette.muted;
    const words = `${below} below`;
    if (context.measureText(words).width < right - left - signs - nameWidth) context.fillText(words, left + nameWidth, y + pad);
  }
  const top = y + pad + Math.round(textSize * 1.6);
  paintLines(
    context,
    texts,
    palette,
    linesOf(picture, host),
    { x: left, y: top, width: right - left, height: y + height - pad - top },
    textSize,
  );
}

/** Name, bar and share side by side if there is room; else name and share above the bar; else only the beginning of the name beside the bar. */
function paintLines(
  context: CanvasRenderingContext2D,
  texts: FittedTexts,
  palette: Picture['palette'],
  lines: readonly Line[],
  { x, y, width, height }: Box,
  textSize: number,
): void {
  const bar = Math.max(3, Math.round(textSize * 0.4));
  const isWide = width >= 14 * textSize;
  const shareWidth = 3.4 * textSize;
  const tight = 1.15 * textSize;
  const isStacked = !isWide && lines.length * 2.1 * textSize <= height + textSize / 2;
  const isBare = !isWide && !isStacked;
  // Lines move closer together before one is left out.
  const pitch = isWide ? Math.max(tight, Math.min(1.4 * textSize, height / lines.length)) : isStacked ? 2.1 * textSize : tight;
  const barLeft = isWide ? 0.45 * width : isStacked ? 0 : 0.6 * width;
  const barWidth = isWide ? width - barLeft - shareWidth : width - barLeft;
  let top = y;
  for (const { name, used, capacity } of lines) {
    if (top + pitch > y + height + textSize / 2) return;
    const share = isBare ? '' : formatShare(used, capacity);
    const shareRoom = context.measureText(share).width;
    context.fillStyle = palette.muted;
    // MEMORY of MEMORY_MB: without the unit, more of the name fits.
    const room = isWide ? 0.42 * width : isStacked ? width - shareRoom - textSize / 2 : 0.56 * width;
    context.fillText(texts.fitted(isBare ? name.replace(/_(?:MB|GB)$/, '') : name, room, 'tail'), x, top);
    context.fillStyle = used > capacity ? palette.warning : palette.text;
    context.fillText(share, x + width - shareRoom, top);
    const barTop = Math.round(top + (isStacked ? 1.2 : 0.3) * textSize);
    const filled = capacity > 0 ? Math.min(1, used / capacity) : used > 0 ? 1 : 0;
    context.fillStyle = palette.track;
    context.fillRect(x + barLeft, barTop, barWidth, bar);
    context.fillStyle = used > capacity ? palette.over : (palette.steps[stepOf(used, capacity)] ?? palette.track);
    context.fillRect(x + barLeft, barTop, Math.round(barWidth * filled), bar);
    top += pitch;
  }
}

/** The classes that the host has, the chosen one first. */
function linesOf({ columns, resourceClass, cardClasses }: Picture, host: number): Line[] {
  const names = [resourceClass, ...cardClasses.filter((name) => name !== resourceClass)];
  return names.flatMap((name) => {
    const numbers = columns.classes.get(name);
    const capacity = numbers?.capacity[host] ?? Number.NaN;
    return Number.isNaN(capacity) ? [] : [{ name, capacity, used: numbers?.used[host] ?? 0 }];
  });
}

const mostKept = 5000;

/** Texts shortened to a width, remembered from frame to frame, because most of the time of drawing names is measuring them. */
export class FittedTexts {
  readonly #context: CanvasRenderingContext2D;
  readonly #known = new Map<string, string>();

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Names differ at their end, so a name that is too long loses its head, and is left out if only a digit would remain. Classes lose their tail. */
  fitted(text: string, width: number, loses: 'head' | 'tail' = 'head'): string {
    const key = `${this.#context.font} ${Math.round(width)} ${loses} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= mostKept) this.#known.clear();
    const fits = (candidate: string) => this.#context.measureText(candidate).width <= width;
    let found = fits(text) ? text : '';
    if (found === '') found = (loses === 'head' ? withoutHead(text) : withoutTail(text)).find(fits) ?? '';
    this.#known.set(key, found);
    return found;
  }
}
