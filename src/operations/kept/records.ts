// Records that another service keeps about its roots: lists of roots with their records, and imported records whose provider does not exist yet.
import { countRecordedRoots, selectRecordedRoots } from '../../db/records.ts';
import { invalidInput } from '../../domain/errors.ts';
import { largestPage, type Page, type PageArguments, parsePage, renderPage } from '../../domain/page.ts';
import type { RecordedKey, RecordedList, RecordedRoot } from '../../domain/recorded-root.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';
import { write } from '../request/write.ts';

/** The entry of a uuid or a name; null when there is none. One statement. */
export async function findRecordedRoot({ db }: RequestScope, list: RecordedList, key: RecordedKey): Promise<RecordedRoot | null> {
  const [found] = await selectRecordedRoots(db, list, key, { size: 0, backward: false, key: null });
  return found ?? null;
}

/** The entry of a uuid; null when there is none. For many it is one statement. */
export function loadRecordedRoot({ loaders }: RequestScope, list: RecordedList, uuid: string): Promise<RecordedRoot | null> {
  return loaders.recordedRootByUuid(list).load(uuid);
}

/** A page of all entries, by name. One statement. Refuses INVALID_INPUT. */
export async function listRecordedRoots(
  { db }: RequestScope,
  list: RecordedList,
  { first, after }: PageArguments,
): Promise<Page<RecordedRoot>> {
  const cursors = `records ${list.kind}`;
  const page = parsePage({ first, after }, cursors);
  if (page.key && typeof page.key[0] !== 'string') throw invalidInput(['after'], 'after is not a cursor of this list in this order');
  const rows = await selectRecordedRoots(db, list, {}, page);
  return renderPage(
    page,
    rows,
    cursors,
    ({ name }) => [name],
    () => countRecordedRoots(db, list),
  );
}

export interface RecordInput {
  readonly name: string;
  /** Null: that of the provider of this name, or a new one. */
  readonly uuid: string | null;
  readonly body: object;
}

/** Takes over 1 to 1,000 records; those that are kept already, under their uuid or name, stay. Returns how many were new. Refuses INVALID_INPUT. */
export async function importRecords(scope: RequestScope, kind: string, records: readonly RecordInput[]): Promise<number> {
  const check = new InputCheck();
  check.size(['records'], records, 1, largestPage);
  records.forEach(({ name }, index) => {
    check.name(['records', index, 'name'], name);
  });
  check.done();
  const request = { records: records.map((record) => ({ ...record, kind })) };
  return (await write(scope, 'import_records', request, () => ['records'])).written;
}
