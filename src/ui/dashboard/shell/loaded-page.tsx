// A page once its chunk is loaded. Not by Suspense: React would show the page 0.3 s late, to keep fallbacks from flickering.
import { type ComponentType, useEffect, useState } from 'react';
import { Loading } from '../parts/states.tsx';
import type { PageEntry } from './pages.ts';

const loaded = new Map<PageEntry, ComponentType>();

export async function loadPage(page: PageEntry): Promise<void> {
  loaded.set(page, (await page.load()).default);
}

export function LoadedPage({ page }: { readonly page: PageEntry }) {
  const [, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const Page = loaded.get(page);
  const isMissing = Page === undefined;
  useEffect(() => {
    if (isMissing) loadPage(page).then(() => setLoaded(true), setError);
  }, [page, isMissing]);
  // The boundary around the page catches it.
  if (error !== null) throw error;
  return Page ? <Page /> : <Loading height="page" />;
}
