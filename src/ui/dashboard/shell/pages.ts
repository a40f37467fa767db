// The pages: the address of each, and what leads to it. Each is a chunk of its own, loaded when it is first opened. Only the overview, where most visits begin,
// comes with the shell.
//
// To add a page:
//   1. A directory in src/ui/dashboard/pages: <name>.tsx with a default export, and <name>.graphql with its queries. `npm run generate` writes
//      <name>.generated.ts with a typed document for each operation. Fragments that several pages use are in data/fragments.graphql.
//   2. An entry below. With a `label` the page is in the navigation, and with a `key` it opens on `g <key>`. `npm run generate` gives its address to the server.
// A page asks with useAsk(Document, variables), renders through <Answered>, keeps its state in the address (wouter's useSearchParams, useParams), shows names from
// the ledger with <Name>, and begins with an <h1>. Its own styles are a CSS module beside it, with colours and sizes of theme/tokens.css only.
import type { ComponentType } from 'react';
import * as overview from '../pages/overview/overview.tsx';

export interface PageEntry {
  /** In the form of wouter: `/providers/:name`. Must be a literal: `npm run generate` reads it, so that the server serves the page. */
  readonly path: string;
  readonly title: string;
  /** In the navigation; omitted for pages that other pages link to. */
  readonly label?: string;
  /** Whether only callers who may read the whole cloud see it. */
  readonly isOfCloud?: boolean;
  /** The key that opens it, after `g`. */
  readonly key?: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Sends the first queries of the page before it is drawn. */
  readonly ahead?: () => void;
}

export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', label: 'Overview', key: 'o', isOfCloud: true, load: async () => overview, ahead: overview.ahead },
  { path: '/hosts', title: 'Hosts', label: 'Hosts', key: 'h', isOfCloud: true, load: () => import('../pages/hosts/hosts.tsx') },
  { path: '/trends', title: 'Trends', label: 'Trends', key: 't', isOfCloud: true, load: () => import('../pages/usage/trends.tsx') },
  { path: '/fit', title: 'What fits?', label: 'What fits?', key: 'f', load: () => import('../pages/fit/fit.tsx') },
  { path: '/consumers', title: 'Consumers', label: 'Consumers', key: 'c', load: () => import('../pages/consumers/consumers.tsx') },
  { path: '/projects', title: 'Projects', label: 'Projects', key: 'p', load: () => import('../pages/projects/projects.tsx') },
  { path: '/events', title: 'History', label: 'History', key: 'e', load: () => import('../pages/events/events.tsx') },
  { path: '/providers/:name', title: 'Provider', load: () => import('../pages/provider/provider.tsx') },
  { path: '/consumers/:uuid', title: 'Consumer', load: () => import('../pages/consumers/consumer.tsx') },
  { path: '/projects/:id', title: 'Project', load: () => import('../pages/projects/project.tsx') },
  { path: '/bridge', title: 'Bridge', load: () => import('../pages/bridge/bridge.tsx') },
  { path: '/search', title: 'Search', load: () => import('../pages/search/search.tsx') },
];

/** The page of an address. */
export function pageAt(location: string): PageEntry | undefined {
  const parts = location.split('/');
  return pages.find(({ path }) => {
    const own = path.split('/');
    return own.length === parts.length && own.every((part, place) => part.startsWith(':') || part === parts[place]);
  });
}

/** Whether an address belongs to a page, by its first part. */
export function isAt(location: string, path: string): boolean {
  return location.split('/')[1] === path.split('/')[1];
}

export function titleOf(location: string): string {
  return pages.find(({ path }) => isAt(location, path))?.title ?? 'Placement';
}
