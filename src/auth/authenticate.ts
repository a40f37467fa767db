// The configured method of authentication, one for all APIs. Knows the methods, not what a caller may do.
import type { AuthenticationMethod } from '../domain/identity.ts';
import { hasToken, type RequestHeaders } from './headers.ts';
import type { Authentication, AuthenticationLog } from './method.ts';
import { authenticateByClaim } from './noauth.ts';
import { authenticateByFile } from './static.ts';

interface AuthenticationSettings {
  readonly auth: Exclude<AuthenticationMethod, 'keystone'>;
  /** Needed by the method `static`. */
  readonly tokensFile: string | null;
}

/** Prepares the configured method; rejects when it cannot work, saying what to do. */
export async function openAuthentication({ auth, tokensFile }: AuthenticationSettings, log: AuthenticationLog): Promise<Authentication> {
  if (auth === 'noauth') return { authenticate: authenticateByClaim, close() {} };
  if (tokensFile === null) throw new Error('static tokens need a file');
  return authenticateByFile(tokensFile, log);
}

/** WWW-Authenticate of a 401: what to send, and, as RFC 6750 has it, whether what was sent is no valid token. */
export function challengeTo(headers: RequestHeaders): string {
  return hasToken(headers) ? 'Bearer realm="placement", error="invalid_token"' : 'Bearer realm="placement"';
}
