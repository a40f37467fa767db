// The picture of the cloud: a canvas, with the words of it as a list box that keys move through. Where it stands and what is chosen is the page's business.
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CloudColumns } from '../data/map-columns.ts';
import { Name } from '../parts/name.tsx';
import type { Section } from './arrangement.ts';
import { hasWords } from './cards.ts';
import { type Box, cellAt, labelAt, pileOf, placeAt, type Step, stepFrom } from './cells.ts';
import styles from './cloud-map.module.css';
import { Headings } from './headings.tsx';
import { type Layout, layOut } from './layout.ts';
import { MapPainter } from './paint.ts';
import { layOutBySize } from './sizes.ts';
import { type Size, usePalette, useSize } from './surroundings.ts';
import { type Stand, useZoom } from './use-zoom.ts';
import { wordsOfHost } from './words.ts';
import { enlarged } from './zoom.ts';

interface CloudMapProps {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  /** Those that cards show, if the columns have them. */
  readonly cardClasses: readonly string[];
  readonly sections: readonly Section[];
  /** Whether the names above hosts are groups that can be entered. */
  readonly hasSections: boolean;
  /** Whether cells are as large as capacities. */
  readonly isBySize: boolean;
  /** The share of the window's height that it may fill; null for all that is below its top. */
  readonly share: number | null;
  /** The chosen host; null for none. */
  readonly chosen: string | null;
  readonly stand: Stand;
  readonly onChoose: (host: string) => void;
  readonly onOpen: (host: string) => void;
  readonly onEnter: (path: readonly string[]) => void;
  readonly onUp: () => void;
  readonly onStand: (stand: Stand) => void;
  /** Cells are large enough to show more than one class. */
  readonly onCards: () => void;
}

const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};
/** Pixels of CSS from which a click on a cell means its host; below, it means its group. */
const aimable = 14;
const zoomStep = 1.5;

