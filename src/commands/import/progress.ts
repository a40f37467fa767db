// Reports the progress of a long phase, at most every two seconds.

const interval = 2000;

/** Counts up to `total`; call the returned function for each completed step. Reports nothing in shorter phases. */
export function countTo(total: number, what: string, report: (line: string) => void): () => void {
  let done = 0;
  let last = performance.now();
  return () => {
    done += 1;
    const now = performance.now();
    if (now - last < interval) return;
    last = now;
    report(`${what} ${done}/${total}`);
  };
}
