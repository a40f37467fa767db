// What every method of authentication gets and offers.
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import type { RequestHeaders } from './headers.ts';

/** The parts of a request that identify its caller, and those that a restricted token is checked against. */
export interface CallersRequest {
  readonly headers: RequestHeaders;
  readonly method: string;
  /** The path as routed, including the mount. */
  readonly target: { readonly path: string };
  /** The address of the client. */
  readonly ip: string;
}

/**
 * Null if the request does not identify a caller. Rejects with IdentityUnavailable. Methods that query another service are asynchronous when they
 * do; others are always synchronous.
 */
export type Authenticate = (request: CallersRequest) => Identity | null | Promise<Identity | null>;

/** The configured methods at work. */
export interface Authentication {
  readonly authenticate: Authenticate;
  /** The WWW-Authenticate header of a 401. */
  readonly challengesTo: (headers: RequestHeaders) => string[];
  /** The body of a 401 of REST, in JSON, whatever the caller accepts; null for the usual one. */
  readonly unauthorizedBody: string | null;
  /** Why callers cannot be identified at the moment, without details that only operators should see; null if no trouble is known. */
  readonly trouble: () => string | null;
  /** Ends background work. */
  close(): void;
}

/** The log of a method; it never contains a token. */
export interface AuthenticationLog {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** The caller's token cannot be checked at the moment; nothing was done. */
export class IdentityUnavailable extends Unavailable {
  constructor(cause: unknown) {
    super(cause, 'The Keystone service is temporarily unavailable.');
    this.name = 'IdentityUnavailable';
  }
}
