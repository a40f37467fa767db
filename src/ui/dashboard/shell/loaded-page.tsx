// A page once its chunk is loaded. Not by Suspense: React would show the page 0.3 s late, to keep fallbacks from flickering.
import { type ComponentType, useEffect, useState } from 'react';
import { forgetLoss, noteLoss } from '../data/ask.ts';
import { queryClient, retryPause } from '../data/queries.ts';
import { Loading, Placeholder } from '../parts/states.tsx';
import { unloadedAddress } from './chunk-failure.ts';
import { type PageEntry, pages } from './pages.ts';

const loaded = new Map<PageEntry, ComponentType>();

/** Why a file could not be loaded. Browsers keep failed modules, and Vite failed styles, which pages share: from then on only a new document loads pages. */
let missing: unknown = null;

export async function loadPage(page: PageEntry): Promise<void> {
  if (missing !== null) throw missing;
  try {
    loaded.set(page, (await page.load()).default);
  } catch (error) {
    if (unloadedAddress(error, import.meta.url) !== null) missing = error;
    throw error;
  }
}

/** Milliseconds between two looks whether the page still asks something. */
const look = 500;

/** Loads the other pages while this one asks nothing, so that they open even if the gateway is away by then. */
export async function loadPagesWhenIdle(): Promise<void> {
  for (const page of pages) {
    do {
      await new Promise((resolve) => setTimeout(resolve, look));
    } while (queryClient.isFetching() > 0);
    // A page that cannot be loaded now is loaded with a new document when it is opened.
    if (!loaded.has(page)) await loadPage(page).catch(() => {});
  }
}

export function LoadedPage({ page }: { readonly page: PageEntry }) {
  const [, setLoaded] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const Page = loaded.get(page);
  const isMissing = Page === undefined;
  useEffect(() => {
    if (!isMissing) {
      sessionStorage.removeItem(reloadedKey);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = async () => {
      try {
        await loadPage(page);
        if (!isOver) setLoaded(true);
      } catch (error) {
        const found = await failureOf(error);
        if (isOver) return;
        if (found === 'back') return loadAnew();
        setFailure(found);
        if (found === 'lost') timer = setTimeout(() => setAttempt(attempt + 1), retryPause(attempt));
      }
    };
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [page, isMissing, attempt]);
  if (Page) return <Page />;
  if (failure === null) return <Loading height="page" />;
  if (failure === 'gone') return <OtherVersion />;
  // The boundary around the page catches it.
  if (failure !== 'lost') throw failure;
  return (
    <Placeholder title="The gateway cannot be reached">
      <p>This page is not loaded yet. It appears as soon as the gateway answers again.</p>
      <button type="button" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </button>
    </Placeholder>
  );
}

/** Which address was loaded anew because a file of its page was missing. */
const reloadedKey = 'placement.reloaded';

/** The address keeps the state of the page. */
function loadAnew(): void {
  sessionStorage.setItem(reloadedKey, window.location.href);
  window.location.reload();
}

/** Lost if the gateway cannot be reached, gone if it has another version, back if it has the file; else the error itself, also if a new document did not help. */
async function failureOf(error: unknown): Promise<unknown> {
  const address = unloadedAddress(error, import.meta.url);
  if (address === null) return error;
  const status = await statusOf(address);
  if (status !== 200 && status !== 404) {
    noteLoss();
    return 'lost';
  }
  forgetLoss();
  if (status === 404) return 'gone';
  return sessionStorage.getItem(reloadedKey) === window.location.href ? error : 'back';
}

/** How the gateway, or something in front of it, answers for a file; null if nothing answers. */
async function statusOf(address: string): Promise<number | null> {
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store' })).status;
  } catch {
    return null;
  }
}

function OtherVersion() {
  return (
    <Placeholder title="This version of the page is gone">
      <p>The gateway now runs another version.</p>
      <button type="button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </Placeholder>
  );
}
