// The header of every page: navigation, search, the state of the connection, and the buttons of the dialogs.
import type { RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { Connection } from './connection.tsx';
import { isAt, pages } from './pages.ts';
import styles from './shell.module.css';

interface HeaderProps {
  readonly location: string;
  /** Whether the caller may read the whole cloud; null until it is known. */
  readonly mayReadCloud: boolean | null;
  /** Since when something in view is not current; null if all is. */
  readonly lost: Date | null;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onGraphql: () => void;
  readonly onKeys: () => void;
}

export function Header({ location, mayReadCloud, lost, search, onGraphql, onKeys }: HeaderProps) {
  return (
    <header className={styles.header}>
      <strong className={styles.brand}>Placement</strong>
      <nav className={styles.nav} data-unknown={mayReadCloud === null ? '' : undefined} aria-label="Pages">
        {pages.map(
          ({ path, label, isOfCloud }) =>
            label !== undefined &&
            (mayReadCloud !== false || !isOfCloud) && (
              <Link key={path} href={path} aria-current={isAt(location, path) ? 'page' : undefined} className={styles.link}>
                {label}
              </Link>
            ),
        )}
      </nav>
      <SearchBox field={search} />
      <Connection lost={lost} />
      <button type="button" className={styles.quiet} onClick={onGraphql} title="The GraphQL of this page (y)">
        GraphQL
      </button>
      <button type="button" className={styles.quiet} onClick={onKeys} aria-label="Keys, theme and session" title="Keys (?)">
        ?
      </button>
    </header>
  );
}

function SearchBox({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
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
