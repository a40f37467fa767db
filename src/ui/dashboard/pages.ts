// The pages: where each of them is, and what leads to it. Each is a chunk of its own, loaded when it is first looked at.
import type { ComponentType } from 'react';

export interface PageEntry {
  /** In the form of wouter: `/providers/:name`. The first part must be among `dashboardPages` of src/web/pages.ts, which serves it. */
  readonly path: string;
  readonly title: string;
  /** In the navigation; left out for pages that others lead to. */
  readonly label?: string;
  /** After `g`. */
  readonly key?: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Overview', label: 'Overview', key: 'o', load: () => import('./pages/overview.tsx') },
];
