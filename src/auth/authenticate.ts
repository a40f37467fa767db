// The configured methods of authentication, for all APIs. Knows the methods, not what a caller may do.

import type { KeystoneSettings } from '../settings/keystone.ts';
import type { Settings } from '../settings/settings.ts';
import { bearerTo, tokenOf } from './callers/headers.ts';
import type { Authentication, AuthenticationLog } from './callers/method.ts';
import { isStaticToken } from './callers/token.ts';
import { authenticateByKeystone } from './keystone/authenticate.ts';
import { authenticateByClaim } from './noauth.ts';
import { authenticateByFile } from './static.ts';

/** What upstream's Keystone middleware answers to callers without a valid token. */
const unauthorizedBody = JSON.stringify({
  error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
});

/** Prepares the configured methods. Rejects if one cannot work, with what to do. */
export async function openAuthentication(settings: Settings, log: AuthenticationLog): Promise<Authentication> {
  const { auth, tokensFile } = settings;
  if (auth.includes('noauth')) {
    return { authenticate: authenticateByClaim, challengesTo: bearerTo, unauthorizedBody: null, trouble: () => null, close() {} };
  }
  const byFile = auth.includes('static') ? await authenticateByFile(tokensFile ?? '', log) : null;
  const byKeystone = auth.includes('keystone') ? await authenticateByKeystone(settings, log) : null;
  return {
    authenticate(request) {
      const token = byFile && tokenOf(request.headers);
      if (byFile && (byKeystone === null || (token !== null && isStaticToken(token)))) return byFile.authenticate(request);
      return byKeystone?.authenticate(request) ?? null;
    },
    challengesTo: (headers) => [...(byKeystone ? [challengeOfKeystone(settings)] : []), ...(byFile ? bearerTo(headers) : [])],
    unauthorizedBody,
    trouble: () => byKeystone?.trouble() ?? null,
    close() {
      byFile?.close();
      byKeystone?.close();
    },
  };
}

function challengeOfKeystone({ keystoneWwwAuthenticateUri, keystoneAuthUrl }: KeystoneSettings): string {
  return `Keystone uri="${keystoneWwwAuthenticateUri ?? keystoneAuthUrl}"`;
}
