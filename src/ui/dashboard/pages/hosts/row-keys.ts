// Arrow keys that go from row to row of the table of hosts, of which only the rows in view exist.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

/** Frames to wait for: a row exists only after the list has scrolled to it. */
const framesUntilThere = 30;

/** How many rows each key goes down. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function useRowKeys<Row extends Element>(
  scroller: RefObject<HTMLDivElement | null>,
  rowCount: number,
  rows: Virtualizer<HTMLDivElement, Row>,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    /** The row that has the focus, or will have it as soon as it exists. */
    let at = -1;
    let isSelecting = false;
    const focus = (attempts: number) => {
      const link = element.querySelector<HTMLElement>(`[data-index="${at}"] ${isSelecting ? 'input' : 'a'}`);
      if (link) link.focus();
      else if (attempts > 0) requestAnimationFrame(() => focus(attempts - 1));
    };
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      if (!row) return;
      at = Number(row.dataset.index);
      isSelecting = target instanceof HTMLInputElement;
    };
    const move = (event: KeyboardEvent) => {
      const by = steps[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      at = Math.min(rowCount - 1, Math.max(0, at + by));
      rows.scrollToIndex(at);
      focus(framesUntilThere);
    };
    element.addEventListener('focusin', note);
    element.addEventListener('keydown', move);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('keydown', move);
    };
  }, [scroller, rowCount, rows]);
}
