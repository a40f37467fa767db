// The request headers that identify the caller and the request.

/** Request headers by lowercase name, as in Node. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The header in which OpenStack services pass on the id of the original request. */
export const requestIdHeader = 'x-openstack-request-id';
const requestIdForm = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The request id sent by a caller; null without one, or when it is not `req-<uuid>`. */
export function globalRequestIdOf(headers: RequestHeaders): string | null {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && requestIdForm.test(given) ? given : null;
}
