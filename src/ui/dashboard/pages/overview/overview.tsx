// The first page: what is wrong, how full the cloud is by class, where there is room, and what was written last.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { askMapAhead, type CurrentMap } from '../../data/cloud-map.ts';
import { useLiveMap } from '../../data/live-map.ts';
import { useAskAgain } from '../../data/live-queries.ts';
import type { CloudColumns } from '../../data/map-columns.ts';
import { askAhead, type Reading, useAsk } from '../../data/queries.ts';
import { emptiestHosts, fullestHosts } from '../../map/extremes.ts';
import { useKeys } from '../../parts/keys.ts';
import { Answered, Empty, Loading } from '../../parts/states.tsx';
import { useLastDay } from '../../parts/trend.tsx';
import { Alarms } from './alarms.tsx';
import { ClassTiles } from './class-tiles.tsx';
import { HostLines } from './host-lines.tsx';
import { LatestWrites } from './latest-writes.tsx';
import { MapPanel } from './map-panel.tsx';
import { Leftovers, Overview } from './overview.generated.ts';
import styles from './overview.module.css';

const usualClass = 'VCPU';
const listLength = 8;
const hour = 3_600_000;
/** The most that the contract allows in one map. */
const mostClasses = 20;

/** Asks for the map together with the totals. Only the totals say whether the cloud has the class, but hardly any cloud has no VCPU. */
export function ahead(): void {
  askMapAhead([new URLSearchParams(window.location.search).get('class') ?? usualClass]);
  askAhead(Overview, {});
}

export default function OverviewPage() {
  // For visits that began on another page.
  useEffect(ahead, []);
  const overview = useAsk(Overview, {});
  useAskAgain([Overview]);
  return (
    <Answered query={overview} height="page">
      {({ totals: { own, shared }, events: { nodes: events } }) =>
        own.length + shared.length + events.length === 0 ? <EmptyLedger /> : <Picture own={own} shared={shared} events={events} />
      }
    </Answered>
  );
}

function EmptyLedger() {
  return (
    <>
      <h1>Overview</h1>
      <Empty title="The ledger is empty">
        <p>
          Start the gateway with <code>npm start -- --demo</code> for a cloud to look at, or copy a running Placement with{' '}
          <code>placement-gateway import URL --token T</code>. Hosts appear here as soon as they report.
        </p>
      </Empty>
    </>
  );
}

type Shown = Parameters<typeof ClassTiles>[0];

function Picture({ own, shared, events }: Pick<Shown, 'own' | 'shared'> & Parameters<typeof LatestWrites>[0]) {
  const [parameters, setParameters] = useSearchParams();
  const known = own.map(({ resourceClass }) => resourceClass.name);
  const asked = parameters.get('class');
  const resourceClass =
    asked !== null && known.includes(asked) ? asked : known.includes(usualClass) ? usualClass : (known[0] ?? usualClass);
  // Once hosts have been shown as cards, all classes are loaded, and stay loaded.
  const [hasCards, setHasCards] = useState(false);
  const showCards = useCallback(() => setHasCards(true), []);
  const cardClasses = useMemo(() => own.map((total) => total.resourceClass.name), [own]);
  const read = useLiveMap(hasCards ? [...new Set([resourceClass, ...cardClasses])].slice(0, mostClasses) : [resourceClass], true);
  const [hourAgo] = useState(() => new Date(Date.now() - hour).toISOString());
  const leftovers = useAsk(Leftovers, { hourAgo, ...useLastDay() }, { keepsPrevious: true });
  const choose = (name: string) =>
    setParameters((old) => {
      const next = new URLSearchParams(old);
      next.set('class', name);
      return next;
    });
  const neighbour = (by: number) => choose(known[(known.indexOf(resourceClass) + by + known.length) % known.length] ?? resourceClass);
  useKeys({ '[': () => neighbour(-1), ']': () => neighbour(1) });
  const isWall = parameters.get('wall') === '1';
  // While the map of another class is being read, the previous one is there without that class.
  const map = { ...read, data: read.data?.columns.classes.has(resourceClass) ? read.data : undefined };
  return (
    <div className={isWall ? styles.wall : ''} {...(isWall && { 'data-wall': '' })}>
      <h1 className={styles.unseen}>Overview</h1>
      <Alarms
        columns={map.data?.columns ?? null}
        version={map.data?.version ?? 0}
        leftovers={leftovers.data?.consumers.totalCount ?? null}
      />
      <section aria-labelledby="capacity">
        <h2 id="capacity">
          Capacity <span className={styles.aside}>whole cloud, shared pools separate · │ where over-commit begins · ▨ reserved</span>
        </h2>
        <ClassTiles own={own} shared={shared} samples={leftovers.data?.usageSamples ?? []} chosen={resourceClass} onChoose={choose} />
      </section>
      <Answered query={map} height="page">
        {({ columns, version }) => (
          <MapPanel
            columns={columns}
            version={version}
            resourceClass={resourceClass}
            cardClasses={cardClasses}
            isWall={isWall}
            onCards={showCards}
          />
        )}
      </Answered>
      {!isWall && (
        <div className={styles.lists}>
          <HostSection id="fullest" title={`Fullest by ${resourceClass}`} map={map} resourceClass={resourceClass} pick={fullestHosts} />
          <HostSection id="room" title={`Most room for ${resourceClass}`} map={map} resourceClass={resourceClass} pick={emptiestHosts} />
          <section aria-labelledby="writes">
            <h2 id="writes">Latest writes</h2>
            <LatestWrites events={events} />
          </section>
        </div>
      )}
    </div>
  );
}

interface HostSectionProps {
  readonly id: string;
  readonly title: string;
  readonly map: Reading<CurrentMap>;
  readonly resourceClass: string;
  readonly pick: (columns: CloudColumns, resourceClass: string, count: number) => readonly number[];
}

function HostSection({ id, title, map: { data, error }, resourceClass, pick }: HostSectionProps) {
  const hosts = useMemo(() => data && pick(data.columns, resourceClass, listLength), [data, pick, resourceClass]);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {data && hosts ? <HostLines columns={data.columns} hosts={hosts} resourceClass={resourceClass} /> : error === null && <Loading />}
    </section>
  );
}
