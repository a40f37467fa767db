// The columns of the saved table of hosts: exact numbers, in the units of the classes.
import { type CloudColumns, disabledFlag, overFlag } from '../../data/map-columns.ts';
import type { Column } from '../../exports/table.ts';

export function columnsForFiles(columns: CloudColumns, classes: readonly string[]): Column<number>[] {
  const has = (flag: number) => (host: number) => ((columns.flags[host] ?? 0) & flag) !== 0;
  const aggregatesOf = (host: number) =>
    (columns.aggregateSets[columns.aggregateSet[host] ?? 0] ?? []).map(
      (place) => columns.aggregates[place]?.name ?? columns.aggregates[place]?.uuid,
    );
  return [
    { title: 'name', value: (host) => columns.names[host] ?? '' },
    {
      title: 'aggregates',
      value: (host) => aggregatesOf(host).join(' '),
      inJson: aggregatesOf,
    },
    { title: 'over capacity', value: has(overFlag) },
    { title: 'disabled', value: has(disabledFlag) },
    { title: 'providers', value: (host) => columns.memberCounts[host] ?? 0 },
    ...classes.flatMap((name) =>
      (['total', 'reserved', 'capacity', 'used'] as const).map((field) => ({
        title: `${name} ${field}`,
        value: (host: number) => {
          const amount = columns.classes.get(name)?.[field][host] ?? Number.NaN;
          return Number.isNaN(amount) ? null : amount;
        },
      })),
    ),
  ];
}
