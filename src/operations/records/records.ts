// Records that another service keeps about its roots: lists of roots with their records, including imported records without a provider.
import {
  countRecordedRoots,
  orderOfRecordedRoots,
  selectCountedRoots,
  selectNamedRoots,
  selectRecordedRootPage,
  selectRecordedRoots,
  selectRecordedValues,
} from '../../db/records.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import type {
  CountedFact,
  CountedRoot,
  NamedRoot,
  RecordedFact,
  RecordedFilter,
  RecordedKey,
  RecordedList,
  RecordedNames,
  RecordedRoot,
  RecordedSortKey,
  RecordedValue,
} from '../../domain/recorded-root.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';
import { write } from '../scope/write.ts';

/** The entry with a uuid or name; null if there is none. One statement. */
export async function findRecordedRoot({ db }: RequestScope, list: RecordedList, key: RecordedKey): Promise<RecordedRoot | null> {
  const [found] = await selectRecordedRoots(db, list, key);
  return found ?? null;
}

/** The entry with a uuid; null if there is none. Batched. */
export function loadRecordedRoot({ loaders }: RequestScope, list: RecordedList, uuid: string): Promise<RecordedRoot | null> {
  return loaders.recordedRootByUuid(list).load(uuid);
}

/** The entries with these names, or these values of a fact. One statement. */
export async function findRecordedNames({ db }: RequestScope, list: RecordedList, names: RecordedNames): Promise<readonly NamedRoot[]> {
  return selectNamedRoots(db, list, names);
}

/** One fact of all records that have it. One statement, which reads all records unless the fact has an index. */
export async function findRecordedValues({ db }: RequestScope, list: RecordedList, fact: RecordedFact): Promise<readonly RecordedValue[]> {
  return selectRecordedValues(db, list, fact);
}

/** The entries that have a fact of this kind, with its number. One statement. */
export async function findCountedRoots({ db }: RequestScope, list: RecordedList, fact: CountedFact): Promise<readonly CountedRoot[]> {
  return selectCountedRoots(db, list, fact);
}

/**
 * A page of the entries that meet all conditions; `name` identifies the list and its order. One statement. Refuses INVALID_INPUT for the arguments of
 * the page.
 */
export async function listRecordedRoots(
  { db }: RequestScope,
  list: RecordedList,
  { name, filter, sort, ...args }: RecordedListArguments,
): Promise<Page<RecordedRoot>> {
  return listPage(args, {
    name,
    order: orderOfRecordedRoots(sort),
    select: (page) => selectRecordedRootPage(db, list, filter, sort, page),
    count: () => countRecordedRoots(db, list, filter),
  });
}

export interface RecordedListArguments extends PageArguments {
  readonly name: string;
  readonly filter: RecordedFilter;
  readonly sort: readonly RecordedSortKey[];
}

export interface RecordInput {
  readonly name: string;
  /** Null: the uuid of the provider with this name, or else a new one. */
  readonly uuid: string | null;
  readonly body: object;
}

/** Imports 1 to 1,000 records, except those whose uuid or name already exists. Returns the number of new ones. Refuses INVALID_INPUT. */
export async function importRecords(scope: RequestScope, kind: string, records: readonly RecordInput[]): Promise<number> {
  const check = new InputCheck();
  check.size(['records'], records, 1, limits.importedRecords);
  records.forEach(({ name }, index) => {
    check.name(['records', index, 'name'], name);
  });
  check.done();
  const request = { records: records.map((record) => ({ ...record, kind })) };
  return (await write(scope, 'import_records', request, () => ['records'])).written;
}
