// Pages of providers ordered by the contents of their trees. From the forest in memory: Postgres would sum up every tree for each page. Further
// fields of the providers of a page are answered from the same state.
import { orderOfProviders } from '../../db/provider-pages.ts';
import { type Page, type PageArguments, withRows } from '../../domain/page.ts';
import type { Provider } from '../../domain/provider.ts';
import { subtreeTotals } from '../../domain/trees/totals.ts';
import { forestOf } from '../forest/forest.ts';
import { findProviders } from '../forest/matching-providers.ts';
import { type ProviderFilterInput, resolveFilterIn } from '../loaders/provider-filter.ts';
import type { NamedProviderOrder } from '../loaders/provider-order.ts';
import { sortedByTree } from '../loaders/tree-order.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface TreePageArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  readonly order: NamedProviderOrder;
}

/** A page in an order that depends on trees. Refuses what listProviders refuses. */
export async function listProvidersByTree(
  { db, loaders }: RequestScope,
  { filter, order, ...args }: TreePageArguments,
): Promise<Page<Provider>> {
  const forest = await forestOf(db).current();
  const { conditions, classIds } = await resolveFilterIn(db, forest, filter, order.classes);
  const sort = order.sortBy(classIds);
  const matching = await findProviders(db, forest, conditions);
  const found = await listPage(args, {
    name: order.nameOf('resourceProviders'),
    order: orderOfProviders(sort),
    select: (page) => sortedByTree(db, matching, sort, page),
    count: () => Promise.resolve(matching.length),
  });
  const providers = found.rows.map(({ provider }) => provider);
  loaders.known.remember(forest, providers);
  for (const provider of providers) {
    const totals = subtreeTotals(provider).map((total) => ({ ...total, providerId: provider.id }));
    loaders.subtreeTotalsByProvider.prime(provider.id, totals);
  }
  return withRows(
    found,
    providers.map(({ state }) => state.provider),
  );
}
