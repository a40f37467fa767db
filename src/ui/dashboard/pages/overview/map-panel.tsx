// The cloud map with its legend and choices. All of these are in the address.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { CloudColumns } from '../../data/map-columns.ts';
import { arrange } from '../../map/arrangement.ts';
import { CloudMap } from '../../map/cloud-map.tsx';
import { groupingsOf, usualLevels } from '../../map/families.ts';
import { hostAddress } from '../../map/host-link.tsx';
import { Legend } from './legend.tsx';
import { suggested, useMapAddress } from './map-address.ts';
import { MapChoices } from './map-choices.tsx';
import styles from './overview.module.css';

interface MapPanelProps {
  readonly columns: CloudColumns;
  readonly version: number;
  readonly resourceClass: string;
  readonly cardClasses: readonly string[];
  readonly isWall: boolean;
  readonly onCards: () => void;
}

export function MapPanel({ columns, version, resourceClass, cardClasses, isWall, onCards }: MapPanelProps) {
  const [, navigate] = useLocation();
  const address = useMapAddress();
  const { grouping, path, order, isBySize, host, stand, goTo, choose, move } = address;
  const groupings = useMemo(() => groupingsOf(columns), [columns]);
  const levels = useMemo(
    () => (grouping === suggested ? usualLevels(groupings) : groupings.filter(({ id }) => id === grouping)),
    [groupings, grouping],
  );
  const pathKey = path.join('\n');
  // By use, the places of hosts follow the numbers.
  const orderVersion = order === 'use' ? version : 0;
  const sections = useMemo(() => {
    const path = pathKey === '' ? [] : pathKey.split('\n');
    return orderVersion < 0 ? [] : arrange(columns, { levels, path, order, resourceClass, onlyWithCapacity: isBySize });
  }, [columns, levels, pathKey, order, resourceClass, orderVersion, isBySize]);
  const hasSections = levels.length - path.length >= 2;
  return (
    <section aria-labelledby="map" className={styles.panel}>
      <div className={styles.toolbar}>
        <h2 id="map">
          Cloud map <span className={styles.aside}>by use of {resourceClass}</span>
        </h2>
        <Legend />
      </div>
      <MapChoices address={address} groupings={groupings} sections={sections} hasSections={hasSections} isWall={isWall} />
      {sections.every(({ piles }) => piles.length === 0) ? (
        <NoHost onLeave={() => goTo([])} />
      ) : (
        <CloudMap
          columns={columns}
          version={version}
          resourceClass={resourceClass}
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
          onCards={onCards}
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
