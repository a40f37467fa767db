// What the audit log says about a request: who sent it, from where, what it asked for, and its outcome. The log never contains tokens.
import type { Identity } from './identity.ts';

/**
 * The outcome of a write, or of a request that was refused before it reached the database. `written`: with an event. `unchanged`: nothing had to be written,
 * or the call was a rehearsal or a repetition. `refused`: with a code. `failed`: the database did not answer, so the write may have happened.
 * `unauthenticated`, `forbidden`: access was refused. `limited`: the caller exceeded a limit. `invalid`: the request itself is at fault, for example too
 * large. `unavailable`: the gateway could not serve it.
 */
export type AuditOutcome =
  | 'written'
  | 'unchanged'
  | 'refused'
  | 'failed'
  | 'unauthenticated'
  | 'forbidden'
  | 'limited'
  | 'invalid'
  | 'unavailable';

/** What happened in a request. */
export interface AuditedAction {
  readonly outcome: AuditOutcome;
  /** The write, such as `replace_allocations`, or the rule that denied the request; null if neither applies. */
  readonly action: string | null;
  /** The code of a refusal. */
  readonly code?: string;
  /** The HTTP status, if a REST request was refused, or a GraphQL request before it was read. */
  readonly status?: number;
  /** Why the bytes received were not a request: the code of Node's error. */
  readonly reason?: string;
  /** The number of such actions that one line stands for; one if absent. */
  readonly times?: number;
  readonly eventId?: number;
  /** GraphQL only: the name of the operation, null if it has none; and its root fields, or the one that made the write. */
  readonly operation?: string | null;
  readonly fields?: readonly string[];
}

/** The outcome of a request that was refused with a status before it reached the database; null if it is not audited, such as an unknown path. */
export function outcomeOfStatus(status: number): AuditOutcome | null {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
    case 405:
      return null;
    case 429:
      return 'limited';
    default:
      return status < 500 ? 'invalid' : status === 503 ? 'unavailable' : null;
  }
}

/** Records an action of one request. Never throws, and never delays the request. */
export type RecordAction = (action: AuditedAction) => void;

/** The facts recorded about a request. */
export interface AuditedRequest {
  readonly method: string;
  /** The path without the query; null if the bytes received were not a request. */
  readonly target: { readonly path: string } | null;
  /** The address of the peer: the caller, or a proxy in front of this gateway; empty if a line stands for several. */
  readonly ip: string;
  readonly id: string;
}

/** The recorder for one request. */
export type Audit = (request: AuditedRequest, caller: Identity | null, globalRequestId: string | null) => RecordAction;
