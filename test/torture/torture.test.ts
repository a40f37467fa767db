// Examination. Faults as a suite: gateways, their database and the connections between are killed, stopped, delayed, cut and filled up under random
// histories on both surfaces, and then everything must be true and in service again. Half a minute by default: `npm run torture` takes as long as
// TORTURE_MINUTES says. TORTURE_SEED repeats the operations and faults of a run, though not how they meet; with TORTURE_FAULTS=none only operations meet.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { diceOf, freshSeed } from '../support/dice.ts';
import { checkRun, comesBack, comesToRest } from './check.ts';
import { Cloud } from './cloud.ts';
import { spoil } from './faults.ts';
import { Gateway, runCommand, startDatabase } from './gateways.ts';
import type { Operation, Violation } from './history.ts';
import { connectTo, countDeadlocks, countInTime, countShared, findBadRows } from './ledger-rows.ts';
import { foundCloud, runClients, runCrowds, runTeam } from './workload.ts';

const minutes = Number(process.env.TORTURE_MINUTES ?? 0.25);
const seed = Number(process.env.TORTURE_SEED ?? freshSeed('torture'));
const isCalm = process.env.TORTURE_FAULTS === 'none';
const size = minutes < 1 ? { gateways: 2, clients: 8, crowd: 500 } : { gateways: 3, clients: 16, crowd: 2000 };
/** Long enough for a statement of a gateway that is gone to end at the server. */
const settling = 4000;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

test(`nothing acknowledged is lost, nothing is done twice, and service comes back (seed ${seed})`, {
  timeout: minutes * 60_000 + 240_000,
}, async () => {
  const database = await startDatabase();
  opened.push(() => database.stop());
  const gateways: Gateway[] = [];
  for (let count = 0; count < size.gateways; count += 1) {
    const gateway = await Gateway.lay(database.address);
    opened.push(() => gateway.close());
    gateways.push(gateway);
  }
  // The first one migrates the database.
  await gateways[0]?.start();
  await Promise.all(gateways.slice(1).map((gateway) => gateway.start()));

  const sql = connectTo(database.address);
  opened.push(() => sql.end({ timeout: 5 }));
  const cloud = new Cloud(String(seed));
  const history: Operation[] = [];
  const urls = () => gateways.map(({ url }) => url);
  const work = { cloud, urls, seed, history };
  await foundCloud(work);
  const team = { ...work, cloud: new Cloud(`team ${seed}`, 50, 'team') };
  await foundCloud(team, true);
  const steady = [...cloud.steady, ...team.cloud.steady];

  const end = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > end;
  const seen: Violation[] = [];
  const sample = async () => {
    let deadlocks = 0;
    while (!isOver()) {
      const counted = await countDeadlocks(sql).catch(() => deadlocks);
      if (counted > deadlocks) seen.push({ anomaly: 'deadlock', text: `${counted - deadlocks} more` });
      deadlocks = counted;
      seen.push(...(await findBadRows(sql, steady).catch(() => [])));
      await sleep(250);
    }
  };
  const [applied] = await Promise.all([
    isCalm ? {} : spoil({ roll: diceOf(seed), gateways, database }, isOver),
    runClients(work, size.clients, isOver),
    runCrowds(work, size.crowd, isOver),
    runTeam(team, isOver),
    sample(),
  ]);

  for (const { wire } of gateways) wire.mend();
  const back = await comesBack(urls());
  await sleep(settling);
  const unrest = await comesToRest(sql);
  const outcomes = Object.fromEntries(
    ['ok', 'fail', 'unknown'].map((outcome) => [outcome, history.filter((operation) => operation.outcome === outcome).length]),
  );
  const beyondQuotas = history.filter(({ answers }) => answers.some(({ code }) => /quota_exceeded/i.test(code))).length;
  const resent = history.filter(({ answers }) => answers.length > 1 && answers.some(({ outcome }) => outcome === 'unknown')).length;
  console.log(
    `seed ${seed}: ${JSON.stringify({ operations: history.length, ...outcomes, resent, beyondQuotas, ...(await countInTime(sql)), ...(await countShared(sql)), backAfter: Math.round(back.after), applied })}`,
  );

  const found = await checkRun({ sql, history, steady, urls: urls() });
  const audit = await runCommand('audit', (gateways[0] as Gateway).wire);
  const bugs = gateways.flatMap(({ bugs: own }) => own);
  expect([...seen, ...found, ...back.violations, ...unrest, ...bugs.map((text) => ({ anomaly: 'bug logged', text }))]).toEqual([]);
  expect(audit).toMatchObject({ code: 0 });
});
