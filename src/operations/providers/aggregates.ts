// Reads of aggregates: lists of them. One by uuid and those of a provider come through the loaders.

import { aggregateOrder, countAggregates, selectAggregatePage } from '../../db/aggregates.ts';
import { keyOfRow, parseKeysetPage } from '../../db/sql/keyset.ts';
import { limits } from '../../domain/limits.ts';
import { type Page, type PageArguments, renderPage } from '../../domain/page.ts';
import type { Aggregate } from '../../domain/provider.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';

const list = 'aggregates';

/** A page of all aggregates, or of those with one of the uuids, in the order in which they were first named. Refuses INVALID_INPUT. */
export async function listAggregates(
  { db }: RequestScope,
  { uuids, ...args }: PageArguments & { readonly uuids?: readonly string[] | null | undefined },
): Promise<Page<Aggregate>> {
  const check = new InputCheck();
  check.size(['uuids'], uuids ?? [], 0, limits.filterKeys);
  check.done();
  const page = parseKeysetPage(args, list, aggregateOrder);
  const rows = await selectAggregatePage(db, uuids ?? undefined, page);
  return renderPage(
    page,
    rows,
    list,
    ({ sortKey, id }) => keyOfRow(aggregateOrder, sortKey, id),
    () => countAggregates(db, uuids ?? undefined),
  );
}
