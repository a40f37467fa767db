// Imports the file of an export into an empty ledger. Reads the file twice: nothing is written before the whole file has been checked.
import type { Db } from '../db/sql/client.ts';
import { analyzeState, countState, hasOtherState, type StateCounts, type StateNoun, stateNouns } from '../db/state.ts';
import { applyWrite, createNames } from '../db/writes/apply-write.ts';
import { isRefused, type RequestOf, type WriteOperation } from '../db/writes/contract.ts';
import { listNamedAggregates, listOwnNames } from './import/ledger.ts';
import { importer } from './import/writes.ts';
import type { Progress } from './phases/progress.ts';
import { type Body, readStateFile, type StateEntry, type StateFile, total } from './state/format.ts';

export interface ImportedFile {
  readonly counts: StateCounts;
  /** The number of objects already in the ledger, from an earlier run. */
  readonly resumed: number;
}

export interface FileImport {
  readonly file: string;
  /** Whether the ledger may already contain the first part of this file. */
  readonly resume: boolean;
  readonly progress: Progress;
  /** The maximum number of entries in one call of the database. Default: 500. */
  readonly batchEntries?: number;
}

/** The maximum size of one call of the database, except that a single entry may be larger. */
const batchBytes = 1_000_000;
const linesBetweenReports = 1000;

/**
 * Writes everything in the order of the file, a batch in one statement, so that after an interruption the ledger contains the first part of the file. An import
 * resumes by skipping as many entries of each noun as exist. The global request id of the events contains the file's digest, which identifies the file.
 */
export async function importFile(db: Db, { file, resume, progress, batchEntries = 500 }: FileImport): Promise<ImportedFile> {
  const { counts, sha256 } = await checkFile(file, progress);
  const run = `req-import-${sha256.slice(0, 32)}`;
  if (await hasOtherState(db, resume ? run : '')) {
    throw new Error(
      resume
        ? 'the database contains other objects than the first part of this file: import into an empty one'
        : (await hasOtherState(db, run))
          ? 'the database is not empty: import into an empty one'
          : 'the database already contains the first part of this file: continue with --resume',
    );
  }
  const before = await countState(db);
  await writeEntries(db, file, { before, run, progress, batchEntries, all: total(counts) });
  const after = await countState(db);
  // There may be more than in the file, because a newer release has more standard names.
  const short = stateNouns.filter((noun) => after[noun] < counts[noun]);
  if (short.length > 0)
    throw new Error(`not everything was imported: ${short.map((noun) => `${after[noun]} of ${counts[noun]} of ${noun}`).join(', ')}`);
  await analyzeState(db);
  return { counts, resumed: before.provider + before.consumer + before.service + before.record };
}

/** The counts and digest of the file, after every line of it has been checked. */
async function checkFile(file: string, progress: Progress): Promise<StateFile> {
  const entries = readStateFile(file);
  for (let done = 1; ; done++) {
    const { value, done: isEnd } = await entries.next();
    if (isEnd) return value;
    if (done % linesBetweenReports === 0) progress.at('check', done, done);
  }
}

interface Writing {
  /** The number of objects of each noun before the import. */
  readonly before: StateCounts;
  /** The global request id of its events. */
  readonly run: string;
  readonly progress: Progress;
  readonly batchEntries: number;
  readonly all: number;
}

async function writeEntries(db: Db, file: string, { before, run, progress, batchEntries, all }: Writing): Promise<void> {
  const write = await writerOf(db, run);
  const left = { ...before };
  let batch: StateEntry[] = [];
  let bytes = 0;
  let done = 0;
  // The next batch is read while one is written.
  let writing = Promise.resolve();
  const flush = async () => {
    await writing;
    progress.at('import', done, all);
    const [first, written] = [batch[0], batch];
    [batch, bytes] = [[], 0];
    done += written.length;
    if (first) writing = write(first, written);
    // Prevents an unhandled rejection until `writing` is awaited.
    writing.catch(() => {});
  };
  for await (const entry of readStateFile(file)) {
    const { noun } = entry;
    if (isCounted(noun) && left[noun] > 0) {
      left[noun] -= 1;
      done += 1;
      continue;
    }
    if (batch.length >= batchEntries || bytes >= batchBytes || (batch[0] && batch[0].noun !== noun)) await flush();
    batch.push(entry);
    bytes += entry.length;
  }
  await flush();
  await writing;
}

/** The nouns whose existing rows are the first ones of the file. Existing names are recognized by name instead. */
const isCounted = (noun: StateNoun) => noun === 'provider' || noun === 'consumer' || noun === 'service' || noun === 'record';

/** Writes a batch of entries of one noun. */
async function writerOf(db: Db, run: string): Promise<(first: StateEntry, batch: readonly StateEntry[]) => Promise<void>> {
  const by = importer(run);
  const own = await listOwnNames(db);
  const named = await listNamedAggregates(db);
  return async (first, batch) => {
    const write = async <Name extends WriteOperation>(operation: Name, request: RequestOf<Name>) => {
      const answer = await applyWrite(db, operation, request, { by: by() });
      if (isRefused(answer)) {
        const last = batch.at(-1)?.line ?? first.line;
        throw new Error(
          `the lines ${first.line} to ${last} were refused: ${answer.refusal.code} ${JSON.stringify(answer.refusal.details)}`,
        );
      }
    };
    const bodies = <Noun extends StateNoun>(noun: Noun): Body<Noun>[] =>
      batch.flatMap((entry) => (entry.noun === noun ? [entry.body as Body<Noun>] : []));
    switch (first.noun) {
      case 'resourceClass':
        for (const name of bodies('resourceClass')) if (!own.resourceClasses.has(name)) await write('create_resource_class', { name });
        return;
      case 'trait':
        for (const name of bodies('trait')) if (!own.traits.has(name)) await write('create_trait', { name });
        return;
      case 'project':
        return createNames(db, { projects: bodies('project'), users: [], types: [] });
      case 'user':
        return createNames(db, { projects: [], users: bodies('user'), types: [] });
      case 'consumerType':
        return createNames(db, { projects: [], users: [], types: bodies('consumerType') });
      case 'aggregate':
        for (const { uuid, name } of bodies('aggregate')) {
          if (name !== null && named.get(uuid) !== name) await write('name_aggregate', { aggregate: uuid, name });
        }
        return;
      case 'provider':
        return write('import_resource_providers', { providers: bodies('provider') });
      case 'consumer':
        return write('import_consumers', { consumers: bodies('consumer') });
      case 'service':
        return write('import_services', { services: bodies('service') });
      case 'record':
        return write('import_records', { records: bodies('record') });
    }
  };
}
