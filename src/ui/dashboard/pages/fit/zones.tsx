// Where it fits: a section for each zone with a tile for each rack. The fuller the bar of a tile, the more of what fits in the zone fits there. Each leads to its
// place on the map.
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { CurrentMap } from '../../data/cloud-map.ts';
import { useLiveMap } from '../../data/live-map.ts';
import { formatCount } from '../../formats/amounts.ts';
import { barOf } from '../../formats/bar-model.ts';
import { printParameters } from '../../formats/query-state.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered } from '../../parts/states.tsx';
import type { WhatFitsQuery } from './fit.generated.ts';
import styles from './fit.module.css';
import { type Place, placesOf } from './places.ts';

interface ZonesProps {
  readonly counts: WhatFitsQuery['fit']['byAggregate']['nodes'];
  /** Whether an aggregate that is not counted has no room. */
  readonly areAll: boolean;
  /** The classes that are asked for. */
  readonly classes: readonly string[];
}

export function Zones(props: ZonesProps) {
  const map = useLiveMap(props.classes);
  return <Answered query={map}>{(current) => <Shown current={current} {...props} />}</Answered>;
}

function Shown({ current, counts, areAll, classes }: ZonesProps & { readonly current: CurrentMap }) {
  // Its numbers change within the same columns.
  const places = useMemo(() => placesOf(current.columns, classes, { counts, areAll }), [current, classes, counts, areAll]);
  if (places.length === 0) return null;
  const hasRacks = places.some(({ inner }) => inner.length > 0);
  return (
    <>
      <h2 className={layout.section}>{hasRacks ? 'By zone and rack' : 'By place'}</h2>
      {hasRacks ? (
        places.map((zone) => (
          <section key={zone.name} aria-label={zone.name} className={styles.zone}>
            <h3>
              <PlaceLink place={zone} resourceClass={classes[0] ?? ''} />
              <span className={layout.muted}>{zone.amounts.map((one) => `${one.resourceClass.name} ${barOf(one).room}`).join(', ')}</span>
            </h3>
            <Tiles places={zone.inner} resourceClass={classes[0] ?? ''} />
          </section>
        ))
      ) : (
        <Tiles places={places} resourceClass={classes[0] ?? ''} />
      )}
    </>
  );
}

function Tiles({ places, resourceClass }: { readonly places: readonly Place[]; readonly resourceClass: string }) {
  const most = Math.max(1, ...places.map(({ count }) => count ?? 0));
  return (
    <ul className={styles.racks}>
      {places.map((place) => (
        <li key={place.name} data-none={place.count === 0 ? '' : undefined}>
          <PlaceLink place={place} resourceClass={resourceClass} />
          <span className={styles.bar} aria-hidden="true">
            <span style={{ width: `${(100 * (place.count ?? 0)) / most}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function PlaceLink({
  place: { label, path, count, hosts, amounts },
  resourceClass,
}: {
  readonly place: Place;
  readonly resourceClass: string;
}) {
  const address = printParameters([...path.map((name) => ['in', name] as const), ['class', resourceClass]]);
  const room = amounts.map((one) => barOf(one).words).join('\n');
  return (
    <>
      <Link href={`/?${address}`} title={`${formatCount(hosts)} hosts on the map\n${room}`}>
        <Name>{label}</Name>
      </Link>
      <strong>{count === null ? 'not counted' : formatCount(count)}</strong>
    </>
  );
}
