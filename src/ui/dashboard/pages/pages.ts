// The pages: where each of them is, and what leads to it. Each is a chunk of its own, loaded when it is first looked at; but the overview, where most visits
// begin, comes with the shell.
import type { ComponentType } from 'react';
import * as overview from './overview/overview.tsx';

export interface PageEntry {
  /** In the form of wouter: `/providers/:name`. The first part must be among `dashboardPages` of src/web/pages.ts, which serves it. */
  readonly path: string;
  readonly title: string;
  /** In the navigation; left out for pages that others lead to. */
  readonly label?: string;
  /** Whether it is only for those who may read the whole cloud. */
  readonly isOfCloud?: boolean;
  /** After `g`. */
  readonly key?: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Asks what the page asks first, before it is drawn. */
  readonly ahead?: () => void;
}

export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', label: 'Overview', key: 'o', isOfCloud: true, load: async () => overview, ahead: overview.ahead },
  { path: '/hosts', title: 'Hosts', label: 'Hosts', key: 'h', isOfCloud: true, load: () => import('./hosts/hosts.tsx') },
  { path: '/fit', title: 'What fits?', label: 'What fits?', key: 'f', isOfCloud: true, load: () => import('./fit/fit.tsx') },
  { path: '/consumers', title: 'Consumers', label: 'Consumers', key: 'c', load: () => import('./consumers/consumers.tsx') },
  { path: '/projects', title: 'Projects', label: 'Projects', key: 'p', load: () => import('./projects/projects.tsx') },
  { path: '/events', title: 'History', label: 'History', key: 'e', load: () => import('./events/events.tsx') },
  { path: '/providers/:name', title: 'Provider', load: () => import('./provider/provider.tsx') },
  { path: '/consumers/:uuid', title: 'Consumer', load: () => import('./consumers/consumer.tsx') },
  { path: '/projects/:id', title: 'Project', load: () => import('./projects/project.tsx') },
  { path: '/search', title: 'Search', load: () => import('./search/search.tsx') },
];

/** The page of an address. */
export function pageAt(location: string): PageEntry | undefined {
  const parts = location.split('/');
  return pages.find(({ path }) => {
    const own = path.split('/');
    return own.length === parts.length && own.every((part, place) => part.startsWith(':') || part === parts[place]);
  });
}
