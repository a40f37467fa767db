// Rows of hosts, of which only those in view exist. Arrow keys go from row to row.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { type CloudColumns, disabledFlag, overFlag } from '../../data/map-columns.ts';
import { barOf } from '../../formats/bar-model.ts';
import { HostLink } from '../../map/host-link.tsx';
import { Bar } from '../../parts/bar.tsx';
import type { HostSort } from './host-filter.ts';
import styles from './hosts.module.css';

interface HostTableProps {
  readonly columns: CloudColumns;
  readonly hosts: readonly number[];
  readonly classes: readonly string[];
  readonly sort: HostSort;
  readonly onSort: (sort: HostSort) => void;
  /** Names of hosts; null where nothing can be done with a selection. */
  readonly selected: ReadonlySet<string> | null;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** In rem. */
const rowHeight = 2.25;

/** Frames: a row exists only after the list has scrolled to it. */
const framesUntilThere = 30;

/** How many rows each key goes down. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function HostTable({ columns, hosts, classes, sort, onSort, selected, onSelect }: HostTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rows = useVirtualizer({
    count: hosts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * rem,
    overscan: 10,
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    /** The row that has the focus, or will have it as soon as it exists. */
    let at = -1;
    let isSelecting = false;
    const focus = (attempts: number) => {
      const link = element.querySelector<HTMLElement>(`[data-index="${at}"] ${isSelecting ? 'input' : 'a'}`);
      if (link) link.focus();
      else if (attempts > 0) requestAnimationFrame(() => focus(attempts - 1));
    };
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      if (!row) return;
      at = Number(row.dataset.index);
      isSelecting = target instanceof HTMLInputElement;
    };
    const move = (event: KeyboardEvent) => {
      const by = steps[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      at = Math.min(hosts.length - 1, Math.max(0, at + by));
      rows.scrollToIndex(at);
      focus(framesUntilThere);
    };
    element.addEventListener('focusin', note);
    element.addEventListener('keydown', move);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('keydown', move);
    };
  }, [hosts.length, rows]);
  const items = rows.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  const columnCount = classes.length + (selected ? 3 : 2);
  const areAll = selected !== null && hosts.every((host) => selected.has(columns.names[host] ?? ''));
  const toggle = (name: string) => {
    const next = new Set(selected);
    if (!next.delete(name)) next.add(name);
    onSelect(next);
  };
  return (
    <div ref={scroller} className={styles.scroller}>
      <table className={styles.table} aria-label="Hosts" aria-rowcount={hosts.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {selected && (
              <th scope="col" className={styles.selection}>
                <input
                  type="checkbox"
                  aria-label="Select all hosts in the table"
                  checked={areAll}
                  onChange={() => onSelect(new Set(areAll ? [] : hosts.map((host) => columns.names[host] ?? '')))}
                />
              </th>
            )}
            <th scope="col" aria-sort={ariaSort(sort, null)} className={styles.name}>
              <button
                type="button"
                onClick={() => onSort({ resourceClass: null, isDescending: sort.resourceClass === null && !sort.isDescending })}
              >
                Name{arrow(sort, null)}
              </button>
            </th>
            <th scope="col" className={styles.state}>
              State
            </th>
            {classes.map((name) => (
              <th key={name} scope="col" aria-sort={ariaSort(sort, name)}>
                {name}
                {(['use', 'free'] as const).map((field) => (
                  <button
                    key={field}
                    type="button"
                    aria-label={`Sort by ${field} of ${name}`}
                    onClick={() => onSort(nextSort(sort, name, field))}
                  >
                    {field}
                    {sort.resourceClass === name && sort.field === field && arrow(sort, name)}
                  </button>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={before} columns={columnCount} />
          {items.map(({ index, size }) => {
            const host = hosts[index] ?? 0;
            const name = columns.names[host] ?? '';
            return (
              <tr key={host} aria-rowindex={index + 2} data-index={index} style={{ height: size }}>
                {selected && (
                  <td className={styles.selection}>
                    <input type="checkbox" aria-label={`Select ${name}`} checked={selected.has(name)} onChange={() => toggle(name)} />
                  </td>
                )}
                <th scope="row" className={styles.name}>
                  <HostLink name={name} />
                </th>
                <td>
                  <State flags={columns.flags[host] ?? 0} />
                </td>
                {classes.map((resourceClass) => (
                  <td key={resourceClass}>
                    <Use columns={columns} host={host} resourceClass={resourceClass} />
                  </td>
                ))}
              </tr>
            );
          })}
          <Space height={after} columns={columnCount} />
        </tbody>
      </table>
    </div>
  );
}

/** In place of the rows that are out of view. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  return height <= 0 ? null : (
    <tr>
      <td colSpan={columns} className={styles.space} style={{ height }} />
    </tr>
  );
}

function State({ flags }: { readonly flags: number }) {
  return (
    <>
      {(flags & overFlag) !== 0 && (
        <span className={styles.warning} role="img" title="over capacity" aria-label="over capacity">
          ▲
        </span>
      )}{' '}
      {(flags & disabledFlag) !== 0 && (
        <span role="img" title="disabled" aria-label="disabled">
          ✕
        </span>
      )}
    </>
  );
}

interface UseProps {
  readonly columns: CloudColumns;
  readonly host: number;
  readonly resourceClass: string;
}

function Use({ columns, host, resourceClass }: UseProps) {
  const numbers = columns.classes.get(resourceClass);
  const capacity = numbers?.capacity[host] ?? Number.NaN;
  if (!numbers || Number.isNaN(capacity)) return <span className={styles.none}>none</span>;
  const amounts = {
    resourceClass: { name: resourceClass },
    total: numbers.total[host] ?? 0,
    reserved: numbers.reserved[host] ?? 0,
    capacity,
    used: numbers.used[host] ?? 0,
  };
  const { percent, amounts: text, isOver } = barOf(amounts);
  return (
    <span className={styles.use}>
      <Bar amounts={amounts} />
      <span className={isOver ? styles.warning : ''}>
        <strong>{percent}</strong> <span className={styles.none}>{text}</span>
      </span>
    </span>
  );
}

function nextSort(sort: HostSort, resourceClass: string, field: 'use' | 'free'): HostSort {
  const isSame = sort.resourceClass === resourceClass && sort.field === field;
  return { resourceClass, field, isDescending: !(isSame && sort.isDescending) };
}

function ariaSort(sort: HostSort, resourceClass: string | null): 'ascending' | 'descending' | 'none' {
  if (sort.resourceClass !== resourceClass) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

function arrow(sort: HostSort, resourceClass: string | null): string {
  if (sort.resourceClass !== resourceClass) return '';
  return sort.isDescending ? ' ↓' : ' ↑';
}
