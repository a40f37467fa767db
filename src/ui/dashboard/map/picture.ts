// What the painter draws: hosts with their numbers, their places, colours and sizes.
import type { CloudColumns } from '../data/map-columns.ts';
import type { Pile } from './arrangement.ts';
import type { Layout } from './layout.ts';
import type { SharedBySet } from './serving-pools.ts';

export interface Palette {
  readonly background: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly over: string;
  readonly warning: string;
  readonly track: string;
  /** From empty to full. */
  readonly steps: readonly string[];
}

export interface Picture {
  readonly columns: CloudColumns;
  readonly resourceClass: string;
  /** What pools share with the hosts of each set of aggregates, of that class. */
  readonly shared: SharedBySet;
  /** Classes whose use a cell with room for words shows. */
  readonly cardClasses: readonly string[];
  readonly layout: Layout;
  readonly piles: readonly Pile[];
  readonly palette: Palette;
  /** Device pixels in a sixteenth of the size of the page's text, and in the size of small text. */
  readonly scale: number;
  readonly textSize: number;
  /** Device pixels at the top that the heading of a section covers. */
  readonly covered: number;
}
