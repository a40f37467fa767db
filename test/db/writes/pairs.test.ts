// Examination. Two writes at once end as if one had come first: for every pair of kinds, the first is stopped before it commits while the second runs into
// it, and answers and tables are those of a model in memory that does one after the other.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../../src/db/writes/operations.ts';
import { type AnyAnswer, writeAny } from '../../support/any-write.ts';
import { useDatabase } from '../../support/database.ts';
import { freshSeed } from '../../support/dice.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createModel, type Operation } from '../../support/ledger-model.ts';
import { readLedgerState } from '../../support/ledger-state.ts';
import { tried } from '../../support/profile.ts';
import { anyStep, consumerNames, firstOperations, operationOf, requestOf, type Step } from '../../support/random-steps.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
const by = { user: 'u', project: 'p', roles: [], requestId: 'req-pairs' };
const run = 'pairs: ';
const kinds = ['create', 'move', 'delete', 'stock', 'claim', 'claim'] as const;
/** Of 36 pairs each: 180, or 2016 at the gate. */
const rounds = tried(5, 56);

/** Enough steps of each kind. */
const steps = new Map<string, Step[]>();
for (const step of fc.sample(anyStep, { numRuns: tried(4000, 12_000), seed: freshSeed('steps') }))
  steps.set(step.do, [...(steps.get(step.do) ?? []), step]);

const codeOf = ({ refusal }: AnyAnswer) => refusal?.code ?? null;

/** Does the first, and the second when the first is done but not committed. Tells whether the second had to wait. */
async function both(first: Operation, second: Operation): Promise<{ answers: (string | null)[]; waited: boolean }> {
  const { db, own } = database;
  const [operation, request] = requestOf(first, run);
  let waited = false;
  let ended = false;
  const { answer, other } = await own.begin(async (sql) => {
    const whole = { kind: operations[operation].event, by, ...request };
    const [row] = await sql<{ answer: AnyAnswer }[]>`select apply_write(${operation}, ${sql.json(whole as never)}) as answer`;
    const later = writeAny(db, ...requestOf(second, run)).finally(() => {
      ended = true;
    });
    while (!ended && !waited) {
      const [seen] = await own<{ waits: boolean }[]>`
        select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`;
      waited = seen?.waits ?? false;
    }
    // Not awaited here: it may wait for the commit.
    return { answer: row?.answer ?? {}, other: { later } };
  });
  return { answers: [codeOf(answer), codeOf(await other.later)], waited };
}

/** What the model says about operations that are done one after the other. */
function modelled(history: readonly Operation[], order: readonly [Operation, Operation]) {
  const model = createModel();
  for (const operation of history) model.apply(operation);
  return { order, answers: order.map((operation) => model.apply(operation)), state: model.state() };
}

test('each of 180 pairs, of every two kinds, acts like one after the other', { timeout: tried(120_000, 900_000) }, async () => {
  await createSeed(database.db).names({ projects: ['p1'], users: ['u1'], types: ['INSTANCE'] });
  const history: Operation[] = [];
  for (const operation of firstOperations) {
    await writeAny(database.db, ...requestOf(operation, run));
    history.push(operation);
  }
  const met = { pairs: 0, waits: 0, bothDone: 0, conflicts: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      for (const other of kinds) {
        const model = createModel();
        for (const operation of history) model.apply(operation);
        const [first, second] = [kind, other].map((wanted) => operationOf(steps.get(wanted)?.pop() as Step, model.state()));
        if (!first || !second) throw new Error('too few steps');
        const { answers, waited } = await both(first, second);
        const state = await readLedgerState(database.db, run, consumerNames);
        const inOrder = modelled(history, [first, second]);
        const reversed = modelled(history, [second, first]);
        const isReversed = !waited && isDeepStrictEqual([answers, state], [reversed.answers.toReversed(), reversed.state]);
        const like = isReversed ? reversed : inOrder;
        if (!isReversed) expect({ order: [first, second], answers, state }).toEqual(inOrder);
        history.push(...like.order);
        met.pairs += 1;
        met.waits += waited ? 1 : 0;
        met.bothDone += answers.every((code) => code === null) ? 1 : 0;
        met.conflicts += answers.includes('CONSUMER_CONFLICT') || answers.includes('PROVIDER_CONFLICT') ? 1 : 0;
      }
    }
  }
  // The pairs say something only if they meet.
  expect(met.pairs).toBe(rounds * kinds.length ** 2);
  expect(Math.min(met.waits, met.bothDone, met.conflicts)).toBeGreaterThan(0);
  await expectSoundLedger(database.db);
});
