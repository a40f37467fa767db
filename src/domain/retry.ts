// What a client may do after a refusal, by its code. One table for refusals of writes and queries, and for requests that fail as a whole.

/**
 * NEVER: the call as it is stays refused; change it, or what it is about. LATER: the same call may succeed later. AFTER_READ: what the call
 * expected, or whether an earlier one was done, must be read first; sent again as it is, it fails again or does a thing twice.
 */
export type Retry = 'NEVER' | 'LATER' | 'AFTER_READ';

/** Every code that does not say NEVER. A conflict is never LATER: when a consumer claimed as new exists, perhaps an earlier attempt of the same claim succeeded. */
const retries = {
  CONSUMER_CONFLICT: 'AFTER_READ',
  PROVIDER_CONFLICT: 'AFTER_READ',
  CAPACITY_EXCEEDED: 'LATER',
  NO_CANDIDATES: 'LATER',
  UNAVAILABLE: 'LATER',
  OUTCOME_UNKNOWN: 'AFTER_READ',
  CURSOR_EXPIRED: 'AFTER_READ',
} as const satisfies Readonly<Record<string, Retry>>;

const retryByCode: ReadonlyMap<string, Retry> = new Map(Object.entries(retries));

/** What the code of a refusal or of a request error says; NEVER for codes that it does not know. */
export function retryOf(code: string): Retry {
  return retryByCode.get(code) ?? 'NEVER';
}
