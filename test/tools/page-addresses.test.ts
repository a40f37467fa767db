// The server serves the pages that the dashboard has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardPages } from '../../src/web/dashboard-pages.generated.ts';
import { firstPartsOf } from '../../tools/page-addresses.ts';

test('the addresses are the first parts of the paths, each once', () => {
  const table = `interface PageEntry { readonly path: string; readonly load: () => Promise<unknown> }
  [
    { path: '/', title: 'Overview', load: async () => overview },
    { path: '/hosts', title: 'Hosts', load: () => import('./hosts/hosts.tsx') },
    {
      path: '/hosts/:name',
      load: () => import('./hosts/host.tsx'),
    },
  ]`;
  expect(firstPartsOf(table)).toEqual(['hosts']);
});

test('a path that is not a literal is refused', () => {
  expect(() => firstPartsOf(`[{ path: hosts, load: () => import('./hosts/hosts.tsx') }]`)).toThrow('literal path');
});

test('the server has the addresses of all pages', () => {
  const table = readFileSync(new URL('../../src/ui/dashboard/shell/pages.ts', import.meta.url), 'utf8');
  expect(dashboardPages).toEqual(firstPartsOf(table));
});
