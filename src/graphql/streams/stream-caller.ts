// The caller of a stream, and how long its identity stays valid: rights end when a token, a role or a rule does, not when the connection does.
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';

type Identify = () => Promise<Identity | null>;

export class StreamCaller {
  readonly #identify: Identify;
  readonly #doubt: number;
  #identity: Identity | null;
  /** When the identity was last confirmed, as performance.now(). */
  #knownAt = performance.now();

  /** `doubt`: how many milliseconds a caller keeps its rights while its token cannot be checked. */
  constructor(identify: Identify, identity: Identity | null, doubt: number) {
    this.#identify = identify;
    this.#identity = identity;
    this.#doubt = doubt;
  }

  /** The identity as last confirmed; null once its token has expired. */
  get identity(): Identity | null {
    const { expiresAt = Number.POSITIVE_INFINITY } = this.#identity ?? {};
    return Date.now() < expiresAt ? this.#identity : null;
  }

  /** Identifies the caller again. Rejects with Unavailable, and then the known identity stays. */
  async look(): Promise<void> {
    const found = await this.#identify();
    this.#knownAt = performance.now();
    // Its places are counted for the identity at the start, so another identity ends the stream.
    this.#identity = found !== null && this.#identity !== null && isSame(found, this.#identity) ? found : null;
  }

  /** The same for an open stream, which an outage ends only if it lasts. Rejects with Unavailable in that case. */
  async lookOn(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() - this.#knownAt > this.#doubt) throw error;
    }
  }
}

function isSame(one: Identity, other: Identity): boolean {
  return one.method === other.method && one.user === other.user && one.project === other.project;
}
