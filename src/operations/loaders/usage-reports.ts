// What projects held over a period, computed from the events: for all projects, or those of a request together.
import { selectKnownPast } from '../../db/history.ts';
import { type Db, forHeavyWork, primaryOf } from '../../db/sql/client.ts';
import { beginUsageReport, continueUsageReport, countReportedEvents, type HeldRow, type ReportedPeriod } from '../../db/usage-report.ts';
import { checkHistoryLength, pastAt } from '../../domain/history.ts';
import { limits } from '../../domain/limits.ts';
import { microsecondsOf } from '../../domain/moment.ts';
import { type HeldOverTime, UsageTally } from '../../domain/usage-report.ts';
import { loadersByArguments, loadMany } from '../request/keyed-loaders.ts';

export interface UsageReport {
  /** The end of the period, not after the moment of the report; RFC 3339. */
  readonly until: string;
  readonly rows: readonly HeldOverTime[];
  readonly eventCount: number;
}

export interface ReportOptions {
  /** Events of one statement. */
  readonly pieceSize?: number;
  /** The most events that may be read: more are refused with HISTORY_TOO_LONG, before any is. */
  readonly most?: number;
  /** Called before each further statement with the number of events read so far, and with where they are between the first and the last. */
  readonly onPiece?: (eventCount: number, done: number, total: number) => void;
}

/** Reads as many events as there are since the beginning of the period. Refuses HISTORY_GONE, HISTORY_TOO_LONG. */
export async function readUsageReport(
  db: Db,
  period: ReportedPeriod,
  { pieceSize = 5000, most, onPiece = () => {} }: ReportOptions = {},
): Promise<UsageReport> {
  // The state of a replica cannot be read in pieces: its snapshots do not say which transactions are in progress.
  const primary = primaryOf(db);
  await checkKept(primary, period);
  const tally = new UsageTally();
  const add = (rows: readonly HeldRow[], sign: bigint) => {
    for (const { amount, ...held } of rows) tally.add({ ...held, amount: sign * BigInt(amount) });
  };
  const first = await beginUsageReport(primary, period);
  const { until, read: before, last } = first.position;
  if (microsecondsOf(until) <= microsecondsOf(period.from)) return { until, rows: [], eventCount: 0 };
  if (most !== undefined) checkHistoryLength(await countReportedEvents(primary, period, first.position, most), most);
  add(first.rows, 1n);
  let eventCount = 0;
  for (let { position } = first; ; ) {
    const part = await continueUsageReport(primary, period, position, pieceSize);
    if (part === null) break;
    ({ position } = part);
    eventCount += part.eventCount;
    add(part.rows, -1n);
    onPiece(eventCount, position.read - before, last - before);
  }
  await checkKept(primary, period);
  return { until, rows: tally.rows(), eventCount };
}

/** A database that has not deleted events knows that nothing was held before it was begun. */
async function checkKept(db: Db, { from }: ReportedPeriod): Promise<void> {
  const known = await selectKnownPast(db);
  if (known.isPruned) pastAt(from, known);
}

/** Loaders of the report about the same period for many projects. Refuse HISTORY_GONE, HISTORY_TOO_LONG. */
export function usageReportsOfProjects(db: Db) {
  return loadersByArguments((period: Omit<ReportedPeriod, 'projects'>) =>
    loadMany(
      async (projects: readonly string[]) =>
        (await readUsageReport(forHeavyWork(db), { ...period, projects }, { most: limits.historyEvents })).rows,
      ({ project }) => project,
    ),
  );
}
