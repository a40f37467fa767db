// Examination. Of claims that share a call, those that cannot succeed are left out: the rest is written by the same call, as if they had never been in it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { applyWrite } from '../../../src/db/writes/apply-write.ts';
import { answersOf, type Claim, joinClaims, partsDone } from '../../../src/db/writes/claim-batch.ts';
import { isRefused } from '../../../src/db/writes/contract.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { countEvents, expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { VCPU: { total: 20, maxUnit: 8 }, DISK_GB: 100 } });
  // Names that are known keep the calls of a test few.
  await seed.claim('first', { cn1: { VCPU: 1 } }, { project: 'p1' });
  return () => database.drop();
});

const by = (name: string) => ({ user: 'u0', project: 'p0', roles: ['admin'], requestId: `req-${name}` });
const nobody = { user: null, project: null, roles: [], requestId: '' };
const keyOf = (name: string) => ({ principal: 'me', operation: 'replaceAllocations', key: `key of ${name}`, hash: `hash of ${name}` });

/** A claim of new consumers that hold the same: `{ cn1: 2 }` is 2 VCPU there. */
const claimOf = (name: string, held: Readonly<Record<string, number>>, { keyed = false, members = [name] } = {}): Claim => ({
  call: { by: by(name), ...(keyed && { idempotency: keyOf(name) }) },
  consumers: members.map((member) => ({
    uuid: uuidOf(member),
    project: 'p1',
    user: 'u1',
    type: 'INSTANCE',
    allocations: Object.entries(held).map(([provider, amount]) => ({ provider: uuidOf(provider), resourceClass: 'VCPU', amount })),
  })),
});

/** Makes the claims in one call. */
async function together(db: Db, claims: readonly Claim[]) {
  const request = joinClaims(claims);
  const answer = await applyWrite(db, 'claim_together', request, { by: nobody });
  if (isRefused(answer)) return { apart: claims.map((_, place) => place), answers: [] };
  return { apart: answer.apart, answers: answersOf(partsDone(request.parts, answer.apart), answer) };
}

const requestOf = ({ consumers }: Claim) => ({
  consumers: consumers.map((consumer) => ({ ...consumer, keepType: false, expect: { isNew: true } as const })),
});
const consumersKnown = async () => (await database.db.sql<{ uuid: string }[]>`select uuid from consumers`).map(({ uuid }) => uuid);

describe('one that cannot succeed among many fails alone', () => {
  test.each<[words: string, doomed: Claim]>([
    ['of a provider that does not exist', claimOf('doomed', { cn1: 1, nowhere: 1 })],
    ['of more than there is', claimOf('doomed', { cn2: 1, cn1: 8 }, { members: ['doomed', 'doomed too', 'doomed three'] })],
    ['against the units', claimOf('doomed', { cn2: 1, cn3: 9 })],
    ['of a consumer that exists', claimOf('first', { cn1: 1 })],
  ])('%s', async (_words, doomed) => {
    const others = Array.from({ length: 9 }, (_, index) =>
      claimOf(`server${index}`, { cn1: 1, [`cn${1 + (index % 3)}`]: 1 }, { keyed: index > 6 }),
    );
    const claims = [...others.slice(0, 4), { ...doomed, call: { ...doomed.call, idempotency: keyOf('doomed') } }, ...others.slice(4)];
    const before = await countEvents(database.db);
    const { apart, answers } = await together(database.db, claims);
    expect(apart).toEqual([4]);
    expect(answers.map(({ touched }) => touched)).toEqual(others.map(({ consumers }) => consumers.map(({ uuid }) => uuid)));
    expect(await countEvents(database.db)).toBe(before + 9);
    expect(await consumersKnown()).toEqual(expect.arrayContaining(others.map(({ consumers }) => consumers[0]?.uuid)));
    const keys = await database.db.sql<{ key: string }[]>`select key from idempotency_keys order by key`;
    expect(keys.map(({ key }) => key)).toEqual(['key of server7', 'key of server8']);
    await expectSoundLedger(
      database.db,
      answers.map(({ eventId }) => eventId as number),
    );
    // What is stored under a key is the answer of its own part.
    for (const nth of [7, 8]) {
      const again = await applyWrite(database.db, 'replace_allocations', requestOf(others[nth] as Claim), (others[nth] as Claim).call);
      expect(again).toEqual({ ...answers[nth], classIds: (again as { classIds: object }).classIds, replayed: true });
    }
  });

  test('if its key was used before', async () => {
    const used = claimOf('used', { cn1: 1 }, { keyed: true });
    await together(database.db, [used]);
    const { apart, answers } = await together(database.db, [
      claimOf('a', { cn1: 1 }),
      { ...claimOf('b', { cn1: 1 }), call: used.call },
      claimOf('c', { cn1: 1 }),
    ]);
    expect({ apart, answers: answers.length }).toEqual({ apart: [1], answers: 2 });
    await expectSoundLedger(database.db);
  });
});

