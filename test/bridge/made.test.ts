// What writes say they have made in another Placement, and when that may be believed.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Importer, importConsumers, importer } from '../../src/bridge/imports.ts';
import { readOwnConsumers, readOwnProviders } from '../../src/bridge/ledger.ts';
import { MadeConsumers } from '../../src/bridge/made.ts';
import { becomeCarrier, endNotes, insertBridge, noteObjects, selectDue } from '../../src/db/bridge.ts';
import type { MadeConsumer } from '../../src/db/writes/contract.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let here: TestDatabase;
let made: MadeConsumers;
let by: Importer;

beforeEach(async () => {
  here = await createTestDatabase();
  await createSeed(here.db).provider('host', { inventories: { VCPU: 8 } });
  await insertBridge(here.db, 'http://other.example');
  made = new MadeConsumers(here.db);
  by = importer(`req-${randomUUID()}`, (await becomeCarrier(here.db, randomUUID(), 60)) ?? 0);
});

afterEach(() => here.drop());

const consumer = { noun: 'consumer', key: uuidOf('c1') } as const;
const provider = { noun: 'provider', key: uuidOf('host') } as const;
const take = async () => made.take(await selectDue(here.db, 100), by);
const note = async () => (await noteObjects(here.db, randomUUID(), [consumer, { noun: 'generation', key: provider.key }])) ?? [];

const claim: MadeConsumer = {
  ...{ uuid: consumer.key, expect: { isNew: true }, project: 'p', user: 'u', type: null, generation: 1, raises: [provider.key] },
  allocations: [{ provider: provider.key, resourceClass: 'VCPU', amount: 2 }],
};

/** Notes a claim, and ends it after something else has happened. */
async function claimAround(meanwhile: () => Promise<unknown>): Promise<readonly number[]> {
  const ids = await note();
  await meanwhile();
  await endNotes(here.db, ids, { again: null, made: claim });
  return ids;
}

const generations = async () => [
  (await readOwnProviders(here.db, [provider.key])).get(provider.key)?.generation,
  (await readOwnConsumers(here.db, [consumer.key])).get(consumer.key)?.generation,
];

test('a claim is taken over with the generation of its provider, and all its notes are done with', async () => {
  await take();
  const [before] = await generations();
  const ids = await claimAround(async () => {});
  expect(await take()).toEqual({ left: [], taken: [consumer], done: ids });
  expect(await generations()).toEqual([Number(before) + 1, 1]);
});

test.for<[reason: string, meanwhile: () => Promise<unknown>]>([
  ['its provider was read since it was noted', () => made.markRead([provider])],
  ['it was read itself since it was noted', () => made.markRead([consumer])],
  ['another write of it is under way', note],
  ['it is another one here', () => importConsumers(here.db, [{ ...claim, expect: {}, generation: 7, raises: [] }], by)],
  ['the process has begun to carry over since', async () => made.forget()],
])('a claim must be read if %s', async ([, meanwhile]) => {
  await take();
  const ids = await claimAround(meanwhile);
  const before = await generations();
  const { left, done } = await take();
  expect([left.flatMap((object) => object.ids).toSorted(), done]).toEqual([ids.toSorted(), []]);
  expect(await generations()).toEqual(before);
});

test('what was read before a claim was noted does not matter', async () => {
  await take();
  await made.markRead([provider, consumer]);
  const ids = await claimAround(async () => {});
  expect(await take()).toEqual({ left: [], taken: [consumer], done: ids });
});

test('a consumer that expires here lasts once the other Placement has written it, which knows no expiry', async () => {
  const expires = async () => (await here.own<{ at: Date | null }[]>`select expires_at as at from consumers`).map(({ at }) => at);
  const request = { consumers: [{ ...claim, raises: [], expiresAt: '2001-02-03T04:05:06Z' }], ...by() };
  await createSeed(here.db).write('import_consumers', request);
  expect(await expires()).toEqual([new Date('2001-02-03T04:05:06Z')]);
  await importConsumers(here.db, [{ ...claim, expect: {}, raises: [] }], by);
  expect(await expires()).toEqual([null]);
});
