// Nothing is decided by the clock of a gateway: it may be wrong, and be set while it runs. All moments are those of the database.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { claim, createWriter, type Payload, unchecked } from '../../support/mutations.ts';
import { sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
beforeAll(async () => {
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 1000 } });
  gateway = await startGateway(database, 'jit');
});
afterEach(() => vi.useRealTimers());
afterAll(() => gateway.close());

const hour = 3_600_000;
/** Sets the clock of this process, and so of its gateway; timers go on as before. */
function setClock(ahead: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ now: Date.now() + ahead, toFake: ['Date'] });
}

const momentOfDatabase = async () => {
  const [row] = await database.db.sql<{ at: string }[]>`
    select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`;
  return row?.at ?? '';
};

const past = `query ($at: DateTime!, $uuid: UUID!) {
  asOf(moment: $at) { at pastConsumer(uuid: $uuid) { allocations { amount } } }
  usageHistory(of: { consumer: $uuid }, from: $at, stepSeconds: 3600) { samples { usages { used } } }
}`;

test.each([-1, 1, -24, 24])('the past is right at a gateway whose clock is %i hours ahead', async (hours) => {
  const uuid = uuidOf(`past of ${hours}`);
  const { write } = createWriter(gateway, database);
  setClock(hours * hour);
  const { userErrors } = await write('replaceAllocations', { consumers: [claim(`past of ${hours}`, 'cn1', 3)] });
  const at = await momentOfDatabase();
  await write('releaseAllocations', { consumers: [{ consumer: uuid, expect: unchecked }] });
  expect(userErrors).toEqual([]);
  const usages = [{ used: 3 }];
  expect(await gateway.data(past, { at, uuid })).toEqual({
    asOf: { at, pastConsumer: { allocations: [{ amount: 3 }] } },
    usageHistory: { samples: [{ usages }] },
  });
});

test('calls with keys, some repeated, are done once each while the clock jumps, and their moments are in order', async () => {
  const roll = freshDice('clocks');
  const { write } = createWriter(gateway, database);
  const sent: { readonly input: object; readonly answer: Payload }[] = [];
  const from = await momentOfDatabase();
  for (let call = 0; call < sampled(300); call++) {
    if (call % 5 === 0) setClock((roll(97) - 48) * hour);
    const earlier = roll(3) === 0 ? sent[roll(sent.length)] : undefined;
    if (earlier) {
      expect(await write('replaceAllocations', earlier.input, 'replayed event { id }')).toEqual({ ...earlier.answer, replayed: true });
      continue;
    }
    const input = { idempotencyKey: `key ${call}`, consumers: [claim(`server ${call}`, 'cn1', 1)] };
    const answer = await write('replaceAllocations', input, 'replayed event { id }');
    expect(answer).toMatchObject({ userErrors: [], replayed: false });
    sent.push({ input, answer });
  }
  const [row] = await database.db.sql`
    select count(*)::int as written, bool_and(at between ${from}::timestamptz and clock_timestamp()) as "areOfDatabase",
           bool_and(at >= coalesce(earlier, at)) as "areInOrder"
    from (select at, lag(at) over (order by id) as earlier from events where at >= ${from}::timestamptz) e`;
  expect(row).toEqual({ written: sent.length, areOfDatabase: true, areInOrder: true });
  await expectSoundLedger(database.db);
});
