// Whether a client may retry after an error, by code. One table for refusals of writes and queries, and for requests that fail as a whole.

/**
 * NEVER: the same call will be refused again; change it, or what it refers to. LATER: the same call may succeed later. AFTER_READ: read the
 * current state first, or whether an earlier attempt succeeded; the same call would fail again or be done twice.
 */
export type Retry = 'NEVER' | 'LATER' | 'AFTER_READ';

/** Every code other than NEVER. A conflict is never LATER: if a consumer claimed as new exists, an earlier attempt may have succeeded. */
const retries = {
  CONSUMER_CONFLICT: 'AFTER_READ',
  PROVIDER_CONFLICT: 'AFTER_READ',
  CAPACITY_EXCEEDED: 'LATER',
  AFFINITY_VIOLATION: 'LATER',
  NO_CANDIDATES: 'LATER',
  UNAVAILABLE: 'LATER',
  RATE_LIMITED: 'LATER',
  OUTCOME_UNKNOWN: 'AFTER_READ',
  CURSOR_EXPIRED: 'AFTER_READ',
} as const satisfies Readonly<Record<string, Retry>>;

const retryByCode: ReadonlyMap<string, Retry> = new Map(Object.entries(retries));

/** The advice for the code of a refusal or request error; NEVER for unknown codes. */
export function retryOf(code: string): Retry {
  return retryByCode.get(code) ?? 'NEVER';
}
