// Faults of the other Placement's own data, because of which something cannot be imported: each becomes a line with what to correct there.
import type { PlacementClient } from '../../bridge/placement/client.ts';
import { type LostProvider, readHoldings, readUsage, type UpstreamConsumer } from '../../bridge/placement/upstream.ts';

/** What faults need to know of a provider there. */
export interface ProviderThere {
  readonly name: string;
  /** The classes of its inventories; null if it is left out. */
  readonly classes: ReadonlySet<string> | null;
}

export type ProvidersThere = ReadonlyMap<string, ProviderThere>;

const rowless =
  'a row of the table consumers is missing there: run `placement-manage db online_data_migrations` there, which adds it, or delete the allocation';

/** Its API cannot end a loop: it follows the loop until it fails. */
export function faultOfProvider({ uuid, name, fault }: LostProvider): string {
  const subject = `provider ${uuid} (${name}) is left out`;
  if ('missing' in fault) {
    const { child, missing } = fault;
    return `${subject}: the parent ${missing} of ${child} is not in the list there: PUT /resource_providers/${child} there with the right parent_provider_uuid, or null`;
  }
  return `${subject}: its parents form a loop there (${[...fault.loop, fault.loop[0]].join(' > ')}): end it in the database there (update resource_providers set parent_provider_id = null, root_provider_id = id where uuid = '${fault.loop[0]}'), then PUT the right parent_provider_uuid of each`;
}

/** One line for each provider of which the consumer holds something that cannot be stored. */
export function faultsOfConsumer({ uuid, allocations }: UpstreamConsumer, providers: ProvidersThere): string[] {
  const held = new Map<string, string[]>();
  for (const { provider, resourceClass } of allocations) {
    if (providers.get(provider)?.classes?.has(resourceClass)) continue;
    held.set(provider, [...(held.get(provider) ?? []), resourceClass]);
  }
  return [...held].flatMap(([provider, classes]) => {
    const there = providers.get(provider);
    if (!there) return [];
    const holding = `consumer ${uuid} holds ${classes.join(', ')} on the provider ${provider} (${there.name}), which`;
    if (there.classes === null) return [`${holding} is left out`];
    return [`${holding} has no inventory of it there: add the inventory there, or release what the consumer holds of it`];
  });
}

export function faultOfUnreadable(consumer: string): string {
  return `consumer ${consumer} was listed there but cannot be read: it was released in the meantime, or ${rowless}`;
}

/** Whether more is in use on a provider than its consumers hold, by class. */
export function excessOf(used: Readonly<Record<string, number>>, held: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const excess = Object.entries(used).map(([resourceClass, amount]) => {
    const sum = Object.values(held).reduce((all, amounts) => all + (amounts[resourceClass] ?? 0), 0);
    return { resourceClass, amount: amount - sum };
  });
  return excess.filter(({ amount }) => amount > 0);
}

export interface Ownerless {
  readonly faults: readonly string[];
  /** The consumers among them that have a uuid. */
  readonly consumers: ReadonlySet<string>;
}

/** Allocations without a consumer. Looks a second time at providers that seemed to have some: what was released in the meantime is no fault. */
export async function findOwnerless(
  placement: PlacementClient,
  suspects: readonly string[],
  unreadable: ReadonlySet<string>,
  providers: ProvidersThere,
): Promise<Ownerless> {
  const consumers = new Set<string>();
  const faults = await Promise.all(
    suspects.map(async (provider) => {
      const [held, used] = await Promise.all([readHoldings(placement, provider), readUsage(placement, provider)]);
      const subject = `${provider} (${providers.get(provider)?.name})`;
      const listed = Object.entries(held).filter(([consumer]) => unreadable.has(consumer));
      for (const [consumer] of listed) consumers.add(consumer);
      return [
        ...listed.map(
          ([consumer, amounts]) =>
            `consumer ${consumer} holds ${JSON.stringify(amounts)} on the provider ${subject} but cannot be read: ${rowless}`,
        ),
        ...excessOf(used ?? {}, held).map(
          ({ resourceClass, amount }) => `provider ${subject}: ${amount} ${resourceClass} are in use there without a consumer: ${rowless}`,
        ),
      ];
    }),
  );
  return { faults: faults.flat(), consumers };
}
