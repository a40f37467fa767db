// Lists consumers under a filter. Single consumers, and what belongs to them, come from the loaders.

import { type ConsumerSortKey, countConsumers, orderOfConsumers, selectConsumers } from '../../db/consumers.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { maxPageSize, type PageArguments } from '../../domain/page.ts';
import { getResourceClassId } from '../names/resource-classes.ts';
import { listPage } from '../request/list-page.ts';
import { nameForProject, nameInOrder, type OrderKeyInput, parseOrder } from '../request/order.ts';
import type { ConsumerPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type ConsumerFilterInput, resolveConsumerFilter } from './consumer-filter.ts';

export interface ConsumerListArguments extends PageArguments {
  readonly filter?: Optional<ConsumerFilterInput>;
  /** Oldest first when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<ConsumerSortKey['by']>[]>;
}

/** A page of the consumers. Refuses INVALID_INPUT, NOT_FOUND for unknown classes. */
export async function listConsumers(
  scope: RequestScope,
  { filter: input, orderBy, ...args }: ConsumerListArguments,
): Promise<ConsumerPage> {
  const { name, sort } = await resolveOrder(scope, orderBy);
  const filter = await resolveConsumerFilter(scope, input);
  const found = await listPage(args, {
    name,
    order: orderOfConsumers(sort, scope.ownProject),
    select: (page) => selectConsumers(scope.db, filter, sort, page, scope.ownProject),
    count: () => countConsumers(scope.db, filter),
  });
  scope.loaders.primeConsumers(found.rows);
  return found;
}

/** The uuids of all consumers under a filter, oldest first; null when there are more than `most`. Refuses what listConsumers refuses. */
export async function listConsumerUuids(scope: RequestScope, filter: ConsumerFilterInput, most: number): Promise<string[] | null> {
  const uuids: string[] = [];
  let after: string | null = null;
  for (let hasNextPage = true; hasNextPage; ) {
    const page = await listConsumers(scope, { filter, first: maxPageSize, after });
    uuids.push(...page.rows.map(({ uuid }) => uuid));
    ({ hasNextPage } = page);
    if (uuids.length + (hasNextPage ? 1 : 0) > most) return null;
    after = page.cursors.at(-1) ?? null;
  }
  return uuids;
}

/** A page of the consumers of a project, batched over projects. Refuses what listConsumers refuses. */
export async function listConsumersOfProject(
  scope: RequestScope,
  project: string,
  { filter: input, orderBy, ...args }: ConsumerListArguments,
): Promise<ConsumerPage> {
  if (input?.projects) throw invalidInput(['filter', 'projects'], 'projects is not allowed here: the project is given');
  const [{ name, sort }, filter] = await Promise.all([resolveOrder(scope, orderBy), resolveConsumerFilter(scope, input)]);
  const page = await scope.loaders.consumerPageByProject({ ...args, filter, name, sort }).load(project);
  scope.loaders.primeConsumers(page.rows);
  return page;
}

async function resolveOrder(
  scope: RequestScope,
  orderBy: ConsumerListArguments['orderBy'],
): Promise<{ readonly name: string; readonly sort: readonly ConsumerSortKey[] }> {
  const keys = parseOrder(orderBy, 'CREATED_AT', new Set(['AMOUNT']));
  const sort = keys.map(async ({ field, descending, resourceClass, path }): Promise<ConsumerSortKey> => {
    if (field !== 'AMOUNT') return { by: field, descending };
    return { by: field, descending, classId: await getResourceClassId(scope, resourceClass ?? '', [...path, 'resourceClass']) };
  });
  return { name: nameForProject(nameInOrder('consumers', keys), scope.ownProject), sort: await Promise.all(sort) };
}
