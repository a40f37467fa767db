// Lists aggregates. One by uuid and those of a provider come from the loaders.

import { type AggregateConditions, countAggregates, orderOfAggregates, selectAggregatePage } from '../../db/aggregates.ts';
import type { NameSortKey } from '../../db/names.ts';
import type { FilterInput, Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { Aggregate } from '../../domain/provider.ts';
import { parseFilter } from '../request/filter-groups.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface AggregateListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<AggregateConditions>>;
  /** In the order of creation when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<NameSortKey['by']>[]>;
}

/** A page of the aggregates that match. Refuses INVALID_INPUT. */
export async function listAggregates({ db }: RequestScope, { filter, orderBy, ...args }: AggregateListArguments): Promise<Page<Aggregate>> {
  const keys = parseOrder(orderBy, 'CREATED_AT');
  const sort = sortOf(keys);
  const wanted = parseFilter<AggregateConditions>(filter, (check, path, { uuids, names, nameContains, nameStartsWith }) => {
    check.size([...path, 'uuids'], uuids ?? [], 0, limits.filterKeys);
    check.nameFilters(path, { names, nameContains, nameStartsWith }, limits.nameLength);
  });
  return listPage(args, {
    name: nameInOrder('aggregates', keys),
    order: orderOfAggregates(sort),
    select: (page) => selectAggregatePage(db, wanted, sort, page),
    count: () => countAggregates(db, wanted),
  });
}
