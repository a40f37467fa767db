// Reports the progress of a long phase: with a bar on a terminal, elsewhere with a line, at most every two seconds.
import { type Progress, timeLeft } from '../phases/progress.ts';

const interval = 2000;

/** Counts up to `total`; call the returned function for each completed step. Phases of less than two seconds print no lines. */
export function countTo(
  total: number,
  what: string,
  { report, progress }: { readonly report: (line: string) => void; readonly progress: Progress },
): () => void {
  let done = 0;
  const begun = performance.now();
  let last = begun;
  return () => {
    done += 1;
    if (progress.isVisible) return progress.at(what, done, total);
    const now = performance.now();
    if (now - last < interval) return;
    last = now;
    report(`${what} ${done}/${total}${timeLeft(done, total, now - begun)}`);
  };
}
