// The versions of programs on hosts. Features that all of them must support at a version check the lowest one.
import {
  countServices,
  orderOfServices,
  selectMinimumVersion,
  selectProgramVersions,
  selectServicePage,
  selectUnchangedSince,
} from '../../db/services.ts';
import { type Db, mainHandleOf, primaryOf } from '../../db/sql/client.ts';
import type { RequestOf } from '../../db/writes/operations.ts';
import type { FilterInput, Optional } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { ProgramVersions, RootsOfProgram, ServiceFilter, ServiceSortKey, StoredSettings } from '../../domain/service.ts';
import { maxNameLength } from '../../domain/text.ts';
import { parseFilter } from '../request/filter-groups.ts';
import { InputCheck, type ProviderExpectation } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { ServicePage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';
import { write } from '../scope/write.ts';

/**
 * What a report says of a program on a host; absent parts stay unchanged. `version` starts at 0, null means "removed". `minimumOf`: the program whose
 * lowest version is to be stored with the answer. `mark`: the roots that show whether the program gets work.
 */
export type ServiceReport = RequestOf<'report_service'>;

/** The outcome of a report. */
export interface ServiceReported {
  readonly changed: boolean;
  /** The lowest version of a program after the write, as first answered; absent for a call without an idempotency key. */
  readonly minimum?: number | null;
}

/** Records what is reported about a service; an unchanged report is one statement and writes nothing. Refuses INVALID_INPUT. */
export async function reportServiceState(scope: RequestScope, report: ServiceReport): Promise<ServiceReported> {
  const { host, program, version, disabledReason } = report;
  const check = new InputCheck();
  check.text(['host'], host, maxNameLength);
  check.text(['program'], program, maxNameLength);
  if (program.includes('/')) check.add(['program'], 'program must be given without its directory');
  check.text(['disabledReason'], disabledReason, maxNameLength);
  if (version !== null && version !== undefined && !(Number.isInteger(version) && version >= 0 && version <= maxAmount)) {
    check.add(['version'], `version must be a whole number from 0 to ${maxAmount}`);
  }
  check.done();
  return write(scope, 'report_service', report, () => []);
}

/** The lowest version of a program on any host that reports one and is not forced down; null for none. */
export async function findMinimumVersion({ db }: RequestScope, program: string): Promise<number | null> {
  return selectMinimumVersion(db, program);
}

/** Milliseconds after which the versions are read again although nothing shows that they changed: looking for changes takes the longer, the more was written since. */
const surveyLife = 10_000;

/** With 10,000 hosts, reading the versions takes longer than finding a place for an instance, so requests share what was read until it changes. */
interface Survey {
  readonly until: number;
  readonly versions: ReturnType<typeof selectProgramVersions>;
  /** The snapshot of the last question to which the answer was no: the next one begins there. */
  unchanged?: string;
  /** Whether it has changed: the question that callers of this turn of the event loop share. */
  changed?: Promise<boolean> | undefined;
}

/** By database and by what was asked. */
const surveys = new WeakMap<Db, Map<string, Survey>>();

/**
 * The versions of a program, the roots without a known version, and the settings of its service, as of this call. Usually a small statement; after a change, a
 * second one, which reads all of these roots.
 */
export async function findProgramVersions(scope: RequestScope, roots: RootsOfProgram): Promise<ProgramVersions> {
  const main = mainHandleOf(scope.db);
  const known = surveys.get(main) ?? new Map<string, Survey>();
  surveys.set(main, known);
  const key = JSON.stringify(roots);
  const last = known.get(key);
  if (last && performance.now() < last.until && !(await isOutdated(last, primaryOf(scope.db)))) return last.versions;
  const next = known.get(key);
  // Another caller has begun to read since this one looked.
  if (next && next !== last) return next.versions;
  const versions = selectProgramVersions(primaryOf(scope.db), roots);
  known.set(key, { until: performance.now() + surveyLife, versions });
  versions.catch(() => known.delete(key));
  return versions;
}

function isOutdated(survey: Survey, db: Db): Promise<boolean> {
  survey.changed ??= (async () => {
    const { snapshot } = await survey.versions;
    survey.changed = undefined;
    const unchanged = await selectUnchangedSince(db, survey.unchanged ?? snapshot);
    if (unchanged !== null) survey.unchanged = unchanged;
    return unchanged === null;
  })();
  return survey.changed;
}

/**
 * Replaces the settings of a service, which are stored as the record of this kind and uuid. Equal ones are not written. Refuses SETTINGS_CONFLICT at
 * `expect`.
 */
export async function replaceServiceSettings(scope: RequestScope, { expect, ...record }: SettingsInput): Promise<StoredSettings> {
  const check = new InputCheck();
  const expected = check.expectation(['expect'], expect);
  check.done();
  const request = { record: { ...record, name: record.kind }, expect: expected };
  return (await write(scope, 'replace_settings', request, () => ['expect'])).record;
}

export interface SettingsInput {
  readonly kind: string;
  readonly uuid: string;
  readonly body: object;
  readonly expect: ProviderExpectation;
}

export interface ServiceListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<ServiceFilter>>;
  /** By host when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<ServiceSortKey['by']>[]>;
}

/** A page of the services that meet all conditions. Refuses INVALID_INPUT. */
export async function listServices({ db }: RequestScope, { filter, orderBy, ...args }: ServiceListArguments): Promise<ServicePage> {
  const keys = parseOrder(orderBy, 'HOST');
  const sort = sortOf(keys);
  const wanted = parseFilter<ServiceFilter>(filter, (check, path, { hosts, programs, hostContains, hostStartsWith }) =>
    check.nameFilters(path, { hosts, programs, hostContains, hostStartsWith }),
  );
  return listPage(args, {
    name: nameInOrder('services', keys),
    order: orderOfServices(sort),
    select: (page) => selectServicePage(db, wanted, sort, page),
    count: () => countServices(db, wanted),
  });
}
