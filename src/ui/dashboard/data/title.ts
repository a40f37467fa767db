// What a page calls itself in the title of its tab, if that is more than the kind of the page: the name of a host, say.
import { useEffect } from 'react';
import { Store } from './store.ts';

export const titleStore = new Store<string | null>(null);

/** Titles the tab while the page is in view; null for the kind of the page. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    titleStore.set(title);
    return () => titleStore.set(null);
  }, [title]);
}
