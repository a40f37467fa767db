// A tree as files: its inventories as a table, its shape as a graph, or a picture.
import { dotOf, type ExportedPool } from '../../exports/dot.ts';
import { saveFile } from '../../exports/save.ts';
import { svgOf } from '../../exports/svg.ts';
import { type Column, csvOf, jsonOf } from '../../exports/table.ts';
import { visible } from '../../formats/names.ts';
import layout from '../../parts/page.module.css';
import type { TreeMemberFragment } from './provider.generated.ts';
import { inTreeOrder } from './tree-order.ts';

interface Row {
  readonly provider: TreeMemberFragment;
  readonly inventory: TreeMemberFragment['inventories'][number] | null;
}

const columns: readonly Column<Row>[] = [
  { title: 'provider', value: ({ provider }) => provider.name },
  { title: 'uuid', value: ({ provider }) => provider.uuid },
  { title: 'parent', value: ({ provider }) => provider.parent?.uuid ?? null },
  { title: 'generation', value: ({ provider }) => provider.generation },
  { title: 'traits', value: ({ provider }) => provider.traitNames.join(' '), inJson: ({ provider }) => provider.traitNames },
  {
    title: 'aggregates',
    value: ({ provider }) => provider.aggregates.map(({ uuid }) => uuid).join(' '),
    inJson: ({ provider }) => provider.aggregates.map(({ uuid }) => uuid),
  },
  { title: 'class', value: ({ inventory }) => inventory?.resourceClass.name ?? null },
  { title: 'total', value: ({ inventory }) => inventory?.total ?? null },
  { title: 'reserved', value: ({ inventory }) => inventory?.reserved ?? null },
  { title: 'ratio', value: ({ inventory }) => inventory?.allocationRatio ?? null },
  { title: 'capacity', value: ({ inventory }) => inventory?.capacity ?? null },
  { title: 'used', value: ({ inventory }) => inventory?.used ?? null },
  { title: 'free', value: ({ inventory }) => inventory?.free ?? null },
  { title: 'min unit', value: ({ inventory }) => inventory?.minUnit ?? null },
  { title: 'max unit', value: ({ inventory }) => inventory?.maxUnit ?? null },
  { title: 'step size', value: ({ inventory }) => inventory?.stepSize ?? null },
];

export function TreeFiles({
  members,
  pools,
}: {
  readonly members: readonly TreeMemberFragment[];
  readonly pools: readonly ExportedPool[];
}) {
  const ordered = inTreeOrder(members);
  const name = ordered[0]?.name ?? 'tree';
  const rows = ordered.flatMap((provider): Row[] =>
    provider.inventories.length === 0
      ? [{ provider, inventory: null }]
      : provider.inventories.map((inventory) => ({ provider, inventory })),
  );
  const files = [
    ['csv', () => csvOf(columns, rows)],
    ['json', () => jsonOf(columns, rows)],
    ['svg', () => svgOf(ordered)],
    ['dot', () => dotOf(ordered, pools)],
  ] as const;
  const words = (extension: string) => (extension === 'dot' ? 'dot' : extension.toUpperCase());
  return (
    <fieldset className={layout.buttons} aria-label="Save the tree as a file">
      {files.map(([extension, text]) => (
        <button
          key={extension}
          type="button"
          aria-label={`Tree of ${visible(name)} as ${words(extension)}`}
          title={`Save the tree as ${extension}`}
          onClick={() => saveFile(name, extension, text())}
        >
          {words(extension)}
        </button>
      ))}
    </fieldset>
  );
}
