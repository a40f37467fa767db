// Draws the map again whenever something that it shows has changed, in the next frame and only while the page is visible.
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { CloudColumns } from '../data/map-columns.ts';
import { MapPainter } from './paint.ts';
import type { Palette } from './picture.ts';
import type { SharedBySet } from './serving-pools.ts';
import type { Size } from './surroundings.ts';
import { headingRems, type Places } from './use-layouts.ts';
import type { Zoomed } from './use-zoom.ts';

interface Shown {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  readonly shared: SharedBySet;
  readonly cardClasses: readonly string[];
}

export function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  { columns, version, resourceClass, shared, cardClasses }: Shown,
  { layout, zoom, isMoving }: Zoomed,
  { piles, textSize }: Places,
  { scale, rem }: Size,
  palette: Palette | null,
): void {
  const painter = useRef<MapPainter | null>(null);
  const numbers = useMemo(() => ({ columns, version }), [columns, version]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !layout || !palette) return;
    painter.current ??= new MapPainter(element);
    const paint = () => {
      if (document.hidden) return;
      const { columns } = numbers;
      const covered = zoom > 1 ? Math.round(headingRems * rem * scale) : 0;
      const picture = { columns, resourceClass, shared, cardClasses, layout, piles, palette, scale: (scale * rem) / 16, textSize, covered };
      painter.current?.paint(picture, isMoving);
    };
    const waiting = requestAnimationFrame(paint);
    document.addEventListener('visibilitychange', paint);
    return () => {
      cancelAnimationFrame(waiting);
      document.removeEventListener('visibilitychange', paint);
    };
  }, [canvas, numbers, palette, resourceClass, shared, cardClasses, layout, piles, zoom, isMoving, scale, rem, textSize]);
}
