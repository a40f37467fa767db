// How many fit by host, most first.
import { formatCount } from '../../formats/amounts.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProviderLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import type { WhatFitsQuery } from './fit.generated.ts';

type RootCount = WhatFitsQuery['fit']['byRoot']['nodes'][number];

const columns: readonly ShownColumn<RootCount>[] = [
  { title: 'host', value: ({ root }) => root.name, show: ({ root }) => <ProviderLink provider={root} /> },
  { title: 'fit', value: ({ count }) => count, show: ({ count }) => formatCount(count), isNumber: true },
];

export function ByHost({ byRoot: { nodes, totalCount } }: { readonly byRoot: WhatFitsQuery['fit']['byRoot'] }) {
  return (
    <details className={layout.section}>
      <summary>By host, most first</summary>
      {totalCount > nodes.length && (
        <p className={layout.muted}>
          The first {formatCount(nodes.length)} of {formatCount(totalCount)} hosts.
        </p>
      )}
      <DataTable title="fit by host" columns={columns} rows={nodes} keyOf={({ root }) => root.uuid} />
    </details>
  );
}
