// Authentication for all APIs: headers in, identity out. Knows the configured method, not what a caller may do.
import type { Identity } from '../domain/identity.ts';
import type { RequestHeaders } from './headers.ts';
import { authenticateByClaim } from './noauth.ts';

/** Null when the headers do not identify a caller; never throws. Methods that query another service are asynchronous, others synchronous. */
export type Authenticate = (headers: RequestHeaders) => Identity | null | Promise<Identity | null>;

/** The supported methods of authentication. */
export type AuthenticationMethod = 'noauth';

/** WWW-Authenticate of a 401: where to send a token. */
export const challenge = 'X-Auth-Token realm="placement"';

const methods: Readonly<Record<AuthenticationMethod, Authenticate>> = { noauth: authenticateByClaim };

/** The function that identifies callers with the configured method. */
export function authenticatorOf(method: AuthenticationMethod): Authenticate {
  return methods[method];
}
