// What the audit log says of a request: who asked what, from where, and what came of it. It never has a token.
import type { Identity } from './identity.ts';

/**
 * What came of a write, or of a request that was refused before it came to the database. `written`: with an event. `unchanged`: there was nothing to write, it
 * was a rehearsal, or the repetition of a call. `refused`: with a code. `failed`: the database gave no answer, so that it may have been written.
 * `unauthenticated` and `forbidden`: refusals of access. `limited`: the caller has asked for too much. `invalid`: of the request itself, such as its size.
 * `unavailable`: the gateway could not serve it.
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
  /** The write, such as `replace_allocations`, or the rule that denied the request; null when none was asked. */
  readonly action: string | null;
  /** The code of a refusal. */
  readonly code?: string;
  /** The status of a refusal in REST, or of a request to GraphQL that was not read. */
  readonly status?: number;
  /** Why it was no request: the code of Node's error. */
  readonly reason?: string;
  /** How many of these a line stands for; one if absent. */
  readonly times?: number;
  readonly eventId?: number;
  /** Of GraphQL: the name of the operation, null without one; and the fields that it asks for, or the one that made the write. */
  readonly operation?: string | null;
  readonly fields?: readonly string[];
}

/** The outcome of a request that was refused with a status before it came to the database; null for what is no matter of audits, such as a wrong address. */
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

/** Records what happens in one request. Never throws, and never keeps it waiting. */
export type RecordAction = (action: AuditedAction) => void;

/** What is recorded of a request. */
export interface AuditedRequest {
  readonly method: string;
  /** The path without the query; null for what was no request. */
  readonly target: { readonly path: string } | null;
  /** The address of the peer: of the caller, or of a proxy before this gateway; empty for several. */
  readonly ip: string;
  readonly id: string;
}

/** The recorder for one request. */
export type Audit = (request: AuditedRequest, caller: Identity | null, globalRequestId: string | null) => RecordAction;
