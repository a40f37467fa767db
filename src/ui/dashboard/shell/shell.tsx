// What is around every page: navigation, search, sign-in, the state of the connection, keys. Knows the pages only from their table.
import { Component, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { reachStore } from '../data/ask.ts';
import { liveStore, pauseLive } from '../data/live.ts';
import { oldStore, queryClient } from '../data/queries.ts';
import { sessionStore, signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { useKeys } from '../parts/keys.ts';
import { Name } from '../parts/name.tsx';
import { clock, Gone } from '../parts/states.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { KeysHelp } from './keys-help.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { PageGraphql } from './page-graphql.tsx';
import { pages } from './pages.ts';
import styles from './shell.module.css';

const searchPage = pages.find(({ path }) => path === '/search');

export function Shell() {
  const [location, navigate] = useLocation();
  const { session } = useStore(sessionStore);
  const { data: viewer, failureCount } = useViewer();
  // Where it cannot be found out, all links are there: whoever may not is told so by the page.
  const mayReadCloud = viewer?.viewer?.mayReadCloud ?? true;
  const isKnown = session !== null && (viewer !== undefined || failureCount > 0);
  const main = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const [showsGraphql, setShowsGraphql] = useState(false);
  const focused = useRef(location);
  const lost = useLost();
  const isLost = lost !== null;
  useEffect(() => {
    document.title = `${isLost ? '(!) ' : ''}${titleOf(location)} · Placement`;
  }, [location, isLost]);
  useEffect(() => {
    // Who reads with ears or keys continues where the new page begins.
    if (focused.current !== location) main.current?.focus();
    focused.current = location;
  }, [location]);
  const actions = useMemo(
    () => ({
      ...Object.fromEntries(pages.flatMap(({ key, path }) => (key === undefined ? [] : [[`g ${key}`, () => navigate(path)]]))),
      '/': () => search.current?.focus(),
      '?': () => setShowsKeys(true),
      l: () => pauseLive(!liveStore.get().isPaused),
      y: () => setShowsGraphql(true),
    }),
    [navigate],
  );
  useKeys(actions);
  return (
    <>
      <a className={styles.skip} href="#main">
        To the page
      </a>
      <header className={styles.header}>
        <strong className={styles.brand}>Placement</strong>
        <nav className={styles.nav} data-unknown={isKnown ? undefined : ''} aria-label="Pages">
          {pages.map(
            ({ path, label, isOfCloud }) =>
              label !== undefined &&
              (mayReadCloud || !isOfCloud) && (
                <Link key={path} href={path} aria-current={isAt(location, path) ? 'page' : undefined} className={styles.link}>
                  {label}
                </Link>
              ),
          )}
        </nav>
        {searchPage && <SearchBox field={search} />}
        <Connection lost={lost} />
        <button type="button" className={styles.quiet} onClick={() => setShowsGraphql(true)} title="The GraphQL of this page (y)">
          GraphQL
        </button>
        <button
          type="button"
          className={styles.quiet}
          onClick={() => setShowsKeys(true)}
          aria-label="Keys, theme and session"
          title="Keys (?)"
        >
          ?
        </button>
      </header>
      <SessionEnd />
      <NewVersion version={viewer?.serviceInfo.version ?? null} />
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        <PageBoundary key={location}>
          <Switch>
            {pages.map((page) => (
              <Route key={page.path} path={page.path}>
                <LoadedPage page={page} />
              </Route>
            ))}
            <Route>
              <Gone what="This page">
                <p>
                  Nothing is at this address. <Link href="/">To the overview</Link>
                </p>
              </Gone>
            </Route>
          </Switch>
        </PageBoundary>
      </main>
      {showsGraphql && <PageGraphql onClose={() => setShowsGraphql(false)} />}
      {showsKeys && <KeysHelp onClose={() => setShowsKeys(false)} />}
      {session === null && <SignIn onDone={askAgain} />}
    </>
  );
}

/** As somebody else, perhaps. */
const askAgain = () => void queryClient.refetchQueries();

function titleOf(location: string): string {
  return pages.find(({ path }) => isAt(location, path))?.title ?? 'Placement';
}

/** Whether an address is of a page, by its first part. */
function isAt(location: string, path: string): boolean {
  return location.split('/')[1] === path.split('/')[1];
}

function SearchBox({ field }: { readonly field: React.RefObject<HTMLInputElement | null> }) {
  const [, navigate] = useLocation();
  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('q') ?? '').trim();
          if (text !== '') navigate(`/search?q=${encodeURIComponent(text)}`);
        }}
      >
        <input ref={field} name="q" type="search" placeholder="Search  /" aria-label="Search for names, uuids, traits and projects" />
      </form>
    </search>
  );
}

