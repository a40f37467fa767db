// docs/reservations.md is true: its documents are sent in order, with the Tuesday of the page today, and the answers are what the page says.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { blocksOf } from '../support/documents.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const page = readFileSync(new URL('../../docs/reservations.md', import.meta.url), 'utf8');
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  const seed = createSeed(database.db);
  for (const [name, VCPU] of Object.entries({ cn1: 48, cn2: 48, cn3: 52 })) {
    await seed.provider(name, { inventories: { VCPU, MEMORY_MB: 131_072 } });
  }
});
afterAll(() => gateway.close());

/** A moment as answers write it: without a fraction of zeros. */
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.?0*Z$/, 'Z');
const moments: Readonly<Record<string, string>> = {
  '2027-03-01T00:00:00Z': inHours(-48),
  '2027-03-02T09:00:00Z': inHours(-1),
  '2027-03-02T17:00:00Z': inHours(7),
  '2027-03-02T19:00:00Z': inHours(9),
  '2027-03-08T00:00:00Z': inHours(100),
};
const end = moments['2027-03-02T17:00:00Z'];
const later = moments['2027-03-02T19:00:00Z'];
const variables = { training: uuidOf('training'), host: uuidOf('cn1'), consumer: uuidOf('vm') };

test('every document of the page runs in the order of the page', async () => {
  const answers: Record<string, unknown>[] = [];
  for (const { text } of blocksOf(page)) {
    const today = text.replace(/2027[\dT:-]+Z/g, (moment) => moments[moment] ?? moment);
    const used = Object.fromEntries(Object.entries(variables).filter(([name]) => text.includes(`$${name}`)));
    answers.push(await gateway.data(today, used));
  }
  const reserved = expect.arrayContaining([expect.objectContaining({ resourceClassName: 'VCPU' })]);
  expect(answers).toEqual([
    { fit: { total: 37 } },
    { replaceReservation: { reservation: { generation: 1, amounts: reserved }, userErrors: [] } },
    { resourceProvider: { inventory: { capacity: 48, used: 0, free: 48, promised: 40 } } },
    {
      claim: {
        claims: [
          {
            consumer: { uuid: variables.consumer, generation: 1, expiresAt: end, reservation: { uuid: variables.training } },
            candidate: { root: { name: 'cn1' } },
          },
        ],
        userErrors: [],
      },
    },
    {
      reservation: {
        ...{ hasBegun: true, endsAt: end, consumerCount: 1 },
        amounts: [
          { resourceClassName: 'VCPU', amount: 40, claimed: 4 },
          { resourceClassName: 'MEMORY_MB', amount: 81_920, claimed: 8192 },
        ],
      },
    },
    { replaceReservation: { reservation: { generation: 2, endsAt: later }, userErrors: [] } },
    { reservations: { nodes: [expect.objectContaining({ uuid: variables.training, endsAt: later })], totalCount: 1 } },
  ]);
  const { consumer } = await gateway.data(`{ consumer(uuid: "${variables.consumer}") { generation expiresAt } }`);
  expect(consumer).toEqual({ generation: 2, expiresAt: later });
  await expectSoundLedger(database.db);
});
