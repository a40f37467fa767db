// The first page: what is wrong, how full the cloud is by class, where there is room, and what was written last.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearch, useSearchParams } from 'wouter';
import { bounds } from '../../data/bounds.ts';
import { askMapAhead } from '../../data/cloud-map.ts';
import { liveStore } from '../../data/live.ts';
import { useLiveMap } from '../../data/live-map.ts';
import { useAskAgain } from '../../data/live-queries.ts';
import type { CloudColumns } from '../../data/map-columns.ts';
import { askAhead, useAsk } from '../../data/queries.ts';
import { useStore } from '../../data/store.ts';
import { useTitle } from '../../data/title.ts';
import { useKeys } from '../../parts/keys.ts';
import { later } from '../../parts/later.tsx';
import { Name } from '../../parts/name.tsx';
import { Answered, Placeholder } from '../../parts/states.tsx';
import { useLastDay } from '../../parts/trend.tsx';
import { Alarms } from './alarms.tsx';
import { ClassTiles } from './class-tiles.tsx';
import { Lists, type Written } from './lists.tsx';
import { useMapAddress } from './map-address.ts';
import { MapPanel } from './map-panel.tsx';
import {
  type ClassTotalFragment,
  type EventLineFragment,
  Leftovers,
  type LeftoversQuery,
  OfAggregate,
  Overview,
} from './overview.generated.ts';
import styles from './overview.module.css';
import { type Tile, tilesOfCloud, tilesOfHosts } from './tiles.ts';
import { TrendsLink } from './trends-link.tsx';
import { type Place, usePlace } from './use-place.ts';

/** Only a part of the cloud has one. */
const ScopeLine = later(() => import('./scope-line.tsx'), 'line');

const usualClass = 'VCPU';
const hour = 3_600_000;
const day = 24 * hour;

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
  useTitle(useMapAddress().path.at(-1) ?? null);
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
      <Placeholder title="The ledger is empty">
        <p>
          Start the gateway with <code>npm start -- --demo</code> for a cloud to look at, or copy a running Placement with{' '}
          <code>placement-gateway import URL --token T</code>. Hosts appear here as soon as they report.
        </p>
      </Placeholder>
    </>
  );
}

interface PictureProps {
  readonly own: readonly ClassTotalFragment[];
  readonly shared: readonly ClassTotalFragment[];
  readonly events: readonly EventLineFragment[];
}

function Picture({ own, shared, events }: PictureProps) {
  const { path, goTo } = useMapAddress();
  const ofCloud = useMemo(() => tilesOfCloud(own, shared), [own, shared]);
  const owned = useMemo(() => own.map(({ resourceClass }) => resourceClass.name), [own]);
  const { resourceClass, choose } = useChosenClass(ofCloud.map(({ name }) => name));
  // Once something has needed all classes, they are loaded, and stay loaded.
  const [hasNeeded, setNeeded] = useState(false);
  const needAll = useCallback(() => setNeeded(true), []);
  const isPart = path.length > 0;
  const { isPaused } = useStore(liveStore);
  const [areRead, setRead] = useState(false);
  // Not while the page is paused: another map would show what was written meanwhile.
  useEffect(() => {
    if (hasNeeded && !isPaused) setRead(true);
  }, [hasNeeded, isPaused]);
  const needsAll = areRead || isPart;
  const classes = needsAll ? [...new Set([resourceClass, ...owned])].slice(0, bounds.mapClasses) : [resourceClass];
  const read = useLiveMap(classes, true);
  // While the map of another class is being read, the previous one is there without that class.
  const map = { ...read, data: read.data?.columns.classes.has(resourceClass) ? read.data : undefined };
  const place = usePlace(map.data?.columns ?? null, resourceClass, needsAll);
  const { leftovers, samples, written } = useLists(place, events);
  const isWall = new URLSearchParams(useSearch()).get('wall') === '1';
  const shown = { columns: map.data?.columns ?? null, version: map.data?.version ?? 0, place };
  return (
    <div className={isWall ? styles.wall : ''} {...(isWall && { 'data-wall': '' })}>
      <h1 className={styles.unseen}>Overview</h1>
      <div className={styles.top}>
        {isPart && (
          <ScopeLine
            path={place?.scope.path ?? path}
            columns={shown.columns}
            hosts={place?.scope.hosts ?? null}
            classes={classes}
            areListsScoped={!place || written.areScoped}
            onLeave={() => goTo([])}
          />
        )}
        <Alarms {...shown} leftovers={leftovers} areScoped={written.areScoped} />
      </div>
      <section aria-labelledby="capacity">
        <h2 id="capacity">
          Capacity{' '}
          <span className={styles.aside}>
            {isPart ? <Name>{(place?.scope.path ?? path).join(' · ')}</Name> : 'whole cloud'}, shared pools separate · │ where over-commit
            begins · ▨ reserved{place?.missing && ` · ${place.missing}`}
          </span>{' '}
          <TrendsLink aggregate={place?.scope.aggregate ?? null} name={path.at(-1) ?? ''} />
        </h2>
        <Tiles {...shown} ofCloud={ofCloud} owned={owned} isPart={isPart} samples={samples} chosen={resourceClass} onChoose={choose} />
      </section>
      <Answered query={map} height="page">
        {({ columns, version }) =>
          place && (
            <MapPanel
              columns={columns}
              version={version}
              place={place}
              resourceClass={resourceClass}
              cardClasses={owned}
              isWall={isWall}
              onAllClasses={needAll}
            />
          )
        }
      </Answered>
      {!isWall && <Lists map={map} place={place} resourceClass={resourceClass} owned={owned} written={written} onAllClasses={needAll} />}
    </div>
  );
}

