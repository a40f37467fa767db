// `usage`: what projects held over a period, for bills. Reads only.
import type { Db } from '../db/sql/client.ts';
import type { ReportedPeriod } from '../db/usage-report.ts';
import { unitHours, unitSeconds } from '../domain/usage-report.ts';
import { readUsageReport } from '../operations/loaders/usage-reports.ts';
import type { Progress } from './phases/progress.ts';

export interface UsageOutput {
  readonly asCsv: boolean;
  readonly print: (line: string) => void;
  readonly progress: Progress;
}

/** Prints a line for each project, type and class. */
export async function runUsage(db: Db, period: ReportedPeriod, { asCsv, print, progress }: UsageOutput) {
  const onPiece = (_events: number, done: number, total: number) => progress.at('events', done, total);
  const { from } = period;
  const { until, eventCount, rows } = await readUsageReport(db, period, { onPiece });
  const usages = rows.map(({ amount, ...of }) => ({ ...of, amountSeconds: unitSeconds(amount), amountHours: unitHours(amount) }));
  progress.clear();
  if (asCsv) print('project,consumer_type,resource_class,amount_seconds,amount_hours');
  for (const { project, consumerType, resourceClassName, amountSeconds, amountHours } of usages) {
    const hours = amountHours.toFixed(4);
    print(
      asCsv
        ? [project, consumerType ?? '', resourceClassName, amountSeconds, hours].map(cell).join(',')
        : `${project}: ${hours} hours of ${resourceClassName} by ${consumerType ?? 'consumers without a type'}`,
    );
  }
  if (!asCsv) print(`from ${from} to ${until}, from ${eventCount} events`);
  return { from, until, eventCount, usages };
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
