// The picture of the cloud: a canvas, and over it a list box with the words. The page decides where the viewer is and which host is chosen.
import { useEffect, useMemo, useRef } from 'react';
import type { CloudColumns } from '../data/map-columns.ts';
import type { Section } from './arrangement.ts';
import { hasWords } from './cards.ts';
import { cellAt, clipped } from './cells.ts';
import styles from './cloud-map.module.css';
import { Headings } from './headings.tsx';
import { HostList } from './host-list.tsx';
import type { Layout } from './layout.ts';
import { Lens } from './lens.tsx';
import { type PoolsBySet, sharedBySet } from './serving-pools.ts';
import { usePalette, useSize } from './surroundings.ts';
import { headingRems, useLayouts } from './use-layouts.ts';
import { usePainting } from './use-painting.ts';
import { type Stand, useZoom } from './use-zoom.ts';

interface CloudMapProps {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly resourceClass: string;
  /** The pools that serve the hosts. */
  readonly pools: PoolsBySet;
  /** The classes that cards show, if the columns have them. */
  readonly cardClasses: readonly string[];
  readonly sections: readonly Section[];
  /** Whether the names above hosts are groups that can be entered. */
  readonly hasSections: boolean;
  /** Whether cells are as large as capacities. */
  readonly isBySize: boolean;
  /** The share of the window's height that it may fill, if that is not more than there is below its top; null for all of that. */
  readonly share: number | null;
  /** The chosen host; null for none. */
  readonly chosen: string | null;
  readonly stand: Stand;
  readonly onChoose: (host: string) => void;
  readonly onOpen: (host: string) => void;
  readonly onEnter: (path: readonly string[]) => void;
  readonly onUp: () => void;
  readonly onStand: (stand: Stand) => void;
  /** Called when cells are large enough to show more than one class. */
  readonly onAllClasses: () => void;
}

export function CloudMap(props: CloudMapProps) {
  const { columns, version, resourceClass, pools, sections, hasSections, share, chosen, stand, onEnter, onStand, onAllClasses } = props;
  const shared = useMemo(() => sharedBySet(pools, resourceClass), [pools, resourceClass]);
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame, share);
  const { scale, rem } = size;
  const places = useLayouts(props, size);
  const { whole, enlarge, most, nameAt, placeOf } = places;
  const zoomed = useZoom(list, { whole, enlarge, most, stand, onStand, nameAt, placeOf, scale, hasWheel: share === null });
  const { layout, zoom } = zoomed;
  usePainting(canvas, { ...props, shared }, zoomed, places, size, usePalette(frame));
  const hasCards = layout !== null && hasWords({ x: 0, y: 0, width: layout.cellWidth, height: layout.cellHeight }, (scale * rem) / 16);
  useEffect(() => {
    if (hasCards) onAllClasses();
  }, [hasCards, onAllClasses]);
  const chosenPlace = chosen === null ? -1 : placeOf(chosen);
  /** Around the chosen host if it is in view. */
  const magnify = (factor: number) => {
    const box = layout && chosenPlace >= 0 ? clipped(cellAt(layout, chosenPlace), layout) : null;
    zoomed.by(factor, box && [box.x + box.width / 2, box.y + box.height / 2]);
  };
  const tops = useMemo(
    () => (layout ? headingTops(layout, rem * headingRems * scale).map((top) => top && top / scale) : []),
    [layout, rem, scale],
  );
  return (
    <div ref={frame} className={styles.map} style={{ height: layout ? layout.height / scale : `${Math.round(size.height)}px` }}>
      <div aria-hidden="true">
        <canvas
          ref={canvas}
          className={styles.canvas}
          style={layout ? { width: layout.width / scale, height: layout.height / scale } : {}}
        />
      </div>
      {places.hosts.length > 0 && (
        <HostList {...props} list={list} places={places} zoomed={zoomed} scale={scale} chosenPlace={chosenPlace} onCloser={magnify} />
      )}
      <Headings
        columns={columns}
        version={version}
        resourceClass={resourceClass}
        sections={sections}
        hasSections={hasSections}
        tops={tops}
        onEnter={onEnter}
      />
      {most > 1 && <Lens zoom={zoom} most={most} onCloser={magnify} onReset={zoomed.reset} />}
    </div>
  );
}

/** The heading of the section at the top of the window stays there until the next one takes its place. */
function headingTops({ sections, height }: Layout, heading: number): (number | null)[] {
  return sections.map(({ y }, index) => {
    const next = sections[index + 1]?.y ?? Number.POSITIVE_INFINITY;
    if (y > height - heading || next <= 0) return null;
    return Math.max(y, Math.min(0, next - heading));
  });
}
