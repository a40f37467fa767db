// Reads of providers with the uuids of their parent and root: one, or all that match, without pages.
import { type ListedProvider, selectListedProvider, selectListedProviders } from '../db/listed-providers.ts';
import type { Provider } from '../domain/provider.ts';
import { type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';
import { missing } from './provider-parts.ts';
import { getProvider } from './providers.ts';
import type { RequestScope } from './scope.ts';

export type { ListedProvider } from '../db/listed-providers.ts';

/** All providers that match, oldest first. Refuses INVALID_INPUT, and NOT_FOUND for unknown traits and classes. */
export async function listAllProviders({ db }: RequestScope, filter: ProviderFilterInput): Promise<readonly ListedProvider[]> {
  const { conditions } = await resolveProviderFilter(db, filter);
  return selectListedProviders(db, conditions);
}

/** The provider of a canonical uuid. Refuses NOT_FOUND. */
export async function getListedProvider({ db }: RequestScope, uuid: string): Promise<ListedProvider> {
  return (await selectListedProvider(db, uuid)) ?? missing(uuid);
}

/** A provider as a write gave it, with its parent and root. Refuses NOT_FOUND when one of them was deleted since. */
export async function placeProvider(scope: RequestScope, provider: Provider): Promise<ListedProvider> {
  const [parent, root] = await Promise.all([
    provider.parentId === null ? null : getProvider(scope, provider.parentId),
    getProvider(scope, provider.rootId),
  ]);
  const { uuid, name, generation, updatedAt } = provider;
  return { uuid, name, generation, parentUuid: parent?.uuid ?? null, rootUuid: root.uuid, updatedAt: Date.parse(updatedAt) };
}
