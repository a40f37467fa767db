// The request headers that identify the caller and the request. No other header identifies a caller: X-Roles, X-User-Id and other claims of a client are
// never read.

/** Request headers by lowercase name, as in Node. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The header in which OpenStack services pass on the id of the original request. */
export const requestIdHeader = 'x-openstack-request-id';
const requestIdForm = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The request id sent by a caller; null without one, or if it is not `req-<uuid>`. */
export function globalRequestIdOf(headers: RequestHeaders): string | null {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && requestIdForm.test(given) ? given : null;
}

const bearerScheme = /^Bearer(?: +(.*))?$/i;

/**
 * The caller's token, from X-Auth-Token or `Authorization: Bearer`; null without one, if both are given and differ, or if X-Auth-Token is repeated.
 * Other schemes of Authorization are ignored: a proxy may use its own.
 */
export function tokenOf(headers: RequestHeaders): string | null {
  const tokens = tokensIn(headers);
  const [token] = tokens;
  return typeof token === 'string' && token !== '' && tokens.every((other) => other === token) ? token : null;
}

/** The challenge for a bearer token. By RFC 6750 it also says if the token that was sent is invalid. */
export function bearerTo(headers: RequestHeaders): string[] {
  return [hasToken(headers) ? 'Bearer realm="placement", error="invalid_token"' : 'Bearer realm="placement"'];
}

/** Whether the caller sent a token, even an empty one. */
function hasToken(headers: RequestHeaders): boolean {
  return tokensIn(headers).length > 0;
}

function tokensIn({ 'x-auth-token': token, authorization }: RequestHeaders): (string | string[])[] {
  const bearer = typeof authorization === 'string' ? bearerScheme.exec(authorization) : null;
  return [...(token === undefined ? [] : [token]), ...(bearer ? [bearer[1] ?? ''] : [])];
}
