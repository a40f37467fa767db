// Where everything on the map is: the place of each host, and the layouts of the whole map and of its enlargements.
import { useCallback, useMemo } from 'react';
import type { CloudColumns } from '../data/map-columns.ts';
import type { Pile, Section } from './arrangement.ts';
import { type Layout, layOut } from './layout.ts';
import { layOutBySize } from './sizes.ts';
import type { Size } from './surroundings.ts';
import { enlarged } from './zoom.ts';

interface LayoutOptions {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  readonly sections: readonly Section[];
  /** Whether cells are as large as capacities. */
  readonly isBySize: boolean;
}

interface Layouts {
  /** The whole map; null until there is room for it. */
  readonly whole: Layout | null;
  readonly enlarge: (zoom: number) => Layout;
  /** The largest zoom: where cells are as large as cells become. */
  readonly most: number;
}

export interface Places extends Layouts {
  readonly piles: readonly Pile[];
  /** The host at each place. */
  readonly hosts: readonly number[];
  readonly nameAt: (place: number) => string;
  /** -1 for a host that is not in view. */
  readonly placeOf: (name: string) => number;
  /** Device pixels in the size of small text. */
  readonly textSize: number;
}

/** The height of a section's heading. */
export const headingRems = 1.5;
/** The height of a pile's name. */
export const labelHeight = (textSize: number) => Math.round(textSize * 1.3);

export function useLayouts({ columns, version, resourceClass, sections, isBySize }: LayoutOptions, size: Size): Places {
  const piles = useMemo(() => sections.flatMap((section) => section.piles), [sections]);
  const hosts = useMemo(() => piles.flatMap((pile) => pile.hosts), [piles]);
  const placeOfHost = useMemo(() => new Map(hosts.map((host, place) => [host, place])), [hosts]);
  const textSize = Math.round(size.rem * 0.6875 * size.scale);
  const capacities = isBySize ? (columns.classes.get(resourceClass)?.capacity ?? null) : null;
  const capacitiesSeen = capacities && version >= 0 ? capacities.reduce((sum, one, host) => sum + (one || 0) * (host + 1), 0) : 0;
  const { whole, enlarge, most } = useMemo(
    () => layoutsFor(sections, size, textSize, capacities, capacitiesSeen),
    [sections, size, textSize, capacities, capacitiesSeen],
  );
  const nameAt = useCallback((place: number) => columns.names[hosts[place] ?? -1] ?? '', [columns, hosts]);
  const placeOf = useCallback((name: string) => placeOfHost.get(columns.placeOf.get(name) ?? -1) ?? -1, [columns, placeOfHost]);
  return { whole, enlarge, most, piles, hosts, nameAt, placeOf, textSize };
}

const nothing: Layouts = {
  whole: null,
  enlarge: () => {
    throw new Error('there is no map to enlarge yet');
  },
  most: 1,
};

/** Cells are as large as capacities if these are given. `_seen` stands for their values, which change in place. */
function layoutsFor(
  sections: readonly Section[],
  { width, height, scale, rem }: Size,
  textSize: number,
  capacities: Float64Array | null,
  _seen: number,
): Layouts {
  if (width === 0) return nothing;
  const pixels = (rems: number) => Math.round(rems * rem * scale);
  const hasLabels = sections.some(({ piles }) => piles.some(({ label }) => label !== ''));
  const measures = {
    width: Math.floor(width * scale),
    height: Math.floor(height * scale),
    heading: pixels(headingRems),
    label: hasLabels ? labelHeight(textSize) : 0,
    pileGap: pixels(0.4),
    largest: pixels(8),
    smallest: Math.max(2, Math.round(3 * scale)),
  };
  const nearest = (layout: Layout) => Math.max(1, measures.largest / Math.max(1, layout.cellHeight));
  if (capacities) {
    const sizes = sections.map(({ piles }) => ({ piles: piles.map(({ hosts }) => hosts.map((host) => capacities[host] ?? 0)) }));
    const bySize = (zoom: number) =>
      layOutBySize(sizes, { ...measures, width: Math.round(measures.width * zoom), height: Math.round(measures.height * zoom) });
    const whole = bySize(1);
    return { whole, enlarge: lastOf(bySize), most: nearest(whole) };
  }
  const whole = layOut(
    sections.map(({ piles }) => ({ piles: piles.map(({ hosts }) => hosts.length) })),
    measures,
  );
  return { whole, enlarge: lastOf((zoom) => enlarged(whole, zoom, measures)), most: nearest(whole) };
}

/** Remembers the last answer: a movement and the rendering after it ask for the same. */
function lastOf(make: (zoom: number) => Layout): (zoom: number) => Layout {
  let last: { readonly zoom: number; readonly layout: Layout } | null = null;
  return (zoom) => {
    if (last?.zoom !== zoom) last = { zoom, layout: make(zoom) };
    return last.layout;
  };
}
