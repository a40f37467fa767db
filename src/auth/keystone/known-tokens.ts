// What Keystone has said of tokens, for a bounded time and a bounded number. Tokens themselves are not kept, only their SHA-256.
import { hash } from 'node:crypto';
import type { ValidatedToken } from './validated-token.ts';

export interface KnownTokensBounds {
  /** Milliseconds for which a good token is not asked about again. */
  readonly goodFor: number;
  /** The same for a bad one, which may become good when somebody gets a role. */
  readonly badFor: number;
  /** The most good ones, and the most bad ones. */
  readonly count: number;
}

interface Entry {
  /** Null for a bad token. */
  readonly token: ValidatedToken | null;
  /** Milliseconds of performance.now(), which no change of the clock moves. */
  readonly until: number;
}

export class KnownTokens {
  readonly #bounds: KnownTokensBounds;
  /** Apart, so that bad tokens, of which anyone can send many, do not displace good ones. Both in order of time, which is that of their ends. */
  readonly #good = new Map<string, Entry>();
  readonly #bad = new Map<string, Entry>();

  constructor(bounds: KnownTokensBounds) {
    this.#bounds = bounds;
  }

  /** Under which a token is kept. */
  static keyOf(token: string): string {
    return hash('sha256', token, 'base64url');
  }

  /** Null for a bad token, undefined for one that must be asked about. A token that is bad may be good where expired ones are accepted. */
  find(key: string, { allowExpired }: Leniency): ValidatedToken | null | undefined {
    const entry = this.#good.get(key) ?? this.#bad.get(badKey(key, allowExpired));
    return entry !== undefined && performance.now() < entry.until ? entry.token : undefined;
  }

  /** Whether a token was good when it was last asked about, as long as that is remembered. */
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

/** At the end of the map, which loses its oldest entry when it is full. */
function put(kept: Map<string, Entry>, key: string, entry: Entry, most: number): void {
  kept.delete(key);
  kept.set(key, entry);
  if (kept.size <= most) return;
  const [oldest = ''] = kept.keys();
  kept.delete(oldest);
}
