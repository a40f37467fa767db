// Loaders of consumers, of what they hold, and of their projects and users: one statement for each batch.
// Pages under many parents have a loader for each set of arguments; the total count is one more statement, only when asked for.
import DataLoader from 'dataloader';
import {
  allocationOrder,
  countAllocationsByProviders,
  selectAllocationsByConsumers,
  selectAllocationsByProviders,
} from '../../db/allocations.ts';
import {
  type ConsumerSort,
  countConsumersByProjects,
  orderOfConsumers,
  selectConsumersByIds,
  selectConsumersByProjects,
  selectConsumersByUuids,
  selectRootsByConsumers,
} from '../../db/consumers.ts';
import { selectProjectsByExternalIds } from '../../db/projects.ts';
import type { Db } from '../../db/sql/client.ts';
import { keyOfRow, parseKeysetPage } from '../../db/sql/keyset.ts';
import { selectUsages } from '../../db/usages.ts';
import { selectUsersByExternalIds } from '../../db/users.ts';
import type { AllocationFilter, Consumer, ConsumerFilter, Usage, UsageKey } from '../../domain/allocation.ts';
import { type PageArguments, renderPage } from '../../domain/page.ts';
import { groupBy, loadersByArguments, loadMany, loadOne } from '../request/keyed-loaders.ts';
import type { AllocationPage, ConsumerPage } from '../request/parents.ts';

/** Loaders of one request. Keys are internal ids unless the name says otherwise. */
export function createConsumerLoaders(db: Db) {
  const consumerById = loadOne(
    (ids: readonly number[]) => selectConsumersByIds(db, ids),
    ({ id }) => id,
  );
  /** Canonical uuids. */
  const consumerByUuid = loadOne(
    (uuids: readonly string[]) => selectConsumersByUuids(db, uuids),
    ({ uuid }) => uuid,
  );
  /** Gives the two loaders what a list has already read. */
  const primeConsumers = (consumers: readonly Consumer[]): void => {
    for (const consumer of consumers) {
      consumerById.prime(consumer.id, consumer);
      consumerByUuid.prime(consumer.uuid, consumer);
    }
  };
  return {
    consumerById,
    consumerByUuid,
    primeConsumers,
    /** By provider name and class. */
    allocationsByConsumer: loadMany(
      (ids: readonly number[]) => selectAllocationsByConsumers(db, ids),
      ({ consumerId }) => consumerId,
    ),
    /** By name, those of sharing providers included. */
    rootsByConsumer: loadMany(
      (ids: readonly number[]) => selectRootsByConsumers(db, ids),
      ({ consumerId }) => consumerId,
    ),
    projectByExternalId: loadOne(
      (externalIds: readonly string[]) => selectProjectsByExternalIds(db, externalIds),
      ({ externalId }) => externalId,
    ),
    userByExternalId: loadOne(
      (externalIds: readonly string[]) => selectUsersByExternalIds(db, externalIds),
      ({ externalId }) => externalId,
    ),
    allocationPageByProvider: loadersByArguments((args: PageArguments & { readonly filter: AllocationFilter }) =>
      allocationPages(db, args, primeConsumers),
    ),
    consumerPageByProject: loadersByArguments((args: ConsumerPageArguments) => consumerPages(db, args)),
    usagesByProject: loadersByArguments((groupBy: readonly UsageKey[]) => usagesOfProjects(db, groupBy)),
  };
}

function allocationPages(
  db: Db,
  { filter, ...args }: PageArguments & { readonly filter: AllocationFilter },
  prime: (consumers: readonly Consumer[]) => void,
) {
  const list = 'allocations';
  const page = parseKeysetPage(args, list, allocationOrder);
  const counts = loadOne(
    (providers: readonly number[]) => countAllocationsByProviders(db, providers, filter),
    ({ providerId }) => providerId,
  );
  return new DataLoader(async (providers: readonly number[]) => {
    const rows = await selectAllocationsByProviders(db, providers, filter, page);
    prime(rows);
    const found = groupBy(rows, ({ providerId }) => providerId);
    return providers.map((provider): AllocationPage => {
      const countAll = async () => (await counts.load(provider))?.count ?? 0;
      return renderPage(page, found.get(provider) ?? [], list, ({ consumerId, classId }) => [consumerId, classId], countAll);
    });
  });
}

/** The name of a list in an order, for cursors. */
export const consumerList = (sort: ConsumerSort): string =>
  ['consumers', sort.by, sort.descending ? 'DESC' : 'ASC', 'classId' in sort ? sort.classId : ''].join(' ');

type ConsumerPageArguments = PageArguments & { readonly filter: ConsumerFilter; readonly sort: ConsumerSort };

function consumerPages(db: Db, { filter, sort, ...args }: ConsumerPageArguments) {
  const [list, order] = [consumerList(sort), orderOfConsumers(sort)];
  const page = parseKeysetPage(args, list, order);
  const counts = loadOne(
    (projects: readonly string[]) => countConsumersByProjects(db, projects, filter),
    ({ project }) => project,
  );
  return new DataLoader(async (projects: readonly string[]) => {
    const found = groupBy(await selectConsumersByProjects(db, projects, filter, sort, page), ({ project }) => project);
    return projects.map((project): ConsumerPage => {
      const countAll = async () => (await counts.load(project))?.count ?? 0;
      return renderPage(page, found.get(project) ?? [], list, ({ sortKey, id }) => keyOfRow(order, sortKey, id), countAll);
    });
  });
}

function usagesOfProjects(db: Db, keys: readonly UsageKey[]) {
  const selection = { groupBy: ['PROJECT' as const, ...keys.filter((key) => key !== 'PROJECT')], orderByClassId: null, descending: false };
  const isAsked = keys.includes('PROJECT');
  return new DataLoader(async (projects: readonly string[]) => {
    const found = groupBy(await selectUsages(db, { ...selection, filter: { projects } }, null), ({ project }) => project);
    return projects.map((project): readonly Usage[] => {
      const usages = found.get(project) ?? [];
      return isAsked ? usages : usages.map((usage) => ({ ...usage, project: null }));
    });
  });
}
