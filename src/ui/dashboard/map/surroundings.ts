// What surrounds the map: the available room, the pixels in it, and the colours of the theme.
import { useEffect, useState } from 'react';
import { readPalette } from './paint.ts';
import type { Palette } from './picture.ts';

export interface Size {
  /** Pixels of CSS; the width is 0 until it is known. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly rem: number;
}

const leastHeight = 320;

export function useSize(element: React.RefObject<HTMLElement | null>, share: number | null): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: leastHeight, scale: 1, rem: 16 });
  useEffect(() => {
    const measure = () => {
      const next = {
        width: element.current?.clientWidth ?? 0,
        height: Math.max(leastHeight, Math.min(heightBelow(element.current), window.innerHeight * (share ?? 1))),
        scale: window.devicePixelRatio || 1,
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      };
      // The element's height follows the layout, so the layout must not follow the element's height.
      setSize((old) => (Object.keys(next).every((key) => next[key as keyof Size] === old[key as keyof Size]) ? old : next));
    };
    const observer = new ResizeObserver(measure);
    if (element.current) observer.observe(element.current);
    // What is above may grow, too.
    observer.observe(document.body);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element, share]);
  return size;
}

/** The height of the window below the top of an element. */
function heightBelow(element: HTMLElement | null): number {
  return window.innerHeight - (element?.getBoundingClientRect().top ?? 0) - window.scrollY;
}

/** The colours of the current theme; null until they are read. */
export function usePalette(element: React.RefObject<HTMLElement | null>): Palette | null {
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