test('of claims for more than is left, the small ones share the call; those left out fit nowhere or are tried alone', async () => {
  const { apart } = await together(
    database.db,
    [8, 8, 1, 2, 3, 4].map((amount, index) => claimOf(`server${index}`, { cn1: amount })),
  );
  expect(apart).toEqual([1]);
  await expectSoundLedger(database.db);
});

test('random claims on scarce providers, concurrently through the queue, are as sound as one by one', async () => {
  const roll = freshDice('scarce');
  for (let round = 0; round < 12; round++) {
    const claims = Array.from({ length: 24 }, (_, index) => {
      const held = {
        [`cn${1 + roll(3)}`]: 1 + roll(3),
        [roll(12) === 0 ? 'nowhere' : `cn${1 + roll(3)}`]: 1 + roll(roll(10) === 0 ? 9 : 2),
      };
      const members = [`r${round} ${roll(20)}`, ...(roll(3) === 0 ? [`r${round} ${index} more`] : [])];
      return claimOf(`r${round} ${index}`, held, { keyed: roll(2) === 0, members });
    });
    const answers = await Promise.all(claims.map((claim) => submitWrite(database.db, 'replace_allocations', requestOf(claim), claim.call)));
    const events = answers.flatMap((answer) => (isRefused(answer) ? [] : [answer.eventId as number]));
    await expectSoundLedger(database.db, events);
    const known = await consumersKnown();
    for (const [index, answer] of answers.entries())
      if (!isRefused(answer)) for (const { uuid } of claims[index]?.consumers ?? []) expect(known).toContain(uuid);
    await seed.write('release_allocations', {
      consumers: known.filter((_, index) => index % 2 === 0).map((uuid) => ({ uuid, expect: {}, allocations: [] })),
    });
  }
});

test('claims of which some are left out are written as the rest alone would be', async () => {
  const roll = freshDice('some apart');
  const twin = await createTestDatabase();
  const nameless = ({ answers }: Awaited<ReturnType<typeof together>>) =>
    answers.map(({ consumers, providers, classIds, touched }) => ({
      consumers: consumers.map((consumer) => consumer && { ...consumer, id: 0, createdAt: '', updatedAt: '' }),
      providers: providers.map(({ uuid, generation }) => ({ uuid, generation })),
      classIds,
      touched,
    }));
  const eventsOf = async ({ db }: TestDatabase) =>
    await db.sql`select consumer_uuids, provider_uuids, changes, request_id from events where kind = 'REPLACE_ALLOCATIONS' and request_id like 'req-r%'
      order by id`;
  try {
    const twinSeed = createSeed(twin.db);
    for (const one of [seed, twinSeed]) {
      for (const name of ['wide1', 'wide2', 'wide3']) await one.provider(name, { inventories: { VCPU: { total: 2000, maxUnit: 8 } } });
      await one.claim('known', { wide1: { VCPU: 1 } }, { project: 'p1' });
    }
    for (let round = 0; round < 12; round++) {
      const isDoomed = Array.from({ length: 2 + roll(8) }, (_, index) => index > 0 && roll(3) === 0);
      const claims = isDoomed.map((doomed, index) =>
        claimOf(
          `r${round} ${index}`,
          { [`wide${1 + roll(3)}`]: 1, [`wide${1 + roll(3)}`]: 2, ...(doomed && { [roll(2) === 0 ? 'nowhere' : 'wide1']: 9 }) },
          { keyed: roll(2) === 0, members: [`r${round} ${index}`, `r${round} ${index} b`].slice(0, 1 + roll(2)) },
        ),
      );
      const withDoomed = await together(database.db, claims);
      const alone = await together(
        twin.db,
        claims.filter((_, index) => !isDoomed[index]),
      );
      expect(withDoomed.apart).toEqual([...isDoomed.keys()].filter((index) => isDoomed[index]));
      expect(nameless(withDoomed)).toEqual(nameless(alone));
    }
    expect(await eventsOf(database)).toEqual(await eventsOf(twin));
    await expectSoundLedger(database.db);
  } finally {
    await twin.drop();
  }
});
