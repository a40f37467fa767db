// Whom writes were about: the first few hosts and consumers by name, and how many changes there are besides.
import { spoken } from '../../formats/names.ts';
import { groupedBy } from '../../parts/grouped.ts';
import type { EventSubjectFragment } from './events.generated.ts';

/** A write with its first changes. */
export interface Naming {
  readonly changes: { readonly totalCount: number; readonly nodes: readonly EventSubjectFragment[] };
}

interface NamedProvider {
  readonly uuid: string;
  readonly name: string;
  readonly isGone: boolean;
}

export interface Subjects {
  readonly providers: readonly NamedProvider[];
  readonly consumers: readonly string[];
  /** What is neither, in words. */
  readonly others: readonly string[];
  /** Changes whose subjects are not among these. */
  readonly more: number;
}

const shownOfRun = 4;

export function subjectsOf(events: readonly Naming[]): Subjects {
  const providers = new Map<string, NamedProvider>();
  const consumers = new Set<string>();
  const others = new Set<string>();
  let more = 0;
  for (const { changes } of events) {
    const areEnough = providers.size + consumers.size + others.size >= shownOfRun;
    const named = areEnough ? [] : changes.nodes;
    for (const change of named) {
      for (const provider of providersOf(change)) providers.set(provider.uuid, provider);
      if (change.__typename === 'ConsumerChange') consumers.add(change.consumerUuid);
      const other = otherOf(change);
      if (other !== null) others.add(other);
    }
    more += changes.totalCount - named.length;
  }
  return { providers: [...providers.values()], consumers: [...consumers], others: [...others], more };
}

function providersOf(change: EventSubjectFragment): NamedProvider[] {
  const existing = (provider: { readonly uuid: string; readonly name: string } | null) =>
    provider ? [{ ...provider, isGone: false }] : [];
  switch (change.__typename) {
    case 'ResourceProviderChange':
      return change.resourceProvider
        ? existing(change.resourceProvider)
        : [{ uuid: change.resourceProviderUuid, name: change.name?.before ?? change.resourceProviderUuid, isGone: true }];
    case 'ConsumerChange':
      return change.allocations.flatMap(({ resourceProvider }) => existing(resourceProvider));
    case 'DeviceChange':
      return existing(change.resourceProvider);
    default:
      return [];
  }
}

function otherOf(change: EventSubjectFragment): string | null {
  switch (change.__typename) {
    case 'AggregateChange':
      return `aggregate ${change.name?.after ?? change.aggregateUuid}`;
    case 'TraitChange':
      return change.traitName;
    case 'ResourceClassChange':
      return change.resourceClassName;
    case 'ServiceChange':
      return `${change.binary} on ${change.host}`;
    case 'DeviceChange':
      return `device ${change.address}`;
    case 'RecordChange':
      return `${spoken(change.recordKind)} ${change.recordUuid}`;
    default:
      return null;
  }
}

export type Kinds = readonly (readonly [kind: string, count: number])[];

/** How many events of each kind there are. */
export const kindsOf = (events: readonly { readonly kind: string }[]): Kinds =>
  [...groupedBy(events, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]);
