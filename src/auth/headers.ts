// The headers of a request that say who calls and for what.

/** Headers of a request by lower-case name, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The header in which services of OpenStack pass on the id of the original request. */
export const requestIdHeader = 'x-openstack-request-id';
const requestIdForm = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The request id that a caller brings; null when there is none, or one that is not `req-<uuid>`. */
export function globalRequestIdOf(headers: RequestHeaders): string | null {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && requestIdForm.test(given) ? given : null;
}
