// Keystone's answers about tokens, kept for a bounded time and in a bounded number. Tokens themselves are not kept, only their SHA-256.
import { hash } from 'node:crypto';
import type { ValidatedToken } from './validated-token.ts';

export interface KnownTokensBounds {
  /** Milliseconds until a good token is validated again. */
  readonly goodFor: number;
  /** The same for a bad one, which may become good when its user gets a role. */
  readonly badFor: number;
  /** The most good tokens, and the most bad ones. */
  readonly count: number;
}

interface Entry {
  /** Null for a bad token. */
  readonly token: ValidatedToken | null;
  /** Milliseconds of performance.now(), which is immune to changes of the clock. */
  readonly until: number;
}

export class KnownTokens {
  readonly #bounds: KnownTokensBounds;
  /** Separate maps, so that bad tokens, which anyone can send, do not displace good ones. Both are in the order of insertion, which is also that of expiry. */
  readonly #good = new Map<string, Entry>();
  readonly #bad = new Map<string, Entry>();

  constructor(bounds: KnownTokensBounds) {
    this.#bounds = bounds;
  }

  /** The key under which a token is kept. */
  static keyOf(token: string): string {
    return hash('sha256', token, 'base64url');
  }

  /** Null for a bad token, undefined for one that must be validated. A bad token may be good where expired ones are accepted. */
  find(key: string, { allowExpired }: Leniency): ValidatedToken | null | undefined {
    const entry = this.#good.get(key) ?? this.#bad.get(badKey(key, allowExpired));
    return entry !== undefined && performance.now() < entry.until ? entry.token : undefined;
  }

  /** Whether a token was good when it was last validated, as long as that is remembered. */
  wasGood(key: string): boolean {
    return this.#good.has(key);
  }

  keep(key: string, { allowExpired }: Leniency, token: ValidatedToken | null): void {
    const { goodFor, badFor, count } = this.#bounds;
    this.#good.delete(key);
    if (token) put(this.#good, key, { token, until: performance.now() + goodFor }, count);
    else put(this.#bad, badKey(key, allowExpired), { token, until: performance.now() + badFor }, count);
  }
}

export interface Leniency {
  /** Whether a token that has expired is still good, as Keystone permits for some time. */
  readonly allowExpired: boolean;
}

function badKey(key: string, allowExpired: boolean): string {
  return allowExpired ? `${key} expired` : key;
}

/** Adds at the end of the map, which loses its oldest entry if it is full. */
function put(kept: Map<string, Entry>, key: string, entry: Entry, most: number): void {
  kept.delete(key);
  kept.set(key, entry);
  if (kept.size <= most) return;
  const [oldest = ''] = kept.keys();
  kept.delete(oldest);
}
