// Checks that the ledger is consistent: usage against allocations, rows against invariants, and the current state against a replay of the events. Can run
// during writes, and writes nothing unless asked to: then it corrects what follows from other rows, which needs no decision of a person.
import {
  countWithoutEvents,
  type Discrepancy,
  findLostConsumers,
  findWrongAllocations,
  findWrongPromises,
  findWrongQuotas,
  findWrongReservations,
  findWrongRoots,
  findWrongUsages,
  findWrongUse,
  replayEvents,
  selectSubjects,
} from '../db/audit.ts';
import type { Db } from '../db/sql/client.ts';
import { applyWrite } from '../db/writes/apply-write.ts';
import { isRefused } from '../db/writes/contract.ts';
import type { Mended } from '../db/writes/mending.ts';

const nothing: Mended = { inventories: 0, providers: 0, consumers: 0, usages: 0, quotas: 0 };
const subjectsAtOnce = 500;
/** The maximum number of differences to print; others are only counted. */
const maxDifferencesShown = 100;
const subjectsBetweenReports = 10_000;

const checks = [
  { key: 'use', name: 'use of inventories', find: findWrongUse },
  { key: 'promises', name: 'promises of inventories', find: findWrongPromises },
  { key: 'consumers', name: 'consumers', find: findLostConsumers },
  { key: 'allocations', name: 'allocations', find: findWrongAllocations },
  { key: 'reservations', name: 'reservations', find: findWrongReservations },
  { key: 'roots', name: 'roots of providers', find: findWrongRoots },
  { key: 'usages', name: 'usages of projects', find: findWrongUsages },
  { key: 'quotas', name: 'use of quotas', find: findWrongQuotas },
] as const;

export interface AuditReport {
  /** The differences that are left. */
  readonly differences: number;
  /** By check, at the beginning of the audit. */
  readonly found: Readonly<Record<string, number>>;
  /** What `--fix` corrects. */
  readonly mendable: Mended;
  /** What was corrected; null unless asked for. */
  readonly mended: Mended | null;
}

export interface AuditOptions {
  /** Whether to correct what follows from other rows. */
  readonly fix?: boolean;
}

/** Runs all checks, and reports progress and differences, one per line. */
export async function runAudit(db: Db, report: (line: string) => void, { fix = false }: AuditOptions = {}): Promise<AuditReport> {
  const rows = await checkRows(db, report);
  const replay = await replayEverything(db, report);
  const found = { ...rows, replay: replay.differences };
  const mendable = sumOf(rows) > 0 ? await mend(db, replay.contested, true) : nothing;
  const mended = fix && sumOf(mendable) > 0 ? await mend(db, replay.contested, false) : null;
  if (sumOf(mendable) > 0) report(`${mended ? 'mended' : 'audit --fix would mend'}: ${describeMended(mended ?? mendable)}`);
  // Corrections are not events, so that the replay is still true.
  const differences = replay.differences + sumOf(mended ? await checkRows(db, report) : rows);
  report(differences === 0 ? 'no differences' : `${differences} differences`);
  return { differences, found, mendable, mended };
}

/** The differences that each check finds. */
async function checkRows(db: Db, report: (line: string) => void): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { key, name, find } of checks) {
    const { count, examples } = await find(db);
    found[key] = count;
    report(count === 0 ? `${name}: no differences` : `${name}: ${count} differences`);
    for (const example of examples) report(`  ${example}`);
  }
  return found;
}

async function mend(db: Db, contested: ReadonlySet<string>, dryRun: boolean): Promise<Mended> {
  const by = { user: null, project: null, roles: [], requestId: 'req-audit' };
  const answer = await applyWrite(db, 'mend_derived', { contested: [...contested], dryRun }, { by });
  if (isRefused(answer)) throw new Error(`the correction was refused: ${answer.refusal.code}`);
  return answer.mended;
}

function describeMended({ inventories, providers, consumers, usages, quotas }: Mended): string {
  return `the use of ${inventories} inventories, the roots of ${providers} providers, ${usages} usages of projects, the use of ${quotas} quotas; consumers that hold nothing: ${consumers} deleted`;
}

const sumOf = (counts: object) => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);

interface Replay {
  readonly differences: number;
  /** Providers on which what a consumer holds differs from what its events say: what is used there is unknown. */
  readonly contested: ReadonlySet<string>;
}

async function replayEverything(db: Db, report: (line: string) => void): Promise<Replay> {
  const contested = new Set<string>();
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
      for (const provider of providersOf(discrepancy)) contested.add(provider);
    }
    replayed += subjects.length;
    if (replayed % subjectsBetweenReports === 0) report(`replay of events: ${replayed} subjects so far`);
    subjects = await selectSubjects(db, subjects.at(-1) ?? null, subjectsAtOnce);
  }
  report(
    `replay of events: ${replayed} subjects, ${differences} differences, ${unverified} unverified because their first events are gone`,
  );
  return { differences, contested };
}

/** The providers of a consumer whose holdings differ from its events; none for any other difference. */
function providersOf({ noun, part, expected, found }: Discrepancy): string[] {
  if (noun !== 'consumer' || part !== 'allocations') return [];
  return [expected, found].flatMap((json) => {
    const held = JSON.parse(json ?? 'null') as readonly { readonly provider: string }[] | null;
    return (held ?? []).map(({ provider }) => provider);
  });
}

function describeDiscrepancy({ problem, noun, subject, part, eventId, expected, found }: Discrepancy): string {
  return problem === 'chain'
    ? `${noun} ${subject}: event ${eventId} starts from ${part} ${found}, but the event before it left ${expected}`
    : `${noun} ${subject}: ${part} is ${found}, but the events left ${expected}`;
}
