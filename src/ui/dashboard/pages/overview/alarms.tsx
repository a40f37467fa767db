// What is wrong in the cloud right now, each with a link to its list.
import { Link } from 'wouter';
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import { formatCount } from '../../formats/amounts.ts';
import styles from './overview.module.css';

interface AlarmsProps {
  /** Null until they are loaded. */
  readonly columns: CloudColumns | null;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  /** Consumers on several hosts for over an hour; null until they are counted. */
  readonly leftovers: number | null;
}

export function Alarms({ columns, leftovers }: AlarmsProps) {
  const totals = columns && totalsOf(columns, '', columns.names.keys());
  return (
    <ul className={styles.alarms}>
      <Alarm sign="▲" count={totals?.over ?? null} words="over capacity" href="/hosts?over=1" />
      <Alarm sign="✕" count={totals?.disabled ?? null} words="disabled" href="/hosts?disabled=1" />
      <Alarm sign="⇄" count={leftovers} words="on several hosts for over an hour" href="/consumers?left=1" />
      <li className={styles.aside}>
        <Link href="/hosts">{columns ? formatCount(columns.hostCount) : '…'} hosts</Link>
      </li>
    </ul>
  );
}

interface AlarmProps {
  readonly sign: string;
  readonly count: number | null;
  readonly words: string;
  readonly href: string;
}

function Alarm({ sign, count, words, href }: AlarmProps) {
  return (
    <li className={count ? styles.alarm : styles.aside}>
      <Link href={href}>
        {count ? <span aria-hidden="true">{sign} </span> : null}
        <strong>{count === null ? '…' : formatCount(count)}</strong> {words}
      </Link>
    </li>
  );
}
