// Reads the capacity of the cloud or of some providers. The inventories of a provider come from their loader, those of a class from
// inventory-pages.ts.
import { selectCapacityOfCloud, selectCapacityOfProviders } from '../../db/totals.ts';
import type { Capacity, Scope } from '../../domain/provider.ts';
import type { RequestScope } from '../request/scope.ts';
import { type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';

/**
 * Totals of all providers, or of matching ones and the pools that serve them; by tree of matching providers with all their descendants. Refuses what
 * listProviders refuses.
 */
export async function sumCapacity(
  scope: RequestScope,
  filter: ProviderFilterInput | null | undefined,
  summed: Scope = 'PROVIDER',
): Promise<Capacity> {
  const isFiltered = Object.values(filter ?? {}).some((value) => value !== null && value !== undefined);
  if (!isFiltered) return selectCapacityOfCloud(scope.db);
  const { conditions } = await resolveProviderFilter(scope.db, filter);
  return selectCapacityOfProviders(scope.db, conditions, summed);
}
