// The groups of what is in view, zones or racks, with the totals of every class. The name of a group leads into it.
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type CloudColumns, totalsOf } from '../../data/map-columns.ts';
import { formatCount, formatShare } from '../../formats/amounts.ts';
import { type Amounts, barOf } from '../../formats/bar-model.ts';
import { printParameters } from '../../formats/query-state.ts';
import { split } from '../../map/arrangement.ts';
import { Bar } from '../../parts/bar.tsx';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import styles from './overview.module.css';
import { type Tile, tilesOfHosts } from './tiles.ts';
import type { Place } from './use-place.ts';

const shownGroups = 100;
interface GroupTotalsProps {
  readonly columns: CloudColumns;
  /** Changes with the numbers in the columns. */
  readonly version: number;
  readonly place: Place;
  /** The classes that hosts have. */
  readonly owned: readonly string[];
  /** Of what is in view; those of the groups begin with it. */
  readonly address: string;
}

interface Row {
  readonly name: string;
  readonly hostCount: number;
  readonly tiles: readonly Tile[];
}

export default function GroupTotals({ columns, version, place, owned, address }: GroupTotalsProps) {
  const [level] = place.scope.levels;
  const all = useMemo(() => (level ? split(place.scope.hosts, level) : []), [place, level]);
  /** The class by whose use the groups are ordered; empty for the order of their names. */
  const [fullest, setFullest] = useState('');
  const rows = useMemo(() => {
    const useOf = (hosts: readonly number[]) => {
      const { used, capacity } = totalsOf(columns, fullest, hosts);
      return capacity > 0 ? used / capacity : -1;
    };
    const uses = new Map(fullest === '' ? [] : all.map(([name, hosts]) => [name, useOf(hosts)]));
    const inOrder = fullest === '' ? all : all.toSorted(([a], [b]) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
    const some = version < 0 ? [] : inOrder.slice(0, shownGroups);
    const { pools } = place;
    return some.map(([name, hosts]): Row => ({ name, hostCount: hosts.length, tiles: tilesOfHosts(columns, hosts, { pools, owned }) }));
  }, [all, fullest, owned, columns, place, version]);
  return (
    <>
      <div className={layout.head}>
        <h2 id="groups">
          Capacity by {level?.title}{' '}
          <span className={styles.aside}>
            {all.length > rows.length ? `the first ${formatCount(rows.length)} of ${formatCount(all.length)} groups` : 'all classes'}
          </span>
        </h2>
        <label>
          First{' '}
          <select value={fullest} onChange={({ target }) => setFullest(target.value)}>
            <option value="">by name</option>
            {owned.map((name) => (
              <option key={name} value={name}>
                the fullest by {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles.wide}>
        <DataTable
          title={`capacity by ${level?.title}`}
          columns={columnsFor(level?.title ?? '', rows, address)}
          rows={rows}
          keyOf={({ name }) => name}
        />
      </div>
    </>
  );
}

function columnsFor(title: string, rows: readonly Row[], address: string): ShownColumn<Row>[] {
  const names = [...new Set(rows.flatMap(({ tiles }) => tiles.map(({ name }) => name)))];
  const tileOf = ({ tiles }: Row, name: string) => tiles.find((tile) => tile.name === name);
  const ownOf = (row: Row, name: string) => {
    const own = tileOf(row, name)?.own;
    return typeof own === 'object' ? own : null;
  };
  return [
    {
      title,
      value: ({ name }) => name,
      show: ({ name }) => (
        <Link href={`${address}&${printParameters([['in', name]])}`}>
          <Name>{name}</Name>
        </Link>
      ),
    },
    { title: 'hosts', value: ({ hostCount }) => hostCount, show: ({ hostCount }) => formatCount(hostCount), isNumber: true },
    ...names.map((name) => ({
      title: name,
      value: (row: Row) => {
        const own = ownOf(row, name);
        return own && formatShare(own.used, own.capacity);
      },
      show: (row: Row) => <Totals tile={tileOf(row, name)} />,
    })),
    ...names.flatMap((name) =>
      (['total', 'reserved', 'capacity', 'used'] as const).flatMap((field) => [
        { title: `${name} ${field}`, value: (row: Row) => ownOf(row, name)?.[field] ?? null, isHidden: true },
        { title: `${name} shared ${field}`, value: (row: Row) => tileOf(row, name)?.shared?.[field] ?? null, isHidden: true },
      ]),
    ),
  ];
}

function Totals({ tile }: { readonly tile: Tile | undefined }) {
  if (!tile || (tile.own === 'none' && !tile.shared)) return <span className={styles.aside}>none</span>;
  if (tile.own === 'unknown') return '…';
  return (
    <div>
      {tile.own === 'left out' && <span className={styles.aside}>not read</span>}
      {typeof tile.own === 'object' && <Line amounts={tile.own} />}
      {tile.shared && <Line amounts={tile.shared} isShared />}
    </div>
  );
}

function Line({ amounts, isShared = false }: { readonly amounts: Amounts; readonly isShared?: boolean }) {
  const { percent, amounts: text, isOver } = barOf(amounts);
  return (
    <>
      <Bar amounts={amounts} isThin={isShared} />
      <span className={`${styles.numbers} ${isOver ? styles.alarm : ''}`}>
        {isOver && '▲ '}
        <strong>{percent}</strong>{' '}
        <span className={styles.aside}>
          {text}
          {isShared && ' shared'}
        </span>
      </span>
    </>
  );
}
