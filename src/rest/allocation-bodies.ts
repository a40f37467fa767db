// Allocations in request bodies: converts the forms of all versions to the input of the operations, and allocations to the form of a version.
import type { AllocationInput } from '../domain/allocation.ts';
import { refusalOf } from '../domain/errors.ts';
import { resourceClassNameFault } from '../domain/text.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { ConsumerAllocations, ConsumerExpectation } from '../operations/allocations/allocation-writes.ts';
import { mapInTurn } from '../operations/request/event-loop-share.ts';
import { has, type Microversion } from './microversions.ts';
import { RestError } from './rest-error.ts';

type Resources = Readonly<Record<string, number>>;

type AllocationMap = Readonly<Record<string, { readonly resources: Resources }>>;

/** The allocations of one consumer in a body: a list before 1.12, an object by provider since then. */
export interface ConsumerBody {
  readonly allocations: AllocationMap | readonly { readonly resource_provider: { readonly uuid: string }; readonly resources: Resources }[];
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_generation?: number | null;
  readonly consumer_type?: string;
}

/** Project and user of consumers written at versions below 1.8, whose bodies have neither. */
const noOwner = '00000000-0000-0000-0000-000000000000';

/** The allocations of one consumer in a body. Throws 400 for malformed uuids. */
export function parseConsumer(uuid: string, body: ConsumerBody, version: Microversion): ConsumerAllocations {
  const consumer = parseUuid(uuid);
  if (consumer === null) throw new RestError(400, `Malformed consumer_uuid: ${uuid}`);
  return {
    consumer,
    expect: has(version, 'consumerGenerations') ? expectationOf(body.consumer_generation ?? null) : { unchecked: true },
    hold: { allocations: parseAllocations(body.allocations) },
    project: body.project_id ?? noOwner,
    user: body.user_id ?? noOwner,
    ...(body.consumer_type !== undefined && { consumerType: body.consumer_type }),
  };
}

/** The allocations of several consumers in a body, by their uuids. Pauses now and then, because there can be many. */
export async function parseConsumers(
  bodies: Readonly<Record<string, ConsumerBody>>,
  version: Microversion,
): Promise<ConsumerAllocations[]> {
  return mapInTurn(Object.entries(bodies), ([uuid, body]) => parseConsumer(uuid, body, version));
}

function expectationOf(generation: number | null): ConsumerExpectation {
  if (generation === null) return { isNew: true };
  // A generation that cannot have been read matches none.
  return { generation: Number.isSafeInteger(generation) && generation >= 0 ? generation : Number.MAX_SAFE_INTEGER };
}

/** If a list names a provider twice, the last entry counts. */
function parseAllocations(allocations: ConsumerBody['allocations']): AllocationInput[] {
  const byProvider = new Map<string, Resources>();
  if (Array.isArray(allocations)) {
    for (const { resource_provider: provider, resources } of allocations) byProvider.set(parseProvider(provider.uuid), resources);
  } else {
    for (const [uuid, { resources }] of Object.entries(allocations as AllocationMap)) byProvider.set(parseProvider(uuid), resources);
  }
  return [...byProvider].map(([provider, resources]) => ({
    resourceProvider: provider,
    resources: Object.entries(resources).map(([resourceClass, amount]) => ({
      resourceClass: parseClass(resourceClass),
      // Larger amounts exceed every inventory anyway.
      amount: Number.isFinite(amount) ? Math.min(amount, Number.MAX_SAFE_INTEGER) : amount,
    })),
  }));
}

/** Refuses an invalid name like the name of an unknown class. */
function parseClass(name: string): string {
  if (resourceClassNameFault(name) === null) return name;
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, ['resources']);
}

function parseProvider(uuid: string): string {
  const provider = parseUuid(uuid);
  if (provider) return provider;
  throw new RestError(400, `Allocation for resource provider '${uuid}' that does not exist.`);
}
