// Sorts providers of the forest in an order that depends on their trees.
import { sortGroupsByName } from '../../db/provider-pages.ts';
import type { Db } from '../../db/sql/client.ts';
import type { ForestProvider } from '../../domain/candidates/forest.ts';
import type { PageRequest, Sorted } from '../../domain/page.ts';
import type { ProviderSortKey } from '../../domain/provider.ts';
import { groupByTree, rankByTree, type TreeSortKey } from '../../domain/trees/tree-order.ts';

type Placed = Sorted<{ readonly provider: ForestProvider }>;

/** The providers of a page and one more, in the direction of paging. Names are sorted by the database, everything else in memory. */
export async function sortedByTree(
  db: Db,
  matching: readonly ForestProvider[],
  sort: readonly ProviderSortKey[],
  page: PageRequest,
): Promise<readonly Placed[]> {
  const keys = sort.filter((key): key is TreeSortKey => key.by !== 'NAME' && key.by !== 'CONSUMERS');
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
