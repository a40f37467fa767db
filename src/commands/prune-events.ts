// `events prune`: drops the chunks of events that are older than a number of days, and reports what is left and why.
import { type EventChunk, selectEventChunks } from '../db/event-chunks.ts';
import type { Db } from '../db/sql/client.ts';
import { pruneEvents } from '../operations/ledger/housekeeping.ts';

/** Prints a line for each chunk. With `dryRun` nothing is dropped. Throws if the events are in use for too long. */
export async function runPruneEvents(
  db: Db,
  { olderThanDays, dryRun }: { readonly olderThanDays: number; readonly dryRun: boolean },
  print: (line: string) => void,
): Promise<void> {
  const chunks = await selectEventChunks(db);
  const old = chunks.filter(({ endedDaysAgo }) => endedDaysAgo !== null && endedDaysAgo >= olderThanDays);
  let failed = false;
  if (!dryRun && old.length > 0) failed = (await pruneEvents(db, olderThanDays)).inUse;
  const left = dryRun ? chunks : await selectEventChunks(db);
  for (const chunk of old) {
    const isLeft = left.some(({ number }) => number === chunk.number);
    print(`${dryRun ? 'would drop' : isLeft ? 'in use, not dropped' : 'dropped'}: ${describeChunk(chunk)}`);
  }
  for (const chunk of chunks.filter((one) => !old.includes(one))) print(`kept: ${describeChunk(chunk)}`);
  print(`${dryRun ? 'would free' : 'freed'}: ${sizeOf(old.filter(({ number }) => dryRun || left.every((one) => one.number !== number)))}`);
  if (old.length === 0) print(`no chunk has only events older than ${olderThanDays} days; events are dropped in whole chunks`);
  if (failed) throw new Error('the events are always in use, for example by a dump or a long report: run this again when that has ended');
}

/** In one line: when its events were written, their number and their size. */
export function describeChunk(chunk: EventChunk): string {
  const { begunAt, endedAt, events } = chunk;
  const count = events === null ? 'not counted yet' : `about ${events}`;
  return `events of ${begunAt.slice(0, 16)} to ${endedAt?.slice(0, 16) ?? 'now'}: ${count}, ${sizeOf([chunk])}`;
}

/** The total size in MiB. */
export function sizeOf(chunks: readonly EventChunk[]): string {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
