// Examination. Moves whose calls are interrupted during their write, because the gateway or its session dies. An instance then holds what it held before the
// call or what it should hold after it, and repeating the call through another gateway completes it. Covers every call: sessions at every moment, processes
// at one (at all of them with `npm run gate`).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldByEach } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { type Mutation, moves, plantOfMoves, source } from '../../support/moves.ts';
import { createWriter, mutationOf } from '../../support/mutations.ts';
import { isGate } from '../../support/profile.ts';
import { createSeed } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';
import { cutOffWaitingFor, momentsOfDeath, type SentMutation, tablesWaitedFor, Victim } from '../../support/victim.ts';

const database = useDatabase();
let cutOff: Gateway;
let survivor: Gateway;
let write: ReturnType<typeof createWriter>['write'];

beforeAll(async () => {
  [cutOff, survivor] = [await startGateway(database, 'jit'), await startGateway(database, 'jit')];
  ({ write } = createWriter(survivor, database));
  await plantTrees(database.db, plantOfMoves);
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => Promise.all([cutOff, survivor].map((gateway) => gateway.close())));

// Only at one moment, because the statement of a killed gateway may still be committed.
const heldNow = () => heldByEach(database.db, ['vm', 'vm-move']);

/** Makes the calls up to the one that is interrupted, and continues from there through the surviving gateway. */
async function move({ calls, after }: (typeof moves)[number], last: number, key: string, strike: (call: SentMutation) => Promise<void>) {
  const keyed = ([mutation, input, fields = 'event { id }']: Mutation, index: number): SentMutation => {
    return { mutation, input: { ...input, idempotencyKey: `${key}: call ${index}` }, fields: `${fields} replayed` };
  };
  const sent = calls.map(keyed);
  const send = async ({ mutation, input, fields }: SentMutation) => {
    const answer = await write(mutation, input, fields);
    expect(answer.userErrors).toEqual([]);
    return answer;
  };
  await createSeed(database.db).claim('vm', source);
  for (const call of sent.slice(0, last)) await send(call);
  const struck = sent[last] as SentMutation;
  await strike(struck);
  expect([last === 0 ? [source, {}] : after[last - 1], after[last]]).toContainEqual(await heldNow());
  const answer = await send(struck);
  expect(await heldNow()).toEqual(after[last]);
  expect(await send(struck)).toEqual({ ...answer, replayed: true });
  for (const call of sent.slice(last + 1)) await send(call);
  expect(await heldNow()).toEqual(after.at(-1));
}

const everyCall = moves.flatMap((one) => one.calls.map(([mutation], index) => [one.called, index, mutation, one] as const));

test.each(everyCall)('%s: call %i (%s) takes effect once or not at all if its session is cut off', async (called, index, _, one) => {
  let count = 0;
  for (const [moment, table] of Object.entries(tablesWaitedFor)) {
    const key = `${called}, session cut off ${moment} in call ${index}`;
    await move(one, index, key, async ({ mutation, input, fields }) => {
      count += await cutOffWaitingFor(database, table, () => cutOff.ask(mutationOf(mutation, fields), { input }));
    });
    await clearSoundLedger(database.db);
  }
  // Even a call that writes nothing stores its answer under its key.
  expect(count).toBeGreaterThan(0);
});

const deaths = everyCall.flatMap(([called, index, mutation, one], place) => {
  const moments = isGate ? momentsOfDeath : index === 0 ? [momentsOfDeath[place % momentsOfDeath.length] as string] : [];
  return moments.map((moment) => [called, index, mutation, moment, one] as const);
});

test.each(deaths)('%s: call %i (%s) of a gateway that is killed %s takes effect once or not at all', async (...args) => {
  const [called, index, , moment, one] = args;
  const victim = await Victim.start(database);
  try {
    await move(one, index, `${called}, killed ${moment} in call ${index}`, (call) => victim.dieDoing(call, moment));
  } finally {
    await victim.close();
  }
});
