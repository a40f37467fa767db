// Where the API is served: below `/placement`, as by most installations of Placement, and without anything before its paths, as by the others. What clients
// were given as their endpoint therefore stays. The root of the listener is a page for browsers, and the versions of this API for everybody else.
import type { IncomingMessage } from 'node:http';
import { routes } from './routes.ts';

const mount = '/placement';

/** The first parts of its paths, such as `/resource_providers`. */
const nouns: ReadonlySet<string> = new Set(routes.flatMap(({ path }) => (path === '' ? [] : [firstPart(path)])));

/** Each prefix below which everything is this API's, and what of it is the mount. */
export const prefixes: readonly { readonly prefix: string; readonly mount: string }[] = [
  { prefix: mount, mount },
  ...[...nouns].map((prefix) => ({ prefix, mount: '' })),
];

/** What comes before the API's own part of a path; null for a path that is not this API's. */
export function mountOf(path: string): string | null {
  const first = firstPart(path);
  if (first === mount) return mount;
  return nouns.has(first) ? '' : null;
}

/** The URL to route by: clients discover versions at the root, where browsers find the dashboard. */
export function routedUrl({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const isOfBrowser = headers.accept?.includes('text/html') && headers['openstack-api-version'] === undefined;
  if (isOfBrowser || !/^\/(?:\?|$)/.test(url)) return url;
  return `${mount}${url}`;
}

function firstPart(path: string): string {
  return /^\/[^/?]*/.exec(path)?.[0] ?? '';
}
