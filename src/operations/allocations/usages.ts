// Reads the usage of groups of consumers.
import { type ProjectUsage, selectProjectUsages } from '../../db/project-usages.ts';
import type { ReportedPeriod } from '../../db/usage-report.ts';
import { countUsages, orderOfUsages, selectUsagePage, type UsageSelection, type UsageSortKey } from '../../db/usages.ts';
import type { UsageKey } from '../../domain/allocation.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { microsecondsOf } from '../../domain/moment.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { HeldOverTime } from '../../domain/usage-report.ts';
import { emptySumOf, isSumOfAll } from '../loaders/usage-pages.ts';
import { getResourceClassId } from '../names/resource-classes.ts';
import { listPage } from '../request/list-page.ts';
import { nameForProject, nameInOrder, type OrderKeyInput, parseOrder } from '../request/order.ts';
import type { UsagePage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type ConsumerFilterInput, parseConsumerFilter, resolveConsumerFilter } from './consumer-filter.ts';

export interface UsageListArguments extends PageArguments {
  readonly filter?: Optional<ConsumerFilterInput>;
  readonly groupBy: readonly UsageKey[];
  /** By the amounts of classes, then by the grouping keys. */
  readonly orderBy?: Optional<readonly OrderKeyInput<'AMOUNT'>[]>;
}

/**
 * Usage, with a row for each combination of the grouping keys: ordered by the keys, or by amounts of classes. Without keys there is exactly one row,
 * even when no consumer matches. Refuses INVALID_INPUT, NOT_FOUND (a class to order by).
 */
export async function listUsages(scope: RequestScope, { filter, groupBy, orderBy, ...args }: UsageListArguments): Promise<UsagePage> {
  const { name, selection } = await selectionOf(scope, { filter, groupBy, orderBy });
  return listPage(args, {
    name,
    order: orderOfUsages(selection),
    select: async (page) => {
      const found = await selectUsagePage(scope.db, selection, page);
      return found.length === 0 && isSumOfAll(selection, page) ? [emptySumOf(selection)] : found;
    },
    count: () => (selection.groupBy.length === 0 ? Promise.resolve(1) : countUsages(scope.db, selection)),
  });
}

/** listUsages for the consumers of a project, batched over projects. */
export async function listUsagesOfProject(
  scope: RequestScope,
  project: string,
  { filter, groupBy, orderBy, ...args }: UsageListArguments,
): Promise<UsagePage> {
  if (filter?.projects) throw invalidInput(['filter', 'projects'], 'projects is not allowed here: the project is given');
  const { name, selection } = await selectionOf(scope, { filter, groupBy, orderBy });
  return scope.loaders.usagePageByProject({ ...args, name, selection }).load(project);
}

async function selectionOf(
  scope: RequestScope,
  { filter, groupBy, orderBy }: UsageListArguments,
): Promise<{ readonly name: string; readonly selection: UsageSelection }> {
  const keys = orderBy?.length ? parseOrder(orderBy, 'AMOUNT', new Set(['AMOUNT'])) : [];
  const resolved = await resolveConsumerFilter(scope, filter);
  const sort = keys.map(async ({ resourceClass, descending, path }): Promise<UsageSortKey> => {
    return { classId: await getResourceClassId(scope, resourceClass ?? '', [...path, 'resourceClass']), descending };
  });
  const selection = { filter: resolved, groupBy: [...new Set(groupBy)], sort: await Promise.all(sort) };
  return { name: nameForProject(nameInOrder(['usages', ...selection.groupBy].join(' '), keys), scope.ownProject), selection };
}

/** The consumers of a project to sum: all, those of a user, those of a type, or those without a type. */
export interface ProjectUsageFilter {
  readonly project: string;
  readonly user?: string | undefined;
  readonly type?: string | undefined;
  readonly untyped?: boolean | undefined;
}

/** The usage of a project: in total, or by type with untyped consumers last; empty without consumers. One statement. Refuses INVALID_INPUT. */
export async function sumProjectUsages(
  { db }: RequestScope,
  filter: ProjectUsageFilter,
  byType: boolean,
): Promise<readonly ProjectUsage[]> {
  const { project, user, type } = filter;
  const lists = { projects: [project], ...(user !== undefined && { users: [user] }), ...(type !== undefined && { consumerTypes: [type] }) };
  parseConsumerFilter(lists);
  return selectProjectUsages(db, filter, byType);
}

/** What the consumers of a project held over a period. Refuses INVALID_INPUT, HISTORY_GONE, HISTORY_TOO_LONG. */
export async function reportUsageOfProject(
  { loaders }: RequestScope,
  project: string,
  period: Required<Omit<ReportedPeriod, 'projects'>>,
): Promise<readonly HeldOverTime[]> {
  if (microsecondsOf(period.until) < microsecondsOf(period.from)) throw invalidInput(['until'], 'until is before from');
  return loaders.usageReportByProject(period).load(project);
}
