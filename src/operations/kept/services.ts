// Which version of a program runs on which host. Features that need all of them at a version ask for the lowest.
import { countServices, orderOfServices, selectMinimumVersion, selectServicePage } from '../../db/services.ts';
import { keyOfRow } from '../../db/sql/keyset.ts';
import type { Optional } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { onlyKey, type PageArguments } from '../../domain/page.ts';
import type { ServiceFilter, ServiceSort } from '../../domain/service.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { ServicePage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';
import { write } from '../request/write.ts';

/** A program on a host; `version` counts up from 0, null stands for "no longer there". */
export interface ServiceReport {
  readonly host: string;
  readonly program: string;
  readonly version: number | null;
}

/** What became of a report. */
export interface ServiceReported {
  readonly changed: boolean;
  /** The lowest version of a program after it, as this call was told first; absent for a call that cannot be sent again. */
  readonly minimum?: number | null;
}

/**
 * Records what a service reports about itself; the same report again is one statement and writes nothing. `minimumOf`: of which program the
 * lowest version is to be remembered with the answer. Refuses INVALID_INPUT.
 */
export async function reportServiceVersion(
  scope: RequestScope,
  { host, program, version }: ServiceReport,
  minimumOf: string,
): Promise<ServiceReported> {
  const check = new InputCheck();
  check.text(['host'], host, maxNameLength);
  check.text(['program'], program, maxNameLength);
  if (program.includes('/')) check.add(['program'], 'a program is named without its folder');
  if (version !== null && !(Number.isInteger(version) && version >= 0 && version <= maxAmount)) {
    check.add(['version'], `version must be a whole number from 0 to ${maxAmount}`);
  }
  check.done();
  return write(scope, 'report_service', { host, program, version, minimumOf }, () => []);
}

/** The lowest version of a program anywhere; null when it runs nowhere. */
export async function findMinimumVersion({ db }: RequestScope, program: string): Promise<number | null> {
  return selectMinimumVersion(db, program);
}

/** Conditions that are null count as not given. */
export type ServiceFilterInput = { readonly [Key in keyof ServiceFilter]?: Optional<ServiceFilter[Key]> };

export interface ServiceListArguments extends PageArguments {
  readonly filter?: Optional<ServiceFilterInput>;
  /** By host when omitted. */
  readonly orderBy?: Optional<readonly { readonly field: ServiceSort['by']; readonly direction?: Optional<'ASC' | 'DESC'> }[]>;
}

/** A page of the services that meet all conditions. Refuses INVALID_INPUT. */
export async function listServices({ db }: RequestScope, { filter, orderBy, ...args }: ServiceListArguments): Promise<ServicePage> {
  const key = onlyKey(orderBy);
  const wanted = parseServiceFilter(filter ?? {});
  const sort: ServiceSort = { by: key?.field ?? 'HOST', descending: key?.direction === 'DESC' };
  const order = orderOfServices(sort);
  return listPage(args, {
    name: `services ${sort.by} ${sort.descending ? 'DESC' : 'ASC'}`,
    order,
    select: (page) => selectServicePage(db, wanted, sort, page),
    keyOf: ({ sortKey, id }) => keyOfRow(order, sortKey, id),
    count: () => countServices(db, wanted),
  });
}

function parseServiceFilter(filter: ServiceFilterInput): ServiceFilter {
  const check = new InputCheck();
  for (const field of ['hosts', 'programs'] as const) {
    check.size(['filter', field], filter[field] ?? [], 0, limits.filterKeys);
    check.texts(['filter', field], filter[field]);
  }
  // An empty search box matches everything.
  for (const field of ['hostContains', 'hostStartsWith'] as const) {
    if (filter[field]) check.text(['filter', field], filter[field], maxNameLength);
  }
  check.done();
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null && value !== undefined));
}
