// How long events are kept, and the problems reported if a database keeps too much.
import { expect, test } from 'vitest';
import { daysOfChunk, ledgerProblems } from '../../src/domain/event-retention.ts';

const well = { vacuumHolder: null, feedDepth: 100_000, endedDaysAgo: null };

test('a chunk is a twelfth of the retention, a day at least and a month at most', () => {
  expect([1, 12, 13, 90, 365, 3650, null].map(daysOfChunk)).toEqual([1, 1, 2, 8, 30, 30, 30]);
});

test('a healthy database has no problems', () => {
  expect(ledgerProblems(well, 90)).toEqual([]);
  expect(
    ledgerProblems({ ...well, vacuumHolder: { name: 'process 1 (x)', seconds: 3000, transactions: 50 }, endedDaysAgo: 90.9 }, 90),
  ).toEqual([]);
  expect(ledgerProblems({ ...well, endedDaysAgo: 4000 }, null)).toEqual([]);
});

test('a session that keeps Postgres from cleaning up is named, with its age', () => {
  const problems = (vacuumHolder: { name: string; seconds: number | null; transactions: number }) =>
    ledgerProblems({ ...well, vacuumHolder }, 90).join();
  expect(problems({ name: 'process 7 (pg_dump)', seconds: 7200, transactions: 5 })).toContain(
    'process 7 (pg_dump) has kept Postgres from cleaning up for 120 minutes (5 transactions)',
  );
  expect(problems({ name: 'replication slot old', seconds: null, transactions: 20_000_000 })).toContain('replication slot old has kept');
});

test('changes that no gateway deletes and overdue events are reported', () => {
  expect(ledgerProblems({ ...well, feedDepth: 2_000_000 }, 90)).toEqual([expect.stringContaining('2000000 transactions are kept')]);
  expect(ledgerProblems({ ...well, endedDaysAgo: 95 }, 90)).toEqual([expect.stringContaining('dropped 5 days ago')]);
});
