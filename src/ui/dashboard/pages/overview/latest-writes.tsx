// The newest events of the ledger, each with what it was and who wrote it.
import { Link } from 'wouter';
import { formatCount } from '../../formats/amounts.ts';
import { spoken } from '../../formats/names.ts';
import { foldEvents } from '../../parts/fold.ts';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import type { EventLineFragment } from './overview.generated.ts';
import styles from './overview.module.css';

export function LatestWrites({ events }: { readonly events: readonly EventLineFragment[] }) {
  if (events.length === 0) return <p className={styles.aside}>Nothing has been written yet, or it has been pruned.</p>;
  return (
    <ul className={styles.writes}>
      {foldEvents(events).map((run) => (
        <li key={run[0].id}>
          <span className={styles.aside}>
            <Moment at={run[0].at} />
          </span>
          <span>
            <Link href={`/events?request=${encodeURIComponent(run[0].requestId)}`}>{spoken(run[0].kind)}</Link>
            {run.length > 1 && <strong> ×{formatCount(run.length)}</strong>}
            {run[0].requestedBy && (
              <span className={styles.aside}>
                {' '}
                by <Name>{run[0].requestedBy.externalId}</Name>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
