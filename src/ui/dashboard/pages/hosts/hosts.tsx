// The table of all hosts: the map in words and numbers, filtered and sorted in the browser.
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { bounds } from '../../data/bounds.ts';
import { useLiveMap } from '../../data/live-map.ts';
import type { CloudColumns } from '../../data/map-columns.ts';
import { usePools } from '../../data/pools.ts';
import { useAsk } from '../../data/queries.ts';
import { formatCount } from '../../formats/amounts.ts';
import { poolsBySet } from '../../map/serving-pools.ts';
import { Files } from '../../parts/data-table.tsx';
import { Answered, Placeholder } from '../../parts/states.tsx';
import { columnsForFiles } from './host-files.ts';
import { classesIn, filterIn, hostsFor, isWorstFirst, printSort, sortIn } from './host-filter.ts';
import { HostFilterForm } from './host-filter-form.tsx';
import { HostTable } from './host-table.tsx';
import { HostClasses } from './hosts.generated.ts';
import styles from './hosts.module.css';
import { useSelectionRights, WithSelected } from './with-selected.tsx';

export default function HostsPage() {
  const [parameters, setParameters] = useSearchParams();
  const shown = classesIn(parameters);
  const { has } = filterIn(parameters);
  const classes = useAsk(HostClasses, {});
  const known = classes.data?.totals.own.map(({ resourceClass }) => resourceClass.name) ?? [];
  const isWorst = isWorstFirst(sortIn(parameters));
  // A host may be over capacity in a class that has no column.
  const map = useLiveMap([...new Set([...shown, ...has, ...(isWorst ? known : [])])].slice(0, bounds.mapClasses), isWorst);
  const set = (key: string, values: readonly string[], replace = false) =>
    setParameters(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete(key);
        for (const value of values) if (value !== '') next.append(key, value);
        return next;
      },
      { replace },
    );
  return (
    <>
      <h1>Hosts</h1>
      <HostFilterForm parameters={parameters} columns={map.data?.columns ?? null} classes={known} shown={shown} onChange={set} />
      <Answered query={map} height="page">
        {({ columns, version }) => (
          <Found columns={columns} version={version} parameters={parameters} classes={known} shown={shown} onChange={set} />
        )}
      </Answered>
    </>
  );
}

interface FoundProps {
  readonly columns: CloudColumns;
  readonly version: number;
  readonly parameters: URLSearchParams;
  /** All classes that hosts have, and those with a column. */
  readonly classes: readonly string[];
  readonly shown: readonly string[];
  readonly onChange: (key: string, values: readonly string[]) => void;
}

function Found({ columns, version, parameters, classes, shown, onChange }: FoundProps) {
  // Typing has priority over sorting ten thousand rows.
  const query = useDeferredValue(parameters.toString());
  const numbers = useMemo(() => ({ columns, version }), [columns, version]);
  const hosts = useMemo(() => {
    const asked = new URLSearchParams(query);
    return hostsFor(numbers.columns, filterIn(asked), sortIn(asked));
  }, [numbers, query]);
  const sort = sortIn(parameters);
  const { pools, missing } = usePools(true);
  const bySet = useMemo(() => poolsBySet(columns, pools), [columns, pools]);
  const rights = useSelectionRights();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Selected hosts that the filter hides are not changed.
  const names = hosts.flatMap((host) => {
    const name = columns.names[host] ?? '';
    return selected.has(name) ? [name] : [];
  });
  if (columns.hostCount === 0) return <Placeholder title="There are no hosts yet" />;
  return (
    <>
      <p role="status" className={styles.count}>
        {hosts.length === columns.hostCount
          ? `${formatCount(hosts.length)} hosts`
          : `${formatCount(hosts.length)} of ${formatCount(columns.hostCount)} hosts`}
        {isWorstFirst(sort) && ', the worst first'}
        {missing && ` · ${missing}`}
      </p>
      {hosts.length === 0 ? (
        <Placeholder title="No host matches" />
      ) : (
        <>
          {names.length > 0 && <WithSelected names={names} classes={classes} rights={rights} onClear={() => setSelected(new Set())} />}
          <HostTable
            columns={columns}
            hosts={hosts}
            classes={shown}
            pools={bySet}
            sort={sort}
            selected={rights.mayPatch || rights.mayTrait ? selected : null}
            onSelect={setSelected}
            onSort={(sort) => onChange('sort', [printSort(sort)])}
          />
          <Files title="hosts" columns={columnsForFiles(columns, shown)} rows={hosts} />
        </>
      )}
    </>
  );
}
