// What the audit log says of a request: who asked what, from where, and what came of it. It never has a token.
import type { Identity } from './identity.ts';

/**
 * What came of a write, or of a request that was refused for lack of rights. `written`: with an event. `unchanged`: there was nothing to write, it was a
 * rehearsal, or the repetition of a call. `refused`: with a code. `failed`: the database gave no answer, so that it may have been written.
 * `unauthenticated` and `forbidden`: refusals of access.
 */
export type AuditOutcome = 'written' | 'unchanged' | 'refused' | 'failed' | 'unauthenticated' | 'forbidden';

/** What happened in a request. */
export interface AuditedAction {
  readonly outcome: AuditOutcome;
  /** The write, such as `replace_allocations`, or the rule that denied the request; null when none was asked. */
  readonly action: string | null;
  /** The code of a refusal. */
  readonly code?: string;
  readonly eventId?: number;
}

/** Records what happens in one request. Never throws, and never keeps it waiting. */
export type RecordAction = (action: AuditedAction) => void;

/** What is recorded of a request. */
export interface AuditedRequest {
  readonly method: string;
  readonly originalUrl: string;
  /** The address of the peer: of the caller, or of a proxy before this gateway. */
  readonly ip: string;
  readonly id: string;
}

/** The recorder for one request. */
export type Audit = (request: AuditedRequest, caller: Identity | null, globalRequestId: string | null) => RecordAction;
