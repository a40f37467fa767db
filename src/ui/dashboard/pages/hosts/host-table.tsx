// Rows of hosts, of which only those in view exist.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { type CloudColumns, disabledFlag, overFlag } from '../../data/map-columns.ts';
import { type Amounts, barOf } from '../../formats/bar-model.ts';
import { HostLink } from '../../map/host-link.tsx';
import { type PoolsBySet, sharedOf } from '../../map/serving-pools.ts';
import { Bar } from '../../parts/bar.tsx';
import type { HostSort } from './host-filter.ts';
import styles from './hosts.module.css';
import { useRowKeys } from './row-keys.ts';

interface HostTableProps {
  readonly columns: CloudColumns;
  readonly hosts: readonly number[];
  readonly classes: readonly string[];
  /** The pools that serve the hosts. */
  readonly pools: PoolsBySet;
  readonly sort: HostSort;
  readonly onSort: (sort: HostSort) => void;
  /** Names of selected hosts; null if the caller can do nothing with a selection. */
  readonly selected: ReadonlySet<string> | null;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** In rem. */
const rowHeight = 2.25;

export function HostTable(props: HostTableProps) {
  const { columns, hosts, classes, pools, selected, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rows = useVirtualizer({
    count: hosts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * rem,
    overscan: 10,
  });
  useRowKeys(scroller, hosts.length, rows);
  const items = rows.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  const columnCount = classes.length + (selected ? 3 : 2);
  const toggle = (name: string) => {
    const next = new Set(selected);
    if (!next.delete(name)) next.add(name);
    onSelect(next);
  };
  return (
    <div ref={scroller} className={styles.scroller}>
      <table className={styles.table} aria-label="Hosts" aria-rowcount={hosts.length + 1}>
        <Head {...props} />
        <tbody>
          <Space height={before} columns={columnCount} />
          {items.map(({ index, size }) => {
            const host = hosts[index] ?? 0;
            return (
              <HostRow
                key={host}
                columns={columns}
                classes={classes}
                pools={pools}
                selected={selected}
                host={host}
                index={index}
                size={size}
                onToggle={toggle}
              />
            );
          })}
          <Space height={after} columns={columnCount} />
        </tbody>
      </table>
    </div>
  );
}

function Head({ columns, hosts, classes, sort, onSort, selected, onSelect }: HostTableProps) {
  const areAll = selected !== null && hosts.every((host) => selected.has(columns.names[host] ?? ''));
  return (
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
  );
}

interface HostRowProps extends Pick<HostTableProps, 'columns' | 'classes' | 'pools' | 'selected'> {
  readonly host: number;
  /** The place in the table, and the height in pixels. */
  readonly index: number;
  readonly size: number;
  readonly onToggle: (name: string) => void;
}

function HostRow({ columns, classes, pools, selected, host, index, size, onToggle }: HostRowProps) {
  const name = columns.names[host] ?? '';
  return (
    <tr aria-rowindex={index + 2} data-index={index} style={{ height: size }}>
      {selected && (
        <td className={styles.selection}>
          <input type="checkbox" aria-label={`Select ${name}`} checked={selected.has(name)} onChange={() => onToggle(name)} />
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
          <Use columns={columns} pools={pools} host={host} resourceClass={resourceClass} />
        </td>
      ))}
    </tr>
  );
}

/** Fills the space of the rows that are out of view. */
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
  readonly pools: PoolsBySet;
  readonly host: number;
  readonly resourceClass: string;
}

function Use({ columns, pools, host, resourceClass }: UseProps) {
  const numbers = columns.classes.get(resourceClass);
  const capacity = numbers?.capacity[host] ?? Number.NaN;
  if (!numbers || Number.isNaN(capacity)) {
    const shared = sharedOf(pools[columns.aggregateSet[host] ?? 0] ?? [], resourceClass);
    return shared ? <Amount amounts={shared} sharedBy={shared.poolNames.join(', ')} /> : <span className={styles.none}>none</span>;
  }
  const amounts = {
    resourceClass: { name: resourceClass },
    total: numbers.total[host] ?? 0,
    reserved: numbers.reserved[host] ?? 0,
    capacity,
    used: numbers.used[host] ?? 0,
  };
  return <Amount amounts={amounts} />;
}

/** `sharedBy`: the pools that others use, too, if the amount is theirs. */
function Amount({ amounts, sharedBy }: { readonly amounts: Amounts; readonly sharedBy?: string }) {
  const { percent, amounts: text, isOver } = barOf(amounts);
  return (
    <span className={styles.use} title={sharedBy && `shared by ${sharedBy}`}>
      <Bar amounts={amounts} isThin={sharedBy !== undefined} />
      <span className={isOver ? styles.warning : ''}>
        <strong>{percent}</strong>{' '}
        <span className={styles.none}>
          {text}
          {sharedBy !== undefined && ' shared'}
        </span>
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
