// Does something repeatedly while there are subscribers: once for all of them, so that more subscribers do not mean more statements.
import { Unavailable } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { isDatabaseFault } from '../request/faults.ts';
import type { LiveStream } from './live-stream.ts';

export class Pulse<Stream extends Pick<LiveStream<unknown>, 'fail'>> {
  readonly streams = new Set<Stream>();
  readonly #beat: () => Promise<void>;
  #isBeating = false;
  #wake: (() => void) | null = null;
  /** Since when the database has been away, as performance.now(). */
  #awaySince: number | null = null;

  constructor(beat: () => Promise<void>) {
    this.#beat = beat;
  }

  add(stream: Stream): void {
    this.streams.add(stream);
    if (!this.#isBeating) void this.#beatOn();
  }

  remove(stream: Stream): void {
    this.streams.delete(stream);
    if (this.streams.size === 0) this.#wake?.();
  }

  async #beatOn(): Promise<void> {
    this.#isBeating = true;
    while (this.streams.size > 0) {
      const began = performance.now();
      await this.#beat().then(
        () => {
          this.#awaySince = null;
        },
        (error: unknown) => this.#noteFailure(error, began),
      );
      await this.#pause(limits.streamPause - (performance.now() - began));
    }
    this.#isBeating = false;
  }

  /** The database may be back in a moment; any other failure is a bug, and ends everything at once. */
  #noteFailure(error: unknown, began: number): void {
    this.#awaySince ??= began;
    const isOutage = error instanceof Unavailable || isDatabaseFault(error);
    if (isOutage && performance.now() - this.#awaySince < limits.streamOutage) return;
    this.#awaySince = null;
    for (const stream of [...this.streams]) stream.fail(error);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, milliseconds));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
