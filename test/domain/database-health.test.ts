// The advice that follows from facts; none for a healthy database.
import { expect, test } from 'vitest';
import { adviceOnHealth, type DatabaseFacts } from '../../src/domain/database-health.ts';

const table = { name: 'consumers', bytes: 1e8, live: 1e6, dead: 1000, isLeftOut: false, isAnalyzed: true, rowBytes: 8e7 };
const index = { name: 'other_idx', table: 'consumers', isKey: false, scans: 0, bytes: 2 ** 20 };
const well: DatabaseFacts = {
  major: 17,
  frozenAge: 1e8,
  connections: { most: 97, used: 20 },
  settings: { autovacuum: 'on', track_counts: 'on', autovacuum_vacuum_scale_factor: '0.2' },
  tables: [table],
  invalidIndexes: [],
  missingIndexes: [],
  foreignIndexes: [{ ...index, scans: 5 }],
  vacuumHolder: { name: 'process 1 (psql)', seconds: 60, transactions: 1000 },
};
const adviceOf = (facts: Partial<DatabaseFacts>, month = '2026-01') =>
  adviceOnHealth({ ...well, ...facts }, { wanted: 18, month }).map(({ about, advice }) => `${about}: ${advice}`);

test('there is none for a healthy database', () => {
  expect(adviceOf({})).toEqual([]);
});

test.each<[facts: Partial<DatabaseFacts>, told: RegExp]>([
  [{ connections: { most: 97, used: 80 } }, /^connections: 80 of 97 connections .* up to 18: raise max_connections/],
  [{ settings: { ...well.settings, autovacuum: 'off' } }, /^autovacuum: autovacuum is off/],
  [{ settings: { ...well.settings, track_counts: 'off' } }, /^autovacuum: track_counts is off/],
  [{ settings: { ...well.settings, autovacuum_vacuum_scale_factor: '0.5' } }, /scale_factor is 0.5/],
  [{ frozenAge: 1.9e9 }, /^transactions: the server stops all writes in 247 million transactions: run VACUUM/],
  [
    { vacuumHolder: { name: 'process 1 (psql)', seconds: 7200, transactions: 5 } },
    /^transactions: process 1 \(psql\) has kept dead rows from being removed/,
  ],
  [{ vacuumHolder: { name: 'replication slot x', seconds: null, transactions: 2e7 } }, /^transactions: replication slot x/],
  [{ tables: [{ ...table, isLeftOut: true }] }, /^autovacuum: autovacuum is disabled for consumers: alter table/],
  [{ tables: [{ ...table, dead: 600_000 }] }, /^dead rows: consumers has 600000 dead rows/],
  [{ tables: [{ ...table, isAnalyzed: false }] }, /^statistics: consumers has never been analyzed: analyze consumers/],
  [{ tables: [{ ...table, bytes: 4e8 }] }, /^bloat: consumers takes 381 MiB for about 76 MiB/],
  [{ invalidIndexes: ['broken_idx'] }, /^indexes: broken_idx is incomplete/],
  [{ missingIndexes: ['consumers_user_idx'] }, /^indexes: consumers_user_idx, which this release needs, is missing/],
  [
    { foreignIndexes: [index] },
    /^indexes: other_idx on consumers is not part of this release and unused \(1 MiB\): drop index concurrently/,
  ],
])('%j leads to advice that says what to do', (facts, told) => {
  expect(adviceOf(facts)).toEqual([expect.stringMatching(told)]);
});

test('the end of a version is announced half a year before', () => {
  expect(adviceOf({ major: 15 }, '2027-04')).toEqual([]);
  expect(adviceOf({ major: 15 }, '2027-05')).toEqual([expect.stringContaining('Postgres 15 gets no fixes after 2027-11')]);
  expect(adviceOf({ major: 99 }, '2040-01')).toEqual([]);
});
