// What writes were and whom they were about, in words and links.
import { Link } from 'wouter';
import { formatCount } from '../../formats/amounts.ts';
import { spoken } from '../../formats/names.ts';
import { ConsumerLink, ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import styles from './event-list.module.css';
import { type Kinds, type Naming, subjectsOf } from './subjects.ts';

/** "replace allocations ×98, replace inventories ×2". */
export function KindWords({ kinds }: { readonly kinds: Kinds }) {
  return kinds.map(([kind, count], index) => (
    <span key={kind}>
      {index > 0 && ', '}
      {spoken(kind)}
      {count > 1 && <strong> ×{formatCount(count)}</strong>}
    </span>
  ));
}

export function SubjectNames({ events }: { readonly events: readonly Naming[] }) {
  const { providers, consumers, others, more } = subjectsOf(events);
  return (
    <span className={styles.names}>
      {providers.map(({ uuid, name, isGone }) =>
        isGone ? (
          <Link key={uuid} href={`/events?provider=${uuid}`}>
            <Name>{name}</Name> (deleted)
          </Link>
        ) : (
          <ProviderLink key={uuid} provider={{ uuid, name }} />
        ),
      )}
      {consumers.map((uuid) => (
        <ConsumerLink key={uuid} uuid={uuid} />
      ))}
      {others.map((words) => (
        <Name key={words}>{words}</Name>
      ))}
      {more > 0 && (
        <span className={styles.muted}>
          and {formatCount(more)} more {more === 1 ? 'change' : 'changes'}
        </span>
      )}
    </span>
  );
}
