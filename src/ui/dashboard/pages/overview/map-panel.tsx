// The cloud map with what is around it: legend, where the viewer stands, how hosts are grouped and ordered. All of that is in the address.
import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { CloudColumns } from '../../data/map-columns.ts';
import { arrange, type HostOrder } from '../../map/arrangement.ts';
import { CloudMap } from '../../map/cloud-map.tsx';
import { groupingsOf, usualLevels } from '../../map/families.ts';
import { hostAddress } from '../../map/host-link.tsx';
import { Name } from '../../parts/name.tsx';
import { Legend } from './legend.tsx';
import styles from './overview.module.css';

interface MapPanelProps {
  readonly columns: CloudColumns;
  readonly version: number;
  readonly resourceClass: string;
  readonly cardClasses: readonly string[];
  readonly isWall: boolean;
  readonly onCards: () => void;
}

const asFound = '';
const notAtAll = 'none';
/** Keys of how near the viewer is, and where: of one arrangement only. */
const whereabouts = ['zoom', 'at'];

export function MapPanel({ columns, version, resourceClass, cardClasses, isWall, onCards }: MapPanelProps) {
  const [, navigate] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const by = parameters.get('by') ?? asFound;
  const path = parameters.getAll('in');
  const pathKey = path.join('\n');
  const order: HostOrder = parameters.get('order') === 'use' ? 'use' : 'name';
  const isBySize = parameters.get('layout') === 'size';
  const stand = { zoom: Number(parameters.get('zoom')) || 1, at: parameters.get('at') };
  const groupings = useMemo(() => groupingsOf(columns), [columns]);
  const levels = useMemo(() => {
    if (by === asFound) return usualLevels(groupings);
    return groupings.filter(({ id }) => id === by);
  }, [groupings, by]);
  // By use, the places of hosts follow the numbers.
  const orderVersion = order === 'use' ? version : 0;
  const sections = useMemo(() => {
    const path = pathKey === '' ? [] : pathKey.split('\n');
    return orderVersion < 0 ? [] : arrange(columns, { levels, path, order, resourceClass, onlyWithCapacity: isBySize });
  }, [columns, levels, pathKey, order, resourceClass, orderVersion, isBySize]);
  const set = (change: (next: URLSearchParams) => void, replace = false) =>
    setParameters(
      (old) => {
        const next = new URLSearchParams(old);
        change(next);
        return next;
      },
      { replace },
    );
  const setOrDelete = (key: string, value: string) =>
    set((next) => {
      for (const where of whereabouts) next.delete(where);
      if (value === '') next.delete(key);
      else next.set(key, value);
    });
  const goTo = (to: readonly string[]) =>
    set((next) => {
      for (const key of ['in', 'host', ...whereabouts]) next.delete(key);
      for (const name of to) next.append('in', name);
    });
  const hasSections = levels.length - path.length >= 2;
  const inside = hasSections
    ? sections.map(({ name }) => name)
    : (sections[0]?.piles ?? []).map(({ name }) => name).filter((name) => name !== '');
  return (
    <section aria-labelledby="map" className={styles.panel}>
      <div className={styles.toolbar}>
        <h2 id="map">
          Cloud map <span className={styles.aside}>by use of {resourceClass}</span>
        </h2>
        <Legend />
      </div>
      <div className={styles.toolbar}>
        <nav aria-label="Place in the cloud" className={styles.path}>
          <button type="button" disabled={path.length === 0} onClick={() => goTo([])}>
            Cloud
          </button>
          {path.map((name, depth) => (
            <span key={name}>
              {' · '}
              <button type="button" disabled={depth === path.length - 1} onClick={() => goTo(path.slice(0, depth + 1))}>
                <Name>{name}</Name>
              </button>
            </span>
          ))}
          {inside.length > 1 && (
            <select aria-label="Go into" value="" onChange={({ target }) => goTo([...path, target.value])}>
              <option value="">go into …</option>
              {inside.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </nav>
        <label>
          grouped by{' '}
          <select
            value={by}
            onChange={({ target }) =>
              set((next) => {
                for (const key of ['in', ...whereabouts]) next.delete(key);
                if (target.value === asFound) next.delete('by');
                else next.set('by', target.value);
              })
            }
          >
            <option value={asFound}>
              {usualLevels(groupings)
                .map(({ title }) => title)
                .join(', ') || 'nothing'}
            </option>
            {groupings.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
            <option value={notAtAll}>no groups</option>
          </select>
        </label>
        <label>
          order{' '}
          <select value={order} onChange={({ target }) => setOrDelete('order', target.value === 'use' ? 'use' : '')}>
            <option value="name">names</option>
            <option value="use">use</option>
          </select>
        </label>
        <label>
          cells{' '}
          <select value={isBySize ? 'size' : ''} onChange={({ target }) => setOrDelete('layout', target.value)}>
            <option value="">alike</option>
            <option value="size">by capacity</option>
          </select>
        </label>
        <button type="button" onClick={() => setOrDelete('wall', isWall ? '' : '1')}>
          {isWall ? 'Leave the wall' : 'Wall'}
        </button>
      </div>
      {sections.every(({ piles }) => piles.length === 0) ? (
        <p>
          There is no host here.{' '}
          <button type="button" onClick={() => goTo([])}>
            To the whole cloud
          </button>
        </p>
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
          chosen={parameters.get('host')}
          onChoose={(host) => set((next) => next.set('host', host), true)}
          onOpen={(host) => navigate(hostAddress(host))}
          onEnter={(names) => goTo([...path, ...names])}
          onUp={() => path.length > 0 && goTo(path.slice(0, -1))}
          stand={stand}
          onStand={({ zoom, at }) =>
            set((next) => {
              for (const key of whereabouts) next.delete(key);
              if (at === null) return;
              next.set('zoom', String(zoom));
              next.set('at', at);
              // Back leads to the whole map, not through all that was seen on the way.
            }, parameters.has('zoom'))
          }
          onCards={onCards}
        />
      )}
    </section>
  );
}
