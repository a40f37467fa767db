// Reads the contents of an OpenStack Placement in our terms; each function reads one thing. Knows the response formats of REST 1.28 to 1.39. Does not
// validate: usage over capacity and untyped consumers are returned unchanged.
import { z } from 'zod';
import type { CompleteInventory } from '../../domain/inventory.ts';
import { parseLooseUuid } from '../../domain/uuid.ts';
import type { PlacementClient } from './client.ts';

/** A provider as in a list. */
export interface ListedProvider {
  readonly uuid: string;
  readonly name: string;
  readonly parent: string | null;
  readonly generation: number;
}

/** A provider that belongs to no tree: its ancestors form a loop, or one of them has a parent that is not in the list. */
export interface LostProvider extends ListedProvider {
  /** A loop begins with its smallest uuid, whichever provider led to it. */
  readonly fault: { readonly loop: readonly string[] } | { readonly child: string; readonly missing: string | null };
}

/** All providers of a list. */
export interface ListedProviders {
  /** Parents before their children. */
  readonly placed: readonly ListedProvider[];
  readonly lost: readonly LostProvider[];
}

/** A provider with its parts, in the form of import_resource_providers. */
export interface UpstreamProvider extends ListedProvider {
  readonly inventories: readonly CompleteInventory[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** A consumer with its allocations, in the form of import_consumers. */
export interface UpstreamConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[];
}

/** A consumer with the generations of the providers that it holds something on, by uuid. */
export interface UpstreamHolder extends UpstreamConsumer {
  readonly generations: Readonly<Record<string, number>>;
}

const uuid = z.string().transform((text, context) => {
  const known = parseLooseUuid(text);
  if (known === null) context.addIssue({ code: 'custom', message: `${text} is not a uuid` });
  return known ?? z.NEVER;
});
const generation = z.int();

const classesAnswer = z.object({ resource_classes: z.array(z.object({ name: z.string() })) });
const traitsAnswer = z.object({ traits: z.array(z.string()) });
const providerAnswer = z
  .object({ uuid, name: z.string(), parent_provider_uuid: uuid.nullable(), generation })
  .transform(({ parent_provider_uuid: parent, ...own }): ListedProvider => ({ ...own, parent }));
const providersAnswer = z.object({ resource_providers: z.array(providerAnswer) });
const inventoriesAnswer = z.object({
  resource_provider_generation: generation,
  inventories: z.record(
    z.string(),
    z.object({
      total: z.int(),
      reserved: z.int(),
      min_unit: z.int(),
      max_unit: z.int(),
      step_size: z.int(),
      allocation_ratio: z.number(),
    }),
  ),
});
const providerTraitsAnswer = z.object({ resource_provider_generation: generation, traits: z.array(z.string()) });
const aggregatesAnswer = z.object({ resource_provider_generation: generation, aggregates: z.array(uuid) });
const usagesAnswer = z.object({ usages: z.record(z.string(), z.int()) });
const holdersAnswer = z.object({
  allocations: z.record(z.string(), z.object({ resources: z.record(z.string(), z.int()), consumer_generation: generation.optional() })),
});
const consumerAnswer = z.object({
  allocations: z.record(uuid, z.object({ resources: z.record(z.string(), z.int()), generation: generation.optional() })),
  project_id: z.string().optional(),
  user_id: z.string().optional(),
  consumer_generation: generation.optional(),
  consumer_type: z.string().optional(),
});

/** The names of all its resource classes, including standard ones. */
export async function listResourceClasses(placement: PlacementClient): Promise<string[]> {
  const answer = await placement.get('/resource_classes', classesAnswer);
  return answer?.resource_classes.map(({ name }) => name) ?? [];
}

/** The names of all its traits, including standard ones. */
export async function listTraits(placement: PlacementClient): Promise<string[]> {
  const answer = await placement.get('/traits', traitsAnswer);
  return answer?.traits ?? [];
}

/** All its providers, including those that no root leads to, which a walk down the trees would miss. */
export async function listProviders(placement: PlacementClient): Promise<ListedProviders> {
  const answer = await placement.get('/resource_providers', providersAnswer);
  const providers = answer?.resource_providers ?? [];
  const below = new Map<string | null, ListedProvider[]>();
  for (const provider of providers) {
    const siblings = below.get(provider.parent);
    if (siblings) siblings.push(provider);
    else below.set(provider.parent, [provider]);
  }
  const levels: ListedProvider[][] = [];
  for (let level = below.get(null) ?? []; level.length > 0; level = level.flatMap(({ uuid: parent }) => below.get(parent) ?? [])) {
    levels.push(level);
  }
  const placed = levels.flat();
  const isPlaced = new Set(placed);
  const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
  const lost = providers.filter((provider) => !isPlaced.has(provider));
  return { placed, lost: lost.map((provider) => ({ ...provider, fault: findFault(provider, byUuid) })) };
}

function findFault(lost: ListedProvider, byUuid: ReadonlyMap<string, ListedProvider>): LostProvider['fault'] {
  const path: string[] = [];
  let ancestor = lost;
  while (!path.includes(ancestor.uuid)) {
    path.push(ancestor.uuid);
    const parent = byUuid.get(ancestor.parent ?? '');
    if (!parent) return { child: ancestor.uuid, missing: ancestor.parent };
    ancestor = parent;
  }
  const loop = path.slice(path.indexOf(ancestor.uuid));
  const first = loop.indexOf(loop.toSorted()[0] ?? '');
  return { loop: [...loop.slice(first), ...loop.slice(0, first)] };
}

/** A provider as in a list; null if there is none. */
export function findProvider(placement: PlacementClient, uuid: string): Promise<ListedProvider | null> {
  return placement.get(`/resource_providers/${uuid}`, providerAnswer);
}

/** The uuid of the provider with this name; null if there is none. */
export async function findProviderNamed(placement: PlacementClient, name: string): Promise<string | null> {
  const answer = await placement.get(`/resource_providers?name=${encodeURIComponent(name)}`, providersAnswer);
  return answer?.resource_providers[0]?.uuid ?? null;
}

/** Whether it has a name, of `resource_classes` or `traits`. */
export async function hasName(placement: PlacementClient, collection: string, name: string): Promise<boolean> {
  return (await placement.get(`/${collection}/${encodeURIComponent(name)}`, z.unknown())) !== null;
}

/**
 * A provider with its parts; null if it was deleted. It has the oldest generation that was seen. If a write came between the parts, the generation thus differs
 * from the one in the list, and the next pass reads the provider again.
 */
export async function readProvider(placement: PlacementClient, listed: ListedProvider): Promise<UpstreamProvider | null> {
  const path = `/resource_providers/${listed.uuid}`;
  const [inventories, traits, aggregates] = await Promise.all([
    placement.get(`${path}/inventories`, inventoriesAnswer),
    placement.get(`${path}/traits`, providerTraitsAnswer),
    placement.get(`${path}/aggregates`, aggregatesAnswer),
  ]);
  if (!inventories || !traits || !aggregates) return null;
  return {
    ...listed,
    generation: Math.min(...[inventories, traits, aggregates].map((answer) => answer.resource_provider_generation)),
    inventories: Object.entries(inventories.inventories).map(([resourceClass, record]) => ({
      resourceClass,
      total: record.total,
      reserved: record.reserved,
      minUnit: record.min_unit,
      maxUnit: record.max_unit,
      stepSize: record.step_size,
      allocationRatio: record.allocation_ratio,
    })),
    traits: traits.traits.toSorted(),
    aggregates: inOrder(aggregates),
  };
}

/** The uuids of the aggregates of a provider; null if it was deleted. */
export async function readAggregates(placement: PlacementClient, provider: string): Promise<readonly string[] | null> {
  const answer = await placement.get(`/resource_providers/${provider}/aggregates`, aggregatesAnswer);
  return answer && inOrder(answer);
}

const inOrder = ({ aggregates }: z.infer<typeof aggregatesAnswer>) => [...new Set(aggregates)].sort();

/** The usage of a provider, by class, including all classes that it has; null if it was deleted. */
export async function readUsage(placement: PlacementClient, provider: string): Promise<Record<string, number> | null> {
  const answer = await placement.get(`/resource_providers/${provider}/usages`, usagesAnswer);
  return answer?.usages ?? null;
}

/** The amounts that consumers hold on a provider, by consumer and class; none if it was deleted. Placement has no other list of consumers. */
export async function readHoldings(placement: PlacementClient, provider: string): Promise<Record<string, Record<string, number>>> {
  const answer = await placement.get(`/resource_providers/${provider}/allocations`, holdersAnswer);
  return Object.fromEntries(
    Object.entries(answer?.allocations ?? {}).map(([consumer, { resources }]) => [parseLooseUuid(consumer) ?? consumer, resources]),
  );
}

/** What a consumer holds on a provider. */
export interface Holder {
  /** In the spelling in which it is stored. */
  readonly consumer: string;
  readonly generation: number | undefined;
  readonly resources: Readonly<Record<string, number>>;
}

export async function listHolders(placement: PlacementClient, provider: string): Promise<Holder[]> {
  const answer = await placement.get(`/resource_providers/${provider}/allocations`, holdersAnswer);
  return Object.entries(answer?.allocations ?? {}).map(([consumer, { resources, consumer_generation }]) => ({
    ...{ consumer, resources, generation: consumer_generation },
  }));
}

/** A consumer with its allocations; null if it has none. */
export async function readConsumer(placement: PlacementClient, consumer: string): Promise<UpstreamConsumer | null> {
  return asConsumer(consumer, await placement.get(`/allocations/${consumer}`, consumerAnswer));
}

/** The same, with the generations of the providers at that moment. */
export async function readHolder(placement: PlacementClient, consumer: string): Promise<UpstreamHolder | null> {
  const answer = await placement.get(`/allocations/${consumer}`, consumerAnswer);
  const found = asConsumer(consumer, answer);
  if (!answer || !found) return null;
  const generations = Object.entries(answer.allocations).flatMap(([provider, held]) =>
    held.generation === undefined ? [] : [[provider, held.generation] as const],
  );
  return { ...found, generations: Object.fromEntries(generations) };
}

function asConsumer(consumer: string, answer: z.infer<typeof consumerAnswer> | null): UpstreamConsumer | null {
  if (answer?.project_id === undefined || answer.user_id === undefined || answer.consumer_generation === undefined) return null;
  const { consumer_type: type = 'unknown' } = answer;
  return {
    uuid: consumer,
    generation: answer.consumer_generation,
    project: answer.project_id,
    user: answer.user_id,
    // A lowercase type is not a type: upstream returns "unknown" for none.
    type: type === 'unknown' ? null : type,
    allocations: Object.entries(answer.allocations).flatMap(([provider, { resources }]) =>
      Object.entries(resources).map(([resourceClass, amount]) => ({ provider, resourceClass, amount })),
    ),
  };
}
