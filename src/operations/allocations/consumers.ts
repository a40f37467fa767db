// What may be asked about consumers: lists of them, under a filter. Single ones, and what belongs to them, come from the loaders.

import { type ConsumerSort, countConsumers, oldestFirst, orderOfConsumers, selectConsumers } from '../../db/consumers.ts';
import { keyOfRow } from '../../db/sql/keyset.ts';
import type { ConsumerOrder } from '../../domain/allocation.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import type { PageArguments } from '../../domain/page.ts';
import { getResourceClassId } from '../providers/resource-classes.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { ConsumerPage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';
import { type ConsumerFilterInput, resolveConsumerFilter } from './consumer-filter.ts';
import { consumerList } from './consumer-loaders.ts';

export interface ConsumerListArguments extends PageArguments {
  readonly filter?: Optional<ConsumerFilterInput>;
  /** Oldest first when omitted. */
  readonly orderBy?: Optional<readonly ConsumerOrderInput[]>;
}

interface ConsumerOrderInput {
  readonly field: ConsumerOrder['field'];
  readonly resourceClass?: Optional<string>;
  readonly direction?: Optional<ConsumerOrder['direction']>;
}

/** Consumers. Refuses INVALID_INPUT, NOT_FOUND for unknown classes. */
export async function listConsumers(
  scope: RequestScope,
  { filter: input, orderBy, ...args }: ConsumerListArguments,
): Promise<ConsumerPage> {
  const sort = await sortOf(scope, orderBy);
  const [list, order] = [consumerList(sort), orderOfConsumers(sort)];
  const filter = await resolveConsumerFilter(scope, input);
  const found = await listPage(args, {
    name: list,
    order,
    select: (page) => selectConsumers(scope.db, filter, sort, page),
    keyOf: ({ sortKey, id }) => keyOfRow(order, sortKey, id),
    count: () => countConsumers(scope.db, filter),
  });
  scope.loaders.primeConsumers(found.rows);
  return found;
}

/** A page of the consumers of a project; the same for many projects is one statement. Refuses as listConsumers does. */
export async function listConsumersOfProject(
  scope: RequestScope,
  project: string,
  { filter: input, orderBy, ...args }: ConsumerListArguments,
): Promise<ConsumerPage> {
  if (input?.projects) throw invalidInput(['filter', 'projects'], 'projects is not allowed here: the project is given');
  const [sort, filter] = await Promise.all([sortOf(scope, orderBy), resolveConsumerFilter(scope, input)]);
  const page = await scope.loaders.consumerPageByProject({ ...args, filter, sort }).load(project);
  scope.loaders.primeConsumers(page.rows);
  return page;
}

async function sortOf(scope: RequestScope, orderBy: Optional<readonly ConsumerOrderInput[]>): Promise<ConsumerSort> {
  const check = new InputCheck();
  check.size(['orderBy'], orderBy ?? [], 0, 1);
  const [order] = orderBy ?? [];
  if (!order) return oldestFirst;
  const { field, resourceClass } = order;
  const descending = order.direction === 'DESC';
  const path = ['orderBy', 0, 'resourceClass'];
  if (field !== 'AMOUNT') {
    if (typeof resourceClass === 'string') throw invalidInput(path, `${field} takes no resourceClass`);
    return { by: field, descending };
  }
  if (typeof resourceClass !== 'string') throw invalidInput(path, 'AMOUNT needs a resourceClass');
  return { by: field, classId: await getResourceClassId(scope, resourceClass, path), descending };
}
