// Limits wrong passwords: by user, so that many addresses cannot guess at one account, and by address, so that one address cannot try many accounts.

const window = 60_000;
const failuresPerWindow = 5;
/** The most users and addresses that are remembered. Beyond that, the one whose last failure is oldest is forgotten. */
const mostRemembered = 10_000;

export class SignInThrottle {
  readonly #now: () => number;
  /** Moments of failures, oldest first. */
  readonly #failures = new Map<string, number[]>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Begins an attempt, which counts as failed until it is withdrawn, so that many attempts at once do not evade the limit. Returns the seconds until the next
   * one is allowed, or a function that withdraws this one.
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
