// How often a password may be wrong: by user, so that one account is not guessed at from many addresses, and by address, so that one address does not try
// many accounts. Knows no clock but the one it is given.

const window = 60_000;
const failuresPerWindow = 5;
/** Users and addresses that are remembered. Beyond, the one whose first failure is oldest is forgotten. */
const mostRemembered = 10_000;

export class SignInThrottle {
  readonly #now: () => number;
  /** Moments of failures, oldest first. */
  readonly #failures = new Map<string, number[]>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Begins an attempt, which counts as failed until it is known to be none: many at once are no way around. Returns the seconds until the next one is
   * allowed, or what takes the count back.
   */
  attempt(user: string, address: string): { readonly waitSeconds: number } | { readonly withdraw: () => void } {
    const keys = [`user ${user}`, `address ${address}`];
    const now = this.#now();
    const blocked = keys.map((key) => this.#recent(key, now)).filter((moments) => moments.length >= failuresPerWindow);
    if (blocked.length > 0) {
      const until = Math.max(...blocked.map((moments) => (moments[moments.length - failuresPerWindow] ?? now) + window));
      return { waitSeconds: Math.max(1, Math.ceil((until - now) / 1000)) };
    }
    for (const key of keys) this.#note(key, now);
    return {
      withdraw: () => {
        for (const key of keys) this.#takeBack(key, now);
      },
    };
  }

  #recent(key: string, now: number): readonly number[] {
    return (this.#failures.get(key) ?? []).filter((moment) => moment > now - window);
  }

  #note(key: string, now: number): void {
    const moments = [...this.#recent(key, now), now];
    this.#failures.delete(key);
    this.#failures.set(key, moments);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= mostRemembered) break;
      this.#failures.delete(oldest);
    }
  }

  #takeBack(key: string, moment: number): void {
    const moments = this.#failures.get(key);
    const index = moments?.indexOf(moment) ?? -1;
    if (index >= 0) moments?.splice(index, 1);
    if (moments?.length === 0) this.#failures.delete(key);
  }
}
