// How the retention of events decides the size of what is dropped at once.

/**
 * The days of events in a chunk, for a retention in days (null: for ever). Few chunks, because a list of events may have to look into each; and short
 * ones, because the last event of a chunk keeps the first.
 */
export function daysOfChunk(retentionDays: number | null): number {
  return retentionDays === null ? 30 : Math.min(30, Math.max(1, Math.ceil(retentionDays / 12)));
}

/** When what the database keeps is more than it should be. */
const unhealthy = {
  /** Seconds that something may keep Postgres from cleaning up. */
  vacuumHeldBack: 3600,
  /** Transactions; for what does not say since when. */
  vacuumHeldBackFor: 10_000_000,
  /** Transactions whose changes of providers are kept: ten times what housekeeping leaves. */
  feedDepth: 1_000_000,
  /** Days that a chunk of events may be there after its retention: it is dropped within minutes unless somebody uses events all the time. */
  overdue: 1,
} as const;

/** What an operator should do about the database, a line for each problem; none when it is well. */
export function ledgerProblems(
  {
    vacuumHolder,
    feedDepth,
    endedDaysAgo,
  }: {
    readonly vacuumHolder: { readonly name: string; readonly seconds: number | null; readonly transactions: number } | null;
    readonly feedDepth: number;
    /** Of the oldest chunk of events; null when it is the current one. */
    readonly endedDaysAgo: number | null;
  },
  retentionDays: number | null,
): string[] {
  const problems: string[] = [];
  if (vacuumHolder && ((vacuumHolder.seconds ?? 0) > unhealthy.vacuumHeldBack || vacuumHolder.transactions > unhealthy.vacuumHeldBackFor)) {
    const since = vacuumHolder.seconds === null ? '' : ` for ${Math.round(vacuumHolder.seconds / 60)} minutes`;
    problems.push(
      `${vacuumHolder.name} has kept Postgres from cleaning up${since} (${vacuumHolder.transactions} transactions): tables grow and claims slow down until it ends`,
    );
  }
  if (feedDepth > unhealthy.feedDepth) {
    problems.push(
      `the changes of providers of ${feedDepth} transactions are kept: no gateway has deleted any for long, or an old transaction is open`,
    );
  }
  if (retentionDays !== null && endedDaysAgo !== null && endedDaysAgo > retentionDays + unhealthy.overdue) {
    problems.push(
      `the oldest events should have been dropped ${Math.floor(endedDaysAgo - retentionDays)} days ago: no gateway has run since, or somebody uses them all the time`,
    );
  }
  return problems;
}
