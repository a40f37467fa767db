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

/** In milliseconds: earlier, the rate so far says little. */
const restingTime = 2000;

/** How long the rest takes at the rate so far, such as `, 12 min left`; nothing in the first seconds and at the end. `elapsed` is in milliseconds. */
export function timeLeft(done: number, total: number, elapsed: number): string {
  if (done === 0 || done >= total || elapsed < restingTime) return '';
  const minutes = Math.ceil(((elapsed / done) * (total - done)) / 60_000);
  if (minutes <= 1) return ', less than a minute left';
  return minutes < 60 ? `, ${minutes} min left` : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

export function openProgress(terminal: { readonly isTTY?: boolean; write(text: string): unknown }): Progress {
  if (!terminal.isTTY) return { isVisible: false, at: () => {}, clear: () => {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  let current = { phase: '', since: 0 };
  let isShown = false;
  return {
    isVisible: true,
    at: (phase, done, total) => {
      const now = performance.now();
      if (phase !== current.phase || done === 0) current = { phase, since: now };
      if (now - shownAt < interval && done < total) return;
      shownAt = now;
      isShown = true;
      const part = total === 0 ? 1 : Math.min(done / total, 1);
      const full = Math.round(part * width);
      const left = timeLeft(done, total, now - current.since);
      terminal.write(
        `\r${phase} [${'#'.repeat(full)}${'-'.repeat(width - full)}] ${Math.floor(part * 100)} % ${done}/${total}${left}\x1b[K`,
      );
    },
    clear: () => {
      if (isShown) terminal.write('\r\x1b[K');
      isShown = false;
    },
  };
}
