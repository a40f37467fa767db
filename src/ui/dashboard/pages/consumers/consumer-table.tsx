// A table of consumers with what each of them holds.
import { formatAmount } from '../../formats/amounts.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { groupedBy } from '../../parts/grouped.ts';
import { ConsumerLink, ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';

/** A consumer as the caller may see it: its providers are known only to callers who may read the whole cloud. */
export interface ConsumerShown {
  readonly uuid: string;
  readonly consumerType: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly project: { readonly externalId: string };
  readonly user: { readonly externalId: string };
  readonly allocations: readonly {
    readonly amount: number;
    readonly resourceClass: { readonly name: string };
    readonly resourceProvider?: { readonly uuid: string; readonly name: string };
  }[];
}

export const consumerColumns: readonly ShownColumn<ConsumerShown>[] = [
  { title: 'consumer', value: ({ uuid }) => uuid, show: ({ uuid }) => <ConsumerLink uuid={uuid} /> },
  { title: 'type', value: ({ consumerType }) => consumerType, show: ({ consumerType }) => <Name>{consumerType ?? 'unknown'}</Name> },
  { title: 'project', value: ({ project }) => project.externalId, show: ({ project }) => <ProjectLink id={project.externalId} /> },
  { title: 'user', value: ({ user }) => user.externalId, show: ({ user }) => <Name>{user.externalId}</Name> },
  {
    title: 'holds',
    value: ({ allocations }) =>
      allocations
        .map(({ amount, resourceClass, resourceProvider }) =>
          [resourceProvider?.name, `${resourceClass.name}:${amount}`].filter((part) => part !== undefined).join(' '),
        )
        .join(' '),
    inJson: ({ allocations }) =>
      allocations.map(({ amount, resourceClass, resourceProvider }) => ({
        ...(resourceProvider && { provider: resourceProvider.name }),
        resourceClass: resourceClass.name,
        amount,
      })),
    show: ({ allocations }) => <Holdings allocations={allocations} />,
  },
  { title: 'created', value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'updated', value: ({ updatedAt }) => updatedAt, show: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

interface ConsumerTableProps {
  readonly consumers: readonly ConsumerShown[];
  readonly title: string;
  /** Uuids of the selected ones; without it none can be selected. */
  readonly selected?: ReadonlySet<string> | undefined;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

export function ConsumerTable({ consumers, ...shown }: ConsumerTableProps) {
  if (consumers.length === 0) return <p className={layout.muted}>No consumers.</p>;
  return <DataTable {...shown} columns={consumerColumns} rows={consumers} keyOf={({ uuid }) => uuid} />;
}

/** One line for each provider: "8 VCPU, 16 GiB MEMORY_MB on az1-rack01-node01". */
function Holdings({ allocations }: { readonly allocations: ConsumerShown['allocations'] }) {
  const byProvider = groupedBy(allocations, ({ resourceProvider }) => resourceProvider?.uuid);
  return (
    <ul className={layout.links}>
      {[...byProvider.values()].map((held) => (
        <li key={held[0].resourceProvider?.uuid ?? ''}>
          {held.map(({ amount, resourceClass }) => `${formatAmount(amount, resourceClass.name)} ${resourceClass.name}`).join(', ')}
          {held[0].resourceProvider && (
            <>
              {' '}
              on <ProviderLink provider={held[0].resourceProvider} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
