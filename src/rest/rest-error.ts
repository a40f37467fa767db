// The only exception of this API: a status, a message and upstream's code for it. Rendering is in error-bodies.ts, the mapping of refusals in
// errors.ts.

/** Upstream's codes; errors without a specific code have undefined_code. Responses include them since 1.23. */
export const errorCodes = {
  undefined: 'placement.undefined_code',
  concurrentUpdate: 'placement.concurrent_update',
  inventoryInUse: 'placement.inventory.inuse',
  duplicateName: 'placement.duplicate_name',
  providerInUse: 'placement.resource_provider.inuse',
  cannotDeleteParent: 'placement.resource_provider.cannot_delete_parent',
  providerNotFound: 'placement.resource_provider.not_found',
  duplicateKey: 'placement.query.duplicate_key',
  badValue: 'placement.query.bad_value',
  quotaExceeded: 'placement.quota_exceeded',
  missingValue: 'placement.query.missing_value',
} as const;

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 413 | 415 | 421 | 429 | 431 | 500 | 503;

export class RestError extends Error {
  readonly status: ErrorStatus;
  readonly code: string;
  /** The methods of the path, for the header `allow`. */
  readonly allow: string | undefined;
  /** Seconds after which the same request can be served, for the header `retry-after`. */
  readonly retryAfter: number | undefined;
  /** Whether the version was not acceptable; the response then includes the supported ones. */
  readonly isAboutVersion: boolean;
  /** Whether upstream reports this error in middleware, before its own format of errors applies. */
  readonly isBeforeService: boolean;

  constructor(
    status: ErrorStatus,
    message: string,
    {
      code = errorCodes.undefined,
      allow,
      retryAfter,
      isAboutVersion = false,
      isBeforeService = status === 401,
    }: {
      readonly code?: string;
      readonly allow?: string;
      readonly retryAfter?: number;
      readonly isAboutVersion?: boolean;
      readonly isBeforeService?: boolean;
    } = {},
  ) {
    super(message);
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.allow = allow;
    this.retryAfter = retryAfter;
    this.isAboutVersion = isAboutVersion;
    this.isBeforeService = isBeforeService;
  }
}
