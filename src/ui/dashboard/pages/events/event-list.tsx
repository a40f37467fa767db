// A list of events: a row for each request, with the hosts and consumers that it was about. A row unfolds to its events, and an event to the fields that it changed.
import { useState } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import type { Column } from '../../exports/table.ts';
import { formatCount } from '../../formats/amounts.ts';
import { Files } from '../../parts/data-table.tsx';
import { groupedBy } from '../../parts/grouped.ts';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Answered } from '../../parts/states.tsx';
import { traitWords, wordsOf } from './change-words.ts';
import styles from './event-list.module.css';
import { EventChanges, type EventLineFragment } from './events.generated.ts';
import { KindWords, SubjectNames } from './subject-names.tsx';
import { kindsOf, type Naming, subjectsOf } from './subjects.ts';

/** An event as the caller may see it. Without its id, its changes cannot be asked for. */
export type EventShown = Omit<EventLineFragment, 'id' | keyof Naming> & Naming & { readonly id: string | null };

const columns: readonly Column<EventShown>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'at', value: ({ at }) => at },
  { title: 'kind', value: ({ kind }) => kind },
  { title: 'requested by', value: ({ requestedBy }) => requestedBy?.externalId ?? null },
  { title: 'requested for', value: ({ requestedFor }) => requestedFor?.externalId ?? null },
  { title: 'request', value: ({ requestId }) => requestId },
  {
    title: 'providers',
    value: (event) =>
      subjectsOf([event])
        .providers.map(({ name }) => name)
        .join(' '),
  },
  { title: 'consumers', value: (event) => subjectsOf([event]).consumers.join(' ') },
  { title: 'changes', value: ({ changes }) => changes.totalCount },
];

const keyOf = ({ id, requestId, at, kind }: EventShown) => id ?? `${requestId} ${at} ${kind}`;

export function EventList({ events, title }: { readonly events: readonly EventShown[]; readonly title: string }) {
  if (events.length === 0) return <p className={styles.muted}>The ledger has no such events.</p>;
  return (
    <>
      <ol className={styles.list}>
        {[...groupedBy(events, ({ requestId }) => requestId)].map(([requestId, run]) => (
          <li key={requestId} className={styles.row}>
            {run.length === 1 ? <OneEvent event={run[0]} /> : <Run events={run} />}
            <SubjectNames events={run} />
          </li>
        ))}
      </ol>
      <Files title={title} columns={columns} rows={events} />
    </>
  );
}

function Run({ events }: { readonly events: readonly [EventShown, ...EventShown[]] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Line events={events} />
      </summary>
      {isOpen && (
        <ol className={styles.inner}>
          {events.map((event) => (
            <li key={keyOf(event)} className={styles.row}>
              <OneEvent event={event} />
              <SubjectNames events={[event]} />
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

function OneEvent({ event }: { readonly event: EventShown }) {
  const [isOpen, setOpen] = useState(false);
  const { id } = event;
  if (id === null) return <Line events={[event]} />;
  return (
    <details
      onToggle={(toggle) => {
        toggle.stopPropagation();
        setOpen(toggle.currentTarget.open);
      }}
    >
      <summary>
        <Line events={[event]} />
      </summary>
      {isOpen && <Changes id={id} requestId={event.requestId} />}
    </details>
  );
}

function Line({ events }: { readonly events: readonly [EventShown, ...EventShown[]] }) {
  const [{ at, requestedBy, requestedFor }] = events;
  const traits = traitWords(events);
  return (
    <span className={styles.line}>
      <span className={styles.muted}>
        <Moment at={at} />
      </span>
      <span>
        <KindWords kinds={kindsOf(events)} />
        {traits !== '' && (
          <>
            : <Name>{traits}</Name>
          </>
        )}
        <span className={styles.muted}>
          {requestedBy && (
            <>
              {' '}
              by <Name>{requestedBy.externalId}</Name>
            </>
          )}
          {requestedFor && (
            <>
              {' '}
              for <Name>{requestedFor.externalId}</Name>
            </>
          )}
        </span>
      </span>
    </span>
  );
}

function Changes({ id, requestId }: { readonly id: string; readonly requestId: string }) {
  const asked = useAsk(EventChanges, { id });
  return (
    <Answered query={asked} height="line">
      {({ node }) =>
        node === null || !('changes' in node) ? (
          <p className={styles.muted}>This event has been pruned.</p>
        ) : (
          <div className={styles.changes}>
            <ul>
              {node.changes.nodes.map((change) => {
                const { subject, address, lines } = wordsOf(change);
                return (
                  <li key={`${subject} ${lines.join()}`}>
                    {address === null ? (
                      <Name>{subject}</Name>
                    ) : (
                      <Link href={address}>
                        <Name>{subject}</Name>
                      </Link>
                    )}
                    <ul className={styles.fields}>
                      {lines.map((line) => (
                        <li key={line}>
                          <Name>{line}</Name>
                        </li>
                      ))}
                    </ul>
                  </li>
                );
              })}
            </ul>
            {node.changes.pageInfo.hasNextPage && (
              <p>
                The first {formatCount(node.changes.nodes.length)} of {formatCount(node.changes.totalCount)} changes.
              </p>
            )}
            <p className={styles.muted}>
              Event <code>{id}</code>, request{' '}
              <Link href={`/events?request=${encodeURIComponent(requestId)}`}>
                <Name>{requestId}</Name>
              </Link>
              {node.roles.length > 0 && (
                <>
                  , roles <Name>{node.roles.join(', ')}</Name>
                </>
              )}
            </p>
          </div>
        )
      }
    </Answered>
  );
}
