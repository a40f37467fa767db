// The streams of a gateway, whatever carries them: how many there may be, of all callers and of one, who is looked at again, and the end of them all.
import type { Identity } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';

/** An open connection with subscriptions. */
export interface Connection {
  /** Asks again who the caller is and what it may; ends what it may not any more. */
  check(): Promise<void>;
  /** The gateway stops. */
  stop(): void;
}

export class Connections {
  readonly #ofCaller = new Map<string, number>();
  readonly #open = new Map<Connection, NodeJS.Timeout>();
  #count = 0;
  #isStopping = false;

  get count(): number {
    return this.#count;
  }

  /** A place for a connection, until the returned function is called; null if there is none. */
  enter(): (() => void) | null {
    if (this.#count >= limits.streams || this.#isStopping) return null;
    this.#count += 1;
    return once(() => {
      this.#count -= 1;
    });
  }

  /** The same among those of a caller. */
  enterAs({ method, user, project }: Identity): (() => void) | null {
    const key = JSON.stringify([method, user, project]);
    const count = this.#ofCaller.get(key) ?? 0;
    if (count >= limits.streamsOfCaller) return null;
    this.#ofCaller.set(key, count + 1);
    return once(() => {
      const left = (this.#ofCaller.get(key) ?? 0) - 1;
      if (left > 0) this.#ofCaller.set(key, left);
      else this.#ofCaller.delete(key);
    });
  }

  /** Looks after a connection, until the returned function is called. */
  keep(connection: Connection, pause: number): () => void {
    const timer = setInterval(() => void connection.check(), pause);
    this.#open.set(connection, timer);
    return () => {
      clearInterval(timer);
      this.#open.delete(connection);
    };
  }

  stop(): void {
    this.#isStopping = true;
    for (const connection of [...this.#open.keys()]) connection.stop();
  }
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
