// What is around every page: the header, notices, keys and sign-in. Knows the pages only from their table.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { liveStore, pauseLive } from '../data/live.ts';
import { askAllAgain } from '../data/queries.ts';
import { sessionStore } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { titleStore } from '../data/title.ts';
import { useViewer } from '../data/viewer.ts';
import { visible } from '../formats/names.ts';
import { useKeys } from '../parts/keys.ts';
import { later } from '../parts/later.tsx';
import { Placeholder } from '../parts/states.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { BridgeLine } from './bridge-line.tsx';
import { useLost } from './connection.tsx';
import { Header } from './header.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { NewVersion, SessionEnd } from './notices.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { isAt, pages, titleOf } from './pages.ts';
import styles from './shell.module.css';

const KeysHelp = later(() => import('./keys-help.tsx'));
const PageGraphql = later(() => import('./page-graphql.tsx'));

export function Shell() {
  const [location, navigate] = useLocation();
  const { session } = useStore(sessionStore);
  const { data: viewer, failureCount } = useViewer();
  const isKnown = session !== null && (viewer !== undefined || failureCount > 0);
  // The first page of those who may read only their own project.
  const ownProject = viewer?.viewer?.mayReadCloud === false ? viewer.viewer.projectExternalId : null;
  const main = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<'keys' | 'graphql' | null>(null);
  const lost = useLost();
  useArrival(location, main);
  const actions = useMemo(
    () => ({
      ...Object.fromEntries(pages.flatMap(({ key, path }) => (key === undefined ? [] : [[`g ${key}`, () => navigate(path)]]))),
      '/': () => {
        search.current?.focus();
        search.current?.select();
      },
      '?': () => setDialog('keys'),
      l: () => pauseLive(!liveStore.get().isPaused),
      y: () => setDialog('graphql'),
    }),
    [navigate],
  );
  useKeys(actions);
  const close = () => setDialog(null);
  return (
    <>
      <Title location={location} isLost={lost !== null} />
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Header
        location={location}
        // If it cannot be found out, all links are there: the pages themselves tell a caller who may not read them.
        mayReadCloud={isKnown ? (viewer?.viewer?.mayReadCloud ?? true) : null}
        lost={lost}
        search={search}
        onGraphql={() => setDialog('graphql')}
        onKeys={() => setDialog('keys')}
      />
      <SessionEnd />
      <NewVersion version={viewer?.serviceInfo.version ?? null} />
      {!isAt(location, '/bridge') && <BridgeLine mayAsk={viewer?.viewer?.mayReadCloud ?? false} />}
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        <PageBoundary key={location}>
          <Switch>
            {ownProject !== null && (
              <Route path="/">
                <Redirect to={`/projects/${encodeURIComponent(ownProject)}`} replace />
              </Route>
            )}
            {pages.map((page) => (
              <Route key={page.path} path={page.path}>
                <LoadedPage page={page} />
              </Route>
            ))}
            <Route>
              <NoPage />
            </Route>
          </Switch>
        </PageBoundary>
      </main>
      {dialog === 'graphql' && <PageGraphql onClose={close} />}
      {dialog === 'keys' && <KeysHelp onClose={close} />}
      {session === null && <SignIn onDone={askAllAgain} />}
    </>
  );
}

/** Moves the focus to where the page begins: readers by ear or keys continue there. */
function useArrival(location: string, main: RefObject<HTMLElement | null>): void {
  const focused = useRef(location);
  useEffect(() => {
    if (focused.current !== location) main.current?.focus();
    focused.current = location;
  }, [location, main]);
}

/** Names the page in the title of the tab. A component of its own, because the page need not be drawn again for it. */
function Title({ location, isLost }: { readonly location: string; readonly isLost: boolean }) {
  const own = useStore(titleStore);
  useEffect(() => {
    document.title = `${isLost ? '(!) ' : ''}${own === null ? titleOf(location) : visible(own)} · Placement`;
  }, [own, location, isLost]);
  return null;
}

function NoPage() {
  return (
    <Placeholder title="This page does not exist">
      <p>
        There is no page at this address. <Link href="/">Go to the first page</Link>
      </p>
    </Placeholder>
  );
}
