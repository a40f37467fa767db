// What every method of authentication offers, and what it is given.
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import type { RequestHeaders } from './headers.ts';

/** What of a request says who calls, and what a restricted token is checked against. */
export interface CallersRequest {
  readonly headers: RequestHeaders;
  readonly method: string;
  /** The path with its mount, as it is routed. */
  readonly target: { readonly path: string };
  /** The address of the client. */
  readonly ip: string;
}

/**
 * Null when the request does not identify a caller. Rejects with IdentityUnavailable. Methods that query another service are asynchronous when they
 * do, others always synchronous.
 */
export type Authenticate = (request: CallersRequest) => Identity | null | Promise<Identity | null>;

/** The configured methods at work. */
export interface Authentication {
  readonly authenticate: Authenticate;
  /** The WWW-Authenticate of a 401. */
  readonly challengesTo: (headers: RequestHeaders) => string[];
  /** The body of a 401 of REST, in JSON, whatever the caller accepts; null for the usual one. */
  readonly unauthorizedBody: string | null;
  /** Why callers may not be identified at the moment, without details that only operators should see; null when nothing is known. */
  readonly trouble: () => string | null;
  /** Ends what it does in the background. */
  close(): void;
}

/** Where a method tells what it does; it never tells a token. */
export interface AuthenticationLog {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Whether the caller's token is good cannot be found out at the moment; nothing was done. */
export class IdentityUnavailable extends Unavailable {
  constructor(cause: unknown) {
    super(cause, 'The Keystone service is temporarily unavailable.');
    this.name = 'IdentityUnavailable';
  }
}
