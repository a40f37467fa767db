// The newest events of the ledger, each request with what it was, who wrote it and whom it was about.
import { Link } from 'wouter';
import { groupedBy } from '../../parts/grouped.ts';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { KindWords, SubjectNames } from '../events/subject-names.tsx';
import { kindsOf } from '../events/subjects.ts';
import type { EventLineFragment } from './overview.generated.ts';
import styles from './overview.module.css';

export function LatestWrites({ events }: { readonly events: readonly EventLineFragment[] }) {
  if (events.length === 0) return <p className={styles.aside}>Nothing has been written yet, or it has been pruned.</p>;
  return (
    <ul className={styles.writes}>
      {[...groupedBy(events, ({ requestId }) => requestId)].map(([requestId, run]) => (
        <li key={requestId}>
          <span className={styles.aside}>
            <Moment at={run[0].at} />
          </span>
          <span>
            <Link href={`/events?request=${encodeURIComponent(requestId)}`}>
              <KindWords kinds={kindsOf(run)} />
            </Link>
            {run[0].requestedBy && (
              <span className={styles.aside}>
                {' '}
                by <Name>{run[0].requestedBy.externalId}</Name>
              </span>
            )}
            <SubjectNames events={run} />
          </span>
        </li>
      ))}
    </ul>
  );
}
