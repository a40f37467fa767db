// One way in for every surface: headers in, identity out. Knows which method is configured, not what a caller may do.
import type { Identity } from '../domain/identity.ts';
import type { RequestHeaders } from './headers.ts';
import { authenticateByClaim } from './noauth.ts';

/** Null when the headers name no caller; never throws. Methods that ask another service answer later, others at once. */
export type Authenticate = (headers: RequestHeaders) => Identity | null | Promise<Identity | null>;

/** The methods of authentication that this version supports. */
export type AuthenticationMethod = 'noauth';

/** What a 401 says in WWW-Authenticate: where a token is to be sent. */
export const challenge = 'X-Auth-Token realm="placement"';

const methods: Readonly<Record<AuthenticationMethod, Authenticate>> = { noauth: authenticateByClaim };

/** The function that identifies callers by the configured method. */
export function authenticatorOf(method: AuthenticationMethod): Authenticate {
  return methods[method];
}
