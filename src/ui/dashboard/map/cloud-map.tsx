// The picture of the cloud: a canvas, with the words of it as a list box that keys move through. Where it stands and what is chosen is the page's business.
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Name } from '../name.tsx';
import type { Section } from './arrangement.ts';
import styles from './cloud-map.module.css';
import { type CloudColumns, totalsOf } from './columns.ts';
import { cellAt, type Layout, labelAt, layOut, pileOf, placeAt, type Step, stepFrom } from './layout.ts';
import { MapPainter, type Palette, readPalette } from './paint.ts';
import { wordsOfGroup, wordsOfHost } from './words.ts';

interface CloudMapProps {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  readonly sections: readonly Section[];
  /** Whether the names above hosts are groups that can be entered. */
  readonly hasSections: boolean;
  /** The share of the window's height that it may fill; null for all that is below its top. */
  readonly share: number | null;
  /** The chosen host; null for none. */
  readonly chosen: string | null;
  readonly onChoose: (host: string) => void;
  readonly onOpen: (host: string) => void;
  readonly onEnter: (path: readonly string[]) => void;
  readonly onUp: () => void;
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

export function CloudMap(props: CloudMapProps) {
  const { columns, version, resourceClass, sections, hasSections, share, chosen, onChoose, onOpen, onEnter, onUp } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<MapPainter | null>(null);
  const size = useSize(frame, share);
  const palette = usePalette(frame);
  const [pointed, setPointed] = useState<number | null>(null);
  const piles = useMemo(() => sections.flatMap((section) => section.piles), [sections]);
  const hosts = useMemo(() => piles.flatMap((pile) => pile.hosts), [piles]);
  const { scale, rem } = size;
  const textSize = Math.round(rem * 0.6875 * scale);
  const layout = useMemo(() => layoutFor(sections, size, textSize), [sections, size, textSize]);
  const numbers = useMemo(() => ({ columns, version }), [columns, version]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !layout || !palette) return;
    painter.current ??= new MapPainter(element);
    const paint = () => {
      if (!document.hidden)
        painter.current?.paint({ columns: numbers.columns, resourceClass, layout, piles, palette, scale: (scale * rem) / 16, textSize });
    };
    const waiting = requestAnimationFrame(paint);
    document.addEventListener('visibilitychange', paint);
    return () => {
      cancelAnimationFrame(waiting);
      document.removeEventListener('visibilitychange', paint);
    };
  }, [numbers, palette, resourceClass, layout, piles, scale, rem, textSize]);

  const chosenHost = chosen === null ? undefined : columns.placeOf.get(chosen);
  const chosenPlace = Math.max(0, chosenHost === undefined ? -1 : hosts.indexOf(chosenHost));
  const place = pointed ?? chosenPlace;
  const cell = layout && cellAt(layout, place);
  const host = hosts[place];

  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !layout) return;
    if (step) onChoose(columns.names[hosts[stepFrom(layout, chosenPlace, step)] ?? 0] ?? '');
    else if (event.key === 'Enter') onOpen(columns.names[hosts[chosenPlace] ?? 0] ?? '');
    else if (event.key === 'Backspace') onUp();
    else return;
    setPointed(null);
    event.preventDefault();
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
    if (!layout) return;
    const found = placeAt(layout, ...at(event));
    const label = labelAt(layout, labelHeight(textSize), ...at(event));
    if (found !== null) {
      const pile = pileOf(layout.piles, found);
      if (layout.cellHeight < aimable * scale && piles.length > 1 && piles[pile]?.name) enterPile(pile);
      else onOpen(columns.names[hosts[found] ?? 0] ?? '');
    } else if (label !== null) enterPile(label);
  };

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
          role="listbox"
          tabIndex={0}
          aria-label={`Hosts by use of ${resourceClass}. Arrows move, Enter opens, Backspace goes up.`}
          aria-activedescendant="map-host"
          className={styles.hosts}
          onKeyDown={move}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
          onClick={click}
        >
          {layout && cell && host !== undefined && (
            <div
              id="map-host"
              role="option"
              tabIndex={-1}
              aria-selected={chosenHost === host}
              aria-posinset={place + 1}
              aria-setsize={hosts.length}
              className={`${styles.chosen} ${pointed !== null || chosenHost === host ? styles.shown : ''}`}
              style={{ left: cell.x / scale, top: cell.y / scale, width: layout.cellWidth / scale, height: layout.cellHeight / scale }}
            >
              <span className={`${styles.words} ${cell.x > layout.width / 2 ? styles.leftwards : ''}`}>
                <Name>{columns.names[host] ?? ''}</Name>: {wordsOfHost(columns, host, resourceClass)}
              </span>
            </div>
          )}
        </div>
      )}
      {layout?.sections.map(({ y }, index) => {
        const section = sections[index];
        if (!section) return null;
        const totals = totalsOf(
          columns,
          resourceClass,
          section.piles.flatMap((pile) => pile.hosts),
        );
        return (
          <h3 key={section.name} className={styles.heading} style={{ top: y / scale }}>
            {hasSections ? (
              <button type="button" className={styles.enter} onClick={() => onEnter([section.name])}>
                <Name>{section.name}</Name>
              </button>
            ) : (
              <Name>{section.name || 'All hosts'}</Name>
            )}
            <span className={styles.totals}>
              {wordsOfGroup(totals, resourceClass)}
              {totals.over > 0 && (
                <span className={styles.over}>
                  {' '}
                  ▲ {totals.over}
                  <span className={styles.long}> over capacity</span>
                </span>
              )}
              {totals.disabled > 0 && (
                <span>
                  {' '}
                  ✕ {totals.disabled}
                  <span className={styles.long}> disabled</span>
                </span>
              )}
            </span>
          </h3>
        );
      })}
    </div>
  );
}

