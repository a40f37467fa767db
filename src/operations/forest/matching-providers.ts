// Finds the providers of the forest in memory that meet a filter, without blocking the event loop for long.
import { setImmediate } from 'node:timers/promises';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import { compileConditions, type ProviderConditions, possibleProviders } from '../../domain/provider-conditions.ts';

/** The number of checks in one go, about 50 ms, during which the forest does not change. */
const maxChecksAtOnce = 1_000_000;

/**
 * All providers that meet the conditions, in no particular order. More than `maxChecks` checks (one for each provider and each filter in the groups) are
 * done in parts of a quarter of that; the forest may change between parts.
 */
export async function findProviders(forest: Forest, wanted: ProviderConditions, maxChecks = maxChecksAtOnce): Promise<ForestProvider[]> {
  const found: ForestProvider[] = [];
  const holds = compileConditions(wanted);
  const places = Array.from(possibleProviders(forest, wanted));
  const filters = countFilters(wanted);
  const step = places.length * filters <= maxChecks ? places.length : Math.ceil(maxChecks / 4 / filters);
  for (let start = 0; start < places.length; start += step) {
    if (start > 0) await setImmediate();
    for (const provider of places.slice(start, start + step)) if (holds(provider)) found.push(provider);
  }
  return found;
}

function countFilters({ and, or = [], not }: ProviderConditions): number {
  return [...and, ...or, ...(not ? [not] : [])].reduce((sum, inner) => sum + countFilters(inner), 1);
}
