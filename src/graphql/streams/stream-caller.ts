// Who has a stream, and for how long that counts: rights end when a token, a role or a rule does, not when the connection does.
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';

type Identify = () => Promise<Identity | null>;

export class StreamCaller {
  readonly #identify: Identify;
  readonly #doubt: number;
  #identity: Identity | null;
  /** When it was last known for sure, as performance.now(). */
  #knownAt = performance.now();

  private constructor(identify: Identify, identity: Identity | null, doubt: number) {
    this.#identify = identify;
    this.#identity = identity;
    this.#doubt = doubt;
  }

  /** Asks who calls. Rejects with Unavailable. `doubt` is for how many milliseconds a caller counts of whom nobody can say whether its token is still good. */
  static async identify(identify: Identify, doubt: number): Promise<StreamCaller> {
    return new StreamCaller(identify, await identify(), doubt);
  }

  /** As it was when it was last looked at; null once its token has ended. */
  get identity(): Identity | null {
    const { expiresAt = Number.POSITIVE_INFINITY } = this.#identity ?? {};
    return Date.now() < expiresAt ? this.#identity : null;
  }

  /** Asks again. Rejects with Unavailable; what was known counts meanwhile. */
  async look(): Promise<void> {
    const found = await this.#identify();
    this.#knownAt = performance.now();
    // Its places are counted for who it was.
    this.#identity = found !== null && this.#identity !== null && isSame(found, this.#identity) ? found : null;
  }

  /** Asks again for a stream that goes on: nobody to ask is no reason to end it, unless that lasts. Rejects with Unavailable when it does. */
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
