// The heading of each section of the map: its name, which leads into it, and its sums. It stays in view while the viewer is inside the section.
import { memo } from 'react';
import { type CloudColumns, totalsOf } from '../data/map-columns.ts';
import { Name } from '../parts/name.tsx';
import type { Section } from './arrangement.ts';
import styles from './cloud-map.module.css';
import { wordsOfGroup } from './words.ts';

interface HeadingsProps {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  readonly sections: readonly Section[];
  readonly hasSections: boolean;
  /** The top of each, in pixels of CSS; null if it is out of view. */
  readonly tops: readonly (number | null)[];
  readonly onEnter: (path: readonly string[]) => void;
}

export function Headings({ tops, sections, ...rest }: HeadingsProps) {
  return tops.map((top, index) => {
    const section = sections[index];
    if (!section || top === null) return null;
    return (
      <h3 key={section.name} className={styles.heading} style={{ top }}>
        <Heading {...rest} section={section} />
      </h3>
    );
  });
}

/** Computes its sums when numbers have changed, not with every movement of the map. */
const Heading = memo(function Heading({
  columns,
  resourceClass,
  section,
  hasSections,
  onEnter,
}: Omit<HeadingsProps, 'tops' | 'sections'> & { readonly section: Section }) {
  const totals = totalsOf(
    columns,
    resourceClass,
    section.piles.flatMap((pile) => pile.hosts),
  );
  return (
    <>
      {hasSections ? (
        <button type="button" className={styles.enter} onClick={() => onEnter([section.name])}>
          <Name>{section.name}</Name>
        </button>
      ) : (
        <Name>{section.name || 'All hosts'}</Name>
      )}
      {/* Problems come first, because the end is cut off if there is no room for everything. */}
      <span className={styles.totals}>
        {totals.over > 0 && (
          <span className={styles.over}>
            ▲ {totals.over}
            <span className={styles.long}> over capacity</span>
            {' · '}
          </span>
        )}
        {totals.disabled > 0 && (
          <span>
            ✕ {totals.disabled}
            <span className={styles.long}> disabled</span>
            {' · '}
          </span>
        )}
        {wordsOfGroup(totals, resourceClass)}
      </span>
    </>
  );
});
