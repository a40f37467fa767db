// What may be asked about usage: what groups of consumers hold together.
import { type ProjectUsage, selectProjectUsages } from '../../db/project-usages.ts';
import { countUsages, isUsageKey, selectUsages, type UsageRow, type UsageSelection, usageKey } from '../../db/usages.ts';
import type { Usage, UsageKey } from '../../domain/allocation.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { onlyKey, type PageArguments, parsePage, renderPage } from '../../domain/page.ts';
import { getResourceClassId } from '../providers/resource-classes.ts';
import type { UsagePage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';
import { type ConsumerFilterInput, parseConsumerFilter, resolveConsumerFilter } from './consumer-filter.ts';

/** Usages can be ordered only by the amount of a class. */
export interface UsageOrderKey {
  readonly resourceClass: string;
  readonly direction?: Optional<'ASC' | 'DESC'>;
}

const emptySum: UsageRow = {
  project: null,
  user: null,
  consumerType: null,
  consumerUuid: null,
  providerId: null,
  rootId: null,
  aggregateUuid: null,
  consumerCount: 0,
  resources: [],
  orderAmount: null,
  keyNames: [],
};

/**
 * What consumers hold, a row for each combination of the keys: by the keys, or by the amount of a class. Without keys there is exactly
 * one row, even when no consumer matches. Refuses INVALID_INPUT, NOT_FOUND (the class to order by).
 */
export async function listUsages(
  scope: RequestScope,
  args: PageArguments & {
    readonly filter?: ConsumerFilterInput | null | undefined;
    readonly groupBy: readonly UsageKey[];
    readonly orderBy?: Optional<readonly UsageOrderKey[]>;
  },
): Promise<UsagePage> {
  const groupBy = [...new Set(args.groupBy)];
  const order = onlyKey(args.orderBy);
  const list = ['usages', ...groupBy, order?.resourceClass ?? '', order?.direction ?? ''].join(' ');
  const page = parsePage({ first: args.first, after: args.after }, list);
  const filter = await resolveConsumerFilter(scope, args.filter);
  const selection: UsageSelection = {
    filter,
    groupBy,
    orderByClassId: order ? await getResourceClassId(scope, order.resourceClass, ['orderBy', 0, 'resourceClass']) : null,
    descending: order?.direction === 'DESC',
  };
  if (page.key && !isUsageKey(selection, page.key)) throw invalidInput(['after'], 'after is not a cursor of this list in this order');
  const found = await selectUsages(scope.db, selection, page);
  const isEmptySum = groupBy.length === 0 && found.length === 0 && page.key === null;
  const rows = isEmptySum ? [{ ...emptySum, orderAmount: selection.orderByClassId === null ? null : 0 }] : found;
  return renderPage(page, rows, list, usageKey, () => (groupBy.length === 0 ? Promise.resolve(1) : countUsages(scope.db, selection)));
}

/** Which consumers of one project: all, or only those of a user, of a type, or without one. */
export interface ProjectUsageFilter {
  readonly project: string;
  readonly user?: string | undefined;
  readonly type?: string | undefined;
  readonly untyped?: boolean | undefined;
}

/** What consumers of a project hold: in all, or by type, those without one last; empty when there are none. One statement. Refuses INVALID_INPUT. */
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

/** Keys by which a project has few rows. */
const shortKeys: ReadonlySet<UsageKey> = new Set(['PROJECT', 'USER', 'CONSUMER_TYPE']);

/** What the consumers of a project hold; empty when there are none. The same for many projects is one statement. */
export function listUsagesOfProject({ loaders }: RequestScope, project: string, groupBy: readonly UsageKey[]): Promise<readonly Usage[]> {
  const long = groupBy.find((key) => !shortKeys.has(key));
  if (long) throw invalidInput(['groupBy'], `there may be many rows by ${long}: ask usages(filter: {projects}) of Query, which has pages`);
  return loaders.usagesByProject([...new Set(groupBy)]).load(project);
}
