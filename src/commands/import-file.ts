// Imports the file of an export into an empty ledger. Reads the file twice: it writes nothing before it knows that the file is complete.

import { importer } from '../bridge/imports.ts';
import { importOfExport, listNamedAggregates, listOwnNames } from '../bridge/ledger.ts';
import type { Db } from '../db/sql/client.ts';
import { analyzeState, countState, hasOtherState, readClock, type StateCounts, type StateNoun, stateNouns } from '../db/state.ts';
import { applyWrite, createNames } from '../db/writes/apply-write.ts';
import { isRefused } from '../db/writes/contract.ts';
import type { RequestOf, WriteOperation } from '../db/writes/operations.ts';
import type { Progress } from './phases/progress.ts';
import { type Body, readStateFile, type StateEntry, type StateFile, total } from './state/format.ts';

export interface ImportedFile {
  readonly counts: StateCounts;
  /** The number of objects that an earlier run left in the ledger. */
  readonly resumed: number;
}

export interface FileImport {
  readonly file: string;
  /** Whether the ledger may already have the beginning of this file. */
  readonly resume: boolean;
  readonly progress: Progress;
  /** The maximum number of entries in one call of the database. Default 500. */
  readonly batchEntries?: number;
}

/** The maximum size of one call of the database, unless a single entry is larger. */
const batchBytes = 1_000_000;
const linesBetweenReports = 1000;

/**
 * Everything is written in the order of the file, each batch in one statement. After an interruption the ledger therefore has the beginning of the file, and an
 * import resumes by skipping as many entries of each noun as there are. The global request id of the events is made of the digest of the file, and so shows
 * which file it was.
 */
export async function importFile(db: Db, { file, resume, progress, batchEntries = 500 }: FileImport): Promise<ImportedFile> {
  const { counts, sha256 } = await checkFile(file, progress);
  const run = `${importOfExport}${sha256.slice(0, 32)}`;
  if (await hasOtherState(db, resume ? run : '')) {
    throw new Error(
      resume
        ? 'the database contains something else than the beginning of this file: import into an empty one'
        : (await hasOtherState(db, run))
          ? 'the database is not empty: an export can only be imported into an empty one'
          : 'the database has the beginning of this file: continue with --resume',
    );
  }
  const before = await countState(db);
  const ends = await writeEntries(db, file, { before, run, progress, batchEntries, all: total(counts) });
  const after = await countState(db);
  const now = await readClock(db);
  const mayBeGone = (noun: StateNoun) => (ends[noun] ?? []).filter((end) => end <= now).length;
  // A newer release may have more standard names.
  const short = stateNouns.filter((noun) => after[noun] + mayBeGone(noun) < counts[noun]);
  if (short.length > 0)
    throw new Error(`not everything was imported: ${short.map((noun) => `${after[noun]} of ${counts[noun]} of ${noun}`).join(', ')}`);
  await analyzeState(db);
  return { counts, resumed: before.provider + before.reservation + before.consumer + before.service + before.record };
}

/** What the file says of itself, after every line has been read. */
async function checkFile(file: string, progress: Progress): Promise<StateFile> {
  const entries = readStateFile(file);
  for (let done = 1; ; done++) {
    const { value, done: isEnd } = await entries.next();
    if (isEnd) return value;
    if (done % linesBetweenReports === 0) progress.at('check', done, done);
  }
}

interface Writing {
  /** The number of entries of each noun in the ledger before. */
  readonly before: StateCounts;
  /** The global request id of its events. */
  readonly run: string;
  readonly progress: Progress;
  readonly batchEntries: number;
  readonly all: number;
}

/** Returns when what has an end ends, in milliseconds since 1970, by noun: then a gateway that runs meanwhile removes it. */
async function writeEntries(
  db: Db,
  file: string,
  { before, run, progress, batchEntries, all }: Writing,
): Promise<Partial<Record<StateNoun, readonly number[]>>> {
  const write = await writerOf(db, run);
  const ends = { reservation: [] as number[], consumer: [] as number[] };
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
    // A rejection counts only when the batch is awaited.
    writing.catch(() => {});
  };
  for await (const entry of readStateFile(file)) {
    const { noun } = entry;
    if (entry.noun === 'reservation') ends.reservation.push(Date.parse(entry.body.endsAt));
    if (entry.noun === 'consumer' && entry.body.expiresAt !== null) ends.consumer.push(Date.parse(entry.body.expiresAt));
    if (isCounted(noun) && left[noun] > 0) {
      left[noun] -= 1;
      done += 1;
      continue;
    }
    // Each batch of quotas counts anew what is used of them.
    const isFull = bytes >= batchBytes || (batch.length >= batchEntries && noun !== 'record');
    if (isFull || (batch[0] && batch[0].noun !== noun)) await flush();
    batch.push(entry);
    bytes += entry.length;
  }
  await flush();
  await writing;
  return ends;
}

/** The nouns whose rows in the ledger are the first ones of the file. Names that exist are recognized one by one. */
const isCounted = (noun: StateNoun) => countedNouns.has(noun);
const countedNouns: ReadonlySet<StateNoun> = new Set(['provider', 'reservation', 'consumer', 'service', 'record']);

/** Writes a batch of entries of one noun. */
async function writerOf(db: Db, run: string): Promise<(first: StateEntry, batch: readonly StateEntry[]) => Promise<void>> {
  const by = importer(run);
  const own = await listOwnNames(db);
  const named = await listNamedAggregates(db);
  return async (first, batch) => {
    const write = async <Name extends WriteOperation>(operation: Name, request: RequestOf<Name>) => {
      const answer = await applyWrite(db, operation, request, by());
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
      case 'reservation':
        for (const reservation of bodies('reservation')) {
          const request = { reservation, expect: { isNew: true as const }, imported: true, most: reservation.amounts.length };
          await write('replace_reservation', request);
        }
        return;
      case 'consumer':
        return write('import_consumers', { consumers: bodies('consumer') });
      case 'service':
        return write('import_services', { services: bodies('service') });
      case 'record':
        return write('import_records', { records: bodies('record') });
    }
  };
}
