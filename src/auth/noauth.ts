// Identifies callers without proof: the token is `user:project`, as in upstream's noauth2. For trials and tests on one machine; settings/settings.ts refuses
// it on any other address. Grants no rights itself: by the rules (policy.ts), the roles of the administrator may do everything.
import { type Identity, plainIdentity } from '../domain/identity.ts';
import { tokenOf } from './callers/headers.ts';
import type { CallersRequest } from './callers/method.ts';

const administrator = 'admin';
const maxNameLength = 255;
// Node joins repeated headers with a comma: such a token would name two callers.
const forbidden = /[,\p{Cc}]/u;

/** The identity claimed by a request; null without a valid token. Without a colon the project is the user. */
export function authenticateByClaim({ headers }: Pick<CallersRequest, 'headers'>): Identity | null {
  const token = tokenOf(headers);
  if (token === null || forbidden.test(token)) return null;
  const colon = token.indexOf(':');
  const user = colon === -1 ? token : token.slice(0, colon);
  const project = (colon === -1 ? '' : token.slice(colon + 1)) || user;
  if (user === '' || user.length > maxNameLength || project.length > maxNameLength) return null;
  return plainIdentity('noauth', user, project, user === administrator ? administratorRoles : noRoles);
}

const administratorRoles: readonly string[] = ['admin', 'service'];
const noRoles: readonly string[] = [];