/** The class of the map, which the address or the keys choose. */
function useChosenClass(known: readonly string[]) {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('class');
  const resourceClass =
    asked !== null && known.includes(asked) ? asked : known.includes(usualClass) ? usualClass : (known[0] ?? usualClass);
  const choose = (name: string) =>
    setParameters((old) => {
      const next = new URLSearchParams(old);
      next.set('class', name);
      return next;
    });
  const neighbour = (by: number) => choose(known[(known.indexOf(resourceClass) + by + known.length) % known.length] ?? resourceClass);
  useKeys({ '[': () => neighbour(-1), ']': () => neighbour(1) });
  return { resourceClass, choose };
}

/** What the gateway counts and lists: for an aggregate, of its hosts; else of the whole cloud. */
function useLists(place: Place | null, events: Written['events']) {
  const lastDay = useLastDay();
  // Moves on with the last day.
  const hourAgo = useMemo(() => new Date(Date.parse(lastDay.from) + day - hour).toISOString(), [lastDay.from]);
  const aggregate = place?.scope.aggregate ?? null;
  const ofCloud = useAsk(Leftovers, { hourAgo, ...lastDay }, { keepsPrevious: true }).data;
  // Not after each write: to count leftovers takes seconds in a large zone.
  const { data: inside, error } = useAsk(
    OfAggregate,
    { hourAgo, aggregate: aggregate ?? '' },
    { enabled: aggregate !== null, everySeconds: 30 },
  );
  const areScoped = aggregate !== null;
  const written: Written = { events: areScoped ? (inside?.events.nodes ?? null) : events, error, areScoped };
  return {
    leftovers: (areScoped ? inside : ofCloud)?.consumers.totalCount ?? null,
    samples: ofCloud?.usageSamples ?? [],
    written,
  };
}

interface TilesProps extends Shown {
  readonly ofCloud: readonly Tile[];
  readonly owned: readonly string[];
  readonly isPart: boolean;
  readonly samples: LeftoversQuery['usageSamples'];
  readonly chosen: string;
  readonly onChoose: (resourceClass: string) => void;
}

interface Shown {
  readonly columns: CloudColumns | null;
  readonly version: number;
  readonly place: Place | null;
}

function Tiles({ columns, version, place, ofCloud, owned, isPart, samples, ...rest }: TilesProps) {
  const tiles = useMemo(() => {
    if (!isPart || version < 0) return ofCloud;
    const names = ofCloud.map(({ name }) => name);
    if (!columns || !place) return names.map((name): Tile => ({ name, own: 'unknown', shared: null }));
    return tilesOfHosts(columns, place.scope.hosts, { pools: place.pools, owned, names });
  }, [columns, version, place, ofCloud, owned, isPart]);
  return <ClassTiles {...rest} tiles={tiles} samples={isPart ? null : samples} />;
}
