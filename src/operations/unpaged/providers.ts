// Reads providers with the uuids of their parent and root: one, or all that match, unpaged. Lists come from the forest in memory, which is as current
// as a statement, and whose cost depends on what changed rather than on the size of the cloud.

import { selectListedProvider } from '../../db/unpaged/providers.ts';
import type { ForestProvider } from '../../domain/candidates/forest.ts';
import { limits } from '../../domain/limits.ts';
import type { Provider } from '../../domain/provider.ts';
import type { ListedProvider } from '../../domain/unpaged.ts';
import { forestOf } from '../forest/forest.ts';
import { findProviders } from '../forest/matching-providers.ts';
import { type ProviderFilterInput, resolveFilterIn } from '../loaders/provider-filter.ts';
import { getProvider } from '../providers/providers.ts';
import type { RequestScope } from '../scope/scope.ts';
import { missing } from './provider-parts.ts';

/** All providers that match, oldest first. Refuses INVALID_INPUT, and NOT_FOUND for unknown traits and classes. */
export async function listAllProviders({ db }: RequestScope, filter: ProviderFilterInput): Promise<readonly ListedProvider[]> {
  const forest = await forestOf(db).current();
  const found = await findProviders(db, forest, (await resolveFilterIn(db, forest, filter)).conditions);
  return found.sort((a, b) => a.id - b.id).map(listed);
}

/** Whether there may be more providers than an operation without a turn of its own may list. */
export function areManyProviders({ db }: RequestScope): boolean {
  return (forestOf(db).providerCount ?? Number.POSITIVE_INFINITY) > limits.lightOperationCost;
}

/** The listed form of a provider, valid until it changes: the forest replaces the object of a changed provider. */
const listedForms = new WeakMap<Provider, ListedProvider>();

function listed({ state, parent, tree }: ForestProvider): ListedProvider {
  const known = listedForms.get(state.provider);
  if (known) return known;
  const { uuid, name, generation, updatedAt } = state.provider;
  const [parentUuid, rootUuid] = [parent?.state.provider.uuid ?? null, tree.root.state.provider.uuid];
  const form = { uuid, name, generation, parentUuid, rootUuid, updatedAt: Date.parse(updatedAt) };
  listedForms.set(state.provider, form);
  return form;
}

/** The provider of a canonical uuid. Refuses NOT_FOUND. */
export async function getListedProvider({ db }: RequestScope, uuid: string): Promise<ListedProvider> {
  return (await selectListedProvider(db, uuid)) ?? missing(uuid);
}

/** A provider from the answer of a write, with its parent and root. Refuses NOT_FOUND when one of them was deleted since. */
export async function withParentAndRoot(scope: RequestScope, provider: Provider): Promise<ListedProvider> {
  const [parent, root] = await Promise.all([
    provider.parentId === null ? null : getProvider(scope, provider.parentId),
    getProvider(scope, provider.rootId),
  ]);
  const { uuid, name, generation, updatedAt } = provider;
  return { uuid, name, generation, parentUuid: parent?.uuid ?? null, rootUuid: root.uuid, updatedAt: Date.parse(updatedAt) };
}