export function CloudMap(props: CloudMapProps) {
  const { columns, version, resourceClass, cardClasses, sections, hasSections, isBySize, share, chosen, stand } = props;
  const { onChoose, onOpen, onEnter, onUp, onStand, onCards } = props;
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<MapPainter | null>(null);
  const size = useSize(frame, share);
  const palette = usePalette(frame);
  const [pointed, setPointed] = useState<number | null>(null);
  const piles = useMemo(() => sections.flatMap((section) => section.piles), [sections]);
  const hosts = useMemo(() => piles.flatMap((pile) => pile.hosts), [piles]);
  const placeOfHost = useMemo(() => new Map(hosts.map((host, place) => [host, place])), [hosts]);
  const { scale, rem } = size;
  const textSize = Math.round(rem * 0.6875 * scale);
  const capacities = isBySize ? (columns.classes.get(resourceClass)?.capacity ?? null) : null;
  const capacitiesSeen = capacities && version >= 0 ? capacities.reduce((sum, one, host) => sum + (one || 0) * (host + 1), 0) : 0;
  const { whole, enlarge, most } = useMemo(
    () => layoutsFor(sections, size, textSize, capacities, capacitiesSeen),
    [sections, size, textSize, capacities, capacitiesSeen],
  );
  const nameAt = useCallback((place: number) => columns.names[hosts[place] ?? -1] ?? '', [columns, hosts]);
  const placeOf = useCallback((name: string) => placeOfHost.get(columns.placeOf.get(name) ?? -1) ?? -1, [columns, placeOfHost]);
  const { layout, zoom, isMoving, by, reset, show, wasDragged } = useZoom(list, {
    whole,
    enlarge,
    most,
    stand,
    onStand,
    nameAt,
    placeOf,
    scale,
    hasWheel: share === null,
  });
  const numbers = useMemo(() => ({ columns, version }), [columns, version]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !layout || !palette) return;
    painter.current ??= new MapPainter(element);
    const paint = () => {
      if (document.hidden) return;
      const { columns } = numbers;
      const covered = zoom > 1 ? Math.round(headingRems * rem * scale) : 0;
      const picture = { columns, resourceClass, cardClasses, layout, piles, palette, scale: (scale * rem) / 16, textSize, covered };
      painter.current?.paint(picture, isMoving);
    };
    const waiting = requestAnimationFrame(paint);
    document.addEventListener('visibilitychange', paint);
    return () => {
      cancelAnimationFrame(waiting);
      document.removeEventListener('visibilitychange', paint);
    };
  }, [numbers, palette, resourceClass, cardClasses, layout, piles, zoom, isMoving, scale, rem, textSize]);
  const hasCards = layout !== null && hasWords({ x: 0, y: 0, width: layout.cellWidth, height: layout.cellHeight }, (scale * rem) / 16);
  useEffect(() => {
    if (hasCards) onCards();
  }, [hasCards, onCards]);

  const chosenPlace = chosen === null ? -1 : placeOf(chosen);
  const atPlace = Math.max(0, chosenPlace);
  const place = pointed ?? atPlace;
  const host = hosts[place];

  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !layout) return;
    if (step) {
      const next = stepFrom(layout, atPlace, step);
      onChoose(nameAt(next));
      show(next);
    } else if (event.key === 'Enter') onOpen(nameAt(atPlace));
    else if (event.key === 'Backspace') onUp();
    else if (event.key === '+' || event.key === '=') closer(zoomStep);
    else if (event.key === '-') closer(1 / zoomStep);
    else if (zoom > 1 && (event.key === '0' || event.key === 'Escape')) reset();
    else return;
    setPointed(null);
    event.preventDefault();
  };
  /** Around the chosen host if it is in view. */
  const closer = (factor: number) => {
    const box = layout && chosenPlace >= 0 ? clipped(cellAt(layout, chosenPlace), layout) : null;
    by(factor, box && [box.x + box.width / 2, box.y + box.height / 2]);
  };
  const at = (event: PointerEvent | React.MouseEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - left) * scale, (event.clientY - top) * scale] as const;
  };
  const point = (event: PointerEvent) => layout && setPointed(placeAt(layout, ...at(event)));
  const enterPile = (index: number) => {
    const section = sections[layout?.piles[index]?.section ?? 0];
    const pile = piles[index];
    if (pile && pile.name !== '') onEnter(hasSections && section ? [section.name, pile.name] : [pile.name]);
  };
  const click = (event: React.MouseEvent) => {
    if (!layout || wasDragged()) return;
    const found = placeAt(layout, ...at(event));
    const label = labelAt(layout, labelHeight(textSize), ...at(event));
    if (found !== null) {
      const pile = pileOf(layout.piles, found);
      const { width = 0, height = 0 } = cellAt(layout, found) ?? {};
      if (Math.min(width, height) < aimable * scale && piles.length > 1 && piles[pile]?.name) enterPile(pile);
      else onOpen(nameAt(found));
    } else if (label !== null) enterPile(label);
  };

  const cell = layout && cellAt(layout, place);
  const box = layout && clipped(cell, layout);
  const tops = useMemo(
    () => (layout ? headingTops(layout, rem * headingRems * scale).map((top) => top && top / scale) : []),
    [layout, rem, scale],
  );
  return (
    <div ref={frame} className={styles.map} style={{ height: layout ? layout.height / scale : `${Math.round(size.height)}px` }}>
      <div aria-hidden="true">
        <canvas
          ref={canvas}
          className={styles.canvas}
          style={layout ? { width: layout.width / scale, height: layout.height / scale } : {}}
        />
      </div>
      {hosts.length > 0 && (
        <div
          ref={list}
          role="listbox"
          tabIndex={0}
          aria-label={`Hosts by use of ${resourceClass}. Arrows move, Enter opens, Backspace goes up, plus and minus magnify.`}
          aria-activedescendant="map-host"
          className={`${styles.hosts} ${zoom > 1 ? styles.near : ''}`}
          onKeyDown={move}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
          onClick={click}
        >
          {layout && host !== undefined && (
            <div
              id="map-host"
              role="option"
              tabIndex={-1}
              aria-selected={chosenPlace === place}
              aria-posinset={place + 1}
              aria-setsize={hosts.length}
              className={`${styles.chosen} ${box && (pointed !== null || chosenPlace === place) ? styles.shown : ''} ${box ? '' : styles.away}`}
              style={box ? { left: box.x / scale, top: box.y / scale, width: box.width / scale, height: box.height / scale } : {}}
            >
              <span className={`${styles.words} ${box && box.x > layout.width / 2 ? styles.leftwards : ''}`}>
                <Name>{nameAt(place)}</Name>: {wordsOfHost(columns, host, resourceClass)}
              </span>
            </div>
          )}
        </div>
      )}
      <Headings {...{ columns, version, resourceClass, sections, hasSections, onEnter }} tops={tops} />
      {most > 1 && (
        <fieldset className={styles.lens} aria-label="Magnify">
          {zoom > 1 && (
            <button type="button" onClick={reset} title="The whole map (Escape)">
              Whole map
            </button>
          )}
          <button type="button" onClick={() => closer(1 / zoomStep)} disabled={zoom === 1} aria-label="Less near" title="Less near (−)">
            −
          </button>
          <button
            type="button"
            onClick={() => closer(zoomStep)}
            disabled={zoom >= most}
            aria-label="Nearer"
            title="Nearer (+, Ctrl and wheel, two fingers)"
          >
            +
          </button>
        </fieldset>
      )}
    </div>
  );
}

const labelHeight = (textSize: number) => Math.round(textSize * 1.3);
const headingRems = 1.5;

interface Layouts {
  readonly whole: Layout | null;
  readonly enlarge: (zoom: number) => Layout;
  /** The largest zoom: where cells are as large as cells become. */
  readonly most: number;
}

const nothing: Layouts = {
  whole: null,
  enlarge: () => {
    throw new Error('there is no map to enlarge yet');
  },
  most: 1,
};

/** By capacities when they are given; `_seen` stands for their values, which change in place. */
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

/** The part of a box that is in the window; null when none is. */
function clipped(box: Box | null, { width, height }: Layout): Box | null {
  if (!box) return null;
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** The heading of the section at the top of the window stays there until the next one takes its place. */
function headingTops({ sections, height }: Layout, heading: number): (number | null)[] {
  return sections.map(({ y }, index) => {
    const next = sections[index + 1]?.y ?? Number.POSITIVE_INFINITY;
    if (y > height - heading || next <= 0) return null;
    return Math.max(y, Math.min(0, next - heading));
  });
}
