// What consumers hold, by host, and the writes that let them keep a part of it.
import { formatAmount } from '../formats/amounts.ts';
import { groupedBy } from '../parts/grouped.ts';
import type { ReplaceAllocationsInput } from './actions.generated.ts';

/** A consumer with what a release and its undo need. */
export interface Holder {
  readonly uuid: string;
  readonly generation: number;
  readonly consumerType: string | null;
  readonly project: { readonly externalId: string };
  readonly user: { readonly externalId: string };
  readonly allocations: readonly Held[];
}

export interface Held {
  readonly amount: number;
  readonly resourceClass: { readonly name: string };
  readonly resourceProvider: {
    readonly uuid: string;
    readonly name: string;
    readonly isSharing: boolean;
    readonly root: { readonly uuid: string; readonly name: string };
  };
}

export interface HeldHost {
  readonly uuid: string;
  readonly name: string;
  readonly allocations: readonly Held[];
}

/** The hosts on which a consumer holds something, in their order. Shared pools are no hosts. */
export function hostsOf({ allocations }: Pick<Holder, 'allocations'>): HeldHost[] {
  const own = allocations.filter(({ resourceProvider }) => !resourceProvider.isSharing);
  return [...groupedBy(own, ({ resourceProvider }) => resourceProvider.root.uuid).values()].map((held) => ({
    ...held[0].resourceProvider.root,
    allocations: held,
  }));
}

/** A write to a consumer, with what it held before of each class that changed. */
interface WriteBefore {
  readonly at: string;
  readonly changes: {
    readonly nodes: readonly {
      readonly allocations?: readonly {
        readonly resourceProvider: { readonly uuid: string; readonly root: { readonly uuid: string } } | null;
        readonly resourceClassName: string;
        readonly before: number | null;
      }[];
    }[];
  };
}

/** Since when a consumer has held something on a host without a pause, by its writes, latest first; null if that is before all of them. */
export function heldSince({ uuid, allocations }: HeldHost, writes: readonly WriteBefore[]): string | null {
  const held = new Set(allocations.map(({ resourceProvider, resourceClass }) => `${resourceProvider.uuid} ${resourceClass.name}`));
  for (const { at, changes } of writes) {
    for (const { resourceProvider, resourceClassName, before } of changes.nodes.flatMap((change) => change.allocations ?? [])) {
      if (resourceProvider?.root.uuid !== uuid) continue;
      const key = `${resourceProvider.uuid} ${resourceClassName}`;
      if (before === null) held.delete(key);
      else held.add(key);
    }
    if (held.size === 0) return at;
  }
  return null;
}

/** What a consumer holds if it keeps one host: that on the host, and that on shared pools, which may serve it. */
export const keptOn = ({ allocations }: Pick<Holder, 'allocations'>, host: string): Held[] =>
  allocations.filter(({ resourceProvider }) => resourceProvider.isSharing || resourceProvider.root.uuid === host);

/** "2 VCPU, 4 GiB MEMORY_MB". */
export const heldWords = (allocations: readonly Held[]): string =>
  allocations.map(({ amount, resourceClass: { name } }) => `${formatAmount(amount, name)} ${name}`).join(', ');

type Write = ReplaceAllocationsInput['consumers'][number];

/** The write after which a consumer holds exactly these. */
export const holdingOf = (consumer: string, expect: Write['expect'], allocations: readonly Held[]): Write => ({
  consumer,
  expect,
  hold: {
    allocations: [...groupedBy(allocations, ({ resourceProvider }) => resourceProvider.uuid)].map(([resourceProvider, held]) => ({
      resourceProvider,
      resources: held.map(({ amount, resourceClass }) => ({ resourceClass: resourceClass.name, amount })),
    })),
  },
});

/** The write that gives a consumer back what it held, in the generation that it has now; null if it is gone. */
export function heldBefore({ uuid, consumerType, project, user, allocations }: Holder, generation: number | null): Write {
  return {
    ...holdingOf(uuid, generation === null ? { isNew: true } : { generation }, allocations),
    project: project.externalId,
    user: user.externalId,
    ...(consumerType !== null && { consumerType }),
  };
}
