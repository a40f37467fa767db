// The row above the map: where the viewer is among the groups, and how hosts are grouped, ordered and drawn.
import type { Section } from '../../map/arrangement.ts';
import { type Grouping, usualLevels } from '../../map/families.ts';
import { Name } from '../../parts/name.tsx';
import { type MapAddress, suggested } from './map-address.ts';
import styles from './overview.module.css';

const ungrouped = 'none';

interface MapChoicesProps {
  readonly address: MapAddress;
  /** The groups that the viewer is in, from above. */
  readonly path: readonly string[];
  readonly groupings: readonly Grouping[];
  readonly sections: readonly Section[];
  /** Whether sections are groups that can be entered. */
  readonly hasSections: boolean;
  readonly isWall: boolean;
}

export function MapChoices({ address, path, groupings, sections, hasSections, isWall }: MapChoicesProps) {
  const { order, isBySize, set, goTo } = address;
  return (
    <div className={styles.toolbar}>
      <MapPath path={path} inside={groupsIn(sections, hasSections)} onGo={goTo} />
      <GroupingChoice address={address} groupings={groupings} />
      <label>
        order{' '}
        <select value={order} onChange={({ target }) => set('order', target.value === 'use' ? 'use' : '')}>
          <option value="name">names</option>
          <option value="use">use</option>
        </select>
      </label>
      <label>
        cells{' '}
        <select value={isBySize ? 'size' : ''} onChange={({ target }) => set('layout', target.value)}>
          <option value="">equal</option>
          <option value="size">by capacity</option>
        </select>
      </label>
      <button type="button" onClick={() => set('wall', isWall ? '' : '1')}>
        {isWall ? 'Leave the wall' : 'Wall'}
      </button>
    </div>
  );
}

/** The groups that can be entered from here. */
function groupsIn(sections: readonly Section[], hasSections: boolean): string[] {
  const groups = hasSections ? sections : (sections[0]?.piles ?? []);
  return groups.map(({ name }) => name).filter((name) => hasSections || name !== '');
}

interface MapPathProps {
  readonly path: readonly string[];
  readonly inside: readonly string[];
  readonly onGo: (path: readonly string[]) => void;
}

function MapPath({ path, inside, onGo }: MapPathProps) {
  return (
    <nav aria-label="Place in the cloud" className={styles.path}>
      <button type="button" disabled={path.length === 0} onClick={() => onGo([])}>
        Cloud
      </button>
      {path.map((name, depth) => (
        <span key={name}>
          {' · '}
          <button type="button" disabled={depth === path.length - 1} onClick={() => onGo(path.slice(0, depth + 1))}>
            <Name>{name}</Name>
          </button>
        </span>
      ))}
      {inside.length > 1 && (
        <select aria-label="Go into" value="" onChange={({ target }) => onGo([...path, target.value])}>
          <option value="">go into …</option>
          {inside.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}

function GroupingChoice({ address: { grouping, group }, groupings }: Pick<MapChoicesProps, 'address' | 'groupings'>) {
  const usual = usualLevels(groupings).map(({ title }) => title);
  return (
    <label>
      grouped by{' '}
      <select value={grouping} onChange={({ target }) => group(target.value)}>
        <option value={suggested}>{usual.join(', ') || 'nothing'}</option>
        {groupings.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
        <option value={ungrouped}>no groups</option>
      </select>
    </label>
  );
}
