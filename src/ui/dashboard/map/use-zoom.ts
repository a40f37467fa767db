// Zooming and panning: by wheel with Ctrl, two fingers, keys and buttons, and by dragging. The address says where the viewer is; during a movement only the
// map knows.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { cellAt, nearestPlace } from './cells.ts';
import type { Layout } from './layout.ts';
import { around, pointIn, seen, showing, type View, wholeMap, within } from './zoom.ts';

/** What the address says: how near the viewer is, and which host is in the middle. */
export interface Stand {
  readonly zoom: number;
  readonly at: string | null;
}

interface ZoomOptions {
  /** The whole map; null until there is room for it. */
  readonly whole: Layout | null;
  readonly enlarge: (zoom: number) => Layout;
  readonly most: number;
  readonly stand: Stand;
  readonly onStand: (stand: Stand) => void;
  readonly nameAt: (place: number) => string;
  readonly placeOf: (name: string) => number;
  /** Device pixels in a pixel of CSS. */
  readonly scale: number;
  /** Whether the wheel zooms without Ctrl, because nothing else scrolls. */
  readonly hasWheel: boolean;
}

export interface Zoomed {
  readonly layout: Layout | null;
  readonly zoom: number;
  readonly isMoving: boolean;
  /** Zooms by a factor around a point in device pixels of the window, or around its middle. */
  readonly by: (factor: number, point?: Point | null) => void;
  readonly reset: () => void;
  /** Moves as far as needed to see a cell. */
  readonly show: (place: number) => void;
  /** Whether the pointer was dragged since it went down; then its click is ignored. */
  readonly wasDragged: () => boolean;
}

type Point = readonly [x: number, y: number];

/** Milliseconds without a movement after which the map is at rest. */
const rest = 250;
const dragFrom = 4;

export function useZoom(element: RefObject<HTMLElement | null>, options: ZoomOptions): Zoomed {
  const { whole, enlarge, most, stand, placeOf } = options;
  const said = keyOf(stand);
  // Valid for the address that a movement came from and for the one that it leads to.
  const [own, setOwn] = useState<{ readonly view: View; readonly for: readonly string[] } | null>(null);
  const [isMoving, setMoving] = useState(false);
  const isOwn = own?.for.includes(said) ?? false;
  const zoom = Math.max(1, Math.min(most, isOwn && own ? own.view.zoom : stand.zoom));
  // Once the address has followed, any other address is the person's choice, even the previous one.
  useEffect(
    () => setOwn((known) => (known && known.for.at(-1) === said && known.for.length > 1 ? { ...known, for: [said] } : known)),
    [said],
  );
  const large = useMemo(() => (whole && zoom > 1 ? enlarge(zoom) : whole), [whole, enlarge, zoom]);
  const standPlace = stand.at === null || isOwn ? -1 : placeOf(stand.at);
  const view = useMemo(() => {
    if (!whole || !large || zoom === 1) return wholeMap;
    if (isOwn && own) return within(large, whole, own.view);
    return around(large, whole, zoom, cellAt(large, Math.max(0, standPlace)) ?? { x: 0, y: 0, width: 0, height: 0 });
  }, [whole, large, zoom, isOwn, own, standPlace]);
  const layout = useMemo(() => whole && large && seen(large, view, whole), [whole, large, view]);

  // Movements follow each other faster than renderings, so each continues from the result of the previous one.
  const now = useRef({ view, large, said, options, timer: 0 as ReturnType<typeof setTimeout> | 0 });
  Object.assign(now.current, { view, large, said, options });
  const [moves] = useState(() => movesOf(now, setOwn, setMoving));
  useEffect(() => () => clearTimeout(now.current.timer || undefined), []);
  const dragged = useRef(false);
  const isThere = whole !== null;
  useEffect(() => (isThere && element.current ? listen(element.current, now, moves, dragged) : undefined), [element, isThere, moves]);
  return {
    layout,
    zoom,
    isMoving,
    by: moves.by,
    reset: moves.reset,
    show: moves.show,
    wasDragged: () => dragged.current,
  };
}

const keyOf = ({ zoom, at }: Stand) => `${zoom} ${at ?? ''}`;

interface Now {
  view: View;
  large: Layout | null;
  said: string;
  options: ZoomOptions;
  timer: ReturnType<typeof setTimeout> | 0;
}

interface Moves {
  readonly by: (factor: number, point?: Point | null) => void;
  readonly pan: (x: number, y: number) => void;
  readonly reset: () => void;
  readonly show: (place: number) => void;
}