/** Since when not all in view is as it should be: the gateway does not answer, or a stream has ended, or an old answer stays. */
function useLost(): Date | null {
  const { lostSince } = useStore(reachStore);
  const { state, since } = useStore(liveStore);
  const oldSince = useStore(oldStore);
  // An old answer stays although the gateway answers other questions.
  return oldSince ?? lostSince ?? (state === 'lost' ? since : null);
}

function Connection({ lost }: { readonly lost: Date | null }) {
  const { state, isPaused } = useStore(liveStore);
  return (
    <span role="status" className={styles.connection}>
      {lost ? (
        <strong className={styles.lost}>○ lost since {clock(lost)}, trying again</strong>
      ) : (
        (state !== 'off' || isPaused) && (
          <button type="button" className={styles.quiet} onClick={() => pauseLive(!isPaused)} title={isPaused ? 'Go on (l)' : 'Pause (l)'}>
            {isPaused ? '⏸ paused' : state === 'live' ? '● live' : '◐ catching up'}
          </button>
        )
      )}
    </span>
  );
}

/** Says that another version is served than the one that this page came with. Never reloads by itself: somebody may be typing. */
function NewVersion({ version }: { readonly version: string | null }) {
  const [first, setFirst] = useState(version);
  useEffect(() => setFirst((known) => known ?? version), [version]);
  if (first === null || version === null || first === version) return null;
  return (
    <p className={styles.ends} role="status">
      A new version is served: <Name>{version}</Name>.{' '}
      <button type="button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </p>
  );
}

const warnBefore = 5 * 60_000;

/** Says that the session ends soon, while there is time to begin another one without leaving the page. */
function SessionEnd() {
  const { session } = useStore(sessionStore);
  const [isNear, setNear] = useState(false);
  const [signsIn, setSignsIn] = useState(false);
  const expiresAt = session?.expiresAt ?? null;
  useEffect(() => {
    if (expiresAt === null) return setNear(false);
    const end = Date.parse(expiresAt);
    const look = () => {
      setNear(end - Date.now() < warnBefore);
      if (end < Date.now()) signOut('The session has ended.');
    };
    look();
    const timer = setInterval(look, 10_000);
    return () => clearInterval(timer);
  }, [expiresAt]);
  if (!isNear || expiresAt === null) return null;
  return (
    <p className={styles.ends} role="status">
      The session ends at {clock(new Date(expiresAt))}.{' '}
      <button type="button" onClick={() => setSignsIn(true)}>
        Sign in again
      </button>
      {signsIn && (
        <SignIn
          onDone={() => {
            setSignsIn(false);
            askAgain();
          }}
          onCancel={() => setSignsIn(false)}
        />
      )}
    </p>
  );
}

interface BoundaryState {
  readonly error: Error | null;
}

/** A page that fails leaves the others alone. After an upgrade the old page asks for chunks that are gone. */
class PageBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const isOldChunk = /dynamically imported module|preload/i.test(error.message);
    return (
      <Gone what={isOldChunk ? 'This version of the page' : 'What this page shows'}>
        <p>{isOldChunk ? 'A new version of the gateway is served.' : error.message}</p>
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </Gone>
    );
  }
}
