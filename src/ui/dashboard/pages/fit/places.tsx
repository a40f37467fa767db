// Where it fits: by aggregate and by host, and the candidates that would be tried first.
import { formatAmount, formatCount } from '../../formats/amounts.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { groupedBy } from '../../parts/grouped.ts';
import { ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import type { WhatFitsQuery } from './fit.generated.ts';
import styles from './fit.module.css';

type RootCount = WhatFitsQuery['fit']['byRoot']['nodes'][number];
type Candidate = WhatFitsQuery['allocationCandidates']['candidates'][number];

const rootColumns: readonly ShownColumn<RootCount>[] = [
  { title: 'host', value: ({ root }) => root.name, show: ({ root }) => <ProviderLink provider={root} /> },
  { title: 'fit', value: ({ count }) => count, show: ({ count }) => formatCount(count), isNumber: true },
];

export function Places({ found: { fit, allocationCandidates } }: { readonly found: WhatFitsQuery }) {
  const { byAggregate, byRoot } = fit;
  return (
    <>
      {byAggregate.nodes.length > 0 && <Aggregates counts={byAggregate.nodes} />}
      <h2 className={layout.section}>Candidates{allocationCandidates.truncated && ', the first of many'}</h2>
      <ol>
        {allocationCandidates.candidates.map((candidate, index) => (
          // Several candidates can differ only in their place in the list.
          <CandidateLine key={`${candidate.root.uuid} ${index.toString()}`} candidate={candidate} />
        ))}
      </ol>
      <details className={layout.section}>
        <summary>By host, most first</summary>
        {byRoot.totalCount > byRoot.nodes.length && (
          <p className={layout.muted}>
            The first {formatCount(byRoot.nodes.length)} of {formatCount(byRoot.totalCount)} hosts.
          </p>
        )}
        <DataTable title="fit by host" columns={rootColumns} rows={byRoot.nodes} keyOf={({ root }) => root.uuid} />
      </details>
    </>
  );
}

function Aggregates({ counts }: { readonly counts: WhatFitsQuery['fit']['byAggregate']['nodes'] }) {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const named = counts.filter(({ aggregate }) => aggregate.isNamed);
  const shown = named.length > 0 ? named : counts;
  return (
    <>
      <h2 className={layout.section}>By aggregate</h2>
      <ul className={styles.bars}>
        {shown.slice(0, 12).map(({ aggregate, count }) => (
          <li key={aggregate.uuid}>
            <span>
              <Name>{aggregate.name}</Name>
            </span>
            <strong>{formatCount(count)}</strong>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length > 12 && <p className={layout.muted}>and {formatCount(shown.length - 12)} more aggregates with fewer</p>}
    </>
  );
}

function CandidateLine({ candidate: { root, allocations } }: { readonly candidate: Candidate }) {
  const byProvider = groupedBy(allocations, ({ resourceProvider }) => resourceProvider.uuid);
  return (
    <li className={styles.candidate}>
      <ProviderLink provider={root} />
      <ul className={layout.muted}>
        {[...byProvider.values()].map((taken) => (
          <li key={taken[0].resourceProvider.uuid}>
            {taken.map(({ amount, resourceClass: { name } }) => `${formatAmount(amount, name)} ${name}`).join(', ')}
            {taken[0].resourceProvider.uuid !== root.uuid && (
              <>
                {' '}
                from <Name>{taken[0].resourceProvider.name}</Name>
              </>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}
