// Examination. The checker against a product with defects: each of mutants.ts, alone, is caught within a few rounds of random histories over two gateways;
// without one, nothing is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../src/db/sql/client.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { endReservations } from '../../src/operations/allocations/ended-reservations.ts';
import { releaseExpired } from '../../src/operations/allocations/expiry.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { createTestDatabase, socketOf } from '../support/database.ts';
import { freshSeed } from '../support/dice.ts';
import { checkRun } from './check.ts';
import { Cloud } from './cloud.ts';
import type { Operation, Violation } from './history.ts';
import { connectTo } from './ledger-rows.ts';
import { type Mutant, mutants, plant } from './mutants.ts';
import { foundCloud, type Mix, runClients, runTeam } from './workload.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const firstSeed = freshSeed('mutants');
const rounds = 120;
/** Counted, because a busy machine would make few in a time. */
const operationsOfRound = 250;
const clients = 8;
const mixes: Readonly<Record<NonNullable<Mutant['needs']> | 'neither', Mix>> = {
  neither: { allocations: 52, providers: 17, nova: 10, time: 0 },
  team: { allocations: 52, providers: 17, nova: 10, time: 0 },
  time: { allocations: 28, providers: 5, nova: 4, time: 50 },
};

/** Two gateways in this process over one database; a process each would take longer to start than most defects to be found. */
async function startGateway(db: Db): Promise<RunningServer> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_REST_QUOTAS: 'on' });
  const { log } = createLogger({ level: 'error', write: (line) => console.log(line.slice(0, 1500)) });
  const server = await startServer({ settings, db, log });
  opened.push(() => server.close());
  return server;
}

/** Releases what has expired, as gateways do; a defect may make it fail. */
async function releaseUntil(isOver: () => boolean, db: Db): Promise<void> {
  while (!isOver()) {
    await releaseExpired(db).catch(() => {});
    await endReservations(db).catch(() => {});
    await sleep(100);
  }
}

/** Waits for the calls of impatient clients, who are gone: nothing is under way, and nothing has been written for a moment. */
async function comesToRest(sql: Sql): Promise<void> {
  let before = '';
  for (;;) {
    const [row] = await sql<{ busy: boolean; state: string }[]>`
      select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as busy,
             coalesce((select max(id) from events), 0)::text as state`;
    if (row && !row.busy && row.state === before) return;
    before = row?.state ?? '';
    await sleep(100);
  }
}

/** What the checker finds in the first round in which it finds what the mutant is caught as. Its other effects may be seen before. */
async function torment(mutant: Mutant | null, most: number): Promise<Violation[]> {
  const database = await createTestDatabase();
  opened.push(() => database.drop());
  const other = openDatabase(database.target);
  opened.push(() => other.close());
  const sql = connectTo(socketOf(database.target));
  opened.push(() => sql.end());
  const servers = await Promise.all([database.db, other].map(startGateway));
  const urls = () => servers.map(({ url }) => url);
  const history: Operation[] = [];
  const cloud = new Cloud(mutant?.name ?? 'sound');
  await foundCloud({ cloud, urls, seed: firstSeed, history });
  const isTeamNeeded = mutant === null || mutant.needs === 'team';
  const team = new Cloud(`team of ${mutant?.name}`, 50, 'team');
  if (isTeamNeeded) await foundCloud({ cloud: team, urls, seed: firstSeed, history }, true);
  const steady = [...cloud.steady, ...team.steady];
  if (mutant) await plant(sql, mutant);
  let violations: Violation[] = [];
  const isCaught = () => violations.some(({ anomaly }) => mutant === null || mutant.caughtAs.includes(anomaly));
  for (let seed = firstSeed + 1; seed <= firstSeed + most && !isCaught(); seed += 1) {
    const enough = history.length + operationsOfRound;
    const isOver = () => history.length >= enough;
    const work = { cloud, urls, seed, history, ...(mutant && { mix: mixes[mutant.needs ?? 'neither'] }) };
    await Promise.all([
      runClients(work, clients, isOver),
      isTeamNeeded && runTeam({ ...work, cloud: team }, isOver),
      releaseUntil(isOver, other),
    ]);
    await comesToRest(sql);
    violations = await checkRun({ sql, history, steady, urls: urls() });
  }
  return violations;
}

test('nothing is found in a sound product', async () => {
  const violations = await torment(null, 3);
  expect(violations.map(({ anomaly, text }) => `${anomaly}: ${text}`)).toEqual([]);
});

describe('is caught:', () => {
  test.each(mutants)('$name', async (mutant) => {
    const violations = await torment(mutant, rounds);
    const found = [...new Set(violations.map(({ anomaly }) => anomaly))];
    expect(
      found.filter((anomaly) => mutant.caughtAs.includes(anomaly)),
      violations
        .slice(0, 5)
        .map(({ anomaly, text }) => `${anomaly}: ${text}`)
        .join('\n'),
    ).not.toEqual([]);
  });
});
