// Polls files for changes. Polling works where notifications of changes do not: on network file systems and mounted secrets.
import { stat } from 'node:fs/promises';

/** Milliseconds between two polls. */
const pause = 1000;

/** A stamp that differs if the file was replaced, written or given other permissions. */
export function stampOf(status: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join(':');
}

/** The current stamp of a file; the error code if the file cannot be examined. */
export async function stampOfFile(path: string): Promise<string> {
  try {
    return stampOf(await stat(path, { bigint: true }));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/**
 * Calls `onChange` whenever the stamp differs from the last one. `onChange` reads what has changed, never rejects, and may return the stamp of what it read.
 * Returns a function that ends the polling.
 */
export function keepLooking(stampNow: () => Promise<string>, known: string, onChange: () => Promise<string | undefined>): () => void {
  let stamp = known;
  let isClosed = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    const found = await stampNow();
    if (found === stamp) return;
    stamp = found;
    stamp = (await onChange()) ?? found;
  };
  const lookOn = () => {
    if (!isClosed) timer = setTimeout(() => void look().finally(lookOn), pause).unref();
  };
  lookOn();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}
