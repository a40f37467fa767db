// Below the map: the groups of what is in view, its fullest and emptiest hosts, and what was written there last.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { CurrentMap } from '../../data/cloud-map.ts';
import type { CloudColumns } from '../../data/map-columns.ts';
import type { Reading } from '../../data/queries.ts';
import { emptiestHosts, fullestHosts } from '../../map/extremes.ts';
import { later } from '../../parts/later.tsx';
import { Name } from '../../parts/name.tsx';
import { Loading } from '../../parts/states.tsx';
import { HostLines } from './host-lines.tsx';
import { LatestWrites } from './latest-writes.tsx';
import { useMapAddress } from './map-address.ts';
import type { EventLineFragment } from './overview.generated.ts';
import styles from './overview.module.css';
import type { Place } from './use-place.ts';

/** Loaded once it is in view, because it is below the map and needs all classes. */
const GroupTotals = later(() => import('./group-totals.tsx'));

const listLength = 8;
/** Milliseconds in view after which the table counts as seen: it moves down when the map above is drawn. */
const steadyTime = 1000;

export interface Written {
  readonly events: readonly EventLineFragment[] | null;
  readonly error: Error | null;
  /** Whether they are those of the hosts in view. */
  readonly areScoped: boolean;
}

interface ListsProps {
  readonly map: Reading<CurrentMap>;
  readonly place: Place | null;
  readonly resourceClass: string;
  /** The classes that hosts have. */
  readonly owned: readonly string[];
  readonly written: Written;
  readonly onAllClasses: () => void;
}

export function Lists({ map, place, resourceClass, owned, written: { events, error, areScoped }, onAllClasses }: ListsProps) {
  const { path, addressOf } = useMapAddress();
  const where = path.length === 0 ? '' : areScoped ? <Name>{(place?.scope.path ?? path).join(' · ')}</Name> : 'whole cloud';
  const section = useRef<HTMLElement>(null);
  const isSeen = useSeen(section, onAllClasses);
  const lists = { map, place, resourceClass };
  return (
    <>
      <section ref={section} aria-label="Groups" className={styles.groups} hidden={!place || place.scope.levels.length === 0}>
        {isSeen && map.data && place && (
          <GroupTotals
            columns={map.data.columns}
            version={map.data.version}
            place={place}
            owned={owned}
            address={addressOf(place.scope.path)}
          />
        )}
      </section>
      <div className={styles.lists}>
        <HostSection {...lists} id="fullest" title={`Fullest by ${resourceClass}`} pick={fullestHosts} />
        <HostSection {...lists} id="room" title={`Most room for ${resourceClass}`} pick={emptiestHosts} />
        <section aria-labelledby="writes">
          <h2 id="writes">
            Latest writes <span className={styles.aside}>{where}</span>
          </h2>
          {events ? <LatestWrites events={events} /> : error ? <p role="alert">They cannot be shown: {error.message}</p> : <Loading />}
        </section>
      </div>
    </>
  );
}

/** Whether an element has been in view, so that what is in it is needed. */
function useSeen(element: RefObject<HTMLElement | null>, onSeen: () => void): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const see = () => {
      setSeen(true);
      onSeen();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(see, steadyTime);
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, onSeen]);
  return isSeen;
}

interface HostSectionProps extends Pick<ListsProps, 'map' | 'place' | 'resourceClass'> {
  readonly id: string;
  readonly title: string;
  readonly pick: (columns: CloudColumns, hosts: readonly number[], resourceClass: string, count: number) => readonly number[];
}

function HostSection({ id, title, map: { data, error }, place, resourceClass, pick }: HostSectionProps) {
  const hosts = useMemo(
    () => data && place && pick(data.columns, place.scope.hosts, resourceClass, listLength),
    [data, place, pick, resourceClass],
  );
  const path = place?.scope.path ?? [];
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title}{' '}
        {path.length > 0 && (
          <span className={styles.aside}>
            in <Name>{path.at(-1) ?? ''}</Name>
          </span>
        )}
      </h2>
      {data && hosts ? <HostLines columns={data.columns} hosts={hosts} resourceClass={resourceClass} /> : error === null && <Loading />}
    </section>
  );
}
