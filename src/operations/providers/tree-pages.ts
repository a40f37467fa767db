// Pages of providers by what their trees hold. From the forest in memory: Postgres would add up every tree for each page. Further fields of
// the providers of a page are answered from the same moment.
import { orderOfProviders, sortGroupsByName } from '../../db/provider-pages.ts';
import type { Db } from '../../db/sql/client.ts';
import type { ForestProvider } from '../../domain/candidates/forest.ts';
import type { Page, PageArguments, PageRequest, Sorted } from '../../domain/page.ts';
import type { Provider, ProviderSortKey } from '../../domain/provider.ts';
import { subtreeTotals } from '../../domain/subtree.ts';
import { groupByTree, rankByTree, type TreeSortKey } from '../../domain/tree-order.ts';
import { forestOf } from '../forest/forest.ts';
import { findProviders } from '../forest/providers-meeting.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { type ProviderFilterInput, resolveFilterIn } from './provider-filter.ts';
import type { NamedProviderOrder } from './provider-order.ts';

export interface TreePageArguments extends PageArguments {
  readonly filter?: ProviderFilterInput | null | undefined;
  readonly order: NamedProviderOrder;
}

/** A page in an order that looks at trees. Refuses as listProviders does. */
export async function listProvidersByTree(
  { db, loaders }: RequestScope,
  { filter, order, ...args }: TreePageArguments,
): Promise<Page<Provider>> {
  const forest = await forestOf(db).current();
  const { conditions, classIds } = resolveFilterIn(forest, filter, order.classes);
  const sort = order.sortBy(classIds);
  const matching = await findProviders(forest, conditions);
  const found = await listPage(args, {
    name: order.nameOf('resourceProviders'),
    order: orderOfProviders(sort),
    select: (page) => sorted(db, matching, sort, page),
    count: () => Promise.resolve(matching.length),
  });
  const providers = found.rows.map(({ provider }) => provider);
  loaders.known.remember(forest, providers);
  for (const provider of providers) {
    const totals = subtreeTotals(provider).map((total) => ({ ...total, providerId: provider.id }));
    loaders.subtreeTotalsByProvider.prime(provider.id, totals);
  }
  return { ...found, rows: providers.map(({ state }) => state.provider) };
}

type Placed = Sorted<{ readonly provider: ForestProvider }>;

async function sorted(
  db: Db,
  matching: readonly ForestProvider[],
  sort: readonly ProviderSortKey[],
  page: PageRequest,
): Promise<readonly Placed[]> {
  const keys = sort.filter((key): key is TreeSortKey => key.by !== 'NAME');
  const byName = sort.find(({ by }) => by === 'NAME');
  if (!byName) {
    return rankByTree(matching, keys, page).map(({ provider, values }) => ({ provider, sortKey: [...values, provider.id] }));
  }
  const groups = groupByTree(matching, keys, page);
  const ranked = new Map(groups.flat().map((one) => [one.id, one]));
  const after = (page.key?.at(-1) as string | undefined) ?? null;
  const ids = groups.map((group) => group.map(({ id }) => id));
  const rows = await sortGroupsByName(db, ids, after, byName.descending !== page.backward, page.size + 1);
  return rows.flatMap(({ id, name }): Placed[] => {
    const one = ranked.get(id);
    return one ? [{ provider: one.provider, sortKey: [...one.values, name ?? one.provider.state.provider.name] }] : [];
  });
}