const labelHeight = (textSize: number) => Math.round(textSize * 1.3);

function layoutFor(sections: readonly Section[], { width, height, scale, rem }: Size, textSize: number): Layout | null {
  if (width === 0) return null;
  const pixels = (rems: number) => Math.round(rems * rem * scale);
  const hasLabels = sections.some(({ piles }) => piles.some(({ label }) => label !== ''));
  return layOut(
    sections.map(({ piles }) => ({ piles: piles.map(({ hosts }) => hosts.length) })),
    {
      width: Math.floor(width * scale),
      height: Math.floor(height * scale),
      heading: pixels(1.75),
      label: hasLabels ? labelHeight(textSize) : 0,
      pileGap: pixels(0.4),
      largest: pixels(6),
      smallest: Math.max(2, Math.round(3 * scale)),
    },
  );
}

interface Size {
  /** In pixels of CSS; the width is 0 until it is known. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly rem: number;
}

const leastHeight = 320;

function useSize(element: React.RefObject<HTMLElement | null>, share: number | null): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: leastHeight, scale: 1, rem: 16 });
  useEffect(() => {
    const measure = () => {
      const next = {
        width: element.current?.clientWidth ?? 0,
        height: Math.max(leastHeight, share === null ? heightBelow(element.current) : window.innerHeight * share),
        scale: window.devicePixelRatio || 1,
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      };
      // The height follows the layout, which must not follow it back.
      setSize((old) => (Object.keys(next).every((key) => next[key as keyof Size] === old[key as keyof Size]) ? old : next));
    };
    const observer = new ResizeObserver(measure);
    if (element.current) observer.observe(element.current);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element, share]);
  return size;
}

/** What the window has left below the top of an element. */
function heightBelow(element: HTMLElement | null): number {
  return window.innerHeight - (element?.getBoundingClientRect().top ?? 0) - window.scrollY;
}

/** The colours of the theme in use; null until they are read. */
function usePalette(element: React.RefObject<HTMLElement | null>): Palette | null {
  const [palette, setPalette] = useState<Palette | null>(null);
  useEffect(() => {
    const read = () => element.current && setPalette(readPalette(element.current));
    read();
    const schemes = window.matchMedia('(prefers-color-scheme: dark)');
    schemes.addEventListener('change', read);
    document.addEventListener('themechange', read);
    return () => {
      schemes.removeEventListener('change', read);
      document.removeEventListener('themechange', read);
    };
  }, [element]);
  return palette;
}
