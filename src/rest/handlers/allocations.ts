// Allocations: of one consumer, of several, on a provider; and the usage of a project.
import type { AllocationPart, Holding } from '../../domain/unpaged.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { releaseAllocations, replaceAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listHoldings } from '../../operations/allocations/holdings.ts';
import { sumProjectUsages } from '../../operations/allocations/usages.ts';
import { getAllocationsOn } from '../../operations/unpaged/provider-parts.ts';
import { type ConsumerBody, parseConsumer, parseConsumers } from '../allocation-bodies.ts';
import type { Answer, Call } from '../call.ts';
import { has } from '../microversions.ts';
import { latest } from '../moments.ts';
import { providerOf } from '../params.ts';
import { RestError } from '../rest-error.ts';
import { jsonOf, listPart } from '../streams.ts';

/** GET /allocations/{consumer_uuid}: never 404, because a consumer exists only through its allocations. */
export async function showAllocations(call: Call): Promise<Answer> {
  const consumer = parseUuid(consumerOf(call));
  const holdings = consumer === null ? [] : await listHoldings(call.scope, consumer);
  const [first] = holdings;
  if (first === undefined) return { body: { allocations: {} }, lastModified: 'now' };
  const { version } = call;
  return {
    body: {
      allocations: byProvider(holdings),
      ...(has(version, 'allocationsByProvider') && { project_id: first.project, user_id: first.user }),
      ...(has(version, 'consumerGenerations') && { consumer_generation: first.consumerGeneration }),
      ...(has(version, 'consumerTypes') && { consumer_type: first.type ?? unknownType }),
    },
    lastModified: first.updatedAt,
  };
}

/** Stands for the type of consumers written at versions below 1.38, which have none. */
const unknownType = 'unknown';

function byProvider(holdings: readonly Holding[]): Record<string, { generation: number; resources: Record<string, number> }> {
  const allocations: Record<string, { generation: number; resources: Record<string, number> }> = {};
  for (const { provider, providerGeneration, className, amount } of holdings) {
    allocations[provider] ??= { resources: {}, generation: providerGeneration };
    allocations[provider].resources[className] = amount;
  }
  return allocations;
}

/** PUT /allocations/{consumer_uuid}, in its six forms. 400 for unknown names, 409 for amounts that do not fit. */
export async function replaceAllocationsOfConsumer(call: Call): Promise<Answer> {
  const consumer = parseConsumer(consumerOf(call), call.body as ConsumerBody, call.version);
  await replaceAllocations(call.scope, { consumers: [consumer] });
  return {};
}

/** POST /allocations: all or nothing. */
export async function replaceAllocationsOfConsumers(call: Call): Promise<Answer> {
  const consumers = await parseConsumers(call.body as Readonly<Record<string, ConsumerBody>>, call.version);
  await replaceAllocations(call.scope, { consumers });
  return {};
}

/** DELETE /allocations/{consumer_uuid}: 404 if there are no allocations. The generations of providers stay. */
export async function deleteAllocations(call: Call): Promise<Answer> {
  const given = consumerOf(call);
  const consumer = parseUuid(given);
  const released = consumer === null ? [] : await release(call, consumer);
  if (released.length === 0) throw new RestError(404, `No allocations for consumer '${given}'`);
  return {};
}

async function release({ scope }: Call, consumer: string): Promise<readonly string[]> {
  const { released } = await releaseAllocations(scope, { consumers: [{ consumer, expect: { unchecked: true } }], keepGenerations: true });
  return released;
}

function consumerOf({ params: { consumer_uuid: consumer = '' } }: Call): string {
  return consumer;
}

/** GET …/allocations: by consumer, oldest first. */
export async function listAllocationsOfProvider(call: Call): Promise<Answer> {
  const { generation, parts } = await getAllocationsOn(call.scope, providerOf(call));
  const showsGeneration = has(call.version, 'consumerGenerations');
  const render = (held: readonly AllocationPart[]) => {
    const [{ consumer, consumerGeneration }] = held as [AllocationPart];
    const resources = Object.fromEntries(held.map(({ className, amount }) => [className, amount]));
    return `"${consumer}":${JSON.stringify({ resources, ...(showsGeneration && { consumer_generation: consumerGeneration }) })}`;
  };
  return {
    body: jsonOf(listPart('{"allocations":{', consumersOf(parts), render, `},"resource_provider_generation":${generation}}`)),
    lastModified: latest(parts),
  };
}

/** Groups adjacent parts by consumer. */
function consumersOf(parts: readonly AllocationPart[]): AllocationPart[][] {
  const consumers: AllocationPart[][] = [];
  for (const part of parts) {
    const last = consumers.at(-1);
    if (last?.[0]?.consumer === part.consumer) last.push(part);
    else consumers.push([part]);
  }
  return consumers;
}

/** GET /usages: the total usage of a project; since 1.38 by type of consumer. */
export async function sumUsages({ scope, query, version }: Call): Promise<Answer> {
  const [project = '', user, type] = [query.last('project_id'), query.last('user_id'), query.last('consumer_type')];
  const isByType = has(version, 'consumerTypes');
  const named = type === 'all' || type === unknownType ? undefined : type;
  const usages = await sumProjectUsages(scope, { project, user, type: named, untyped: type === unknownType }, isByType && type !== 'all');
  const sums = usages.map(({ consumerType, consumerCount, amounts }) => ({
    type: type === 'all' ? type : (consumerType ?? unknownType),
    count: consumerCount,
    amounts,
  }));
  const byType = () => Object.fromEntries(sums.map((sum) => [sum.type, { ...sum.amounts, consumer_count: sum.count }]));
  return { body: { usages: isByType ? byType() : (sums[0]?.amounts ?? {}) }, lastModified: 'now' };
}
