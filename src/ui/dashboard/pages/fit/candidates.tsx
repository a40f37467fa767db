// The candidates, each with what it would take and what its providers have free and used of that. Sorted by the gateway, over the whole cloud.
import { formatAmount } from '../../formats/amounts.ts';
import { barOf } from '../../formats/bar-model.ts';
import { Bar } from '../../parts/bar.tsx';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import type { WhatFitsQuery } from './fit.generated.ts';
import styles from './fit.module.css';

type Candidate = WhatFitsQuery['allocationCandidates']['candidates'][number];

interface CandidatesProps {
  readonly found: WhatFitsQuery['allocationCandidates'];
  readonly classes: readonly string[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export const candidatesShown = 50;

/** `-VCPU` for most free VCPU first, `VCPU` for least; empty for the oldest host first. */
export function orderOf(sort: string, classes: readonly string[]) {
  const resourceClass = sort.replace(/^-/, '');
  if (!classes.includes(resourceClass)) return {};
  return { orderBy: [{ field: 'FREE' as const, resourceClass, direction: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const) }] };
}

export function Candidates({ found: { candidates, truncated }, classes, sort, onSort }: CandidatesProps) {
  const rows = candidates.map((candidate, index) => ({ ...candidate, key: `${candidate.root.uuid} ${index.toString()}` }));
  const isPart = truncated || candidates.length === candidatesShown;
  return (
    <section className={layout.section} aria-label="Candidates">
      <div className={layout.head}>
        <h2>Candidates{isPart && `, the first ${candidates.length}`}</h2>
        <label>
          First those with{' '}
          <select value={sort} onChange={({ target }) => onSort(target.value)}>
            <option value="">the oldest host</option>
            {classes.flatMap((name) => [
              <option key={`-${name}`} value={`-${name}`}>
                most free {name}
              </option>,
              <option key={name} value={name}>
                least free {name}
              </option>,
            ])}
          </select>
        </label>
      </div>
      <DataTable title="candidates" columns={[host, ...classes.map(columnOf)]} rows={rows} keyOf={({ key }) => key} />
    </section>
  );
}

const host: ShownColumn<Candidate> = {
  title: 'host',
  value: ({ root }) => root.name,
  show: ({ root }) => <ProviderLink provider={root} />,
};

function columnOf(resourceClass: string): ShownColumn<Candidate> {
  const taken = ({ allocations }: Candidate) =>
    allocations.flatMap(({ amount, resourceProvider, resourceClass: { name } }) => {
      const inventory = resourceProvider.inventories.find((one) => one.resourceClass.name === name);
      return name === resourceClass && inventory ? [{ amount, resourceProvider, inventory }] : [];
    });
  return {
    title: resourceClass,
    value: (candidate) =>
      taken(candidate)
        .map(({ amount, inventory: { used, capacity } }) => `takes ${amount}, ${capacity - used} free, ${used} used`)
        .join('; '),
    inJson: (candidate) =>
      taken(candidate).map(({ amount, resourceProvider, inventory: { used, capacity } }) => ({
        ...{ provider: resourceProvider.name, amount, free: capacity - used, used },
      })),
    show: (candidate) => (
      <ul>
        {taken(candidate).map(({ amount, resourceProvider, inventory }) => (
          <li key={resourceProvider.uuid} className={styles.taken}>
            <span>
              <strong>{barOf(inventory).room}</strong>{' '}
              <span className={layout.muted}>
                {formatAmount(inventory.used, resourceClass)} used, takes {formatAmount(amount, resourceClass)}
                {resourceProvider.uuid !== candidate.root.uuid && (
                  <>
                    {' '}
                    from <Name>{resourceProvider.name}</Name>
                  </>
                )}
              </span>
            </span>
            <Bar amounts={inventory} isThin />
          </li>
        ))}
      </ul>
    ),
  };
}
