// Looks at files again and again, and tells when they have changed. Looking works where notices of changes do not: network file systems, mounted secrets.
import { stat } from 'node:fs/promises';

/** Milliseconds between two looks. */
const pause = 1000;

/** Differs when the file was replaced, written or given other permissions. */
export function stampOf(status: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join(':');
}

/** The stamp of a file as it is now; that of a file that cannot be looked at says why. */
export async function stampOfFile(path: string): Promise<string> {
  try {
    return stampOf(await stat(path, { bigint: true }));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/**
 * Calls `onChange` whenever the stamp is another than the last one. It reads what has changed, never rejects, and may return the stamp of what it read.
 * Returns what ends it.
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
