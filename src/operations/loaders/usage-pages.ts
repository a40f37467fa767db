// Pages of the usages of projects, batched over projects, and the sum of an empty list.

import type { Db } from '../../db/sql/client.ts';
import { countUsagesOfProjects, orderOfUsages, selectUsagePagesOfProjects, type UsageSelection } from '../../db/usages.ts';
import type { Usage } from '../../domain/allocation.ts';
import type { PageArguments, PageRequest, Sorted } from '../../domain/page.ts';
import { loadersByArguments } from '../request/keyed-loaders.ts';
import { type ListBelow, loadPages } from '../request/list-page.ts';

const emptySum: Usage = {
  project: null,
  user: null,
  consumerType: null,
  consumerUuid: null,
  providerId: null,
  rootId: null,
  aggregateUuid: null,
  consumerCount: 0,
  resources: [],
};

/** Without keys all consumers form one group, even if there are none. */
export function isSumOfAll({ groupBy }: UsageSelection, { key }: PageRequest): boolean {
  return groupBy.length === 0 && key === null;
}

export const emptySumOf = ({ sort }: UsageSelection): Sorted<Usage> => ({ ...emptySum, sortKey: [...sort.map(() => 0), 0] });

interface UsagePageArguments extends PageArguments {
  /** Identifies the list and its order. */
  readonly name: string;
  readonly selection: UsageSelection;
}

/** Loaders of the same page of usages for many projects. */
export function usagePagesOfProjects(db: Db) {
  return loadersByArguments(({ name, selection, ...args }: UsagePageArguments) => {
    const list: ListBelow<string, Usage> = {
      name,
      order: orderOfUsages(selection),
      select: async (projects, page) => {
        const found = await selectUsagePagesOfProjects(db, projects, selection, page);
        if (!isSumOfAll(selection, page)) return found;
        const sums = new Map(found.map((sum) => [sum.parent, sum]));
        return projects.map((parent) => sums.get(parent) ?? { ...emptySumOf(selection), parent });
      },
      count: async (projects) =>
        selection.groupBy.length === 0 ? projects.map((parent) => ({ parent, count: 1 })) : countUsagesOfProjects(db, projects, selection),
    };
    return loadPages(list, args);
  });
}
