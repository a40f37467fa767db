// Lists the names that are standard or custom.
import { countNames, type NameFilter, type NameSortKey, type Names, orderOfNames, selectNamePage } from '../../db/names.ts';
import type { FilterInput, Optional } from '../../domain/input.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { parseFilter } from '../request/filter-groups.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface NameListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<NameFilter>>;
  readonly orderBy?: Optional<readonly OrderKeyInput<NameSortKey['by']>[]>;
}

/** The names of a noun, what identifies their list, and its order if none is given. */
interface NameList {
  readonly list: string;
  readonly names: Names;
  readonly otherwise: NameSortKey['by'];
}

/** A page of the names that meet all conditions. Refuses INVALID_INPUT. */
export function listNames(
  { db }: RequestScope,
  { filter, orderBy, ...args }: NameListArguments,
  { list, names: ofNoun, otherwise }: NameList,
): Promise<Page<{ readonly id: number; readonly name: string }>> {
  const keys = parseOrder(orderBy, otherwise);
  const sort = sortOf(keys);
  const wanted = parseFilter<NameFilter>(filter, (check, path, { names, nameContains, nameStartsWith }) =>
    check.nameFilters(path, { names, nameContains, nameStartsWith }),
  );
  return listPage(args, {
    name: nameInOrder(list, keys),
    order: orderOfNames(sort),
    select: (page) => selectNamePage(db, ofNoun, wanted, sort, page),
    count: () => countNames(db, ofNoun, wanted),
  });
}
