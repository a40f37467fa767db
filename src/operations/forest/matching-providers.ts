// Finds the providers of the forest in memory that meet a filter.
import type { Db } from '../../db/sql/client.ts';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import { compileConditions, type ProviderConditions, possibleProviders } from '../../domain/trees/provider-conditions.ts';
import { forestOf } from './forest.ts';

/** Providers between two pauses: under a millisecond with the largest filter. */
const checkedAtOnce = 50;

/** All providers that meet the conditions, in no particular order. In parts, during which the forest stays as it is. */
export function findProviders(db: Db, forest: Forest, wanted: ProviderConditions): Promise<ForestProvider[]> {
  return forestOf(db).inParts(find(forest, wanted));
}

function* find(forest: Forest, wanted: ProviderConditions): Generator<void, ForestProvider[]> {
  const found: ForestProvider[] = [];
  const holds = compileConditions(wanted);
  let checked = 0;
  for (const provider of possibleProviders(forest, wanted)) {
    if (holds(provider)) found.push(provider);
    if (++checked % checkedAtOnce === 0) yield;
  }
  return found;
}
