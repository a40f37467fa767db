// Which providers of the forest in memory meet a filter, found without holding the event loop for long.
import { setImmediate } from 'node:timers/promises';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import { meeting, type ProviderConditions, whereToLook } from '../../domain/provider-conditions.ts';

/** So much is asked at once, some 50 ms, and all of it sees one moment. */
const mostAtOnce = 1_000_000;

/**
 * All that meet the conditions, in no particular order. More than `most` questions, one for each provider and each filter in the groups,
 * are asked in parts of a quarter of that; the forest may move on between two of them.
 */
export async function findProviders(forest: Forest, wanted: ProviderConditions, most = mostAtOnce): Promise<ForestProvider[]> {
  const found: ForestProvider[] = [];
  const holds = meeting(wanted);
  const places = Array.from(whereToLook(forest, wanted));
  const filters = countFilters(wanted);
  const step = places.length * filters <= most ? places.length : Math.ceil(most / 4 / filters);
  for (let start = 0; start < places.length; start += step) {
    if (start > 0) await setImmediate();
    for (const provider of places.slice(start, start + step)) if (holds(provider)) found.push(provider);
  }
  return found;
}

function countFilters({ and, or = [], not }: ProviderConditions): number {
  return [...and, ...or, ...(not ? [not] : [])].reduce((sum, inner) => sum + countFilters(inner), 1);
}
