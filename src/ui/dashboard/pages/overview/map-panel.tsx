// The cloud map with its legend and choices. All of these are in the address.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { CloudColumns } from '../../data/map-columns.ts';
import { arrange } from '../../map/arrangement.ts';
import { CloudMap } from '../../map/cloud-map.tsx';
import { hostAddress } from '../../map/host-link.tsx';
import { Legend } from './legend.tsx';
import { useMapAddress } from './map-address.ts';
import { MapChoices } from './map-choices.tsx';
import styles from './overview.module.css';
import type { Place } from './use-place.ts';

interface MapPanelProps {
  readonly columns: CloudColumns;
  readonly version: number;
  readonly place: Place;
  readonly resourceClass: string;
  readonly cardClasses: readonly string[];
  readonly isWall: boolean;
  readonly onAllClasses: () => void;
}

export function MapPanel({ columns, version, place, resourceClass, cardClasses, isWall, onAllClasses }: MapPanelProps) {
  const [, navigate] = useLocation();
  const address = useMapAddress();
  const { order, isBySize, host, stand, goTo, choose, move } = address;
  const { groupings, scope } = place;
  const { path } = scope;
  // By use, the places of hosts follow the numbers.
  const orderVersion = order === 'use' ? version : 0;
  const sections = useMemo(
    () => (orderVersion < 0 ? [] : arrange(columns, { scope, order, resourceClass, onlyWithCapacity: isBySize })),
    [columns, scope, order, resourceClass, orderVersion, isBySize],
  );
  const hasSections = scope.levels.length >= 2;
  return (
    <section aria-labelledby="map" className={styles.panel}>
      <div className={styles.toolbar}>
        <h2 id="map">
          Cloud map <span className={styles.aside}>by use of {resourceClass}</span>
        </h2>
        <Legend />
      </div>
      <MapChoices address={address} path={path} groupings={groupings} sections={sections} hasSections={hasSections} isWall={isWall} />
      {sections.every(({ piles }) => piles.length === 0) ? (
        <NoHost onLeave={() => goTo([])} />
      ) : (
        <CloudMap
          columns={columns}
          version={version}
          resourceClass={resourceClass}
          pools={place.pools}
          cardClasses={cardClasses}
          sections={sections}
          hasSections={hasSections}
          isBySize={isBySize}
          share={isWall ? null : 0.55}
          chosen={host}
          stand={stand}
          onChoose={choose}
          onOpen={(name) => navigate(hostAddress(name))}
          onEnter={(names) => goTo([...path, ...names])}
          onUp={() => path.length > 0 && goTo(path.slice(0, -1))}
          onStand={move}
          onAllClasses={onAllClasses}
        />
      )}
    </section>
  );
}

function NoHost({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <p>
      There are no hosts here.{' '}
      <button type="button" onClick={onLeave}>
        Go to the whole cloud
      </button>
    </p>
  );
}
