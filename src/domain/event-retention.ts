// The size of the chunks in which events are dropped, and what is wrong if the database keeps more than it should.

/**
 * The days of events in a chunk, for a retention in days (null: for ever). Chunks are few, because a list of events may have to read each; and short,
 * because the first event of a chunk is kept until the last expires.
 */
export function daysOfChunk(retentionDays: number | null): number {
  return retentionDays === null ? 30 : Math.min(30, Math.max(1, Math.ceil(retentionDays / 12)));
}

/** Beyond these bounds, the database keeps more than it should. */
const unhealthy = {
  /** Seconds that something may keep Postgres from cleaning up. */
  vacuumHeldBack: 3600,
  /** Transactions: the bound for holders whose age in seconds is unknown. */
  vacuumHeldBackFor: 10_000_000,
  /** Transactions whose changes of providers are kept: ten times what housekeeping leaves. */
  feedDepth: 1_000_000,
  /** Days by which a chunk of events may outlive its retention. It is dropped within minutes unless its table is in use without a break. */
  overdue: 1,
} as const;

/** Problems that an operator should know about, one line each; empty if there are none. */
export function ledgerProblems(
  {
    vacuumHolder,
    feedDepth,
    endedDaysAgo,
  }: {
    readonly vacuumHolder: { readonly name: string; readonly seconds: number | null; readonly transactions: number } | null;
    readonly feedDepth: number;
    /** How many days ago the oldest chunk of events ended; null if it is the current one. */
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
      `provider changes of ${feedDepth} transactions are kept: no gateway has deleted any for a long time, or an old transaction is open`,
    );
  }
  if (retentionDays !== null && endedDaysAgo !== null && endedDaysAgo > retentionDays + unhealthy.overdue) {
    problems.push(
      `the oldest events should have been dropped ${Math.floor(endedDaysAgo - retentionDays)} days ago: no gateway has run since, or their table is in use without a break`,
    );
  }
  return problems;
}
