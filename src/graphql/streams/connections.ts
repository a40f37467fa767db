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

/** One whose caller is not known yet. */
interface UnknownConnection {
  readonly address: string;
  /** Ends it. */
  makeRoom(): void;
}

export class Connections {
  readonly #ofCaller = new Map<string, number>();
  /** Those of whom nobody knows yet whose they are, the oldest first. */
  readonly #unknown = new Set<UnknownConnection>();
  readonly #open = new Map<Connection, NodeJS.Timeout>();
  #count = 0;
  #isStopping = false;

  get count(): number {
    return this.#count;
  }

  /**
   * A place for a connection whose caller is not known yet, until the returned function is called; null if there is none. Such places take none from those
   * who are known. When all are taken, the oldest of the address with the most makes room: a flood ends its own connections, and who says at once
   * who it is has done so long before.
   */
  enterUnknown(connection: UnknownConnection): (() => void) | null {
    if (this.#isStopping) return null;
    if (this.#unknown.size >= limits.unknownSockets) this.#makeRoom();
    this.#unknown.add(connection);
    return () => this.#unknown.delete(connection);
  }

  #makeRoom(): void {
    const ofAddress = new Map<string, UnknownConnection[]>();
    for (const one of this.#unknown) ofAddress.set(one.address, [...(ofAddress.get(one.address) ?? []), one]);
    const [most = []] = [...ofAddress.values()].sort((one, other) => other.length - one.length);
    const [oldest] = most;
    if (!oldest) return;
    this.#unknown.delete(oldest);
    oldest.makeRoom();
  }

  /** A place for a connection of a caller, until the returned function is called; null if there is none. */
  enterAs(caller: Identity | null): (() => void) | null {
    const key = JSON.stringify(caller && [caller.method, caller.user, caller.project]);
    const count = this.#ofCaller.get(key) ?? 0;
    if (this.#count >= limits.streams || this.#isStopping || count >= limits.streamsOfCaller) return null;
    this.#count += 1;
    this.#ofCaller.set(key, count + 1);
    return once(() => {
      this.#count -= 1;
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