function movesOf(
  now: RefObject<Now>,
  setOwn: (own: { view: View; for: readonly string[] }) => void,
  setMoving: (isMoving: boolean) => void,
): Moves {
  const settle = () => {
    setMoving(false);
    const { view, large, said, options } = now.current;
    const { whole, nameAt, onStand } = options;
    if (!whole || !large) return;
    const middle = nearestPlace(large, view.x + whole.width / 2, view.y + whole.height / 2);
    const zoom = Math.round(view.zoom * 100) / 100;
    const stand = zoom === 1 || middle === null ? { zoom: 1, at: null } : { zoom, at: nameAt(middle) };
    setOwn({ view, for: [said, keyOf(stand)] });
    if (keyOf(stand) !== said) onStand(stand);
  };
  const to = (view: View, large: Layout) => {
    const { options, said } = now.current;
    if (!options.whole) return;
    const next = within(large, options.whole, view);
    now.current.view = next;
    now.current.large = large;
    setOwn({ view: next, for: [said] });
    setMoving(true);
    clearTimeout(now.current.timer || undefined);
    now.current.timer = setTimeout(settle, rest);
  };
  return {
    by(factor, point = null) {
      const { view, large, options } = now.current;
      const { whole, enlarge, most } = options;
      if (!whole || !large) return;
      const zoom = Math.max(1, Math.min(most, view.zoom * factor));
      if (zoom === view.zoom) return;
      const [x, y] = point ?? [whole.width / 2, whole.height / 2];
      const next = zoom === 1 ? whole : enlarge(zoom);
      const moved = pointIn(large, next, view.x + x, view.y + y);
      to({ zoom, x: moved.x - x, y: moved.y - y }, next);
    },
    pan(x, y) {
      const { view, large } = now.current;
      if (large && view.zoom > 1) to({ zoom: view.zoom, x: view.x + x, y: view.y + y }, large);
    },
    reset() {
      const { whole } = now.current.options;
      if (whole) to(wholeMap, whole);
    },
    show(place) {
      const { view, large, options } = now.current;
      const cell = large && cellAt(large, place);
      if (!large || !cell || !options.whole || view.zoom === 1) return;
      const next = showing(large, options.whole, view, cell);
      if (next.x !== view.x || next.y !== view.y) to(next, large);
    },
  };
}

/** Pixels in a line, for wheels that count lines. */
const lineHeight = 16;

function listen(element: HTMLElement, now: RefObject<Now>, { by, pan }: Moves, dragged: { current: boolean }): () => void {
  const pointOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const { left, top } = element.getBoundingClientRect();
    const { scale } = now.current.options;
    return [(clientX - left) * scale, (clientY - top) * scale];
  };
  const wheel = (event: WheelEvent) => {
    const isWanted = event.ctrlKey || event.metaKey || now.current.options.hasWheel || now.current.view.zoom > 1;
    if (!isWanted) return;
    event.preventDefault();
    const delta = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1);
    by(Math.exp(-Math.max(-100, Math.min(100, delta)) * (event.ctrlKey ? 0.01 : 0.003)), pointOf(event));
  };
  let last: Point | null = null;
  const down = (event: PointerEvent) => {
    dragged.current = false;
    if (event.pointerType !== 'touch' && event.button === 0) last = pointOf(event);
  };
  const move = (event: PointerEvent) => {
    if (last === null || now.current.view.zoom === 1) return;
    const [x, y] = pointOf(event);
    const [dx, dy] = [last[0] - x, last[1] - y];
    if (!dragged.current && Math.hypot(dx, dy) < dragFrom * now.current.options.scale) return;
    if (!dragged.current) element.setPointerCapture(event.pointerId);
    dragged.current = true;
    last = [x, y];
    pan(dx, dy);
  };
  const up = () => {
    last = null;
  };
  let fingers: readonly Point[] = [];
  const touch = (event: TouchEvent) => {
    const next = [...event.touches].map(pointOf);
    const [a, b] = next;
    const [oldA, oldB] = fingers;
    if (a && b && oldA && oldB) {
      event.preventDefault();
      dragged.current = true;
      const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const distance = (one: Point, other: Point) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
      by(distance(a, b) / distance(oldA, oldB), middle);
      pan((oldA[0] + oldB[0]) / 2 - middle[0], (oldA[1] + oldB[1]) / 2 - middle[1]);
    } else if (a && oldA && next.length === 1 && now.current.view.zoom > 1) {
      event.preventDefault();
      dragged.current = true;
      pan(oldA[0] - a[0], oldA[1] - a[1]);
    }
    fingers = next;
  };
  const touchStart = (event: TouchEvent) => {
    dragged.current = false;
    fingers = [...event.touches].map(pointOf);
    // Two fingers zoom the map, not the page.
    if (fingers.length > 1) event.preventDefault();
  };
  const ends = new AbortController();
  const { signal } = ends;
  element.addEventListener('wheel', wheel, { passive: false, signal });
  element.addEventListener('pointerdown', down, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', up, { signal });
  element.addEventListener('pointercancel', up, { signal });
  element.addEventListener('touchstart', touchStart, { passive: false, signal });
  element.addEventListener('touchmove', touch, { passive: false, signal });
  return () => ends.abort();
}
