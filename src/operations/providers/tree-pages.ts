// Pages of providers by what their trees hold. From the forest in memory: Postgres would add up every tree for each page. Further fields of
// the providers of a page are answered from the same moment.
import { orderOfProviders } from '../../db/provider-pages.ts';
import { parseKeysetPage } from '../../db/sql/keyset.ts';
import { type Page, type PageArguments, renderPage } from '../../domain/page.ts';
import type { Provider } from '../../domain/provider.ts';
import { subtreeTotals } from '../../domain/subtree.ts';
import { rankByTree, type TreeSort } from '../../domain/tree-order.ts';
import { forestOf } from '../forest/forest.ts';
import { findProviders } from '../forest/providers-meeting.ts';
import type { RequestScope } from '../request/scope.ts';
import { type NamedClass, type ProviderFilterInput, resolveFilterIn } from './provider-filter.ts';

export interface TreePageArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  readonly by: TreeSort['by'];
  readonly orderClass: NamedClass;
  readonly descending: boolean;
}

/** A page in the given order; `list` names it for cursors. Refuses as listProviders does. */
export async function listProvidersByTree(
  { db, loaders }: RequestScope,
  list: string,
  { filter, by, orderClass, descending, ...args }: TreePageArguments,
): Promise<Page<Provider>> {
  const forest = await forestOf(db).current();
  const { conditions, orderClassId } = resolveFilterIn(forest, filter, orderClass);
  const sort: TreeSort = { by, classId: orderClassId as number, descending };
  const page = parseKeysetPage(args, list, orderOfProviders(sort));
  const matching = await findProviders(forest, conditions);
  const ranked = rankByTree(matching, sort, page);
  loaders.known.remember(
    forest,
    ranked.map(({ provider }) => provider),
  );
  for (const { provider } of ranked) {
    const totals = subtreeTotals(provider).map((total) => ({ ...total, providerId: provider.id }));
    loaders.subtreeTotalsByProvider.prime(provider.id, totals);
  }
  const found = renderPage(
    page,
    ranked,
    list,
    ({ provider, value }) => [value, provider.id],
    () => Promise.resolve(matching.length),
  );
  return { ...found, rows: found.rows.map(({ provider }) => provider.state.provider) };
}
