// Where the API is served: below `/placement`, as in most installations of Placement, and without a prefix, as in the others, so that clients can keep their
// endpoint. The root of the listener is a page for browsers, and the versions of this API for all other clients.
import type { IncomingMessage } from 'node:http';
import { routes } from './routes.ts';

const mount = '/placement';

/** The first parts of its paths, such as `/resource_providers`. */
const nouns: ReadonlySet<string> = new Set(routes.flatMap(({ path }) => (path === '' ? [] : [firstPart(path)])));

/** Each prefix below which all paths belong to this API, and the mount in it. */
export const prefixes: readonly { readonly prefix: string; readonly mount: string }[] = [
  { prefix: mount, mount },
  ...[...nouns].map((prefix) => ({ prefix, mount: '' })),
];

/** The part of a path before the API's own; null if the path does not belong to this API. */
export function mountOf(path: string): string | null {
  const first = firstPart(path);
  if (first === mount) return mount;
  return nouns.has(first) ? '' : null;
}

/** The URL for routing. At the root, clients discover versions, while browsers get the dashboard. */
export function routedUrl({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const isOfBrowser = headers.accept?.includes('text/html') && headers['openstack-api-version'] === undefined;
  if (isOfBrowser || !/^\/(?:\?|$)/.test(url)) return url;
  return `${mount}${url}`;
}

function firstPart(path: string): string {
  return /^\/[^/?]*/.exec(path)?.[0] ?? '';
}
