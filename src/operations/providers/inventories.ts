// Reads the capacity of the cloud or of some providers. The inventories of a provider come from their loader, those of a class from
// loaders/inventory-pages.ts.
import { selectCapacityOfCloud, selectCapacityOfProviders } from '../../db/totals.ts';
import type { Capacity, Scope } from '../../domain/provider.ts';
import { sumCapacityIn } from '../../domain/trees/totals.ts';
import { forestOf } from '../forest/forest.ts';
import { type ProviderFilterInput, resolveFilterIn, resolveProviderFilter } from '../loaders/provider-filter.ts';
import type { RequestScope } from '../scope/scope.ts';

/**
 * Totals of all providers, or of matching ones and the pools that serve them; by tree of matching providers with all their descendants. From the forest in
 * memory, where there is no need to read them; while it is being loaded from Postgres. Refuses what listProviders refuses.
 */
export async function sumCapacity(
  { db }: RequestScope,
  filter: ProviderFilterInput | null | undefined,
  summed: Scope = 'PROVIDER',
): Promise<Capacity> {
  const keeper = forestOf(db);
  const forest = await keeper.currentIfLoaded();
  if (forest) return keeper.inParts(sumCapacityIn(forest, (await resolveFilterIn(db, forest, filter)).conditions, summed));
  const isFiltered = Object.values(filter ?? {}).some((value) => value !== null && value !== undefined);
  if (!isFiltered) return selectCapacityOfCloud(db);
  const { conditions } = await resolveProviderFilter(db, filter);
  return selectCapacityOfProviders(db, conditions, summed);
}
