// The hosts of the map as a list box over its canvas: keys and the pointer move through it, and it says the chosen or pointed host in words.
import { type KeyboardEvent, type MouseEvent, type RefObject, useState } from 'react';
import type { CloudColumns } from '../data/map-columns.ts';
import { Name } from '../parts/name.tsx';
import type { Section } from './arrangement.ts';
import { type Box, cellAt, clipped, labelAt, pileOf, placeAt, type Step, stepFrom } from './cells.ts';
import styles from './cloud-map.module.css';
import type { Layout } from './layout.ts';
import type { PoolsBySet } from './serving-pools.ts';
import { labelHeight, type Places } from './use-layouts.ts';
import type { Zoomed } from './use-zoom.ts';
import { otherWordsOfHost, wordsOfHost } from './words.ts';
import { zoomStep } from './zoom.ts';

interface HostListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly columns: CloudColumns;
  readonly resourceClass: string;
  readonly pools: PoolsBySet;
  readonly sections: readonly Section[];
  readonly hasSections: boolean;
  readonly places: Places;
  readonly zoomed: Zoomed;
  /** Device pixels in a pixel of CSS. */
  readonly scale: number;
  /** The place of the chosen host; -1 for none. */
  readonly chosenPlace: number;
  /** Zooms by a factor. */
  readonly onCloser: (factor: number) => void;
  readonly onChoose: (host: string) => void;
  readonly onOpen: (host: string) => void;
  readonly onEnter: (path: readonly string[]) => void;
  readonly onUp: () => void;
  /** Called when the viewer looks at a host: its words are about all classes. */
  readonly onAllClasses: () => void;
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

export function HostList(props: HostListProps) {
  const { list, columns, resourceClass, pools, places, zoomed, scale, chosenPlace, onOpen, onAllClasses } = props;
  const { hosts, nameAt } = places;
  const { layout, zoom } = zoomed;
  const [pointed, setPointed] = useState<number | null>(null);
  const place = pointed ?? Math.max(0, chosenPlace);
  const host = hosts[place];
  const at = (event: MouseEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - left) * scale, (event.clientY - top) * scale] as const;
  };
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moveByKey(event.key, props)) return;
    setPointed(null);
    event.preventDefault();
  };
  const click = (event: MouseEvent) => {
    if (!layout || zoomed.wasDragged()) return;
    const meant = meantAt(layout, places, scale, ...at(event));
    if (meant && 'place' in meant) onOpen(nameAt(meant.place));
    else if (meant) enterPile(meant.pile, layout, props);
  };
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label={`Hosts by use of ${resourceClass}. Arrows move, Enter opens, Backspace goes up, plus and minus zoom.`}
      aria-activedescendant="map-host"
      className={`${styles.hosts} ${zoom > 1 ? styles.near : ''}`}
      onKeyDown={move}
      onPointerEnter={onAllClasses}
      onFocus={onAllClasses}
      onPointerMove={(event) => layout && setPointed(placeAt(layout, ...at(event)))}
      onPointerLeave={() => setPointed(null)}
      onClick={click}
    >
      {layout && host !== undefined && (
        <HostOption
          layout={layout}
          scale={scale}
          place={place}
          count={hosts.length}
          isChosen={chosenPlace === place}
          isPointed={pointed !== null}
          name={nameAt(place)}
          words={wordsOfHost(columns, host, resourceClass)}
          others={otherWordsOfHost(columns, pools, host, resourceClass)}
        />
      )}
    </div>
  );
}

/** Does what a key means; false if it means nothing here. */
function moveByKey(key: string, { places, zoomed, chosenPlace, onCloser, onChoose, onOpen, onUp }: HostListProps): boolean {
  const { nameAt } = places;
  const { layout, zoom, show, reset } = zoomed;
  if (!layout) return false;
  const atPlace = Math.max(0, chosenPlace);
  const step = steps[key];
  if (step) {
    const next = stepFrom(layout, atPlace, step);
    onChoose(nameAt(next));
    show(next);
  } else if (key === 'Enter') onOpen(nameAt(atPlace));
  else if (key === 'Backspace') onUp();
  else if (key === '+' || key === '=') onCloser(zoomStep);
  else if (key === '-') onCloser(1 / zoomStep);
  else if (zoom > 1 && (key === '0' || key === 'Escape')) reset();
  else return false;
  return true;
}

function enterPile(index: number, layout: Layout, { sections, hasSections, places, onEnter }: HostListProps): void {
  const section = sections[layout.piles[index]?.section ?? 0];
  const pile = places.piles[index];
  if (pile && pile.name !== '') onEnter(hasSections && section ? [section.name, pile.name] : [pile.name]);
}

type Meant = { readonly place: number } | { readonly pile: number };

/** What a click at a point means: a host, or its group where the cell is too small to aim at or the name of the group was hit. */
function meantAt(layout: Layout, { piles, textSize }: Places, scale: number, x: number, y: number): Meant | null {
  const place = placeAt(layout, x, y);
  if (place === null) {
    const label = labelAt(layout, labelHeight(textSize), x, y);
    return label === null ? null : { pile: label };
  }
  const pile = pileOf(layout.piles, place);
  const { width = 0, height = 0 } = cellAt(layout, place) ?? {};
  const isTooSmall = Math.min(width, height) < aimable * scale;
  return isTooSmall && piles.length > 1 && piles[pile]?.name ? { pile } : { place };
}

interface HostOptionProps {
  readonly layout: Layout;
  readonly scale: number;
  readonly place: number;
  readonly count: number;
  readonly isChosen: boolean;
  readonly isPointed: boolean;
  readonly name: string;
  readonly words: string;
  /** A line for each other class. */
  readonly others: readonly string[];
}

/** The one host that the list box names, with its words beside its cell. */
function HostOption({ layout, scale, place, count, isChosen, isPointed, name, words, others }: HostOptionProps) {
  const box = clipped(cellAt(layout, place), layout);
  return (
    <div
      id="map-host"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-posinset={place + 1}
      aria-setsize={count}
      className={`${styles.chosen} ${box && (isPointed || isChosen) ? styles.shown : ''} ${box ? '' : styles.away}`}
      style={box ? styleOf(box, scale) : {}}
    >
      <span
        className={`${styles.words} ${box && box.x > layout.width / 2 ? styles.leftwards : ''} ${box && box.y > layout.height / 2 ? styles.upwards : ''}`}
      >
        <Name>{name}</Name>: {words}
        {others.map((line) => (
          <span key={line} className={styles.other}>
            <Name>{line}</Name>
          </span>
        ))}
      </span>
    </div>
  );
}

const styleOf = ({ x, y, width, height }: Box, scale: number) => ({
  left: x / scale,
  top: y / scale,
  width: width / scale,
  height: height / scale,
});
