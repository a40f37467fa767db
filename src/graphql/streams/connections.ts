// The streams of a gateway, whatever carries them: limits their number in total, for each user and for each caller, checks their callers again and again, and ends
// them all.
import { type Identity, userKeyOf } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';

/** An open connection with subscriptions. */
export interface Connection {
  /** Identifies the caller again, and ends what it may no longer read. */
  check(): Promise<void>;
  /** Called when the gateway stops. */
  stop(): void;
}

/** A connection whose caller is still unknown. */
interface UnknownConnection {
  /** The network of the client. */
  readonly source: string;
  /** Ends the connection. */
  makeRoom(): void;
}

export class Connections {
  readonly #ofUser = new Counts();
  readonly #ofCaller = new Counts();
  /** Connections whose callers are still unknown, the oldest first. */
  readonly #unknown = new Set<UnknownConnection>();
  readonly #open = new Map<Connection, NodeJS.Timeout>();
  #count = 0;
  #isStopping = false;

  get count(): number {
    return this.#count;
  }

  /**
   * A place for a connection whose caller is still unknown, until the returned function is called; null while stopping. These places take no room from known
   * callers. When all are taken, the oldest connection of the source with the most connections makes room: a flood ends its own connections, and a client that
   * authenticates at once has long left these places.
   */
  enterUnknown(connection: UnknownConnection): (() => void) | null {
    if (this.#isStopping) return null;
    if (this.#unknown.size >= limits.unknownSockets) this.#makeRoom();
    this.#unknown.add(connection);
    return () => this.#unknown.delete(connection);
  }

  #makeRoom(): void {
    const ofSource = new Map<string, UnknownConnection[]>();
    for (const one of this.#unknown) ofSource.set(one.source, [...(ofSource.get(one.source) ?? []), one]);
    const [most = []] = [...ofSource.values()].sort((one, other) => other.length - one.length);
    const [oldest] = most;
    if (!oldest) return;
    this.#unknown.delete(oldest);
    oldest.makeRoom();
  }

  /** A place for a connection of a caller, until the returned function is called; null if there is none. */
  enterAs(caller: Identity | null): (() => void) | null {
    // A user with tokens of many projects must leave room for others.
    const user = userKeyOf(caller);
    const ofProject = JSON.stringify(caller && [caller.method, caller.user, caller.project]);
    if (this.#count >= limits.streams || this.#isStopping) return null;
    if (this.#ofUser.of(user) >= limits.streamsOfUser || this.#ofCaller.of(ofProject) >= limits.streamsOfCaller) return null;
    const add = (number: 1 | -1) => {
      this.#count += number;
      this.#ofUser.add(user, number);
      this.#ofCaller.add(ofProject, number);
    };
    add(1);
    return once(() => add(-1));
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

/** Numbers by key, of which only those above 0 are kept. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, number: number): void {
    const count = this.of(key) + number;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
