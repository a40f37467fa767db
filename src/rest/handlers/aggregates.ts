// The aggregates of a provider.
import { parseUuid } from '../../domain/uuid.ts';
import { replaceAggregates } from '../../operations/providers/provider-writes.ts';
import { getAggregatesOf } from '../../operations/unpaged/provider-parts.ts';
import type { Answer, Call } from '../call.ts';
import { has } from '../microversions.ts';
import { providerOf } from '../params.ts';
import { expectationOf } from './inventories.ts';

/** GET …/aggregates: since 1.19 with the generation of the provider. */
export async function listAggregates(call: Call): Promise<Answer> {
  const { generation, parts } = await getAggregatesOf(call.scope, providerOf(call));
  return answerWith(call, parts, generation);
}

/** PUT …/aggregates: a bare list without a generation up to 1.18; since then 409 for a stale one. Responds in the given order. */
export async function replaceAggregatesOfProvider(call: Call): Promise<Answer> {
  const isGuarded = has(call.version, 'aggregateGenerations');
  const { aggregates: given, resource_provider_generation: generation } = isGuarded
    ? (call.body as { readonly aggregates: readonly string[]; readonly resource_provider_generation: number })
    : { aggregates: call.body as readonly string[], resource_provider_generation: 0 };
  // Two spellings of one uuid mean one aggregate, shown in the first spelling.
  const spellings = new Map<string | null, string>();
  for (const uuid of given) if (!spellings.has(parseUuid(uuid))) spellings.set(parseUuid(uuid), uuid);
  const aggregates = [...spellings.values()];
  const written = await replaceAggregates(call.scope, {
    resourceProvider: providerOf(call),
    expect: isGuarded ? expectationOf(generation) : { unchecked: true },
    aggregates,
    keepGeneration: !isGuarded,
  });
  return answerWith(call, aggregates, written.generation);
}

function answerWith({ version }: Call, aggregates: readonly string[], generation: number): Answer {
  return {
    body: { aggregates, ...(has(version, 'aggregateGenerations') && { resource_provider_generation: generation }) },
    lastModified: 'now',
  };
}
