// Whether a client may retry after an error, by code. One closed table for refusals of writes and queries, and for requests that fail as a whole.

/**
 * NEVER: the same call will be refused again; change it, or what it refers to. LATER: the same call may succeed later. AFTER_READ: read the
 * current state first, or whether an earlier attempt succeeded; the same call would fail again or be done twice.
 */
export type Retry = 'NEVER' | 'LATER' | 'AFTER_READ';

/** By code. */
export const retries = {
  // Refusals. A conflict is never LATER: if a consumer claimed as new exists, an earlier attempt may have succeeded.
  INVALID_INPUT: 'NEVER',
  IDEMPOTENCY_KEY_REUSED: 'NEVER',
  NOT_FOUND: 'NEVER',
  DUPLICATE: 'NEVER',
  STANDARD_NAME: 'NEVER',
  CONSUMER_CONFLICT: 'AFTER_READ',
  PROVIDER_CONFLICT: 'AFTER_READ',
  SELECTION_CONFLICT: 'AFTER_READ',
  SETTINGS_CONFLICT: 'AFTER_READ',
  RESERVATION_CONFLICT: 'AFTER_READ',
  PARENT_LOOP: 'NEVER',
  HAS_CHILDREN: 'NEVER',
  IN_USE: 'NEVER',
  NO_INVENTORY: 'NEVER',
  UNIT_VIOLATION: 'NEVER',
  CAPACITY_EXCEEDED: 'LATER',
  AFFINITY_VIOLATION: 'LATER',
  QUOTA_EXCEEDED: 'LATER',
  // NEVER if no release of resources can help: see `retryAfter` in errors.ts.
  NO_CANDIDATES: 'LATER',
  // Requests that fail as a whole.
  GRAPHQL_PARSE_FAILED: 'NEVER',
  GRAPHQL_VALIDATION_FAILED: 'NEVER',
  OPERATION_RESOLUTION_FAILURE: 'NEVER',
  BAD_USER_INPUT: 'NEVER',
  TOO_COMPLEX: 'NEVER',
  COST_LIMIT_EXCEEDED: 'NEVER',
  CURSOR_EXPIRED: 'AFTER_READ',
  HISTORY_GONE: 'NEVER',
  HISTORY_TOO_LONG: 'NEVER',
  BAD_REQUEST: 'NEVER',
  BATCH_DISABLED: 'NEVER',
  UNAUTHENTICATED: 'NEVER',
  FORBIDDEN: 'NEVER',
  METHOD_NOT_ALLOWED: 'NEVER',
  NOT_ACCEPTABLE: 'NEVER',
  PAYLOAD_TOO_LARGE: 'NEVER',
  UNSUPPORTED_MEDIA_TYPE: 'NEVER',
  MISDIRECTED_REQUEST: 'NEVER',
  PERSISTED_QUERY_NOT_FOUND: 'NEVER',
  RATE_LIMITED: 'LATER',
  TOO_MANY_REQUESTS: 'LATER',
  UNAVAILABLE: 'LATER',
  FOLLOWING: 'NEVER',
  OUTCOME_UNKNOWN: 'AFTER_READ',
  ANSWER_INCOMPLETE: 'AFTER_READ',
  INTERNAL_SERVER_ERROR: 'AFTER_READ',
} as const satisfies Readonly<Record<string, Retry>>;

export type ErrorCode = keyof typeof retries;

const retryByCode: ReadonlyMap<string, Retry> = new Map(Object.entries(retries));

/** The advice for the code of a refusal or request error; NEVER for unknown codes. */
export function retryOf(code: string): Retry {
  return retryByCode.get(code) ?? 'NEVER';
}
