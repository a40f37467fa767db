// Consumers that expire, as clients claim, read, extend and confirm them; and who may.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, useCallers } from '../../support/personas.ts';
import { useRest } from '../../support/rest.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = useCallers(() => database);
const rest = useRest(database);
const consumer = `"${uuidOf('vm')}"`;
const at = '2099-01-02T03:04:05Z';

beforeAll(async () => {
  await createSeed(database.db).provider('host', { inventories: { VCPU: 8 } });
});

const claim = `mutation { claim(input: {
  consumers: { consumer: ${consumer}, expect: { isNew: true }, project: "blue", user: "u1", consumerType: "INSTANCE", expiry: { at: "${at}" } }
  request: { groups: { resources: { resourceClass: "VCPU", amount: 2 } } }
}) { claims { consumer { generation expiresAt } } userErrors { message } } }`;
const set = (generation: number, expiry: string) => `mutation { setExpiry(input: {
  consumers: { consumer: ${consumer}, expect: { generation: ${generation} }, expiry: ${expiry} }
}) { consumers { generation expiresAt allocations { amount } } event { kind changes { nodes { ... on ConsumerChange { expiresAt { before after } allocations { amountAfter: after } } } } } userErrors { code path retry } } }`;
const moment = { before: at, after: null };

test('a claim that expires is read by all who may, in REST as any other, is confirmed by those who may allocate, and its past is known', async () => {
  expect((await ask('admin', claim)).data?.claim).toEqual({ claims: [{ consumer: { generation: 1, expiresAt: at } }], userErrors: [] });
  const read = `{ consumer(uuid: ${consumer}) { expiresAt } }`;
  for (const who of ['admin', 'reader'] as const) expect((await ask(who, read)).data).toEqual({ consumer: { expiresAt: at } });
  expect((await rest.ask(`GET /allocations/${uuidOf('vm')}`)).json).toMatchObject({
    allocations: { [uuidOf('host')]: { resources: { VCPU: 2 } } },
    consumer_generation: 1,
  });

  expect(refusalOf(await ask('reader', set(1, '{ never: true }')))).toContain('FORBIDDEN');
  expect((await ask('admin', set(7, '{ never: true }'))).data?.setExpiry).toMatchObject({
    consumers: [],
    userErrors: [{ code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], retry: 'AFTER_READ' }],
  });
  expect((await ask('admin', set(1, '{ never: true }'))).data?.setExpiry).toEqual({
    consumers: [{ generation: 2, expiresAt: null, allocations: [{ amount: 2 }] }],
    event: { kind: 'SET_EXPIRY', changes: { nodes: [{ expiresAt: moment, allocations: [] }] } },
    userErrors: [],
  });
  expect((await ask('reader', read)).data).toEqual({ consumer: { expiresAt: null } });
});
