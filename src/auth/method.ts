// What every method of authentication offers, and what it is given.
import type { Identity } from '../domain/identity.ts';
import type { RequestHeaders } from './headers.ts';

/** Null when the headers do not identify a caller; never throws. Methods that query another service are asynchronous, others synchronous. */
export type Authenticate = (headers: RequestHeaders) => Identity | null | Promise<Identity | null>;

/** A method at work. */
export interface Authentication {
  readonly authenticate: Authenticate;
  /** Ends what it does in the background. */
  close(): void;
}

/** Where a method tells what it does; it never tells a token. */
export interface AuthenticationLog {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}
