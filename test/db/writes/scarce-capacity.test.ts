// Examination. Capacity under pressure: many claim far more than there is, beside moves, resizes, releases and inventories that shrink and grow, through two
// pools of connections. Examined by the checker of the torture, which knows only rows: in snapshots all the while, and by a replay of all events.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { Unavailable } from '../../../src/domain/errors.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { tried } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { checkLedger } from '../../torture/check-ledger.ts';
import type { Violation } from '../../torture/history.ts';
import { connectTo, findBadRows, readEvents, readTables } from '../../torture/ledger-rows.ts';

const database = useDatabase();
const claimCount = tried(1000, 10_000);
const claimersOfEach = 16;
const capacity = 20;
/** The others are shrunk below what is used of them, and grow again. */
const steady = Array.from({ length: 40 }, (_, index) => `steady ${index}`);
const changing = Array.from({ length: 10 }, (_, index) => `changing ${index}`);
const providers = [...steady, ...changing];

let otherDb: Db;
beforeAll(async () => {
  otherDb = openDatabase(database.target);
  const seed = createSeed(database.db);
  for (const name of providers) await seed.provider(name, { inventories: { VCPU: capacity } });
});
afterAll(() => otherDb.close());

/** What became of the writes of all claimers. */
const met = new Map<string, number>();
let claims = 0;

const by = { user: 'u', project: 'p', roles: [], requestId: 'req-scarce' };
const plain = { reserved: 0, minUnit: 1, maxUnit: capacity, stepSize: 1, allocationRatio: 1 };

/** The write, counted by its kind and answer. True if it was done. */
async function done(kind: string, write: Promise<object>): Promise<boolean> {
  const answer = await write.catch((error: unknown) => {
    if (error instanceof Unavailable) return { refusal: { code: 'UNAVAILABLE' } };
    throw error;
  });
  const code = 'refusal' in answer ? (answer.refusal as { code: string }).code : 'done';
  met.set(`${kind}: ${code}`, (met.get(`${kind}: ${code}`) ?? 0) + 1);
  return code === 'done';
}

async function claimOn(db: Db, roll: Dice, name: string): Promise<void> {
  const own: { readonly uuid: string; generation: number }[] = [];
  const any = () => providers[roll(providers.length)] ?? '';
  const hold = (kind: string, uuid: string, generation: number, amount: number) =>
    done(
      kind,
      submitWrite(
        db,
        'replace_allocations',
        {
          consumers: [
            {
              ...{ uuid, expect: generation === 0 ? { isNew: true } : { generation }, project: 'p', user: 'u', type: 'INSTANCE' },
              allocations: amount === 0 ? [] : [{ provider: uuidOf(any()), resourceClass: 'VCPU', amount }],
            },
          ],
        },
        { by },
      ),
    );
  while (claims < claimCount) {
    const kind = roll(20);
    const place = roll(own.length || 1);
    const held = own[place];
    if (kind < 12 || !held) {
      const uuid = uuidOf(`${name} ${claims++}`);
      if (await hold('claim', uuid, 0, 1 + roll(3))) own.push({ uuid, generation: 1 });
    } else if (kind < 16) {
      if (await hold('move', held.uuid, held.generation, 1 + roll(4))) held.generation += 1;
    } else if (kind < 19) {
      if (await hold('release', held.uuid, held.generation, 0)) own.splice(place, 1);
    } else {
      const provider = uuidOf(changing[roll(changing.length)] ?? '');
      const inventories = [{ resourceClass: 'VCPU', ...plain, total: 1 + roll(capacity) }];
      await done('shrink', submitWrite(db, 'replace_inventories', { provider, expect: {}, inventories }, { by }));
    }
  }
}

test('claims for far more than exists never take more, in any snapshot and in the replay of all events', {
  timeout: tried(60_000, 600_000),
}, async () => {
  const sql = connectTo(socketOf(database.target));
  const seen: Violation[] = [];
  let snapshots = 0;
  let fullest = 0;
  const claimers = [database.db, otherDb].flatMap((db, gateway) =>
    Array.from({ length: claimersOfEach }, (_, index) => claimOn(db, freshDice(`${gateway} ${index}`), `${gateway} ${index}`)),
  );
  const sample = async () => {
    while (claims < claimCount) {
      seen.push(...(await findBadRows(sql, steady.map(uuidOf))));
      const [row] = await sql<{ used: number }[]>`select sum(used)::int as used from inventories`;
      fullest = Math.max(fullest, row?.used ?? 0);
      snapshots += 1;
      await sleep(tried(50, 250));
    }
  };
  await Promise.all([...claimers, sample()]);
  const events = await readEvents(sql);
  const violations = [...seen, ...checkLedger(events, await readTables(sql)), ...(await findBadRows(sql, steady.map(uuidOf)))];
  await sql.end();
  console.log(JSON.stringify({ claims, snapshots, fullest, events: events.length, met: Object.fromEntries(met) }));
  expect(violations).toEqual([]);
  // It was nearly full, and nothing was refused for another reason.
  expect(fullest).toBeGreaterThan(0.85 * capacity * steady.length);
  for (const kind of ['claim', 'move']) expect(met.get(`${kind}: CAPACITY_EXCEEDED`)).toBeGreaterThan(0);
  const unexpected = [...met.keys()].filter((outcome) => !/: (done|CAPACITY_EXCEEDED|UNAVAILABLE)$/.test(outcome));
  expect(unexpected).toEqual([]);
  expect(met.get('claim: UNAVAILABLE') ?? 0).toBeLessThan(claimCount / 100);
  await expectSoundLedger(database.db);
});
