// The progress of a long phase: a bar on a terminal, nothing elsewhere. It goes to standard error, so that standard output has only the answer.

export interface Progress {
  /** Whether it is a terminal. Default false. */
  readonly isVisible?: boolean;
  /** Shows how far a phase is. */
  at(phase: string, done: number, total: number): void;
  /** Removes the bar, before anything else is printed. */
  clear(): void;
}

const width = 30;
/** In milliseconds. */
const interval = 100;

export function openProgress(terminal: { readonly isTTY?: boolean; write(text: string): unknown }): Progress {
  if (!terminal.isTTY) return { isVisible: false, at: () => {}, clear: () => {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    isVisible: true,
    at: (phase, done, total) => {
      const now = performance.now();
      if (now - shownAt < interval && done < total) return;
      shownAt = now;
      isShown = true;
      const part = total === 0 ? 1 : Math.min(done / total, 1);
      const full = Math.round(part * width);
      terminal.write(`\r${phase} [${'#'.repeat(full)}${'-'.repeat(width - full)}] ${Math.floor(part * 100)} % ${done}/${total}\x1b[K`);
    },
    clear: () => {
      if (isShown) terminal.write('\r\x1b[K');
      isShown = false;
    },
  };
}
