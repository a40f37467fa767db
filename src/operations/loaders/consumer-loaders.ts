// Loaders of consumers, their allocations and reservations, projects and users: one statement for each batch.
// Pages under many parents have a loader for each set of arguments; the total count is one more statement, only on request.
import {
  type AllocationSortKey,
  countAllocationsByProviders,
  orderOfAllocations,
  selectAllocationsByConsumers,
  selectAllocationsByProviders,
} from '../../db/allocations.ts';
import {
  type ConsumerSortKey,
  countConsumersByProjects,
  orderOfConsumers,
  selectConsumersByIds,
  selectConsumersByProjects,
  selectConsumersByUuids,
  selectRootsByConsumers,
} from '../../db/consumers.ts';
import { selectProjectsByExternalIds } from '../../db/projects.ts';
import { selectQuotaUses } from '../../db/quotas.ts';
import {
  type KeptIn,
  selectClaimingCounts,
  selectReservationsByUuids,
  selectReservationsIn,
  selectReservedAmounts,
} from '../../db/reservations.ts';
import type { Db } from '../../db/sql/client.ts';
import { selectUsersByExternalIds } from '../../db/users.ts';
import type { Allocation, AllocationFilter, Consumer, ConsumerFilter } from '../../domain/allocation.ts';
import { limits } from '../../domain/limits.ts';
import type { PageArguments } from '../../domain/page.ts';
import { groupBy, Loader, loadersByArguments, loadMany, loadOne } from '../request/keyed-loaders.ts';
import { type ListBelow, loadPages } from '../request/list-page.ts';
import { usagePagesOfProjects } from './usage-pages.ts';
import { usageReportsOfProjects } from './usage-reports.ts';

/** Loaders of one request. Keys are internal ids unless the name says otherwise. With a project, consumers of others do not exist. */
export function createConsumerLoaders(db: Db, project: string | null) {
  const consumerById = loadOne(
    (ids: readonly number[]) => selectConsumersByIds(db, ids, project),
    ({ id }) => id,
  );
  /** Canonical uuids. */
  const consumerByUuid = loadOne(
    (uuids: readonly string[]) => selectConsumersByUuids(db, uuids, project),
    ({ uuid }) => uuid,
  );
  /** Primes the two loaders with consumers that a list has read. */
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
    /** Those that keep something of classes in trees, at most as many as a nearest miss has. */
    reservationsIn: new Loader(
      async (asked: readonly KeptIn[]) => {
        const found = groupBy(await selectReservationsIn(db, asked, project, limits.missReservations), ({ place }) => place);
        return asked.map((_, place) => found.get(place) ?? []);
      },
      { cacheKeyFn: (key: KeptIn) => JSON.stringify(key) },
    ),
    /** By provider name and class. */
    allocationsByConsumer: loadMany(
      (ids: readonly number[]) => selectAllocationsByConsumers(db, ids),
      ({ consumerId }) => consumerId,
    ),
    /** By name, including the roots of sharing providers. */
    rootsByConsumer: loadMany(
      (ids: readonly number[]) => selectRootsByConsumers(db, ids),
      ({ consumerId }) => consumerId,
    ),
    projectByExternalId: loadOne(
      (externalIds: readonly string[]) => selectProjectsByExternalIds(db, externalIds, project),
      ({ externalId }) => externalId,
    ),
    /** Those of the project above last, unless the caller sees only its own. */
    quotaUsesByProject: loadMany(
      (externalIds: readonly string[]) => selectQuotaUses(db, externalIds, project === null),
      ({ asked }) => asked,
    ),
    /** Canonical uuids. */
    reservationByUuid: loadOne(
      (uuids: readonly string[]) => selectReservationsByUuids(db, uuids, project),
      ({ uuid }) => uuid,
    ),
    /** By provider name and class. */
    amountsByReservation: loadMany(
      (ids: readonly number[]) => selectReservedAmounts(db, ids),
      ({ reservationId }) => reservationId,
    ),
    /** Null for none. */
    consumersByReservation: loadOne(
      (ids: readonly number[]) => selectClaimingCounts(db, ids),
      ({ reservationId }) => reservationId,
    ),
    userByExternalId: loadOne(
      (externalIds: readonly string[]) => selectUsersByExternalIds(db, externalIds, project),
      ({ externalId }) => externalId,
    ),
    allocationPageByProvider: loadersByArguments((args: AllocationPageArguments) => allocationPages(db, args, primeConsumers)),
    consumerPageByProject: loadersByArguments((args: ConsumerPageArguments) => consumerPages(db, project, args)),
    usagePageByProject: usagePagesOfProjects(db),
    usageReportByProject: usageReportsOfProjects(db),
  };
}

interface AllocationPageArguments extends PageArguments {
  readonly filter: AllocationFilter;
  /** Identifies the list and its order. */
  readonly name: string;
  readonly sort: readonly AllocationSortKey[];
}

function allocationPages(
  db: Db,
  { filter, name, sort, ...args }: AllocationPageArguments,
  prime: (consumers: readonly Consumer[]) => void,
) {
  const list: ListBelow<number, Allocation> = {
    name,
    order: orderOfAllocations(sort),
    select: async (providers, page) => {
      const rows = await selectAllocationsByProviders(db, providers, filter, sort, page);
      prime(rows);
      return rows;
    },
    count: (providers) => countAllocationsByProviders(db, providers, filter),
  };
  return loadPages(list, args);
}

interface ConsumerPageArguments extends PageArguments {
  readonly filter: ConsumerFilter;
  /** Identifies the list and its order. */
  readonly name: string;
  readonly sort: readonly ConsumerSortKey[];
}

function consumerPages(db: Db, own: string | null, { filter, name, sort, ...args }: ConsumerPageArguments) {
  const list: ListBelow<string, Consumer> = {
    name,
    order: orderOfConsumers(sort, own),
    select: (projects, page) => selectConsumersByProjects(db, projects, filter, sort, page, own),
    count: (projects) => countConsumersByProjects(db, projects, filter),
  };
  return loadPages(list, args);
}
