// Lists aggregates. One by uuid and those of a provider come from the loaders.

import {
  type AggregateConditions,
  type AggregateSortKey,
  countAggregates,
  orderOfAggregates,
  selectAggregatePage,
} from '../../db/aggregates.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type { Aggregate } from '../../domain/provider.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';

/** A filter as given by a caller. */
export type AggregateFilterInput = { readonly [Key in keyof AggregateConditions]?: Optional<AggregateConditions[Key]> };

export interface AggregateListArguments extends PageArguments {
  readonly filter?: Optional<AggregateFilterInput>;
  /** In the order of creation when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<AggregateSortKey['by']>[]>;
}

/** A page of the aggregates that match. Refuses INVALID_INPUT. */
export async function listAggregates({ db }: RequestScope, { filter, orderBy, ...args }: AggregateListArguments): Promise<Page<Aggregate>> {
  const keys = parseOrder(orderBy, 'CREATED_AT');
  const sort = sortOf(keys);
  const wanted = parseFilter(filter ?? {});
  return listPage(args, {
    name: nameInOrder('aggregates', keys),
    order: orderOfAggregates(sort),
    select: (page) => selectAggregatePage(db, wanted, sort, page),
    count: () => countAggregates(db, wanted),
  });
}

function parseFilter({ uuids, names, nameContains, nameStartsWith }: AggregateFilterInput): AggregateConditions {
  const check = new InputCheck();
  check.size(['filter', 'uuids'], uuids ?? [], 0, limits.filterKeys);
  check.nameFilters({ names, nameContains, nameStartsWith }, limits.nameLength);
  check.done();
  return {
    ...(uuids && { uuids }),
    ...(names && { names }),
    ...(nameContains && { nameContains }),
    ...(nameStartsWith && { nameStartsWith }),
  };
}
