// The header of every page: navigation, search, the state of the connection, and the menu.
import { type ComponentType, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SuggestionsProps } from '../pages/search/suggestions.tsx';
import { Connection } from './connection.tsx';
import { Menu } from './menu.tsx';
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
      <Link href="/" className={styles.brand}>
        Placement
      </Link>
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
      <Menu onKeys={onKeys} />
    </header>
  );
}

/** Suggests what matches while the person types. Enter without a suggestion goes to the results, and from there to what has exactly this name. */
function SearchBox({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const [location, navigate] = useLocation();
  const list = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string | null | undefined>();
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps> | null>(null);
  const keys = useRef<SuggestionsProps['keys']['current']>(() => false);
  const isShown = isOpen && text.trim() !== '';
  const close = useCallback((hasOpened: boolean) => {
    setOpen(false);
    if (hasOpened) setText('');
  }, []);
  // Beside its results a text is there to be changed. What it has found needs it no more.
  const isAtResults = location === '/search';
  useEffect(() => (isAtResults ? () => setText('') : undefined), [isAtResults]);
  // Without the suggestions the box still searches.
  const load = () => void import('../pages/search/suggestions.tsx').then((chunk) => setSuggestions(() => chunk.default)).catch(() => {});
  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
          if (text.trim() !== '') navigate(`/search?q=${encodeURIComponent(text.trim())}&go=1`);
        }}
      >
        <input
          ref={field}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown && active !== undefined}
          aria-controls={list}
          aria-activedescendant={(isShown && active) || undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Search  /"
          aria-label="Search for names, uuids, traits and projects"
          value={text}
          onFocus={load}
          onBlur={() => setOpen(false)}
          onChange={({ target }) => {
            setText(target.value);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (isShown ? keys.current(event.key) : event.key === 'ArrowDown') {
              event.preventDefault();
              if (!isShown) setOpen(true);
            }
          }}
        />
      </form>
      {isShown && Suggestions && <Suggestions id={list} text={text} keys={keys} onActive={setActive} onClose={close} />}
    </search>
  );
}
