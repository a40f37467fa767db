// The menu of the person: who is signed in and for which project, the theme, the keys, and the way out.
import { sessionStore, signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { visible } from '../formats/names.ts';
import { Name } from '../parts/name.tsx';
import { ThemeChoice } from '../theme/theme.tsx';
import styles from './shell.module.css';

export function Menu({ onKeys }: { readonly onKeys: () => void }) {
  const { session, ways } = useStore(sessionStore);
  const viewer = useViewer().data?.viewer;
  const user = viewer?.userExternalId ?? session?.user ?? null;
  const project = viewer?.projectExternalId ?? session?.project ?? null;
  const close = () => document.getElementById('menu')?.hidePopover();
  return (
    <>
      <button type="button" className={styles.quiet} popoverTarget="menu" title={user === null ? undefined : visible(user)}>
        Menu
      </button>
      <div id="menu" popover="auto" role="dialog" aria-label="Menu" className={styles.menu}>
        <p>
          {user !== null && (
            <>
              Signed in as <Name>{user}</Name>
              {project !== null && (
                <>
                  {' '}
                  for <Name>{project}</Name>
                </>
              )}
              .
            </>
          )}
        </p>
        <ThemeChoice />
        <button
          type="button"
          onClick={() => {
            close();
            onKeys();
          }}
        >
          Keys
        </button>
        {ways?.token == null ? (
          <button
            type="button"
            onClick={() => {
              close();
              signOut(null);
            }}
          >
            Sign out
          </button>
        ) : (
          <p>This gateway needs no sign-in: it answers only this machine.</p>
        )}
      </div>
    </>
  );
}
