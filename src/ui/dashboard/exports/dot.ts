// A tree of providers as a graph for Graphviz: one box for each provider, with a line for each inventory. Shared pools are dashed.
import { formatPartOf, formatShare } from '../formats/amounts.ts';
import type { Amounts } from '../formats/bar-model.ts';
import { visible } from '../formats/names.ts';

export interface ExportedProvider {
  readonly uuid: string;
  readonly name: string;
  readonly parent: { readonly uuid: string } | null;
  readonly inventories: readonly Amounts[];
}

export interface ExportedPool {
  readonly resourceProvider: { readonly name: string };
  readonly inventory: Amounts;
}

/** A quoted string; `\n` between lines is dot's own escape. */
const quoted = (lines: readonly string[]) =>
  `"${lines.map((line) => visible(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"')).join('\\n')}"`;

function inventoryLine({ resourceClass, used, capacity }: Amounts): string {
  return `${resourceClass.name} ${formatShare(used, capacity)}, ${formatPartOf(used, capacity, resourceClass.name)}`;
}

export function dotOf(providers: readonly ExportedProvider[], pools: readonly ExportedPool[]): string {
  const ids = new Map(providers.map(({ uuid }, index) => [uuid, `n${index + 1}`]));
  const boxes = providers.map(
    ({ name, inventories }, index) => `  n${index + 1} [label=${quoted([name, ...inventories.map(inventoryLine)])}];`,
  );
  const edges = providers.flatMap(({ parent }, index) => {
    const above = parent && ids.get(parent.uuid);
    return above ? [`  ${above} -> n${index + 1};`] : [];
  });
  const shared = pools.flatMap(({ resourceProvider, inventory }, index) => [
    `  p${index + 1} [style=dashed, label=${quoted([resourceProvider.name, inventoryLine(inventory)])}];`,
    ...(providers.length > 0 ? [`  n1 -> p${index + 1} [style=dashed, dir=none];`] : []),
  ]);
  return ['digraph providers {', '  node [shape=box, fontname="sans-serif"];', ...boxes, ...edges, ...shared, '}', ''].join('\n');
}
