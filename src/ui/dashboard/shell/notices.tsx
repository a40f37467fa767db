// What the person should know above every page: that the session ends soon, and that another version of the gateway serves now.
import { useEffect, useState } from 'react';
import { askAllAgain } from '../data/queries.ts';
import { sessionStore, signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { Name } from '../parts/name.tsx';
import { clock } from '../parts/states.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import styles from './shell.module.css';

/** Says that the gateway has another version than when the page was loaded. Never reloads by itself, because the person may be typing. */
export function NewVersion({ version }: { readonly version: string | null }) {
  const [first, setFirst] = useState(version);
  useEffect(() => setFirst((known) => known ?? version), [version]);
  if (first === null || version === null || first === version) return null;
  return (
    <p className={styles.ends} role="status">
      The gateway now runs version <Name>{version}</Name>.{' '}
      <button type="button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </p>
  );
}

const warnBefore = 5 * 60_000;

/** Says that the session ends soon, while there is still time to begin another one without leaving the page. */
export function SessionEnd() {
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
            askAllAgain();
          }}
          onCancel={() => setSignsIn(false)}
        />
      )}
    </p>
  );
}
