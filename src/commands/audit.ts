// Checks that the ledger is consistent: usage against allocations, rows against invariants, and the current state against a replay of the events.
// Writes nothing, and can run during writes.
import {
  countWithoutEvents,
  type Discrepancy,
  type Finding,
  findEmptyAllocations,
  findLostConsumers,
  findWrongRoots,
  findWrongUse,
  replayEvents,
  selectSubjects,
} from '../db/audit.ts';
import type { Db } from '../db/sql/client.ts';

const subjectsAtOnce = 500;
/** The maximum number of differences to print; others are only counted. */
const maxDifferencesShown = 100;
const subjectsBetweenReports = 10_000;

/** Runs all checks, and reports progress and differences, one per line. Returns the number of differences. */
export async function runAudit(db: Db, report: (line: string) => void): Promise<{ differences: number }> {
  const checks: readonly [name: string, find: (db: Db) => Promise<Finding>][] = [
    ['use of inventories', findWrongUse],
    ['consumers', findLostConsumers],
    ['allocations', findEmptyAllocations],
    ['roots of providers', findWrongRoots],
  ];
  let differences = 0;
  for (const [name, find] of checks) {
    const { count, examples } = await find(db);
    differences += count;
    report(count === 0 ? `${name}: no differences` : `${name}: ${count} differences`);
    for (const example of examples) report(`  ${example}`);
  }
  differences += await replayEverything(db, report);
  report(differences === 0 ? 'no differences' : `${differences} differences`);
  return { differences };
}

async function replayEverything(db: Db, report: (line: string) => void): Promise<number> {
  let differences = 0;
  let replayed = 0;
  let unverified = await countWithoutEvents(db);
  let subjects = await selectSubjects(db, null, subjectsAtOnce);
  while (subjects.length > 0) {
    for (const discrepancy of await replayEvents(db, subjects)) {
      if (discrepancy.problem === 'unverified') {
        unverified += 1;
        continue;
      }
      differences += 1;
      if (differences <= maxDifferencesShown) report(`  ${describeDiscrepancy(discrepancy)}`);
    }
    replayed += subjects.length;
    if (replayed % subjectsBetweenReports === 0) report(`replay of events: ${replayed} subjects so far`);
    subjects = await selectSubjects(db, subjects.at(-1) ?? null, subjectsAtOnce);
  }
  report(
    `replay of events: ${replayed} subjects, ${differences} differences, ${unverified} unverified because their first events are gone`,
  );
  return differences;
}

function describeDiscrepancy({ problem, noun, subject, part, eventId, expected, found }: Discrepancy): string {
  return problem === 'chain'
    ? `${noun} ${subject}: event ${eventId} starts from ${part} ${found}, but ${expected} was left by the event before it`
    : `${noun} ${subject}: ${part} is ${found}, but the events left ${expected}`;
}
