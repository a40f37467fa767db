// Whether what is in view follows the cloud, and since when it does not.
import { reachStore } from '../data/ask.ts';
import { liveStore, pauseLive } from '../data/live.ts';
import { oldStore } from '../data/queries.ts';
import { useStore } from '../data/store.ts';
import { clock } from '../parts/states.tsx';
import styles from './shell.module.css';

/** Since when something in view is not current: the gateway does not answer, a stream has ended, or an answer is old. Null if all is current. */
export function useLost(): Date | null {
  const { lostSince } = useStore(reachStore);
  const { state, since } = useStore(liveStore);
  const oldSince = useStore(oldStore);
  // An answer can be old although the gateway answers other queries.
  return oldSince ?? lostSince ?? (state === 'lost' ? since : null);
}

export function Connection({ lost }: { readonly lost: Date | null }) {
  const { state, isPaused } = useStore(liveStore);
  return (
    <span role="status" className={styles.connection}>
      {lost ? (
        <strong className={styles.lost}>○ lost since {clock(lost)}, trying again</strong>
      ) : (
        (state !== 'off' || isPaused) && (
          <button type="button" className={styles.quiet} onClick={() => pauseLive(!isPaused)} title={isPaused ? 'Resume (l)' : 'Pause (l)'}>
            {isPaused ? '⏸ paused' : state === 'live' ? '● live' : '◐ catching up'}
          </button>
        )
      )}
    </span>
  );
}
