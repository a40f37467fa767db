// What is wrong in the cloud, or in the part of it that is in view, each with a link to its list.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import { formatCount } from '../../formats/amounts.ts';
import { type Parameter, printParameters } from '../../formats/query-state.ts';
import styles from './overview.module.css';
import type { Place } from './use-place.ts';

interface AlarmsProps {
  /** Null until they are loaded. */
  readonly columns: CloudColumns | null;
  readonly place: Place | null;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  /** Consumers on several hosts for over an hour; null until they are counted. */
  readonly leftovers: number | null;
  /** Whether these are only of the hosts in view, not of the whole cloud. */
  readonly areScoped: boolean;
}

export function Alarms({ columns, place, leftovers, areScoped }: AlarmsProps) {
  const scope = place?.scope;
  const totals = columns && scope ? totalsOf(columns, '', scope.hosts) : null;
  const hosts = (query: Readonly<Record<string, string>>) =>
    scope && !scope.aggregates
      ? null
      : address('/hosts', [...Object.entries(query), ...(scope?.aggregates ?? []).map((name) => ['in', name] as const)]);
  const isPart = scope !== undefined && scope.path.length > 0;
  return (
    <ul className={styles.alarms}>
      <Alarm sign="▲" count={totals?.over ?? null} words="over capacity" href={hosts({ over: '1' })} />
      <Alarm sign="✕" count={totals?.disabled ?? null} words="disabled" href={hosts({ disabled: '1' })} />
      <Alarm
        sign="⇄"
        count={leftovers}
        words={`on several hosts for over an hour${isPart && !areScoped ? ' in the whole cloud' : ''}`}
        href={address('/consumers', [['left', '1'], ...(areScoped && scope?.aggregate ? [['aggregate', scope.aggregate] as const] : [])])}
      />
      <li className={styles.aside}>
        <Linked href={hosts({})}>{totals ? formatCount(totals.hosts) : '…'} hosts</Linked>
      </li>
    </ul>
  );
}

const address = (path: string, parameters: readonly Parameter[]) =>
  parameters.length === 0 ? path : `${path}?${printParameters(parameters)}`;

/** Plain text if no list has exactly these. */
function Linked({ href, children }: { readonly href: string | null; readonly children: ReactNode }) {
  return href === null ? <span>{children}</span> : <Link href={href}>{children}</Link>;
}

interface AlarmProps {
  readonly sign: string;
  readonly count: number | null;
  readonly words: string;
  readonly href: string | null;
}

function Alarm({ sign, count, words, href }: AlarmProps) {
  return (
    <li className={count ? styles.alarm : styles.aside}>
      <Linked href={href}>
        {count ? <span aria-hidden="true">{sign} </span> : null}
        <strong>{count === null ? '…' : formatCount(count)}</strong> {words}
      </Linked>
    </li>
  );
}
