// A tree of providers as a picture to keep: names indented by depth, a bar for each inventory. Only shapes and text: no script, no style, no external reference.
import { barOf } from '../formats/bar-model.ts';
import { visible } from '../formats/names.ts';
import type { ExportedProvider } from './dot.ts';

const line = 20;
const indent = 16;
const barWidth = 320;
const classWidth = 220;
const wordsWidth = 330;
const steps = ['#e2e9f0', '#b2d7ee', '#86bfe5', '#58a3da', '#3282c6', '#1d5da7', '#17397b'];
const ink = '#1c222b';
const track = '#e2e9f0';
const over = '#ce4700';
const reservedGrey = '#82868e';

/** The characters that XML forbids; `visible` has already escaped the hidden ones. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const xmlText = (text: string) =>
  visible(text)
    .replace(forbidden, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');

const rect = (x: number, y: number, width: number, fill: string) =>
  width > 0 ? `<rect x="${x.toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="12" fill="${fill}"/>` : '';
const words = (x: number, y: number, text: string, weight = 'normal') =>
  `<text x="${x}" y="${y + 14}" fill="${ink}" font-weight="${weight}">${xmlText(text)}</text>`;

/** Depth of each provider below the first ones of the list, in which parents come before their children. */
function depthsOf(providers: readonly ExportedProvider[]): number[] {
  const depths = new Map<string, number>();
  return providers.map(({ uuid, parent }) => {
    const depth = parent === null ? 0 : (depths.get(parent.uuid) ?? -1) + 1;
    depths.set(uuid, depth);
    return depth;
  });
}

export function svgOf(providers: readonly ExportedProvider[]): string {
  const depths = depthsOf(providers);
  const namesWidth = Math.min(
    900,
    24 + Math.max(0, ...providers.map(({ name }, index) => (depths[index] ?? 0) * indent + name.length * 8)),
  );
  const parts: string[] = [];
  let y = line / 2;
  for (const [index, { name, inventories }] of providers.entries()) {
    parts.push(words(10 + (depths[index] ?? 0) * indent, y, name, 'bold'));
    for (const inventory of inventories) {
      const bar = barOf(inventory);
      const x = namesWidth + classWidth;
      parts.push(
        words(namesWidth, y, inventory.resourceClass.name),
        `<g><title>${xmlText(bar.words)}</title>`,
        rect(x, y, bar.capacity * barWidth, track),
        rect(x, y, bar.used * barWidth, bar.isOver ? over : (steps[bar.step] ?? track)),
        rect(x + bar.capacity * barWidth, y, (1 - bar.capacity) * barWidth, reservedGrey),
        bar.notch === null ? '' : rect(x + bar.notch * barWidth, y, 1.5, ink),
        '</g>',
        words(x + barWidth + 12, y, `${bar.isOver ? '▲ ' : ''}${bar.percent} ${bar.amounts}, ${bar.room}`),
      );
      y += line;
    }
    if (inventories.length === 0) y += line;
  }
  const width = namesWidth + classWidth + barWidth + wordsWidth;
  const size = `width="${width}" height="${y + line / 2}" viewBox="0 0 ${width} ${y + line / 2}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="13">`,
    `<rect width="${width}" height="${y + line / 2}" fill="#ffffff"/>`,
    ...parts.filter((part) => part !== ''),
    '</svg>',
    '',
  ].join('\n');
}
